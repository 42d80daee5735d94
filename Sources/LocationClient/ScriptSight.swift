import Glibc
import LocationModel

/// The script that an interpreter was started with as `INTERPRETER FILE`, and nothing else that could have run
/// in the process before or beside it. What a process says of its arguments is its own memory: where there is
/// any sign that this is not as the kernel left it, or that other code was run, there is none.
struct ScriptSight {
  let file: String
  private let image: ProgramImage
  private let environment: [String: String]
  private let home: String?

  /// Nil where it is the interpreter alone that can be told. `home`: the user's own folder.
  init?(_ image: ProgramImage, _ exe: String, home: String? = ownHome) {
    self.image = image
    self.home = home
    guard let words = Self.texts("cmdline", image, in: image.arguments),
      image.arguments.upperBound == image.environment.lowerBound,
      // What was written over is filled up with zeros or, by Perl, with spaces; one empty word is honest.
      !zip(words, words.dropFirst()).contains(where: { $0.isEmpty && $1.isEmpty }),
      !words.contains(where: { $0.hasSuffix(" ") }), words.count > 1,
      // Relative to where the process was then, which may not be where it is.
      words[1].hasPrefix("/"), !words[1].hasPrefix("/dev/"), !words[1].hasPrefix("/proc/"),
      let settings = Self.texts("environ", image, in: image.environment)
    else { return nil }
    var environment: [String: String] = [:]
    for setting in settings {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !Self.loadsOthers(parts[0], parts[1]) else {
        return nil
      }
      environment[String(parts[0])] = String(parts[1])
    }
    self.environment = environment
    guard let file = Self.path(of: words[1], since: image.startTime) else { return nil }
    self.file = file
    guard image.command == Self.command(of: words[1]) || ProgramSight.isShared(image.command),
      !mayWriteMemory, !hasOwnStart(ProgramSight.plainName(of: exe), called: words[0])
    else { return nil }
  }

