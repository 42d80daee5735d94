import Dispatch
import Glibc
import LocationModel
import Synchronization
import Testing

@testable import LocationClient

@Suite("A connection to the daemon") struct ConnectionTests {
  private static let reply = Array((#"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n").utf8)

  /// A daemon that says replies on a thread of its own.
  private func speaking(
    at listener: Listener, replies: Int,
    while goesOn: @escaping @Sendable () -> Bool = { true },
    then: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws {
    try listener.accept()
    nonisolated(unsafe) let listener = listener
    let bytes = (0..<replies).flatMap { _ in Self.reply }
    DispatchQueue(label: "listener").async { then(listener.write(bytes, while: goesOn)) }
  }

  @Test("a client that asks much of a daemon that says much hears all of it, and all is heard")
  func both() throws {
    let listener = try Listener()
    let connection = try Connection(path: listener.path)
    let replies = 40_000
    let requests = 40_000
    nonisolated(unsafe) let ear = listener
    let heard = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    // It reads nothing before it has said all: the client must read to be read.
    try speaking(
      at: listener, replies: replies,
      then: { _ in
        heard.withLock { $0 = ear.lines(requests) }
        done.signal()
      })
    for _ in 0..<requests { try connection.send(.status) }
    var received = 0
    while received < replies, connection.wait(milliseconds: 60_000) {
      received += try connection.receive().count
    }
    #expect(received == replies)
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(heard.withLock { $0 } == requests)
  }

  @Test("a daemon that never stops talking does not keep its client from anything else")
  func endless() throws {
    let listener = try Listener()
    let connection = try Connection(path: listener.path)
    let isEnough = Mutex(false)
    let done = DispatchSemaphore(value: 0)
    try speaking(
      at: listener, replies: 500_000, while: { !isEnough.withLock { $0 } },
      then: { _ in done.signal() })
    var received = 0
    for _ in 0..<3 where connection.wait(milliseconds: 60_000) {
      received += try connection.receive().count
    }
    isEnough.withLock { $0 = true }
    #expect(received > 0 && received < 100_000)
    listener.shutDown()
    #expect(done.wait(timeout: .now() + 60) == .success)
  }

  @Test("a connection that finds nobody closes its own descriptor, once, and no other")
  func closesOnce() {
    let isOver = Mutex(false)
    let failures = Mutex(0)
    let done = DispatchSemaphore(value: 0)
    DispatchQueue(label: "others").async {
      while !isOver.withLock({ $0 }) {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        if close(descriptor) != 0 { failures.withLock { $0 += 1 } }
      }
      done.signal()
    }
    for _ in 0..<20_000 {
      #expect(throws: ConnectionError.self) { try Connection(path: "/nowhere") }
    }
    isOver.withLock { $0 = true }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(failures.withLock { $0 } == 0)
  }

  @Test("what comes while a reply is waited for is received after it")
  func meanwhile() throws {
    let listener = try Listener()
    let connection = try Connection(path: listener.path)
    try listener.accept()
    let crossing = { (number: Int) in
      #"{"jsonrpc":"2.0","method":"didStartMonitoring","params":{"identifier":"\#(number)"}}"#
    }
    listener.say(crossing(1), #"{"jsonrpc":"2.0","id":1,"result":{}}"#, crossing(2))
    _ = try connection.ask(Request.location).get()
    #expect(connection.hasUnread && connection.wait(milliseconds: 0))
    let received = try connection.receive().map { message in
      if case .event(_, .didStartMonitoring(let identifier)) = message {
        identifier
      } else {
        "other"
      }
    }
    #expect(received == ["1", "2"])
    #expect(try connection.receive().isEmpty && !connection.hasUnread)
  }
}
