import Foundation
import LocationModel
import TestSupport
import Testing

/// The keys of an uplink that say what a broker keeps, and says, of a device.
@Suite("What a broker keeps", .timeLimit(.minutes(15))) struct BrokerKeysTests {
  @Test(
    "the newest place stays at the broker for those that come later, unless Retain=no",
    arguments: ["", "Retain=yes", "Retain=no"])
  func retain(key: String) throws {
    let broker = try RunningBroker()
    let board = try Board("van", broker, entries: 5, more: key)
    let witness = try Subscriber(broker)
    try witness.takeAll(of: broker, 1, within: patience)
    try board.start()
    try #require(
      eventually(within: patience) {
        witness.listen()
        return witness.numbers(of: "van").last == 5
      })
    #expect(witness.numbers(of: "van") == [1, 2, 3, 4, 5])
    // The broker sends what it has retained before what comes.
    let late = try Subscriber(broker, named: "late", hearsRetained: true)
    try late.takeAll(of: broker, 2, within: patience)
    #expect(late.numbers(of: "van") == (key == "Retain=no" ? [] : [5]))
  }

  @Test("the broker tells that a killed tracker has gone, unless Will=no")
  func will() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let keys = [("silent", "Will=no"), ("usual", ""), ("telling", "Will=yes")]
    let boards = try keys.map { try Board($0.0, broker, entries: 1, more: $0.1) }
    for board in boards { try board.start() }
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return keys.allSatisfy { subscriber.numbers(of: $0.0) == [1] }
      })
    func gone() -> [String] {
      subscriber.listen()
      return subscriber.messages.filter { $0.json["_type"]?.string == "lwt" }.map(\.topic)
    }
    // A board that was ended while it connected may have gone without a word before.
    let before = gone().count
    // The silent goes first: whoever hears of the others would have heard of it.
    for board in boards { try board.kill() }
    let expected = ["owntracks/fleet/telling", "owntracks/fleet/usual"]
    #expect(eventually(within: patience) { gone().count >= before + expected.count })
    try subscriber.takeAll(of: broker, 2, within: patience)
    #expect(gone().dropFirst(before).sorted() == expected)
  }

  /// A tracker without places that has followed a command of `broker`.
  private func commanded(
    _ broker: RunningBroker, version: String = "", _ more: String = ""
  ) throws -> RunningTracker {
    let tracker = try RunningTracker(
      try RunningDaemon([]),
      """
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\(version)
      Commands=yes
      \(more)

      """)
    try waitUntilItIsConnected(tracker)
    try command("first", broker)
    try wait(for: "first", tracker)
    return tracker
  }

  private func waitUntilItIsConnected(_ tracker: RunningTracker) throws {
    try #require(
      try eventually(within: patience) {
        try tracker.ask("status")["uplinks"]?.array?.first?["connections"]?.integer == 1
      })
  }

  private func command(_ id: String, _ broker: RunningBroker) throws {
    try Commander(broker: broker).set([Commander.waypoint(id, id)])
  }

  private func wait(for id: String, _ tracker: RunningTracker) throws {
    try #require(
      try eventually(within: patience) { try WaypointTests.set(by: tracker).contains(id) })
  }

  @Test(
    "commands wait at the broker while the tracker is away", arguments: ["", "?version=3.1.1"])
  func session(version: String) throws {
    let broker = try RunningBroker()
    let tracker = try commanded(broker, version: version)
    try tracker.kill()
    try command("waiting", broker)
    try tracker.startAgain()
    try wait(for: "waiting", tracker)
  }

  @Test(
    "commands wait no longer than Session= says",
    .enabled(if: isSoak, "the shortest session is a minute: make soak waits for it"))
  func endOfSession() throws {
    let broker = try RunningBroker("allow_anonymous true\nsys_interval 1\n")
    let subscriber = try Subscriber(broker)
    let counter = try Subscriber(broker, "$SYS/broker/clients/expired", named: "counter")
    try subscriber.takeAll(of: broker, 1, within: patience)
    // The shortest that there is.
    let tracker = try commanded(broker, "Session=1min")
    try tracker.kill()
    try command("late", broker)
    try #require(
      eventually(within: patience) {
        counter.listen()
        return counter.messages.last?.json == .integer(1)
      })
    try tracker.startAgain()
    try waitUntilItIsConnected(tracker)
    // What had waited would come before it.
    try command("new", broker)
    try wait(for: "new", tracker)
    #expect(try !WaypointTests.set(by: tracker).contains("late"))
  }
}
