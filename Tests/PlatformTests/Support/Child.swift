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
    var ends: [Int32] = [-1, -1]
    if output == .pipe {
      try #require(Glibc.pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
      try #require(poll(&wanted, 1, 20_000) == 1 && read(output, &byte, 1) == 1, "no line came")
      bytes.append(byte)
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }
}

/// Asks again and again until it is so, or time is up.
func eventually(within seconds: Double, _ isSo: () throws -> Bool) rethrows -> Bool {
  let clock = ContinuousClock()
  let deadline = clock.now + .seconds(seconds)
  while try !isSo() {
    guard clock.now < deadline else { return false }
    usleep(2000)
  }
  return true
}
