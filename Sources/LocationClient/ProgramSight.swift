import Glibc
package import LocationModel

/// A look at a program of the user's, which a program of the same user can take and the daemon cannot.
package enum ProgramSight {
  /// `socket`: the inode of the other end of the program's connection, where that is known. Nil for what has
  /// gone, is another user's, or cannot be told from what the process ran before.
  package static func look(at pid: Int32, socket: UInt32? = nil) -> JSON? {
    guard pid > 0 else { return nil }
    if let flatpak = flatpak(of: pid) { return ["flatpak": .string(flatpak)] }
    guard let image = ProgramImage(of: pid), let exe = executable(of: pid) else { return nil }
    let hasConnected = image.hasConnected(socket.flatMap(SocketPeer.inode))
    let isInterpreter = isShared(exe)
    let script = isInterpreter && hasConnected ? ScriptSight(image, exe)?.file : nil
    // All of it is of one program only if none has taken its place meanwhile.
    guard ProgramImage(of: pid) == image, hasConnected || isInterpreter else { return nil }
    return [
      "exe": .string(exe), "script": script.map(JSON.string),
      "shared": isInterpreter ? .bool(true) : nil,
    ]
  }

  /// The path of the file that runs. A program keeps it when an upgrade replaces the file: where another file
  /// of the same owner has the place.
  private static func executable(of pid: Int32) -> String? {
    let link = "/proc/\(pid)/exe"
    guard let exe = ProcFile.link(link) else { return nil }
    let mark = " (deleted)"
    guard exe.hasSuffix(mark) else { return exe }
    let path = String(exe.dropLast(mark.count))
    var (old, new) = (stat(), stat())
    guard stat(link, &old) == 0, old.st_nlink == 0, lstat(path, &new) == 0,
      new.st_mode & S_IFMT == S_IFREG, new.st_uid == old.st_uid
    else { return nil }
    return path
  }

  /// As flatpak itself wrote it into the sandbox.
  private static func flatpak(of pid: Int32) -> String? {
    let file = open("/proc/\(pid)/root/.flatpak-info", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    var isApplication = false
    for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("[") { isApplication = line == "[Application]" }
      if isApplication, line.hasPrefix("name=") { return String(line.dropFirst(5)) }
    }
    return nil
  }

  /// An interpreter runs many programs: its name is none for one of them.
  static func isShared(_ exe: String) -> Bool {
    interpreters.contains(plainName(of: exe))
  }

  /// `python` of `/usr/bin/python3.11`.
  static func plainName(of exe: String) -> String {
    String((exe.split(separator: "/").last ?? "").prefix { $0.isASCII && $0.isLetter })
  }

  private static let interpreters: Set<String> = [
    "bash", "busybox", "dash", "dotnet", "electron", "env", "fish", "gjs", "guile", "java", "lua",
    "mono", "node", "nodejs", "perl", "php", "python", "pypy", "qemu", "ruby", "sh", "tclsh",
    "wine",
    "zsh", "ksh", "awk", "gawk", "mawk",
  ]
}

/// One program in a process: another one that takes its place by exec has other addresses.
struct ProgramImage: Equatable {
  let pid: Int32
  /// The process's own name: at first that of the file which was executed, also of a script.
  let command: String
  /// In ticks since the machine started.
  let startTime: UInt64
  let arguments: Range<UInt64>
  let environment: Range<UInt64>
  private let device: UInt64
  private let inode: UInt64
  private let code: UInt64

  /// Nil where it cannot be looked into.
  init?(of pid: Int32) {
    guard let text = ProcFile.bytes(of: "/proc/\(pid)/stat", atMost: 4096),
      let open = text.firstIndex(of: UInt8(ascii: "(")),
      let close = text.lastIndex(of: UInt8(ascii: ")")), open < close
    else { return nil }
    // After the name, the third field is the first.
    let fields = text[(close + 1)...].split(separator: UInt8(ascii: " "))
      .map { UInt64(String(decoding: $0, as: UTF8.self)) ?? 0 }
    var file = stat()
    guard fields.count > 48, stat("/proc/\(pid)/exe", &file) == 0,
      0 < fields[45], fields[45] <= fields[46], fields[46] <= fields[47], fields[47] <= fields[48]
    else { return nil }
    self.pid = pid
    command = String(decoding: text[(open + 1)..<close], as: UTF8.self)
    startTime = fields[19]
    code = fields[23]
    arguments = fields[45]..<fields[46]
    environment = fields[47]..<fields[48]
    (device, inode) = (UInt64(file.st_dev), UInt64(file.st_ino))
  }

  /// Whether it is this program that has the connection, and not one that the process ran before: a
  /// descriptor that is closed by exec is its own. Without a `socket`, whether it has any like that.
  func hasConnected(_ socket: UInt32?) -> Bool {
    let wanted = socket.map { "socket:[\($0)]" }
    return ProcFile.names(in: "/proc/\(pid)/fd").contains { number in
      guard let target = ProcFile.link("/proc/\(pid)/fd/\(number)"),
        wanted.map({ $0 == target }) ?? target.hasPrefix("socket:"),
        let text = ProcFile.bytes(of: "/proc/\(pid)/fdinfo/\(number)", atMost: 4096)
      else { return false }
      let flags = text.split(separator: UInt8(ascii: "\n")).lazy
        .map { String(decoding: $0, as: UTF8.self) }
        .first { $0.hasPrefix("flags:") }?
        .split(whereSeparator: \.isWhitespace).last
      return flags.flatMap { UInt32($0, radix: 8) }.map { $0 & UInt32(O_CLOEXEC) != 0 } ?? false
    }
  }
}

/// Files of `/proc`.
enum ProcFile {
  /// Nil where it cannot be read, or is longer.
  static func bytes(of path: String, atMost limit: Int = 1 << 20) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let more = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress.map { $0 + count }, limit - count)
      }
      guard more >= 0 else { return nil }
      if more == 0 { return Array(bytes[..<count]) }
      count += more
    }
    return nil
  }

  static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4097)
    let count = readlink(path, &bytes, 4096)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The first names in a folder, without those that begin with a dot.
  static func names(in folder: String, atMost limit: Int = 4096) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
