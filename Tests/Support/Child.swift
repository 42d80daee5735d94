import Foundation
package import Glibc
import Testing

/// A process of the test's own, that ends with it.
package final class Child {
  package enum Output {
    case none, pipe
  }

  package let pid: pid_t
  private let output: Int32
  private var hasEnded = false

  package init(_ command: [String], output: Output = .none) throws {
    // A pair of sockets is made so that no other child inherits it; a pipe is not.
    var ends: [Int32] = [-1, -1]
    if output == .pipe {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    }
    self.output = ends[0]
    pid = try spawn(command, streams: output == .pipe ? [1: ends[1], 2: nil] : [2: nil])
    if output == .pipe { close(ends[1]) }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
  }

  package func end() {
    guard !hasEnded else { return }
    kill(pid, SIGKILL)
    _ = exit()
  }

  package func exit() -> Int32 {
    hasEnded = true
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status
  }

  /// The next line it prints.
  package func line() throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while byte != 0x0A {
      let comes = poll(&wanted, 1, Int32(patience * 1000)) == 1
      try #require(comes && read(output, &byte, 1) == 1, "no line came")
      bytes.append(byte)
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}

extension Child {
  /// All that it prints.
  package func text() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = read(output, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// How long to wait for what must come, in seconds: it costs nothing where it comes, and a machine
/// may be slow.
package let patience = 180.0

/// Asks again and again until it is so, or time is up.
package func eventually(within seconds: Double = patience, _ isSo: () throws -> Bool) rethrows
  -> Bool
{
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(seconds)
  while try !isSo() {
    guard clock.now < deadline else { return false }
    usleep(2000)
  }
  return true
}

/// Starts a program with no signal blocked, as it would be elsewhere. `streams`: descriptors of ours by its
/// numbers; nil leads nowhere.
package func spawn(
  _ command: [String], environment: [String: String] = [:], streams: [Int32: Int32?] = [2: nil]
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for (number, ours) in streams {
    if let ours {
      posix_spawn_file_actions_adddup2(&actions, ours, number)
    } else {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let argv = command.map { strdup($0) } + [nil]
  let envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for text in argv + envp { free(text) } }
  var pid: pid_t = 0
  let result = posix_spawnp(&pid, command[0], &actions, &attributes, argv, envp)
  try #require(result == 0, "\(command[0]): \(String(cString: strerror(result)))")
  return pid
}
