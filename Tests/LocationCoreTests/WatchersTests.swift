import LocationModel
import Testing

@testable import LocationCore

@Suite("Undecided programs at the share's doors that watch")
struct WatchersTests {
  private static let agent = MonitoringHarness.agent
  private static let program = ClientID(40)
  private static let app = "gpsd:ann"

  /// The program begins to watch, as the share's door has it done.
  @discardableResult
  private static func watches(
    _ harness: inout MonitoringHarness, _ id: ClientID = program, as entry: Caller.Entry = .shared,
    app: String = app
  ) -> [Output] {
    var caller = Caller(uid: 1000, pid: 0, app: app)
    caller.entry = entry
    caller.isInUserSlice = true
    if entry == .shared {
      // The kernel tells the unit of its socket, and no process.
      caller.lineage = nil
      caller.unit = .system("session-3.scope")
    }
    harness.handle(.connected(id, caller))
    harness.call(.startUpdatingLocation(StandardRequest()), from: id)
    return harness.call(.requestAuthorization(.authorizedWhenInUse), from: id)
  }

  private static func decides(
    _ choice: AgentDecision.Choice, _ number: Int64, _ harness: inout MonitoringHarness
  ) -> [Output] {
    harness.handle(.answered(agent, .question(number), AgentDecision(choice).json))
  }

  private static func isTold(_ outputs: [Output]) -> Bool {
    outputs.contains {
      if case .tell(let all, .didUpdateLocations) = $0 {
        all.contains { $0.client == program }
      } else {
        false
      }
    }
  }

  @Test("are asked about when an agent comes, once, and told when a person allows it")
  func agentComes() throws {
    var harness = MonitoringHarness()
    #expect(Self.watches(&harness).refusals.map(\.code) == [.denied])
    Self.watches(&harness, ClientID(41))
    harness.now += 600
    let asked = harness.connectAgent().asked
    try #require(asked.map(\.question.app) == [Self.app])
    harness.now += 1
    #expect(harness.handle(.timer).asked.isEmpty)
    _ = Self.decides(.allowWhileUsing, asked[0].question.number, &harness)
    #expect(Self.isTold(harness.walk(for: 2)))
  }

  @Test("are asked about when the person comes back")
  func personComes() {
    var harness = MonitoringHarness(use: .logind)
    harness.connectAgent()
    #expect(Self.watches(&harness).asked.isEmpty)
    #expect(harness.handle(.present([1000])).asked.count == 1)
  }

  @Test("are asked about one after the other, where a user's questions are bounded")
  func bounded() throws {
    var harness = MonitoringHarness { $0.questionsPerUser = 1 }
    harness.connectAgent()
    let first = try #require(Self.watches(&harness).asked.first)
    #expect(Self.watches(&harness, ClientID(41), app: "app:navit").asked.isEmpty)
    let next = Self.decides(.deny, first.question.number, &harness).asked
    #expect(next.map(\.question.app) == ["app:navit"])
  }

  @Test("are not asked about once they cease to watch, or have gone")
  func ceased() {
    for isGone in [false, true] {
      var harness = MonitoringHarness()
      Self.watches(&harness)
      if isGone {
        harness.handle(.gone(Self.program))
      } else {
        harness.call(.stopUpdatingLocation, from: Self.program)
      }
      #expect(harness.connectAgent().asked.isEmpty)
    }
  }

  @Test("are asked about again a day later, though they watch on and nothing else happens")
  func dayLater() throws {
    var harness = MonitoringHarness()
    harness.connectAgent()
    let number = try #require(Self.watches(&harness).asked.first?.question.number)
    let closed = harness.now
    harness.handle(.answered(Self.agent, .question(number), nil))
    var asked = 0
    for _ in 0..<1000 where asked == 0 {
      let wake = harness.service.wakeAsked
      harness.now = try #require(wake).seconds(since: .start).rounded(.up)
      asked = harness.handle(.timer).asked.count
    }
    #expect(
      asked == 1 && (86_400..<86_402).contains(harness.now - closed), "\(harness.now - closed)")
  }

  @Test("have one question, however often they connect anew, and the last connection is told")
  func reconnects() throws {
    var harness = MonitoringHarness()
    harness.connectAgent()
    let asked = Self.watches(&harness).asked
    try #require(asked.count == 1)
    for pause in [1.0, 4, 3, 2, 20, 60] {
      let gone = harness.handle(.gone(Self.program))
      #expect(gone.cancelled.isEmpty)
      harness.now += pause
      #expect(Self.watches(&harness).asked.isEmpty, "after \(pause) s")
    }
    _ = Self.decides(.allowWhileUsing, asked[0].question.number, &harness)
    #expect(Self.isTold(harness.walk(for: 2)))
  }

  @Test(
    "are not asked about again that day where a person let the question of one that had gone be")
  func late() throws {
    var harness = MonitoringHarness()
    harness.connectAgent()
    let asked = Self.watches(&harness).asked
    harness.handle(.gone(Self.program))
    harness.now += 121
    #expect(harness.handle(.timer).cancelled == asked.map(\.question.number))
    for _ in 0..<3 {
      harness.now += 5000
      #expect(Self.watches(&harness).asked.isEmpty)
      harness.handle(.gone(Self.program))
    }
  }

  @Test("are asked about again by the next agent where the first went without an answer")
  func agentGoes() throws {
    var harness = MonitoringHarness()
    harness.connectAgent()
    try #require(Self.watches(&harness).asked.count == 1)
    for _ in 0..<3 {
      #expect(harness.handle(.gone(Self.agent)).commits.isEmpty, "the day is not remembered")
      harness.now += 1
      try #require(harness.connectAgent().asked.count == 1)
    }
  }

  @Test("count as asked about where they waited for the answer to the same app's own question")
  func joined() throws {
    for (first, second) in [(Caller.Entry.own, Caller.Entry.shared), (.shared, .own)] {
      var harness = MonitoringHarness()
      harness.connectAgent()
      let number = try #require(
        Self.watches(&harness, ClientID(41), as: first).asked.first?.question.number)
      #expect(Self.watches(&harness, ClientID(42), as: second).asked.isEmpty)
      harness.handle(.answered(Self.agent, .question(number), nil))
      harness.now += 3600
      #expect(Self.watches(&harness).asked.isEmpty)
      #expect(Self.watches(&harness, ClientID(43), as: .own).asked.count == 1)
    }
  }
}
