import LocationModel
import Testing

@testable import LocationCore

@Suite("Monitoring, and who may") struct MonitoringAccessTests {
  private static let app = ClientID(5)
  private static let agent = ClientID(8)
  private static let name = "flatpak:org.app"

  /// An app of user 1000 in front of a session, walking, and an agent of theirs.
  private func harness() -> MonitoringHarness {
    var harness = MonitoringHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.handle(.connected(Self.agent, .agent()))
    harness.call(.agentRegister, from: Self.agent)
    harness.connect(Self.app, uid: 1000, app: Self.name)
    harness.call(.hello(.init()), from: Self.app)
    return harness
  }

  private func set(
    _ authorization: Authorization, _ accuracy: AccuracyAuthorization = .full,
    on harness: inout MonitoringHarness
  ) {
    harness.call(
      .permissionsSet(
        PermissionChange(
          app: Self.name, uid: 1000, authorization: authorization, accuracy: accuracy)))
  }

  private func monitor(_ harness: inout MonitoringHarness) {
    let home = Region(identifier: "home", .circle(MonitoringHarness.place(north: 0), radius: 100))
    harness.call(.startMonitoring([home]), from: Self.app)
    harness.walk(for: 30)
  }

  /// Asked for Always, answered While Using.
  private func provisional() throws -> MonitoringHarness {
    var harness = harness()
    let asked = harness.call(.requestAuthorization(.authorizedAlways), from: Self.app)
    answer(try #require(asked.asked.first?.question), .allowWhileUsing, on: &harness)
    #expect(harness.service.clientStatus(Self.app).authorization == .authorizedAlways)
    return harness
  }

  @discardableResult
  private func answer(
    _ question: AgentQuestion, _ choice: AgentDecision.Choice, on harness: inout MonitoringHarness
  ) -> [Output] {
    harness.handle(
      .answered(
        Self.agent,
        .question(question.number), AgentDecision(choice).json))
  }

  @Test("of one app, a connection that is not in use hears nothing of what one that holds use does")
  func held() {
    var harness = harness()
    set(.authorizedWhenInUse, on: &harness)
    monitor(&harness)
    let other = ClientID(6)
    harness.connect(other, uid: 1000, app: Self.name)
    harness.call(.hello(.init()), from: other)
    harness.call(.beginUse, from: Self.app)
    harness.handle(.present([]))
    let told = harness.walk(north: 500, for: 100)
    #expect(told.reports == ["1 exit home"])
    #expect(told.clients == [Self.app])
    // It is told when it comes into use.
    let back = harness.handle(.present([1000]))
    #expect(back.reports == ["1 exit home"])
    #expect(back.clients == [other])
  }

  @Test("who is behind walls and has no name hears and ends nothing of its user's other programs")
  func anonymous() {
    var harness = MonitoringHarness()
    let home = Region(identifier: "home", .circle(MonitoringHarness.place(north: 0), radius: 100))
    harness.call(.startMonitoring([home]))
    harness.walk(for: 30)
    var stranger = Caller(uid: 0, pid: 9, app: "user:root")
    stranger.confinement = .sandbox
    harness.handle(.connected(Self.app, stranger))
    #expect(harness.call(.hello(.init()), from: Self.app).reports.isEmpty)
    for request in [
      Request.monitoredRegions(after: nil, limit: 10), .requestState(identifier: "home"),
      .stopMonitoring(identifiers: ["home"]), .acknowledge(event: 1), .startMonitoringVisits,
      .startMonitoring([home]),
    ] {
      #expect(harness.call(request, from: Self.app).refusals.map(\.code) == [.denied], "\(request)")
    }
    let told = harness.walk(north: 500, for: 100)
    #expect(told.reports == ["1 exit home"])
    #expect(told.clients == [MonitoringHarness.client])
  }

  @Test("an exact place that waits is told as a coarse one to who may know no better any more")
  func lowered() throws {
    var harness = harness()
    set(.authorizedAlways, on: &harness)
    harness.call(.startMonitoringSignificantLocationChanges, from: Self.app)
    harness.handle(.gone(Self.app))
    harness.walk(for: 30)
    harness.walk(north: 3000, for: 900)
    set(.authorizedAlways, .reduced, on: &harness)
    harness.connect(Self.app, uid: 1000, app: Self.name)
    let missed = harness.call(.hello(.init()), from: Self.app)
    #expect(!missed.significant.isEmpty)
    for location in missed.significant {
      #expect(location.horizontalAccuracy >= 3000)
      #expect(location.speed == nil)
      #expect(location == CoarsePlace.place(of: location))
    }
  }

  @Test("what needs Always beyond use waits until the person has said Always again")
  func confirmed() throws {
    var harness = try provisional()
    monitor(&harness)
    let left = harness.handle(.present([]))
    #expect(left.asked.isEmpty)
    let away = harness.walk(north: 500, for: 100)
    #expect(away.reports.isEmpty && away.asked.isEmpty && away.determined.isEmpty)
    let back = harness.handle(.present([1000]))
    #expect(back.reports.isEmpty)
    let question = try #require(back.asked.first?.question)
    #expect(question.level == .always && question.current == .authorizedWhenInUse)
    #expect(question.app == Self.name && question.pid == 7)
    let answered = answer(question, .allowAlways, on: &harness)
    #expect(answered.reports == ["1 exit home"])
    #expect(answered.news.isEmpty)
    harness.handle(.present([]))
    #expect(harness.walk(north: 0, for: 100).reports == ["2 enter home"])
  }

  @Test("kept at While Using, what waited is not told, and nobody is asked again")
  func kept() throws {
    var harness = try provisional()
    monitor(&harness)
    harness.handle(.present([]))
    harness.walk(north: 500, for: 100)
    let back = harness.handle(.present([1000]))
    let answered = answer(
      try #require(back.asked.first?.question), .allowWhileUsing, on: &harness)
    #expect(answered.reports.isEmpty)
    #expect(answered.news == [5: .authorizedWhenInUse])
    harness.handle(.present([]))
    #expect(harness.walk(north: 0, for: 100).asked.isEmpty)
    let again = harness.handle(.present([1000]))
    #expect(again.asked.isEmpty && again.reports.isEmpty)
    let late = harness.call(.requestAuthorization(.authorizedAlways), from: Self.app)
    #expect(late.asked.isEmpty && late.authorizations == [5: .authorizedWhenInUse])
  }

  @Test(
    "of an app that is not running the person is asked when something happens, if they are there")
  func gone() throws {
    var harness = try provisional()
    harness.call(.startMonitoringVisits, from: Self.app)
    monitor(&harness)
    harness.handle(.gone(Self.app))
    let question = try #require(harness.walk(north: 500, for: 100).asked.first?.question)
    #expect(question.app == Self.name && question.pid == 0)
    answer(question, .allowAlways, on: &harness)
    harness.connect(Self.app, uid: 1000, app: Self.name)
    #expect(harness.call(.hello(.init()), from: Self.app).reports.contains("1 exit home"))
  }

  @Test("what has waited for an hour is stale")
  func stale() throws {
    var harness = try provisional()
    monitor(&harness)
    harness.handle(.present([]))
    harness.walk(north: 500, for: 100)
    harness.now += 3600
    let back = harness.handle(.present([1000]))
    #expect(
      answer(try #require(back.asked.first?.question), .allowAlways, on: &harness).reports == [])
  }

  @Test("what is taken away is not told later, though it waited for a person", arguments: 0..<4)
  func taken(number: Int) throws {
    var harness = try provisional()
    monitor(&harness)
    harness.handle(.present([]))
    harness.walk(north: 500, for: 100)
    switch number {
    case 0: set(.denied, on: &harness)
    case 1: harness.call(.permissionsReset(AppSelection(app: Self.name, uid: 1000)))
    case 2: set(.restricted, on: &harness)
    default: harness.call(.servicesSet(enabled: false))
    }
    #expect(harness.handle(.present([1000])).asked.isEmpty)
    harness.call(.servicesSet(enabled: true))
    harness.call(.permissionsUnrestrict(AppSelection(app: Self.name, uid: 1000)))
    set(.authorizedAlways, on: &harness)
    #expect(harness.outputs.reports.isEmpty)
    #expect(harness.walk(for: 10).reports.isEmpty)
  }

  @Test("asked for the place beyond use, it is refused, and the person is asked later")
  func asked() throws {
    for request in [
      Request.location, .requestLocation(.init()), .startUpdatingLocation(.init()),
      .requestState(identifier: "home"),
    ] {
      var harness = try provisional()
      monitor(&harness)
      harness.handle(.present([]))
      let outputs = harness.call(request, from: Self.app)
      #expect(!outputs.tellsPlace(to: Self.app))
      #expect(!harness.walk(north: 20, for: 5).tellsPlace(to: Self.app))
      #expect(harness.handle(.present([1000])).asked.count == 1, "\(request)")
    }
  }
}

extension [Output] {
  /// The clients that are told numbered events.
  fileprivate var clients: Set<ClientID> {
    reduce(into: []) {
      if case .report(let recipients, _, _) = $1 { $0.formUnion(recipients.map(\.client)) }
    }
  }

  fileprivate var significant: [Location] {
    compactMap {
      if case .report(_, .didUpdateLocations(let location, .significant), _) = $0 {
        location
      } else {
        nil
      }
    }
  }
}
