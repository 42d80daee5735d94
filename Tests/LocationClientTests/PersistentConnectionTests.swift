import LocationModel
import Testing

@testable import LocationClient

@Suite("A connection that is made again") struct PersistentConnectionTests {
  private func at(_ seconds: Double) -> Boottime { .start + .seconds(seconds) }

  private func words(_ events: [PersistentConnection.Event]) -> [String] {
    events.map {
      switch $0 {
      case .opened: "opened"
      case .received(.reply(let id, _)): "reply \(id)"
      case .received: "other"
      case .lost(.closed(let refusal?)): "lost: \(refusal.message)"
      case .lost: "lost"
      }
    }
  }

  @Test("a daemon that is not there is tried again, each time after twice as long, up to 30 s")
  func pauses() {
    let connection = PersistentConnection(path: "/nowhere")
    var now = at(100)
    var pauses: [Double] = []
    for _ in 0..<9 {
      #expect(words(connection.step(at: now)) == ["lost"])
      let next = connection.retriesAt ?? now
      #expect(connection.step(at: next - .milliseconds(1)).isEmpty)
      pauses.append(next.seconds(since: now))
      now = next
    }
    #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
    #expect(throws: ConnectionError.closed(nil)) { try connection.send(.status) }
  }

  @Test("one that a person waits for is tried as often as its owner says")
  func shortPauses() {
    let connection = PersistentConnection(path: "/nowhere", longestPause: .seconds(1))
    var now = at(100)
    for pause in [0.5, 1, 1, 1] {
      #expect(words(connection.step(at: now)) == ["lost"])
      let next = connection.retriesAt ?? now
      #expect(next.seconds(since: now) == pause)
      now = next
    }
  }

  @Test("what was said before the daemon went is heard, and it is looked for soon again")
  func farewell() throws {
    let listener = try Listener()
    let connection = PersistentConnection(path: listener.path)
    #expect(words(connection.step(at: at(0))) == ["opened"])
    #expect(connection.retriesAt == nil)
    try listener.accept()
    #expect(connection.step(at: at(1)).isEmpty)
    #expect(try connection.send(.status) == 1)
    listener.say(
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","error":{"code":1,"message":"Going."}}"#)
    #expect(words(connection.step(at: at(2))) == ["reply 1", "lost: Going."])
    #expect(connection.descriptor == nil)
    connection.succeed()
    #expect(connection.retriesAt == at(2.5))
    #expect(words(connection.step(at: at(2.5))) == ["opened"])
    try listener.accept()
    listener.hangUp()
    #expect(words(connection.step(at: at(3))) == ["lost"])
    #expect(connection.retriesAt == at(3.5))
  }

  @Test("a daemon that had answered is looked for twice a second for a minute: it is started anew")
  func restart() throws {
    var listener: Listener? = try Listener()
    let connection = PersistentConnection(path: listener?.path ?? "")
    #expect(words(connection.step(at: at(0))) == ["opened"])
    connection.succeed()
    listener = nil
    var now = at(1)
    var pauses: [Double] = []
    while now < at(200) {
      #expect(words(connection.step(at: now)) == ["lost"])
      let next = try #require(connection.retriesAt)
      pauses.append(next.seconds(since: now))
      now = next
    }
    #expect(pauses.prefix(120).allSatisfy { $0 == 0.5 })
    #expect(pauses.suffix(6) == [8, 16, 30, 30, 30, 30])
  }

  @Test("one that its owner gives up is tried again when the owner says")
  func givenUp() throws {
    let listener = try Listener()
    let connection = PersistentConnection(path: listener.path)
    #expect(words(connection.step(at: at(0))) == ["opened"])
    connection.lose(for: PersistentConnection.longestPause, at: at(1))
    #expect(connection.retriesAt == at(31))
    #expect(connection.step(at: at(30)).isEmpty)
    #expect(words(connection.step(at: at(31))) == ["opened"])
  }
}
