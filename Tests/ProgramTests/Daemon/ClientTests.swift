import Foundation
import LocationClient
import LocationModel
import Synchronization
import TestSupport
import Testing

@Suite("The client library") struct ClientTests {
  /// The events that came, in order, and a way to wait for one.
  private final class Heard: Sendable {
    private let words = Mutex<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func note(_ event: PersistentConnection.Event) {
      let word =
        switch event {
        case .opened: "opened"
        case .lost: "lost"
        case .received(.event(_, .didUpdateLocations)): "location"
        case .received: "other"
        }
      words.withLock { $0.append(word) }
    }

    func wait(for word: String, within patience: Double) async throws {
      let end = ContinuousClock.now + .seconds(patience)
      while !all.contains(word) {
        try #require(ContinuousClock.now < end, "\(all)")
        try await Task.sleep(for: .milliseconds(5))
      }
    }

    func forget() { words.withLock { $0 = [] } }
  }

  @Test("tasks ask at once, each has its own reply, and events come beside them")
  func asking() async throws {
    let daemon = try RunningDaemon()
    let heard = Heard()
    let client = try AsyncConnection(path: daemon.socket) { heard.note($0) }
    defer { client.close() }
    let names = try await withThrowingTaskGroup(of: Int.self) { group in
      for manager in 1...100 {
        group.addTask {
          let request: Request = manager % 2 == 0 ? .status : .startUpdatingLocation(.init())
          let reply = try await client.ask(request, manager: manager)
          return reply.status == nil ? 0 : 1
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(names == 50)
    try await heard.wait(for: "location", within: patience)
    #expect(heard.all.first == "opened")
  }

  @Test(
    "a request under way fails when the daemon goes, and the connection is made again when it is back"
  )
  func comesBack() async throws {
    let daemon = try RunningDaemon()
    let heard = Heard()
    let client = try AsyncConnection(path: daemon.socket) { heard.note($0) }
    defer { client.close() }
    _ = try await client.ask(.status)
    heard.forget()
    daemon.program.signal(SIGSTOP)
    let lost = Task { try await client.ask(.status) }
    daemon.program.signal(SIGKILL)
    await #expect(throws: ClientError.self) { try await lost.value }
    try await heard.wait(for: "lost", within: patience)
    await #expect(throws: ClientError.self) { try await client.ask(.status) }
    try daemon.restart()
    try await heard.wait(for: "opened", within: patience)
    #expect(try await client.ask(.status).status != nil)
  }

  @Test("without a daemon requests fail, and a closed client's fail at once")
  func nobodyThere() async throws {
    let heard = Heard()
    let client = try AsyncConnection(path: "/nowhere") { heard.note($0) }
    await #expect(throws: ClientError.self) { try await client.ask(.status) }
    try await heard.wait(for: "lost", within: patience)
    client.close()
    await #expect(throws: ClientError.self) { try await client.ask(.status) }
  }
}
