import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("The tracker", .timeLimit(.minutes(60))) struct TrackerTests {
  /// A place a second, each a street further, `rate` of them a second.
  static func driving(_ count: Int = 3000, rate: Int) throws -> RunningDaemon {
    let lines = (0..<count).map { i in
      let date = Date(timeIntervalSince1970: 1_772_359_200 + Double(i))
      let north = Double(i) * 20 / 111_131.7
      return """
        {"timestamp":"\(date.formatted(.iso8601))","latitude":\(45 + north),"longitude":7,\
        "horizontalAccuracy":5,"speed":20,"course":0}
        """
    }
    return try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=\(rate)&loop=1"],
      files: ["track.jsonl": lines.joined(separator: "\n") + "\n"])
  }

  static func uplink(_ broker: RunningBroker) -> String {
    "[Record]\nDistance=10\n[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van\n"
  }

  @Test("a drive is kept, outlasts kill -9, and goes on after it")
  func kept() throws {
    let tracker = try RunningTracker(try Self.driving(rate: 50), "[Record]\nDistance=100\n")
    #expect(try eventually(within: patience) { try tracker.entries().count >= 5 })
    let drive = try tracker.entries()
    try tracker.kill()
    try tracker.startAgain()
    let before = try tracker.entries()
    #expect(before.starts(with: drive))
    #expect(try eventually(within: patience) { try tracker.entries().count > before.count + 2 })
    let entries = try tracker.entries()
    #expect(entries.starts(with: before))
    #expect(entries.map { $0["number"]?.integer ?? 0 } == (1...entries.count).map { Int64($0) })
    for (a, b) in zip(drive, drive.dropFirst()) {
      let way = (b["latitude"]?.double ?? 0) - (a["latitude"]?.double ?? 0)
      #expect(way * 111_131.7 > 50)
    }
  }

  @Test("a database that was cut is mended at the start, and the status says so")
  func cut() throws {
    let tracker = try RunningTracker(try Self.driving(rate: 200), "[Record]\nDistance=20\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 200 })
    tracker.program.signal(SIGTERM)
    #expect(try tracker.program.exit() == 0)
    let file = tracker.daemon.folder.appending(path: "track/track.db")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: try handle.seekToEnd() / 4096 / 2 * 4096 + 100)
    try handle.close()
    try tracker.startAgain()
    #expect(try tracker.ask("status")["mended"]?.string?.contains("track.db.broken") == true)
    let count = try tracker.entries().count
    #expect(try eventually(within: patience) { try tracker.entries().count > count })
  }

  @Test("crossings are kept also where the daemon has lost its state, and counts them anew")
  func anotherLedger() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let tracker = try RunningTracker(
      daemon, "[Record]\nMode=manual\n[Region home]\nCircle=45,7,400\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 8 })
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    let before = try tracker.entries().count
    let state = daemon.folder.appending(path: "state")
    try FileManager.default.removeItem(at: state)
    try daemon.startAgain()
    try #require(try eventually(within: patience) { try tracker.entries().count > before })
    daemon.program.signal(SIGKILL)
    _ = try daemon.program.exit()
    let ledger = try Database(salvaging: state.appending(path: "locationd.db").path)
    let last = try ledger.rows("SELECT max(number) FROM last_event").first?.first?.integer
    // The last one may not have been told.
    #expect(try tracker.entries().count - before >= Int(try #require(last)) - 1)
  }

  @Test("without permission nothing is kept, and the status says what to do")
  func denied() throws {
    let daemon = try Self.driving(rate: 50)
    let administrator = try daemon.connect()
    let tracker = try RunningTracker(daemon, "")
    var app: JSON?
    try #require(
      try eventually(within: patience) {
        let clients = try administrator.ask("status")["result"]?["clients"]?.array
        app = clients?.first { $0["name"]?.string == "locationd-tracker" }?["app"]
        return app != nil
      })
    let me = try #require(app)
    _ = try administrator.ask("permissions.set", ["app": me, "authorization": "denied"])
    #expect(
      try eventually(within: patience) {
        try tracker.ask("status")["trouble"]?.string?.contains("locationctl grant") == true
      })
    let count = try tracker.entries().count
    _ = try administrator.ask("permissions.set", ["app": me, "authorization": "authorizedAlways"])
    #expect(try eventually(within: patience) { try tracker.entries().count > count })
    #expect(try tracker.ask("status")["trouble"] == nil)
  }

  @Test("without news the newest place is told again, and a command asks for it at once")
  func heartbeat() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let uplink = Self.uplink(broker) + "Heartbeat=10\nCommands=yes\n"
    let tracker = try RunningTracker(try RunningDaemon(), uplink)
    func places(_ trigger: String?) -> Int {
      subscriber.listen()
      return subscriber.messages.count {
        $0.json["_type"]?.string == "location" && $0.json["t"]?.string == trigger
      }
    }
    try #require(eventually(within: patience) { places(nil) == 1 })
    #expect(eventually(within: patience) { places("p") >= 1 })
    let command = try Program([
      "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
      "owntracks/ann/van/cmd", "-m", #"{"_type":"cmd","action":"reportLocation"}"#,
    ])
    #expect(try command.exit() == 0)
    #expect(eventually(within: patience) { places(nil) == 2 })
    #expect(try tracker.entries().count == 2)
  }

  @Test("broker and tracker are killed again and again: each entry arrives, few twice")
  func killed() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let tracker = try RunningTracker(try Self.driving(rate: 100), Self.uplink(broker))
    var twice: [Int] = []
    for round in 1...3 {
      let enough = subscriber.messages.count + 60
      try #require(
        eventually(within: patience) {
          subscriber.listen()
          return subscriber.messages.count >= enough
        })
      let heard = subscriber.messages.compactMap { $0.json["tst"]?.integer }
      twice.append(heard.count - Set(heard).count)
      if round % 2 == 1 {
        // The broker has written down what it acknowledged, and what its subscriber has.
        tracker.program.signal(SIGSTOP)
        try subscriber.takeAll(of: broker, round, within: patience)
        try broker.rest(within: patience)
        try broker.kill()
        try broker.startAgain()
      }
      try tracker.kill()
      try tracker.startAgain()
    }
    tracker.daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    let dates = try tracker.entries().compactMap { $0["timestamp"]?.string }
      .compactMap { Timestamp(iso8601: $0)?.microseconds }.map { $0 / 1_000_000 }
    try #require(dates.count > 100)
    var heard: [Int64] = []
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        heard = subscriber.messages.filter { $0.json["_type"]?.string == "location" }
          .compactMap { $0.json["tst"]?.integer }
        return Set(dates).isSubset(of: heard)
      }, "\(Set(dates).subtracting(heard))")
    #expect(Set(heard).subtracting(dates).isEmpty)
    // Each death repeats what was under way or not written down: eight entries.
    #expect(twice[0] == 0 && twice[1] <= 8 && twice[2] <= 16, "\(twice)")
    #expect(heard.count - Set(heard).count <= 24, "\(heard.count) of \(dates.count)")
    #expect(
      subscriber.messages.allSatisfy {
        ["owntracks/ann/van", "owntracks/fleet/mark"].contains($0.topic)
      })
  }

  @Test("past its budget an uplink waits and says until when, also after kill -9")
  func budget() throws {
    let broker = try RunningBroker()
    let tracker = try RunningTracker(
      try Self.driving(rate: 50), Self.uplink(broker) + "Budget=10K/month\n")
    func uplink() throws -> JSON? { try tracker.ask("status")["uplinks"]?.array?.first }
    try #require(try eventually(within: patience) { try uplink()?["waits"] != nil })
    let waits = try #require(try uplink()?["waits"]?.string)
    #expect(waits.contains("-01T00:00:00") && waits.contains("budget"))
    // A message is sent whole.
    #expect((10_240...12_000).contains(try uplink()?["budget"]?["used"]?.integer ?? 0))
    let confirmed = try #require(try uplink()?["confirmed"]?.integer)
    try tracker.kill()
    try tracker.startAgain()
    let count = try tracker.entries().count
    try #require(try eventually(within: patience) { try tracker.entries().count > count + 5 })
    #expect(try uplink()?["waits"] != nil)
    #expect(try uplink()?["confirmed"]?.integer ?? 0 <= confirmed)
    let text = try Program([
      Program.path("locationctl"), "track", "status", "--socket",
      tracker.daemon.folder.appending(path: "t").path,
    ]).text().text
    #expect(text.contains("waits until") && text.contains("of 10 KiB sent this month"), "\(text)")
  }

  @Test("by MQTT 5 each entry arrives, and the session of commands outlasts the connection")
  func version5() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let uplink =
      "[Uplink broker]\nURL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van?version=5\n"
    let tracker = try RunningTracker(
      try RunningDaemon(), "[Record]\nDistance=10\n" + uplink + "Commands=yes\n")
    func places() -> Int {
      subscriber.listen()
      return subscriber.messages.count { $0.json["_type"]?.string == "location" }
    }
    try #require(eventually(within: patience) { places() == 1 })
    try tracker.kill()
    let command = try Program([
      "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
      "owntracks/ann/van/cmd", "-m", #"{"_type":"cmd","action":"reportLocation"}"#,
    ])
    #expect(try command.exit() == 0)
    try tracker.startAgain()
    #expect(eventually(within: patience) { places() >= 2 })
  }
}
