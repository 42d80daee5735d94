import Glibc
import LocationModel
import Testing

@testable import Platform

@Suite("A client's connection") struct LineConnectionTests {
  @Test("requests that waited behind locations are handled once these are revoked")
  func purge() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    let client = Descriptor(owning: ends[1])
    var lines: [String] = []
    let connection = try LineConnection(
      Descriptor(owning: ends[0]), of: UserAccount(of: 1000, .init()), number: 1, on: loop
    ) { connection, event in
      guard case .line(.text(let line)) = event else { return }
      lines.append(String(decoding: line, as: UTF8.self))
      guard lines.count == 1 else { return }
      // The kernel takes answers until it is full of them; then locations wait here.
      let answer = [UInt8](repeating: 0x20, count: 4096)
      let held = connection.held
      while connection.held == held { answer.withUnsafeBytes { connection.send($0) } }
      let location = [UInt8](repeating: 0x20, count: LineConnection.patience)
      location.withUnsafeBytes { connection.send($0, hasPlace: true) }
    }
    connection.begin()
    let requests = Array("first\nsecond\n".utf8)
    #expect(requests.withUnsafeBytes { client.send($0) } == .bytes(requests.count))
    for _ in 0..<10 { try loop.turn(within: .milliseconds(1)) }
    #expect(lines == ["first"])
    #expect(connection.purge())
    #expect(lines == ["first", "second"])
  }
}
