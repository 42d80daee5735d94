internal import CSystemd
internal import Glibc

/// The daemon's own process.
package enum Process {
  package static var uid: UInt32 { getuid() }
  package static var pid: Int32 { getpid() }

  /// Neither a client that hangs up nor a file that may grow no further ends the daemon: both are
  /// told to whoever writes.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// The folder that our program is in.
  package static var folder: String? {
    guard let path = FolderWatch.target(ofLink: "/proc/self/exe"),
      let slash = path.lastIndex(of: "/")
    else { return nil }
    return String(path[..<slash])
  }

  /// Whether systemd runs this machine, and has put each process into a unit.
  package static var isUnderSystemd: Bool { sd_booted() > 0 }

  /// The unit that systemd runs this process in, that of a user's own manager first; nil for none. Groups below the
  /// unit's are its own.
  package static var unit: String? {
    for ask in [sd_pid_get_user_unit, sd_pid_get_unit] {
      var name: UnsafeMutablePointer<CChar>?
      defer { free(name) }
      if ask(0, &name) >= 0, let name { return String(cString: name) }
    }
    return nil
  }

  /// As many descriptors as the system lets us have: each client takes one.
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Tells the service manager, if there is one: `READY=1`, `STOPPING=1`, `STATUS=…`.
  package static func notify(_ state: String) { sd_notify(0, state) }

  /// When a process began, in the kernel's ticks: with its number it says which process it was.
  package static func startTime(of pid: Int32) -> UInt64? { figures(of: "\(pid)", 22).first }

  /// Overwrites what was typed after the program's name: every user of the machine may read a process's arguments.
  /// The program has them already.
  package static func forgetArguments() {
    let ends = figures(of: "self", 48, 49).compactMap { UInt(exactly: $0) }
    guard ends.count == 2, ends[0] < ends[1],
      let line = UnsafeMutableRawPointer(bitPattern: ends[0])
    else { return }
    let name = strnlen(line.assumingMemoryBound(to: CChar.self), Int(ends[1] - ends[0]))
    memset(line + name, 0, Int(ends[1] - ends[0]) - name)
  }

  /// Figures of a process from the kernel's file `stat`, by the numbers that proc(5) gives its fields.
  private static func figures(of pid: String, _ fields: Int...) -> [UInt64] {
    guard let bytes = try? File.bytes(of: "/proc/\(pid)/stat", atMost: 4096),
      // Its name comes second, in brackets, and may have anything in it.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return [] }
    let words = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    return fields.compactMap { words.count > $0 - 3 ? UInt64(words[$0 - 3]) : nil }
  }

  /// This machine's name, without its domain.
  package static var hostName: String { String(wholeHostName.prefix { $0 != "." }) }

  /// This machine's name.
  package static var wholeHostName: String {
    var name = utsname()
    uname(&name)
    let bytes = withUnsafeBytes(of: name.nodename) { $0.prefix { $0 != 0 } }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.isEmpty || text.hasPrefix(".") ? "localhost" : text
  }

  /// This machine's number for one application: it does not tell the machine's own. Nil where the machine has none.
  package static func machineID(for application: UUIDBytes) -> String? {
    var id = sd_id128_t()
    guard sd_id128_get_machine_app_specific(sd_id128_t(bytes: application), &id) >= 0 else {
      return nil
    }
    let digits = Array("0123456789abcdef".utf8)
    return withUnsafeBytes(of: id) { bytes in
      String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }

  /// The beginning of the kernel's random name for the time since the machine has started; nil where it is hidden, and
  /// no unit says it.
  package static let boot: Int64? = {
    let file = try? File.bytes(of: "/proc/sys/kernel/random/boot_id", atMost: 64)
    let name =
      getenv("LOCATIOND_BOOT").map { String(cString: $0) }
      ?? file.map { String(decoding: $0, as: UTF8.self) }
    return name.flatMap { Int64($0.filter(\.isHexDigit).prefix(15), radix: 16) }
  }()

  /// The sixteen bytes of a number that is made once, for ever.
  package typealias UUIDBytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  /// The folder of what the service manager was given for us to keep to ourselves.
  package static var credentialsFolder: String? { folder(named: "CREDENTIALS_DIRECTORY") }

  /// The folder that the service manager made for what we remember.
  package static var stateFolder: String? { folder(named: "STATE_DIRECTORY") }

  /// The folder that it made for what ends with the service.
  package static var runtimeFolder: String? { folder(named: "RUNTIME_DIRECTORY") }

  private static func folder(named variable: String) -> String? {
    guard let folders = getenv(variable) else { return nil }
    let first = String(cString: folders).prefix { $0 != ":" }
    return first.isEmpty ? nil : String(first)
  }
}
