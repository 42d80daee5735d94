internal import CLinux
internal import Glibc

/// A program that runs beside us, with our environment. Whoever starts it waits for its end.
package final class Subprocess {
  /// The thing that one of its first three descriptors leads to.
  package enum Stream {
    case inherited, nowhere, pipe
    case descriptor(Int32)
  }

  /// Our ends of its pipes.
  package var input: Descriptor?
  package var output: Descriptor?
  package var errors: Descriptor?
  private let pid: pid_t

  /// `program`: a path, or a name to be found in PATH. `isInOwnGroup`: Ctrl-C in the terminal is not for it.
  package init(
    _ program: String, _ arguments: [String], input: Stream = .nowhere, output: Stream = .nowhere,
    errors: Stream = .inherited, isInOwnGroup: Bool = false
  ) throws(SystemError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var theirs: [Int32] = []
    defer { for end in theirs { close(end) } }
    for (number, stream) in [input, output, errors].enumerated() {
      let number = Int32(number)
      switch stream {
      case .inherited: break
      case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .pipe:
        let ends = try Descriptor.pipe()
        let (own, other) =
          number == 0 ? (ends.writing, ends.reading) : (ends.reading, ends.writing)
        theirs.append(other)
        posix_spawn_file_actions_adddup2(&actions, other, number)
        switch number {
        case 0: self.input = Descriptor(owning: own)
        case 1: self.output = Descriptor(owning: own)
        default: self.errors = Descriptor(owning: own)
        }
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if isInOwnGroup { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let result = posix_spawnp(&pid, program, &actions, &attributes, words, environ)
    guard result == 0 else { throw SystemError("\(program) cannot be started", result) }
    self.pid = pid
  }

  package func signal(_ number: Int32) { kill(pid, number) }

  /// Waits for its end; 0 where it has ended well.
  @discardableResult package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The same; nil while it runs.
  package var status: Int32? {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == pid ? status : nil
  }
}

extension Descriptor {
  /// The two ends of a pipe, which whoever calls owns. No program that is started inherits them.
  package static func pipe() throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard linux_pipe(&ends) == 0 else { throw SystemError("cannot make a pipe") }
    return (ends[0], ends[1])
  }

  /// What cannot be read or written at once fails from now on.
  package borrowing func forgoWaiting() {
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags | O_NONBLOCK)
  }
}
