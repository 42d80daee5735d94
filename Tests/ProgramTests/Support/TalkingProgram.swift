import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A program that is told lines of JSON, and says such lines. It ends with the test.
class TalkingProgram {
  let pid: pid_t
  private var input: Int32
  private let output: Int32
  private var pending: [UInt8] = []
  private var hasEnded = false

  init(_ command: [String], environment: [String: String] = [:]) throws {
    var ends: [[Int32]] = [[-1, -1], [-1, -1]]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    for i in 0..<2 { try #require(socketpair(AF_UNIX, kind, 0, &ends[i]) == 0) }
    defer { for end in ends { close(end[1]) } }
    (input, output) = (ends[0][0], ends[1][0])
    pid = try spawn(command, environment: environment, streams: [0: ends[0][1], 1: ends[1][1]])
  }

  deinit {
    if !hasEnded {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    if input >= 0 { close(input) }
    close(output)
  }

  func tell(_ json: JSON) {
    let line = Array((json.text + "\n").utf8)
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes {
        send(input, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The next line that it says.
  func line(within seconds: Double = patience) throws -> JSON {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return try JSON(parsing: String(decoding: pending[..<end], as: UTF8.self))
      }
      var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wanted, 1, Int32(seconds * 1000)) == 1, "no line came")
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(output, &bytes, bytes.count)
      try #require(count > 0, "it says no more")
      pending += bytes[..<count]
    }
  }

  func finish() {
    close(input)
    input = -1
  }

  func exit(within seconds: Double = patience) -> Int32? {
    var status: Int32 = 0
    let ended = eventually(within: seconds) { waitpid(self.pid, &status, WNOHANG) == self.pid }
    hasEnded = ended
    return ended ? (status >> 8) & 0xFF : nil
  }
}
