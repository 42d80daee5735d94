import Glibc
import Platform

/// polkit's program for terminals, which asks for a password if polkit wants one while a command waits
/// and no desktop asks.
final class PasswordAgent {
  private let program: Subprocess

  /// Nil where nobody is to be asked so: root, without a terminal, without polkit.
  init?() {
    guard geteuid() != 0, isatty(STDIN_FILENO) == 1, let ends = try? Descriptor.pipe() else {
      return nil
    }
    let told = Descriptor(owning: ends.reading)
    _ = fcntl(ends.writing, F_SETFD, 0)
    // It asks for its parent, if nobody else is asked. It speaks to the terminal itself; what else it says is of
    // use to nobody.
    let program = try? Subprocess(
      "pkttyagent", ["--fallback", "--notify-fd", "\(ends.writing)"], input: .inherited,
      errors: .nowhere)
    close(ends.writing)
    guard let program else { return nil }
    self.program = program
    // It closes its end once it is ready, or gone.
    var ready = pollfd(fd: told.number, events: Int16(POLLIN), revents: 0)
    poll(&ready, 1, 5000)
  }

  deinit {
    // Stopped by the terminal, it would not hear that it is to end.
    program.signal(SIGTERM)
    program.signal(SIGCONT)
    program.wait()
  }
}
