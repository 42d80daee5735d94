import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("What the tracker keeps to itself", .timeLimit(.minutes(60))) struct TrackerPrivacyTests {
  /// The drive leads north along 7° from 45°: the zone lies 2 km from its start.
  private static let home = 45 + 2000 / 111_131.7
  private static let zone = "[Zone home]\nCircle=\(home),7,300\n"

  private func metres(_ entry: JSON) -> Double {
    abs((entry["latitude"]?.double ?? entry["lat"]?.double ?? 0) - Self.home) * 111_131.7
  }

  private func track(_ tracker: RunningTracker, _ arguments: String...) throws -> String {
    let socket = tracker.daemon.folder.appending(path: "t").path
    return try Program(
      [Program.path("locationctl"), "track"] + arguments + ["--socket", socket]
    ).text().text
  }

  /// Returns once the drive has led past the zone.
  private func passTheZone(_ tracker: RunningTracker) throws {
    let passed = Self.home + 600 / 111_131.7
    try #require(
      try eventually(within: patience) {
        try tracker.entries().contains { $0["latitude"]?.double ?? 0 > passed }
      })
  }

  @Test(
    "no place of a zone reaches the disk or a broker, by whatever way", arguments: [false, true])
  func zone(isTold: Bool) throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50),
      """
      [Record]
      Distance=20
      \(Self.zone)\(isTold ? "Keep=inside\n" : "")
      [Region door]
      Circle=\(Self.home),7.0005,100
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van
      Heartbeat=10
      Commands=yes

      """)
    try passTheZone(tracker)
    for action in ["waypoints", "status", "reportLocation"] {
      let command = "{\"_type\":\"cmd\",\"action\":\"\(action)\"}"
      let publish = try Program([
        "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
        "owntracks/ann/van/cmd", "-m", command,
      ])
      #expect(try publish.exit() == 0)
    }
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return Set(subscriber.messages.map(\.topic)).isSuperset(
          of: ["owntracks/ann/van/waypoints", "owntracks/ann/van/status"])
      })
    tracker.daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    try subscriber.takeAll(of: broker, 2, within: patience)
    let entries = try tracker.entries()
    #expect(entries.allSatisfy { metres($0) > 300 })
    #expect(entries.contains { metres($0) < 500 }, "the line is whole up to the edge")
    let crossings = entries.compactMap { $0["region"]?.string }
    #expect(crossings.isEmpty != isTold && crossings.allSatisfy { $0 == "home" }, "\(crossings)")
    for message in subscriber.messages {
      #expect(!message.json.text.contains("door"), "\(message)")
      if message.json["lat"] != nil { #expect(metres(message.json) > 300, "\(message)") }
    }
    // The edge is where it was after a kill.
    let nearest = entries.map(metres).min()
    try tracker.kill()
    try tracker.startAgain()
    let again = try tracker.entries()
    #expect(again.map(metres).min() == nearest)
  }

  @Test("what was kept before a zone was made is sent to nobody, and forgotten by its name")
  func forgotten() throws {
    let broker = try RunningBroker()
    let record = "[Record]\nDistance=20\n"
    let tracker = try RunningTracker(try TrackerTests.driving(rate: 50), record)
    try passTheZone(tracker)
    tracker.daemon.program.signal(SIGSTOP)
    #expect(try track(tracker, "forget", "--zone", "home").contains("no zone 'home'"))
    let before = try tracker.entries()
    try #require(before.contains { metres($0) < 300 })
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let uplink = "[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\n"
    try tracker.reload(record + Self.zone + uplink)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    try subscriber.takeAll(of: broker, 2, within: patience)
    let sent = subscriber.messages.filter { $0.json["lat"] != nil }
    #expect(!sent.isEmpty && sent.allSatisfy { metres($0.json) > 300 })
    #expect(try tracker.entries().count == before.count, "it stays")
    #expect(try track(tracker, "forget", "--zone", "home").contains("entries forgotten"))
    let left = try tracker.entries()
    #expect(left.allSatisfy { metres($0) > 300 } && left.contains { metres($0) < 600 })
  }

  @Test("a zone that is made while entries wait in memory hides those, too")
  func waiting() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let uplink =
      "[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\nRate=4/s\n"
    let record = "[Record]\nDistance=20\n"
    let tracker = try RunningTracker(try TrackerTests.driving(rate: 50), record + uplink)
    try passTheZone(tracker)
    tracker.daemon.program.signal(SIGSTOP)
    func hidden() -> Int {
      subscriber.listen()
      return subscriber.messages.count { $0.json["lat"] != nil && metres($0.json) <= 300 }
    }
    let inside = try tracker.entries().count { metres($0) <= 300 }
    // Nothing is sent while the file is written, and all that was is heard.
    tracker.program.signal(SIGSTOP)
    try subscriber.takeAll(of: broker, 3, within: patience)
    let before = hidden()
    // Some may be on their way to the broker.
    try #require(inside > before + 16, "\(inside) and \(before)")
    try tracker.reload(record + Self.zone + uplink)
    tracker.program.signal(SIGCONT)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    try subscriber.takeAll(of: broker, 2, within: patience)
    #expect(hidden() <= before + 8)
  }

  @Test("a pause keeps nothing, also after kill -9, and resume ends it")
  func pause() throws {
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50), "[Record]\nDistance=20\n")
    try #require(try eventually(within: patience) { try tracker.entries().count > 5 })
    #expect(try track(tracker, "pause", "2h").contains("paused until"))
    // Bytes on their way are written; then nothing comes.
    let count = try tracker.entries().count
    try tracker.kill()
    try tracker.startAgain()
    #expect(try tracker.ask("status")["silence"]?["because"]?.string == "pause")
    #expect(try track(tracker, "status").contains("nothing is kept"))
    let daemon = try tracker.daemon.connect()
    // The daemon is asked for no place meanwhile, once it has seen that the killed one is gone.
    #expect(
      try eventually(within: patience) {
        let clients = try daemon.ask("status")["result"]?["clients"]?.array ?? []
        return clients.allSatisfy { $0["services"]?.array?.isEmpty != false }
      })
    #expect(try tracker.entries().count == count)
    #expect(try track(tracker, "resume").contains("goes on"))
    #expect(try eventually(within: patience) { try tracker.entries().count > count })
    #expect(try tracker.ask("status")["silence"] == nil)
    #expect(try track(tracker, "pause", "soon").contains("wants a time from"))
  }

  @Test("outside of its hours nothing is kept, and the status says until when")
  func hours() throws {
    // Local time is UTC here: a window that began yesterday and one that begins in two hours.
    let hour = Int(Date().timeIntervalSince1970) / 3600 % 24
    func clock(_ hour: Int) -> String { (hour % 24 < 10 ? "0" : "") + "\(hour % 24):00" }
    let tracker = try RunningTracker(
      try RunningDaemon(["static:45,7"]),
      "[Record]\nHours=\(clock(hour + 2))-\(clock(hour + 3))\n", environment: ["TZ": "UTC"])
    #expect(try tracker.ask("status")["silence"]?["because"]?.string == "hours")
    #expect(try track(tracker, "status").contains("outside of its hours until"))
    try tracker.reload("[Record]\nHours=\(clock(hour))-\(clock(hour + 2))\n")
    #expect(try eventually(within: patience) { try tracker.ask("status")["silence"] == nil })
    let check = try Program([
      Program.path("locationd-tracker"), "--check", "--config",
      tracker.daemon.folder.appending(path: "tracker.conf").path,
    ])
    #expect(try check.exit() == 0)
  }
}
