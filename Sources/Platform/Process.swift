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
}
