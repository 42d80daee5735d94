import Glibc

/// This machine's files, as far as they show what may be wrong; in tests another root.
struct Machine {
  var root = ""

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  func text(_ path: String) -> String? {
    let file = open(root + path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Every user may read the file.
  func isForAll(_ path: String) -> Bool {
    var entry = stat()
    return stat(root + path, &entry) == 0 && entry.st_mode & S_IROTH != 0
  }

  /// The group that a device belongs to; nil where there is none of that name.
  func group(of path: String) -> String? {
    var entry = stat()
    guard stat(root + path, &entry) == 0, let group = getgrgid(entry.st_gid) else { return nil }
    return String(cString: group.pointee.gr_name)
  }

  /// Serial lines where receivers are, by their names, in order.
  var lines: [String] {
    guard let folder = opendir(root + "/dev") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      let kinds = ["ttyUSB", "ttyACM", "ttyAMA", "gnss", "serial0"]
      if kinds.contains(where: { name.hasPrefix($0) }) { names.append("/dev/\(name)") }
    }
    return names.sorted()
  }

  /// The terminals that the kernel writes to.
  var consoles: [String] {
    (text("/sys/class/tty/console/active") ?? "").split { $0.isWhitespace }.map(String.init)
  }
}