  static var ownHome: String? {
    getpwuid(geteuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) }
  }

  /// The kernel's name of a process whose file that is.
  private static func command(of path: String) -> String {
    let name = path.split(separator: "/").last.map { Array($0.utf8.prefix(15)) } ?? []
    return String(decoding: name, as: UTF8.self)
  }

  /// The texts of a file that ends each with a zero; nil where it is not of that range, or too long.
  private static func texts(
    _ name: String, _ image: ProgramImage, in range: Range<UInt64>
  ) -> [String]? {
    guard let bytes = ProcFile.bytes(of: "/proc/\(image.pid)/\(name)"),
      UInt64(bytes.count) == range.upperBound - range.lowerBound, bytes.last ?? 0 == 0
    else { return nil }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - The file

extension ScriptSight {
  /// The plain file that the path leads to, by the way that it led when the process began.
  private static func path(of path: String, since startTime: UInt64) -> String? {
    guard let start = date(ofTicks: startTime) else { return nil }
    var parts = path.split(separator: "/").reversed().map(String.init)
    var resolved: [String] = []
    var links = 0
    while let part = parts.popLast() {
      if part == "." { continue }
      if part == ".." {
        _ = resolved.popLast()
        continue
      }
      let here = "/" + (resolved + [part]).joined(separator: "/")
      var entry = stat()
      guard lstat(here, &entry) == 0 else { return nil }
      let changed = Double(entry.st_ctim.tv_sec) + Double(entry.st_ctim.tv_nsec) / 1e9
      switch entry.st_mode & S_IFMT {
      case S_IFLNK:
        links += 1
        guard changed < start, links < 40, let target = ProcFile.link(here) else { return nil }
        if target.hasPrefix("/") { resolved = [] }
        parts += target.split(separator: "/").reversed().map(String.init)
      case S_IFREG:
        guard parts.isEmpty, changed < start else { return nil }
        return here
      default: resolved.append(part)
      }
    }
    return nil
  }

  /// A little before: the kernel counts whole ticks, and the dates of files may be one old.
  private static func date(ofTicks ticks: UInt64) -> Double? {
    var (real, boot) = (timespec(), timespec())
    let rate = sysconf(Int32(_SC_CLK_TCK))
    guard rate > 0, clock_gettime(CLOCK_REALTIME, &real) == 0,
      clock_gettime(CLOCK_BOOTTIME, &boot) == 0
    else { return nil }
    let began = Double(real.tv_sec - boot.tv_sec) + Double(real.tv_nsec - boot.tv_nsec) / 1e9
    return began + (Double(ticks) - 1) / Double(rate)
  }
}

// MARK: - What else runs in the process

extension ScriptSight {
  /// An interpreter loads these besides its file, or looks for them elsewhere.
  private static func loadsOthers(_ name: Substring, _ value: Substring) -> Bool {
    if harmless.contains(String(name)) { return false }
    // Desktops name their own there.
    if name == "GTK_MODULES" { return value.contains("/") }
    return loaders.contains(String(name)) || families.contains(where: name.hasPrefix)
  }

  private static let loaders: Set<String> = [
    "_JAVA_OPTIONS", "AWKLIBPATH", "AWKPATH", "BASHOPTS", "BASH_ENV", "CLASSPATH",
    "DOTNET_STARTUP_HOOKS", "ENV",
    "GCONV_PATH", "GEM_HOME", "GEM_PATH", "GIO_EXTRA_MODULES", "GIO_MODULE_DIR",
    "GI_TYPELIB_PATH", "GJS_PATH", "GTK_PATH", "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS", "MONO_PATH", "NODE_OPTIONS", "NODE_PATH", "OPENSSL_CONF", "OPENSSL_ENGINES",
    "OPENSSL_MODULES", "PERL5DB", "PERL5LIB", "PERL5OPT", "PERLLIB", "PHPRC", "PHP_INI_SCAN_DIR",
    "PS4", "QT_PLUGIN_PATH", "RUBYLIB", "RUBYOPT", "SHELLOPTS", "TCLLIBPATH", "TCL_LIBRARY",
    "ZDOTDIR",
  ]

  private static let families = [
    "BASH_FUNC_", "GUILE_", "LD_", "LUA_", "PYTHON",
  ]

  private static let harmless: Set<String> = [
    "PYTHONCOERCECLOCALE", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER", "PYTHONHASHSEED",
    "PYTHONIOENCODING", "PYTHONNOUSERSITE", "PYTHONSAFEPATH", "PYTHONUNBUFFERED", "PYTHONUTF8",
  ]

  /// It has loaded what can write over its own arguments.
  private var mayWriteMemory: Bool {
    guard let text = ProcFile.bytes(of: "/proc/\(image.pid)/maps") else { return true }
    let maps = String(decoding: text, as: UTF8.self)
    return ["/_ctypes.", "/_cffi_backend.", "/fiddle.so", "/ffi.so"].contains { maps.hasText($0) }
  }

  /// The user has something that this interpreter runs before each script.
  private func hasOwnStart(_ interpreter: String, called name: String) -> Bool {
    guard let home, environment["HOME"] ?? home == home else { return true }
    switch interpreter {
    case "zsh": return access(home + "/.zshenv", F_OK) == 0
    case "fish":
      return environment["XDG_CONFIG_HOME"] != nil || access(home + "/.config/fish", F_OK) == 0
    case "python", "pypy":
      return !isOwnEnvironment(name)
        || ProcFile.names(in: home + "/.local/lib").contains { version in
          ProcFile.names(in: home + "/.local/lib/\(version)/site-packages", atMost: .max).contains {
            $0.hasPrefix("usercustomize") || $0.hasPrefix("sitecustomize") || $0.hasSuffix(".pth")
          }
        }
    default: return false
    }
  }

  /// Python takes the modules of the virtual environment that it is called in. One in a folder of the
  /// script's is the script's own: who may write there may write the script as well.
  private func isOwnEnvironment(_ called: String) -> Bool {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let programs = called.contains("/") ? [called] : folders.map { "\($0)/\(called)" }
    for program in programs {
      guard program.hasPrefix("/") else { return false }
      var entry = stat()
      guard stat(program, &entry) == 0, entry.st_mode & S_IFMT == S_IFREG,
        access(program, X_OK) == 0
      else { continue }
      let parts = program.split(separator: "/", omittingEmptySubsequences: false)
      for depth in 1...2 where parts.count > depth + 1 {
        let root = parts.dropLast(depth)
        guard access(root.joined(separator: "/") + "/pyvenv.cfg", F_OK) == 0 else { continue }
        return file.hasPrefix(root.dropLast().joined(separator: "/") + "/")
      }
      return true
    }
    return true
  }
}
