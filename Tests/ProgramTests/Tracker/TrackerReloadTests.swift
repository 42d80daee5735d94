import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("A tracker that reads its configuration again", .serialized, .timeLimit(.minutes(60)))
struct TrackerReloadTests {
  private static func uplink(_ name: String, _ broker: RunningBroker, _ device: String) -> String {
    "[Uplink \(name)]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/\(device)\n"
  }

  private static let record = "[Record]\nDistance=10\n"

  /// The sockets that are connected to a port of this machine.
  private func connections(_ tracker: RunningTracker, to broker: RunningBroker) throws -> Set<
    String
  > {
    let table = try kernelText("/proc/\(tracker.program.pid)/net/tcp")
    let port = ":" + String(broker.port, radix: 16, uppercase: true)
    let inodes = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[2].hasSuffix(port), fields[3] == "01" else { return nil }
      return "socket:[\(fields[9])]"
    }
    let folder = "/proc/\(tracker.program.pid)/fd"
    let own = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      var buffer = [CChar](repeating: 0, count: 64)
      let count = readlink("\(folder)/\(name)", &buffer, buffer.count)
      return String(
        decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return Set(inodes).intersection(own)
  }

  private func dates(_ subscriber: Subscriber, _ topic: String) -> [Int64] {
    subscriber.listen()
    return subscriber.messages.filter {
      $0.topic == topic && $0.json["_type"]?.string == "location"
    }
    .compactMap { $0.json["tst"]?.integer }
  }

  @Test("uplinks that are the same keep their connection, others go on at their place")
  func uplinks() throws {
    let (one, two) = (try RunningBroker(), try RunningBroker())
    let subscriber = try Subscriber(two)
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50),
      Self.record + Self.uplink("one", one, "van") + Self.uplink("two", two, "van"))
    try #require(eventually(within: patience) { dates(subscriber, "owntracks/ann/van").count > 20 })
    let before = try connections(tracker, to: one)
    try #require(before.count == 1)
    try tracker.reload(
      Self.record + Self.uplink("one", one, "van") + Self.uplink("two", two, "lorry"))
    try tracker.waitForLog("was read again")
    try #require(
      eventually(within: patience) { dates(subscriber, "owntracks/ann/lorry").count > 20 })
    #expect(try connections(tracker, to: one) == before)
    let (van, lorry) = (
      dates(subscriber, "owntracks/ann/van"), dates(subscriber, "owntracks/ann/lorry")
    )
    // What was under way comes twice, and nothing else.
    #expect(Set(van).intersection(lorry).count <= 8)
    let all = Set(van).union(lorry)
    let kept = try tracker.entries().compactMap { $0["timestamp"]?.string }
      .compactMap { Timestamp(iso8601: $0)?.microseconds }.map { $0 / 1_000_000 }
    #expect(Set(kept.prefix(all.count / 2)).isSubset(of: all))
    try tracker.reload(Self.record + Self.uplink("two", two, "lorry"))
    try tracker.waitForLog("was read again")
    #expect(try eventually(within: patience) { try connections(tracker, to: one).isEmpty })
    let uplinks = try tracker.ask("status")["uplinks"]?.array?.compactMap { $0["name"]?.string }
    #expect(uplinks == ["two"])
  }

  @Test("a mistake changes nothing, and is said as --check says it")
  func mistake() throws {
    let broker = try RunningBroker()
    let tracker = try RunningTracker(
      try RunningDaemon(), Self.record + Self.uplink("one", broker, "van"))
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    let before = try connections(tracker, to: broker)
    try #require(before.count == 1)
    let wrong = "[Record]\nDistance=10\nTurn=sideways\n[Region home]\nCircle=45,7,100\n"
    try tracker.reload(wrong)
    let file = tracker.daemon.folder.appending(path: "tracker.conf").path
    let check = try Program([
      Program.path("locationd-tracker"), "--check", "--config", file,
    ]).text()
    #expect(check.exit == 1)
    let said = check.text.trimmingCharacters(in: .newlines)
    #expect(said.contains("tracker.conf:3"))
    try tracker.waitForLog(said)
    try tracker.waitForLog("stays as it was")
    #expect(try connections(tracker, to: broker) == before)
    let status = try tracker.ask("status")
    #expect(status["waypoints"] == .array([]) && status["uplinks"]?.array?.count == 1)
  }

  @Test("new regions are watched, others no more, and what stays keeps its date")
  func regions() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let uplink = Self.uplink("one", broker, "van")
    let tracker = try RunningTracker(
      try RunningDaemon(), uplink + "[Region home]\nCircle=45,7,100\n")
    func announced(_ name: String) -> [JSON] {
      subscriber.listen()
      return subscriber.messages.filter { $0.topic == "owntracks/ann/van/waypoint" }.map(\.json)
        .filter { $0["desc"]?.string == name }
    }
    try #require(eventually(within: patience) { announced("home").count == 1 })
    try #require(try eventually(within: patience) { try tracker.watchedRegions() == 1 })
    try tracker.reload(
      uplink + "[Region home]\nCircle=45,7,300\n[Region work]\nCircle=46,7,100\n")
    try #require(eventually(within: patience) { announced("work").count == 1 })
    try #require(eventually(within: patience) { announced("home").count == 2 })
    let homes = announced("home")
    #expect(homes[0]["tst"] == homes[1]["tst"] && homes[1]["rad"]?.integer == 300)
    #expect(try eventually(within: patience) { try tracker.watchedRegions() == 2 })
    try tracker.reload(uplink + "[Region work]\nCircle=46,7,100\n")
    #expect(try eventually(within: patience) { try tracker.watchedRegions() == 1 })
    let names = try tracker.ask("status")["waypoints"]?.array?.compactMap { $0["name"]?.string }
    #expect(names == ["work"])
  }

  @Test("another way to keep the track holds from then on")
  func recording() throws {
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 100), "[Record]\nMode=manual\nVisits=no\n")
    try #require(
      try eventually(within: patience) {
        try tracker.daemon.connect().ask("status")["result"]?["clients"]?.array?.contains {
          $0["name"]?.string == "locationd-tracker"
        } == true
      })
    #expect(try tracker.entries().isEmpty)
    try tracker.reload("[Record]\nDistance=50\n")
    try #require(try eventually(within: patience) { try tracker.entries().count > 10 })
    try tracker.reload("[Record]\nMode=manual\nVisits=no\n")
    try tracker.waitForLog("was read again")
    try tracker.waitForLog("was read again")
    // What was on its way has come once the daemon says that nobody is told any more.
    #expect(
      try eventually(within: patience) {
        let clients = try tracker.daemon.connect().ask("status")["result"]?["clients"]?.array
        return clients?.contains {
          $0["name"]?.string == "locationd-tracker" && $0["updating"]?.integer == 0
        } == true
      })
  }
}
