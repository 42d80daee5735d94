import Foundation
import Glibc
import LocationModel
import Testing

@testable import Platform

@Suite("A door at a socket") final class LineListenerTests {
  /// Says each line again.
  private final class Echo: LineDoor {
    var connections: [LineConnection] = []
    var closed = 0

    func welcome(_ connection: LineConnection, _: Peer, _: consuming ProcessHandle?) {
      connections.append(connection)
      connection.begin()
    }

    func handle(_ line: UnsafeRawBufferPointer, from connection: LineConnection) {
      connection.pause()
      connection.send(
        .success(.string(String(decoding: line, as: UTF8.self))), id: .integer(1))
      connection.resume()
    }

    func finished(_ connection: LineConnection) { connection.end(because: nil) }
    func closed(_: LineConnection) { closed += 1 }
    func tooMany(_ most: Int) -> Refusal { Refusal(.limitExceeded, "\(most) are enough") }
  }

  private let loop: EventLoop
  private let path = FileManager.default.temporaryDirectory.appending(path: "echo-\(UUID())").path
  private let door = Echo()
  private let lines: LineListener

  init() throws {
    loop = try EventLoop()
    var limits = ConnectionLimits()
    limits.connectionsPerUser = 2
    lines = LineListener(
      try UnixListener(path: path), limits: limits, on: loop, Log(level: .error))
    try lines.open(for: door)
  }

  private func send(_ text: String, to client: borrowing Descriptor) {
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { client.send($0) } == .bytes(bytes.count))
  }

  /// The next lines that a client is told.
  private func told(_ client: borrowing Descriptor, _ count: Int) throws -> [String] {
    var input = LineBuffer(longest: 1000)
    var told: [String] = []
    let deadline = Clock.boottime + .seconds(60)
    while told.count < count {
      try #require(Clock.boottime < deadline)
      try loop.turn(within: .milliseconds(10))
      guard case .bytes = input.read(from: client.number) else { continue }
      while case .text(let line)? = input.next() {
        told.append(String(decoding: line, as: UTF8.self))
      }
    }
    return told
  }

  private func answer(_ text: String) -> String { #"{"jsonrpc":"2.0","id":1,"result":"\#(text)"}"# }

  @Test("lines are answered in their order, the last one though it does not end")
  func answers() throws {
    let client = try Descriptor.connected(to: path)
    send("one\ntwo\nthree", to: client)
    shutdown(client.number, Int32(SHUT_WR))
    #expect(try told(client, 3) == ["one", "two", "three"].map(answer))
    while door.closed == 0 { try loop.turn(within: .milliseconds(10)) }
    #expect(lines.connections.isEmpty)
  }

  @Test("a request that is too long is refused, and the next is answered")
  func tooLong() throws {
    let client = try Descriptor.connected(to: path)
    send(String(repeating: "x", count: LineConnection.longestRequest + 1) + "\nshort\n", to: client)
    let told = try told(client, 2)
    #expect(told[0].contains("at most 65536 bytes"))
    #expect(told[1] == answer("short"))
  }

  @Test("one connection more than its user may have is told why")
  func tooMany() throws {
    let first = try Descriptor.connected(to: path)
    let second = try Descriptor.connected(to: path)
    let third = try Descriptor.connected(to: path)
    #expect(try told(third, 1)[0].contains("2 are enough"))
    send("first\n", to: first)
    #expect(try told(first, 1) == [answer("first")])
    send("second\n", to: second)
    #expect(try told(second, 1) == [answer("second")])
  }
}
