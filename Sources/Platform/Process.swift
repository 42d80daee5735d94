internal import CSystemd
internal import Glibc

/// What a daemon asks of its own process.
package enum Process {
  package static var uid: UInt32 { getuid() }

  /// A client that hangs up must not end the daemon.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// As many descriptors as the system lets us have: each client takes one.
  package static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Tells the service manager, if there is one: `READY=1`, `STOPPING=1`, `STATUS=…`.
  package static func notify(_ state: String) { sd_notify(0, state) }

  /// The account's name; the number where it has none.
  package static func userName(of uid: UInt32) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      guard let start = buffer.baseAddress else { return "\(uid)" }
      getpwuid_r(uid, &entry, start, buffer.count, &found)
      guard let name = found?.pointee.pw_name else { return "\(uid)" }
      return String(cString: name)
    }
  }
}
