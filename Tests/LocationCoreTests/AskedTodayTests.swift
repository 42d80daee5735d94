import LocationModel
import Testing

@testable import LocationCore

@Suite("A person who was asked about a program at the share's doors, and let the question be")
struct AskedTodayTests {
  private static let agent = MonitoringHarness.agent
  private static let client = ClientID(40)

  private static func connect(
    _ harness: inout MonitoringHarness, as entry: Caller.Entry = .shared, app: String = "gpsd:ann"
  ) {
    harness.handle(.gone(client))
    var caller = Caller(uid: 1000, pid: 0, app: app)
    caller.entry = entry
    harness.handle(.connected(client, caller))
  }

  /// The program's wish asks the person.
  private static func asks(_ harness: inout MonitoringHarness) -> Int64? {
    harness.call(.requestAuthorization(.authorizedWhenInUse), from: client).asked.first?.question
      .number
  }

  /// The person closes the question.
  private static func close(_ number: Int64?, _ harness: inout MonitoringHarness) {
    harness.handle(.answered(agent, .question(number ?? 0), nil))
  }

  /// `seconds`: how long the machine has run by then.
  private static func closed(
    app: String = "gpsd:ann", after seconds: Double = 0
  ) -> MonitoringHarness {
    var harness = MonitoringHarness()
    harness.now += seconds
    harness.connectAgent()
    connect(&harness, app: app)
    close(asks(&harness), &harness)
    return harness
  }

  @Test("is not asked again on that day, and is the day after")
  func day() {
    var harness = Self.closed()
    for hour in 1...23 {
      harness.now += 3600
      #expect(Self.asks(&harness) == nil, "after \(hour) hours")
    }
    harness.now += 3601
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is not asked again after restarts of the daemon, though the machine starts, too")
  func restarts() {
    var harness = Self.closed()
    for boot in [0.0, 0, -900, -800, -800] {
      harness.now += 4 * 3600
      harness.restart(boot: boot)
      harness.connectAgent()
      Self.connect(&harness)
      #expect(Self.asks(&harness) == nil)
    }
    harness.now += 4 * 3600
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is asked anew once the daemon was away over the day, and nothing stays on the disk")
  func away() {
    var harness = Self.closed()
    #expect(harness.disk.records.contains { $0.key.kind == AskedToday.kind })
    harness.restart(after: 86_401)
    harness.connectAgent()
    #expect(!harness.disk.records.contains { $0.key.kind == AskedToday.kind })
    Self.connect(&harness)
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is not asked for a day from then on where no clock says when that was")
  func dateless() {
    var harness = Self.closed()
    harness.isClockTrusted = false
    harness.now += 20 * 3600
    harness.restart(boot: -70_000)
    harness.connectAgent()
    Self.connect(&harness)
    harness.now += 20 * 3600
    #expect(Self.asks(&harness) == nil)
    harness.now += 5 * 3600
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is asked a day after the machine started without a clock, however often the daemon did")
  func datelessRestarts() {
    // This clock is not reached again on the boot after.
    var harness = Self.closed(after: 200_000)
    harness.isClockTrusted = false
    harness.now += 10
    harness.restart(boot: -200_000)
    for _ in 0..<4 {
      harness.now += 5 * 3600
      harness.restart(boot: -200_000)
    }
    harness.connectAgent()
    Self.connect(&harness)
    #expect(Self.asks(&harness) == nil)
    harness.now += 5 * 3600
    harness.restart(boot: -200_000)
    harness.connectAgent()
    Self.connect(&harness)
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is asked when the day is over by a clock that was not believed for a while")
  func dateKept() {
    var harness = Self.closed()
    harness.isClockTrusted = false
    harness.now += 20 * 3600
    harness.restart(boot: -70_000)
    harness.isClockTrusted = true
    harness.now += 5 * 3600
    harness.restart(boot: -90_000)
    harness.connectAgent()
    Self.connect(&harness)
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is asked anew about a program that is forgotten, and about another one")
  func others() {
    var harness = Self.closed()
    Self.connect(&harness, app: "app:navit")
    #expect(Self.asks(&harness) != nil)
    harness.call(.permissionsReset(.init(app: "gpsd:ann", uid: 1000)))
    #expect(!harness.disk.records.contains { $0.key.kind == AskedToday.kind })
    Self.connect(&harness)
    #expect(Self.asks(&harness) != nil)
  }

  @Test("is asked at another door as before: after a short while, again and again")
  func socket() {
    var harness = MonitoringHarness()
    harness.connectAgent()
    Self.connect(&harness, as: .own)
    Self.close(Self.asks(&harness), &harness)
    harness.now += 11
    #expect(Self.asks(&harness) != nil)
  }

  @Test("has so many programs of a user remembered, and no more")
  func bounded() {
    var asked = AskedToday(StoreSnapshot(), at: MonitoringHarness().instant)
    let now = MonitoringHarness().instant
    for i in 0...AskedToday.most {
      var later = now
      later.boottime = now.boottime + .seconds(i)
      asked.insert(App(uid: 1000, name: "app:\(i)"), at: later)
    }
    #expect(!asked.contains(App(uid: 1000, name: "app:0"), at: now))
    #expect(asked.contains(App(uid: 1000, name: "app:1"), at: now))
    let removed = asked.drain().filter { if case .remove = $0 { true } else { false } }
    #expect(removed.count == 1)
  }
}
