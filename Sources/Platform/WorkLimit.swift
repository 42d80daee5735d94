internal import CLinux
internal import Glibc

/// How long a piece of work may go on, asked now and then by what does it: so much of the processor's time of this
/// thread, since a busy machine or a slow disk is not the work's fault. A signal that waits to end the program ends
/// the work, too.
package final class WorkLimit {
  private var end: Duration?

  package init() {}

  package func begin(_ most: Duration) { end = Clock.processorTime + most }

  /// What comes has no limit.
  package func finish() { end = nil }

  var isOver: Bool {
    guard let end else { return false }
    return Clock.processorTime > end || Process.isAskedToEnd
  }
}

extension Process {
  /// Whether a blocked SIGTERM or SIGINT waits.
  static var isAskedToEnd: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1
  }
}
