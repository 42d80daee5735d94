internal import CSystemd
internal import Glibc

/// What a daemon asks of its own process.
package enum Process {
  package static var uid: UInt32 { getuid() }

  /// Neither a client that hangs up nor a file that may grow no further ends the daemon: both are
  /// told to whoever writes.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
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

  /// The folder that the service manager made for what we remember.
  package static var stateFolder: String? {
    guard let folders = getenv("STATE_DIRECTORY") else { return nil }
    let first = String(cString: folders).prefix { $0 != ":" }
    return first.isEmpty ? nil : String(first)
  }
}
