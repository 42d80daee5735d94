import Glibc
package import LocationModel

/// A look at a program of the user's, which a program of the same user can take and the daemon cannot.
package enum ProgramSight {
  /// Nil for what has gone, or is somebody else's.
  package static func look(at pid: Int32) -> JSON? {
    guard pid > 0 else { return nil }
    if let flatpak = flatpak(of: pid) { return ["flatpak": .string(flatpak)] }
    guard let exe = link("/proc/\(pid)/exe"), !exe.hasSuffix(" (deleted)") else { return nil }
    guard isShared(exe) else { return ["exe": .string(exe)] }
    if let script = script(of: pid) {
      return ["exe": .string(exe), "script": .string(script), "shared": .bool(true)]
    }
    return ["exe": .string(exe), "shared": .bool(true)]
  }

  /// The file that an interpreter was started with as `INTERPRETER FILE`; nil where it runs something
  /// else as well, or instead: an option's text, a module, standard input, what the environment loads.
  private static func script(of pid: Int32) -> String? {
    guard let words = strings(in: "/proc/\(pid)/cmdline"), words.count > 1,
      !words[1].isEmpty, !words[1].hasPrefix("-"),
      let environment = strings(in: "/proc/\(pid)/environ"),
      !environment.contains(where: loadsOthers)
    else { return nil }
    // These are other files in each process.
    guard !words[1].hasPrefix("/dev/"), !words[1].hasPrefix("/proc/") else { return nil }
    var path = words[1]
    if !path.hasPrefix("/") {
      guard let folder = link("/proc/\(pid)/cwd") else { return nil }
      path = folder + "/" + path
    }
    var entry = stat()
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    guard stat(real, &entry) == 0, entry.st_mode & S_IFMT == S_IFREG else { return nil }
    return String(validatingCString: real)
  }

  private static func loadsOthers(_ assignment: String) -> Bool {
    loaders.contains { assignment.hasPrefix($0 + "=") } || assignment.hasPrefix("LUA_INIT")
  }

  /// An interpreter loads these besides its file.
  private static let loaders = [
    "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP",
    "PYTHONINSPECT", "PERL5OPT", "PERL5LIB", "PERLLIB", "PERL5DB", "RUBYOPT", "RUBYLIB",
    "NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
    "CLASSPATH", "BASH_ENV", "ENV", "ZDOTDIR", "PHPRC", "PHP_INI_SCAN_DIR", "LUA_PATH",
    "LUA_CPATH", "GUILE_LOAD_PATH", "GI_TYPELIB_PATH", "MONO_PATH", "DOTNET_STARTUP_HOOKS",
    "AWKPATH",
  ]

  /// The texts of a file that ends each with a zero; nil where it is too long to be all seen.
  private static func strings(in path: String) -> [String]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress! + count, $0.count - count)
      }
      guard more >= 0 else { return nil }
      if more == 0 { break }
      count += more
    }
    guard count < bytes.count else { return nil }
    return bytes[..<count].split(separator: 0, omittingEmptySubsequences: false)
      .dropLast(count > 0 && bytes[count - 1] == 0 ? 1 : 0)
      .map { String(decoding: $0, as: UTF8.self) }
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
