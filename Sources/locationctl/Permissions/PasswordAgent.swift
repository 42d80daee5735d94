import Glibc

/// polkit's program for terminals, which asks for a password if polkit wants one while a command waits
/// and no desktop asks.
final class PasswordAgent {
  private let pid: pid_t

  /// Nil where nobody is to be asked so: root, without a terminal, without polkit.
  init?() {
    guard geteuid() != 0, isatty(STDIN_FILENO) == 1 else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    defer { close(ends[0]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // It speaks to the terminal itself; what else it says is of use to nobody.
    for number in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
    // It asks for its parent, if nobody else is asked.
    let command = ["pkttyagent", "--fallback", "--notify-fd", "\(ends[1])"]
    let arguments = command.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, "pkttyagent", &actions, nil, arguments, environ)
    close(ends[1])
    guard result == 0 else { return nil }
    self.pid = pid
    // It closes its end once it is ready, or gone.
    var ready = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
    poll(&ready, 1, 5000)
  }

  deinit {
    // Stopped by the terminal, it would not hear that it is to end.
    kill(pid, SIGTERM)
    kill(pid, SIGCONT)
    waitpid(pid, nil, 0)
  }
}
