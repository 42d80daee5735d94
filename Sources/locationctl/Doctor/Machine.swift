import Glibc
import Platform

/// This machine's files, as far as they show what may be wrong; in tests another root.
struct Machine {
  var root = ""
  /// The user of locationd-share.
  var sharer = "locationd-share"

  func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The user who looks may not enter a folder on the way.
  func isHidden(_ path: String) -> Bool {
    var entry = stat()
    return stat(root + path, &entry) != 0 && errno == EACCES
  }

  func text(_ path: String) -> String? {
    let file = open(root + path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// The files of a folder whose names end so, in the order of their names.
  func texts(in folder: String, ending: String) -> [String] {
    names(in: folder).filter { $0.hasSuffix(ending) }.compactMap { text("\(folder)/\($0)") }
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

  /// locationd-share's user has the right there.
  func letsShare(_ right: File.Rights, at path: String) -> Bool {
    let accounts = Accounts()
    guard let uid = accounts.uid(of: sharer), let group = accounts.group(of: uid) else {
      return false
    }
    return File.rights(of: uid, in: group, at: root + path).contains(right)
  }

  /// The names in a folder, in order; none where there is no such folder.
  func names(in path: String) -> [String] {
    ((try? File.names(in: root + path)) ?? []).sorted()
  }

  /// Serial lines where receivers are, by their names, in order.
  var lines: [String] {
    let kinds = ["ttyUSB", "ttyACM", "ttyAMA", "gnss", "serial0"]
    return names(in: "/dev").filter { name in kinds.contains { name.hasPrefix($0) } }
      .map { "/dev/\($0)" }
  }

  var hasWiFi: Bool {
    names(in: "/sys/class/net").contains { exists("/sys/class/net/\($0)/phy80211") }
  }

  var hasModem: Bool {
    names(in: "/sys/class/net").contains { $0.hasPrefix("wwan") }
      || names(in: "/dev").contains { $0.hasPrefix("cdc-wdm") || $0.hasPrefix("wwan") }
  }

  /// The machine is a laptop, or stands, by the kind of case in SMBIOS; nil for neither.
  var isPortable: Bool? {
    let kind = text("/sys/class/dmi/id/chassis_type").flatMap {
      Int($0.filter { $0.isNumber })
    }
    return switch kind {
    case 8, 9, 10, 14, 30, 31, 32: true
    case 3, 4, 5, 6, 7, 13, 15, 16, 35: false
    default: nil
    }
  }

  /// The terminals that the kernel writes to.
  var consoles: [String] {
    (text("/sys/class/tty/console/active") ?? "").split { $0.isWhitespace }.map(String.init)
  }
}
