import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A place that brokers retain", .timeLimit(.minutes(60))) struct ForgettingTests {
  /// The messages that a broker tells those that come later.
  private static func retained(_ broker: RunningBroker) throws -> String {
    let words = try Program([
      "mosquitto_sub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "owntracks/#", "-W", "1",
    ]).text().text
    // The command says in the end that its time is up.
    return words.split(separator: "\n").filter { $0.hasPrefix("{") }.joined(separator: "\n")
  }

  private static func forget(_ tracker: RunningTracker) throws -> String {
    try forget(in: tracker.daemon.folder)
  }

  private static func forget(in folder: URL) throws -> String {
    try Program([
      Program.path("locationctl"), "track", "forget", "--from", "2026-01-01", "--to", "2026-12-31",
      "--socket", folder.appending(path: "t").path,
    ]).text().text
  }

  private static func uplink(_ tracker: RunningTracker) throws -> JSON? {
    try tracker.ask("status")["uplinks"]?.array?.first
  }

  @Test(
    "it is gone once it is said to be, and no heartbeat brings it back",
    arguments: ["", "?version=3.1.1", "?format=json"])
  func gone(option: String) throws {
    let broker = try RunningBroker()
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50),
      """
      [Record]
      Distance=10
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\(option)
      Heartbeat=10

      """)
    try #require(try eventually(within: patience) { try tracker.entries().count > 20 })
    tracker.daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    #expect(try Self.retained(broker).contains("45."))
    let text = try Self.forget(tracker)
    #expect(text.contains("broker: the place that 127.0.0.1 retained is cleared"), "\(text)")
    #expect(text.contains("MQTT 3.1.1") == option.contains("3.1.1"), "\(text)")
    #expect(try Self.retained(broker) == "")
    #expect(try Self.uplink(tracker)?["mayRetain"] == nil)
    // By 3.1.1 heartbeats are retained. None comes, so that nothing but their time can be waited for.
    guard option.contains("3.1.1") else { return }
    let end = ContinuousClock.now + .seconds(12)
    while ContinuousClock.now < end { #expect(try Self.retained(broker) == "") }
  }

  @Test("of two brokers one that is down is cleared when it is connected to, also after kill -9")
  func down() throws {
    let (first, second) = (try RunningBroker(), try RunningBroker())
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50),
      """
      [Record]
      Distance=10
      [Uplink fleet]
      URL=mqtt://127.0.0.1:\(first.port)/owntracks/ann/van
      URL=mqtt://127.0.0.1:\(second.port)/owntracks/ann/van

      """)
    // Each has one: the first is killed once it has written it down.
    try #require(eventually(within: patience) { (try? Self.retained(first))?.isEmpty == false })
    tracker.daemon.program.signal(SIGSTOP)
    try first.rest(within: patience)
    try first.kill()
    tracker.daemon.program.signal(SIGCONT)
    try #require(eventually(within: patience) { (try? Self.retained(second))?.isEmpty == false })
    tracker.daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    let text = try Self.forget(tracker)
    #expect(text.contains("fleet: the place that 127.0.0.1 retained is cleared"), "\(text)")
    #expect(text.contains("may retain is cleared when it is connected to"), "\(text)")
    #expect(try Self.retained(second) == "")
    let mayRetain = JSON.array([.string("127.0.0.1:\(first.port)")])
    #expect(try Self.uplink(tracker)?["mayRetain"] == mayRetain)
    try tracker.kill()
    try tracker.startAgain()
    #expect(try Self.uplink(tracker)?["mayRetain"] == mayRetain)
    try first.startAgain()
    // The broker comes back with what it had; the tracker goes there at the latest when the other is gone.
    try second.kill()
    #expect(
      try eventually(within: patience) { try Self.uplink(tracker)?["mayRetain"] == nil })
    #expect(try Self.retained(first) == "")
  }
  @Test("a broker that refuses to take it away is named with its reason, and asked again")
  func refused() throws {
    let authority = try Authority()
    let access = try authority.write("topic readwrite #\n", to: "acl")
    let broker = try RunningBroker("allow_anonymous true\nacl_file \(access)\n")
    let board = try Board("van", broker, entries: 5)
    try board.start()
    func status() throws -> String {
      let socket = board.folder.appending(path: "t").path
      return try Program([Program.path("locationctl"), "track", "status", "--socket", socket])
        .text().text
    }
    try #require(try eventually(within: patience) { try status().contains("has all") })
    _ = try authority.write("topic read #\n", to: "acl")
    broker.readAgain()
    let publish =
      ["mosquitto_pub"] + broker.client + ["-V", "5", "-d", "-q", "1", "-t", "x", "-m", "y"]
    try #require(
      try eventually(within: patience) { try Program(publish).text().text.contains("RC:135") })
    let text = try Self.forget(in: board.folder)
    #expect(
      text.contains(
        "127.0.0.1 does not clear the place that it may retain, and is asked again on its next connection:"
          + " the broker answers Not authorized: may this user write to the topic?"), "\(text)")
    #expect(
      try Self.retained(broker).contains("45.") && status().contains("may retain is cleared when"))
    _ = try authority.write("topic readwrite #\n", to: "acl")
    try broker.rest(within: patience)
    try broker.kill()
    try broker.startAgain()
    #expect(try eventually(within: patience) { try !status().contains("may retain") })
    #expect(try Self.retained(broker) == "")
  }
}
