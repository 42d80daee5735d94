import Glibc
package import LocationModel

/// A look at a program of the user's, which a program of the same user can take and the daemon cannot.
package enum ProgramSight {
  /// Nil for what has gone, or is somebody else's.
  package static func look(at pid: Int32) -> JSON? {
    guard pid > 0 else { return nil }
    if let flatpak = flatpak(of: pid) { return ["flatpak": .string(flatpak)] }
    guard let exe = link("/proc/\(pid)/exe"), !exe.hasSuffix(" (deleted)") else { return nil }
    return ["exe": .string(exe), "shared": isShared(exe) ? .bool(true) : nil]
  }

  private static func link(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 4097)
    let count = readlink(path, &bytes, 4096)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
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
    let name = exe.split(separator: "/").last ?? ""
    let plain = name.prefix { $0.isASCII && $0.isLetter }
    return interpreters.contains(String(plain))
  }

  private static let interpreters: Set<String> = [
    "bash", "busybox", "dash", "dotnet", "electron", "env", "fish", "gjs", "guile", "java", "lua",
    "mono", "node", "nodejs", "perl", "php", "python", "pypy", "qemu", "ruby", "sh", "tclsh",
    "wine",
    "zsh", "ksh", "awk", "gawk", "mawk",
  ]
}
