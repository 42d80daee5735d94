import Foundation
import Glibc
import Testing

/// A process of the test's own, that ends with it.
final class Child {
  enum Output {
    case none, pipe
  }

  let pid: pid_t
  private let output: Int32
  private var hasEnded = false

  init(_ command: [String], output: Output = .none) throws {
    // A pair of sockets is made so that no other child inherits it; a pipe is not.
    var ends: [Int32] = [-1, -1]
    if output == .pipe {
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    }
    self.output = ends[0]
    pid = try spawn(command, output: output == .pipe ? ends[1] : nil)
    if output == .pipe { close(ends[1]) }
  }

  deinit {
    end()
    if output >= 0 { close(output) }
  }

  func end() {
    guard !hasEnded else { return }
    kill(pid, SIGKILL)
    _ = exit()
  }

  func exit() -> Int32 {
    hasEnded = true
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return status
  }

  /// The next line it prints.
  func line() throws -> String {
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

/// How long to wait for what must come, in seconds: it costs nothing where it comes, and a machine
/// may be slow.
let patience = 60.0

/// Asks again and again until it is so, or time is up.
func eventually(within seconds: Double = patience, _ isSo: () throws -> Bool) rethrows -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(seconds)
  while try !isSo() {
    guard clock.now < deadline else { return false }
    usleep(2000)
  }
  return true
}
