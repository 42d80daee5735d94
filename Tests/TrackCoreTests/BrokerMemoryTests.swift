import LocationModel
import Testing

@testable import TrackCore

@Suite("The memory of a broker") struct BrokerMemoryTests {
  /// Hours of a made-up clock.
  private static func at(_ hours: Double) -> Boottime { .start + .seconds(hours * 3600) }
  private static let date = Timestamp(microseconds: 1_772_359_200_000_000)

  private static func plan(
    _ url: String = "mqtts://b/t?version=3.1.1", commands: Bool = true
  ) throws -> UplinkPlan {
    var plan = UplinkPlan(name: "fleet", try UplinkAddress(url))
    plan.takesCommands = commands
    return plan
  }

  /// Each start of the program ends in a kill as soon as it is connected; what it may connect to is told.
  private static func kill(_ plan: UplinkPlan, atHours hours: [Double]) -> [String] {
    var text: String?
    return hours.map { hour in
      var memory = BrokerMemory(plan, text, at: at(hour))
      let way = memory.connect(at: at(hour), date)
      text = memory.text
      return way.map { $0.subscribes ? "all" : "no commands" } ?? "nothing"
    }
  }

  @Test("a second death in a row leaves the subscription out for an hour, a fourth the uplink")
  func deaths() throws {
    let plan = try Self.plan()
    #expect(
      Self.kill(plan, atHours: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 2.3])
        == ["all", "all", "no commands", "no commands", "nothing", "nothing", "nothing"])
    // The hour of the uplink is over: first it is tried without commands. The next death costs another hour.
    #expect(
      Self.kill(plan, atHours: [1, 1.1, 1.2, 1.3, 1.4, 2.5, 2.6, 3.7])
        == [
          "all", "all", "no commands", "no commands", "nothing", "no commands", "nothing",
          "no commands",
        ])
  }

  @Test(
    "where the hour without commands passes, one more death leaves them out again, and never the uplink"
  )
  func suspicion() throws {
    let plan = try Self.plan()
    var text: String?
    for hour in [1, 1.1] {
      var memory = BrokerMemory(plan, text, at: Self.at(hour))
      #expect(memory.connect(at: Self.at(hour), Self.date)?.subscribes == true)
      text = memory.text
    }
    for start in stride(from: 1.2, to: 20, by: 1.2) {
      var memory = BrokerMemory(plan, text, at: Self.at(start))
      #expect(memory.connect(at: Self.at(start), Self.date)?.subscribes == false)
      memory.end(.lost, at: Self.at(start + 1))
      #expect(memory.connect(at: Self.at(start + 1.1), Self.date)?.subscribes == true)
      text = memory.text
    }
  }

  @Test("a program that ends by itself is not dead, and an hour of life forgets the deaths before")
  func lives() throws {
    let plan = try Self.plan()
    var text: String?
    func run(from start: Double, to end: Double?) -> Bool? {
      var memory = BrokerMemory(plan, text, at: Self.at(start))
      let way = memory.connect(at: Self.at(start), Self.date)
      if let end { memory.end(.lost, at: Self.at(end)) }
      text = memory.text
      return way?.subscribes
    }
    #expect(run(from: 1, to: nil) == true)
    for start in 2..<5 { #expect(run(from: Double(start), to: Double(start) + 0.2) == true) }
    #expect(run(from: 6, to: nil) == true)
    #expect(run(from: 6.1, to: 6.2) == false)
    // Two half hours are one.
    text = nil
    #expect(run(from: 10, to: nil) == true)
    for start in [11, 12] { #expect(run(from: Double(start), to: Double(start) + 0.5) == true) }
    #expect(run(from: 13, to: nil) == true)
    #expect(run(from: 14, to: nil) == true)
    #expect(run(from: 14.1, to: nil) == false)
  }

  @Test(
    "a machine whose power is cut has killed nobody, and keeps what is left out for an hour at most"
  )
  func reboots() throws {
    let plan = try Self.plan()
    #expect(Self.kill(plan, atHours: [5, 0.1, 0.05, 0.01]) == ["all", "all", "all", "all"])
    #expect(
      Self.kill(plan, atHours: [50, 50.1, 50.2, 0.1, 0.9]) == [
        "all", "all", "no commands", "no commands", "no commands",
      ])
    var text: String?
    for hour in [50, 50.1, 50.2] {
      var memory = BrokerMemory(plan, text, at: Self.at(hour))
      _ = memory.connect(at: Self.at(hour), Self.date)
      if hour == 50.2 { memory.end(.lost, at: Self.at(50.3)) }
      text = memory.text
    }
    var memory = BrokerMemory(plan, text, at: Self.at(0.1))
    #expect(memory.connect(at: Self.at(0.1), Self.date)?.subscribes == false)
    #expect(memory.restrictedUntil == Self.at(1.1))
    #expect(memory.connect(at: Self.at(1.2), Self.date)?.subscribes == true)
  }

  @Test("a mark stands only where nothing else tells how long a message is: TLS with 3.1.1")
  func marks() throws {
    for (url, isMarked) in [
      ("mqtts://b/t?version=3.1.1", true), ("mqtts://b/t?version=5", false), ("mqtts://b/t", false),
      ("mqtt://b/t?version=3.1.1", false), ("mqtt://b/t", false),
    ] {
      var memory = BrokerMemory(try Self.plan(url), at: Self.at(1))
      #expect(memory.connect(at: Self.at(1), Self.date)?.isMarked == isMarked, "\(url)")
    }
  }

  @Test("a message that is too long leaves the subscription out for an hour, and is counted")
  func long() throws {
    for commands in [true, false] {
      var memory = BrokerMemory(try Self.plan("mqtt://b/t", commands: commands), at: Self.at(1))
      #expect(memory.connect(at: Self.at(1), Self.date)?.subscribes == commands)
      memory.end(.tooLong, at: Self.at(1))
      #expect(memory.connect(at: Self.at(1.5), Self.date)?.subscribes == false)
      #expect((memory.caution(at: Self.at(1.5), Self.date) != nil) == commands)
      #expect(memory.connect(at: Self.at(2.1), Self.date)?.subscribes == commands)
      #expect(memory.caution(at: Self.at(2.1), Self.date) == nil)
      #expect(memory.risk.longMessages == 1)
    }
  }

  @Test("a person is told what is left out, until when and why")
  func words() throws {
    var text: String?
    var words: [String?] = []
    for hour in [1, 1.1, 1.2, 1.3, 1.4] {
      var memory = BrokerMemory(try Self.plan(), text, at: Self.at(hour))
      _ = memory.connect(at: Self.at(hour), Self.date)
      words.append(memory.caution(at: Self.at(hour), Self.date))
      text = memory.text
    }
    #expect(words.prefix(2) == [nil, nil])
    #expect(
      words[2]
        == "its commands are left out until 2026-03-01T11:00:00.000Z: the tracker was killed 2 times in a"
        + " row while it was connected")
    #expect(
      words[4]?.hasPrefix("waits until 2026-03-01T11:00:00.000Z: the tracker was killed 4 times")
        == true)
  }

  @Test("another broker under the same name is another one, and what nobody wrote is nothing")
  func foreign() throws {
    var first = BrokerMemory(try Self.plan(), at: Self.at(1))
    _ = first.connect(at: Self.at(1), Self.date)
    let other = BrokerMemory(
      try Self.plan("mqtts://other/t?version=3.1.1"), first.text, at: Self.at(2))
    #expect(other.risk.deaths == 0)
    for text in ["", "{", "[]", #"{"server":"b:8883","deaths":-1,"until":9e99,"mark":"x"}"#] {
      #expect(BrokerMemory(try Self.plan(), text, at: Self.at(2)).risk.deaths == 0, "\(text)")
    }
  }

  /// The versions of tries that end so, minutes apart; nil where the broker answers.
  private static func versions(
    _ ends: [BrokerMemory.End?], known: MQTTVersion? = nil, url: String = "mqtt://b/t"
  ) throws -> String {
    var memory = BrokerMemory(try plan(url), at: at(0))
    if let known {
      var before = BrokerMemory(try plan("mqtt://b/t?version=\(known.rawValue)"), at: at(0))
      _ = before.connect(at: at(0), date)
      before.open(at: date)
      before.end(.lost, at: at(0))
      #expect(before.text.contains("version") == false)
      if known == .v3 {
        _ = memory.connect(at: at(0), date)
        memory.end(.otherVersion, at: at(0))
      }
      _ = memory.connect(at: at(0), date)
      memory.open(at: date)
      memory.end(.lost, at: at(0))
    }
    var versions = ""
    for (i, end) in ends.enumerated() {
      let now = at(Double(i) / 60)
      // Each try is another run of the program's.
      let way = memory.connect(at: now, date + .seconds(Double(i) * 60))
      versions += way?.version == .v5 ? "5" : "3"
      if let end {
        memory.end(end, at: now)
      } else {
        memory.open(at: date + .seconds(Double(i) * 60))
        memory.end(.lost, at: now)
      }
    }
    return versions
  }

  @Test("MQTT 5 comes first, and 3.1.1 where a broker says no, closes or keeps silent")
  func versions() throws {
    #expect(try Self.versions([nil, nil]) == "55")
    #expect(try Self.versions([.otherVersion, nil, nil, .lost]) == "5333")
    #expect(try Self.versions([.unanswered, nil, nil]) == "533")
    // A broker that answers neither is tried by turns; a network that is away says nothing of versions.
    #expect(try Self.versions([.unanswered, .unanswered, .unanswered, nil, nil]) == "53533")
    #expect(try Self.versions([.unreachable, .refused, .lost, nil]) == "5555")
  }

  @Test("a broker that is known to speak a version is believed to while it starts")
  func restarting() throws {
    #expect(try Self.versions([.unanswered, .unanswered, nil, nil], known: .v5) == "5555")
    #expect(
      try Self.versions([.unanswered, .unanswered, .unanswered, nil, nil], known: .v5) == "55533")
    #expect(try Self.versions([.otherVersion, nil, nil], known: .v5) == "533")
    #expect(try Self.versions([.unanswered, .unanswered, .unanswered, nil], known: .v3) == "3335")
  }

  @Test("a version in the address is kept to, whatever the broker says")
  func fixed() throws {
    for (url, versions) in [("mqtt://b/t?version=5", "5555"), ("mqtt://b/t?version=3.1.1", "3333")]
    {
      #expect(
        try Self.versions([.otherVersion, .unanswered, .unanswered, nil], url: url) == versions)
    }
  }

  /// The memory of a broker that has ended the greeting by 5 so, and answered the one by 3.1.1.
  private static func older(_ end: BrokerMemory.End) throws -> String {
    var memory = BrokerMemory(try plan("mqtt://b/t"), at: at(1))
    _ = memory.connect(at: at(1), date)
    memory.end(end, at: at(1))
    _ = memory.connect(at: at(1), date)
    memory.open(at: date)
    return memory.text
  }

  private static func version(
    _ memory: String, after hours: Double, _ url: String = "mqtt://b/t"
  ) throws -> MQTTVersion? {
    var again = BrokerMemory(try plan(url), memory, at: at(2))
    return again.connect(at: at(2), date + .seconds(hours * 3600))?.version
  }

  @Test(
    "3.1.1 is remembered over a restart: first for a day where the broker kept silent or closed")
  func unanswered() throws {
    let memory = try Self.older(.unanswered)
    for (hours, version) in [(0.0, MQTTVersion.v3), (23, .v3), (25, .v5), (-1, .v5)] {
      #expect(try Self.version(memory, after: hours) == version, "\(hours)")
    }
  }

  @Test("a broker that is silent to 5 again is asked after twice as long each time, to 64 days")
  func silentAgain() throws {
    var text: String?
    var date = Self.date
    for days in [1, 2, 4, 8, 16, 32, 64, 64] {
      var memory = BrokerMemory(try Self.plan("mqtt://b/t"), text, at: Self.at(1))
      #expect(memory.connect(at: Self.at(1), date)?.version == .v5)
      memory.end(.unanswered, at: Self.at(1))
      #expect(memory.connect(at: Self.at(1), date)?.version == .v3)
      memory.open(at: date)
      memory.end(.lost, at: Self.at(1))
      text = memory.text
      date = date + .seconds(days * 86_400 - 60)
      var later = BrokerMemory(try Self.plan("mqtt://b/t"), text, at: Self.at(1))
      #expect(later.connect(at: Self.at(1), date)?.version == .v3, "\(days)")
      date = date + .seconds(120)
    }
    // A broker that answers is believed, and begins anew.
    var memory = BrokerMemory(try Self.plan("mqtt://b/t"), text, at: Self.at(1))
    _ = memory.connect(at: Self.at(1), date)
    memory.open(at: date)
    #expect(memory.text.contains(#""version":"5""#) && memory.text.contains(#""agreed":0"#))
  }

  @Test("a program that is killed while it asks a silent broker anew still knows its silences")
  func killedWhileAsking() throws {
    var (text, date) = (String?.none, Self.date)
    for days in [1, 2, 4, 8] {
      var memory = BrokerMemory(try Self.plan("mqtt://b/t"), text, at: Self.at(1))
      #expect(memory.connect(at: Self.at(1), date)?.version == .v5, "\(days)")
      memory.end(.unanswered, at: Self.at(1))
      // The disk has the end of the greeting by 5, and not yet the answer to the one by 3.1.1.
      memory = BrokerMemory(try Self.plan("mqtt://b/t"), memory.text, at: Self.at(2))
      #expect(memory.connect(at: Self.at(2), date)?.version == .v5, "\(days)")
      memory.end(.unanswered, at: Self.at(2))
      _ = memory.connect(at: Self.at(2), date)
      memory.open(at: date)
      text = memory.text
      for (hours, version) in [
        (Double(days * 24) - 1, MQTTVersion.v3), (Double(days * 24) + 1, .v5),
      ] {
        var later = BrokerMemory(try Self.plan("mqtt://b/t"), text, at: Self.at(3))
        #expect(
          later.connect(at: Self.at(3), date + .seconds(hours * 3600))?.version == version,
          "\(days) \(hours)")
      }
      date = date + .seconds(days * 86_400 + 60)
    }
  }

  @Test("a broker that has said that it speaks no 5 is asked again once host or port are others")
  func said() throws {
    let memory = try Self.older(.otherVersion)
    for hours in [0.0, 23, 25, 9000, -1] {
      #expect(try Self.version(memory, after: hours) == .v3, "\(hours)")
    }
    #expect(try Self.version(memory, after: 1, "mqtt://b/other?format=json") == .v3)
    for url in ["mqtt://c/t", "mqtt://b:1884/t", "mqtt://b/t?version=5"] {
      #expect(try Self.version(memory, after: 1, url) == .v5, "\(url)")
    }
    // A version in the address, and its removal, forgets what was known.
    let fixed = BrokerMemory(try Self.plan("mqtt://b/t?version=5"), memory, at: Self.at(2)).text
    #expect(try Self.version(fixed, after: 1) == .v5)
    // A broker that has been brought up to date and refuses 3.1.1 is greeted by 5.
    var again = BrokerMemory(try Self.plan("mqtt://b/t"), memory, at: Self.at(2))
    _ = again.connect(at: Self.at(2), Self.date)
    again.end(.otherVersion, at: Self.at(2))
    #expect(again.connect(at: Self.at(2), Self.date)?.version == .v5)
    again.open(at: Self.date)
    #expect(try Self.version(again.text, after: 9000) == .v5)
  }

  @Test("a memory that the disk had no room for is written once the disk has some")
  func unwritten() throws {
    var world = try UplinkWorld("mqtt://b/t")
    world.handle(.begin)
    world.open()
    #expect(world.writes.count == 1)
    world.write(isWritten: false)
    #expect(world.writes.isEmpty && world.disk.broker == nil)
    world.grow(1)
    world.confirm()
    world.rest()
    #expect(world.disk.broker?.contains("\"version\":\"5\"") == true)
  }

  @Test("an older tracker's place to clear is cleared at each broker, and then is forgotten")
  func olderClearing() throws {
    var world = try UplinkWorld("mqtt://b/t")
    world.disk.clearsPlace = true
    world.crash()
    world.open()
    try #require(world.disk.broker == nil && world.writes.count == 1)
    world.write()
    #expect(world.disk.broker?.contains("\"clears\":true") == true)
    world.handle(.cleared)
    try #require(world.writes.count == 1)
    world.write()
    #expect(world.disk.broker?.contains("clears") == false)
  }
}
