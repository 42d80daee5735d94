import LocationModel
import Testing

@testable import LocationCore

// MARK: - What is decided meanwhile

extension RecognitionTests {
  private func authorization(_ harness: MonitoringHarness, _ app: App) -> Authorization {
    harness.service.permissions.book.permission(of: app).authorization
  }

  @Test("is asked about by the name that it is being looked at for")
  func heldQuestion() throws {
    var harness = harness(nil)
    let looks = harness.connectAgent().looks
    let held = harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map)
    #expect(held.asked.isEmpty && held.refusals.isEmpty)
    let process = try #require(looks.first?.process)
    let outputs = harness.handle(.looked(1000, process, ProgramClue(exe: "/usr/bin/map")))
    #expect(outputs.asked.map(\.question.app) == [Self.new.name])
  }

  @Test(
    "is asked about as it is where nobody can tell it, and is not kept waiting by an agent that goes"
  )
  func heldForNothing() throws {
    var harness = harness(nil)
    let process = try #require(harness.connectAgent().looks.first?.process)
    harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map)
    #expect(
      harness.handle(.looked(1000, process, nil)).asked.map(\.question.app) == [Self.old.name])
    harness.handle(.gone(MonitoringHarness.agent))
    _ = harness.pass(60)
    let again = try #require(harness.connectAgent(ClientID(31)).looks.first?.process)
    harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map)
    harness.handle(.gone(ClientID(31)))
    #expect(harness.handle(.looked(1000, again, nil)).refusals.map(\.code) == [.denied])
  }

  /// The first agent cannot tell the program and asks about it; the next one can.
  private func decide(
    _ choice: AgentDecision.Choice, _ harness: inout MonitoringHarness
  ) throws -> [Output] {
    agentTells(&harness, [:])
    let asked = harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map).asked
    let question = try #require(asked.first?.question)
    #expect(question.app == Self.old.name)
    harness.handle(
      .answered(MonitoringHarness.agent, .question(question.number), AgentDecision(choice).json))
    harness.handle(.gone(MonitoringHarness.agent))
    return agentTells(&harness, agent: ClientID(31))
  }

  @Test("takes what a person allowed it to its name, and leaves it to nobody else")
  func allowed() throws {
    var harness = harness(nil)
    let outputs = try decide(.allowWhileUsing, &harness)
    #expect(name(harness) == Self.new.name)
    #expect(outputs.news(to: Self.map).isEmpty)
    #expect(authorization(harness, Self.new) == .authorizedWhenInUse)
    #expect(authorization(harness, Self.old) == .notDetermined)
    #expect(harness.disk.permissions[Self.new]?.authorization == .authorizedWhenInUse)
  }

  @Test(
    "takes what a person allowed it to no name where an administrator has restricted the old one")
  func restricted() throws {
    var harness = harness(nil)
    agentTells(&harness, [:])
    let asked = harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map).asked
    let question = try #require(asked.first?.question)
    harness.handle(
      .answered(
        MonitoringHarness.agent, .question(question.number), AgentDecision(.allowWhileUsing).json))
    harness.call(
      .permissionsSet(
        PermissionChange(app: Self.old.name, uid: 1000, authorization: .restricted)))
    harness.handle(.gone(MonitoringHarness.agent))
    agentTells(&harness, agent: ClientID(31))
    #expect(name(harness) == Self.new.name)
    #expect(harness.service.clients[Self.map]?.access.authorization == .restricted)
    #expect(harness.disk.permissions[Self.new] == nil)
  }

  @Test("takes a denial to its name, which stays for the others, too")
  func refused() throws {
    var harness = harness(nil)
    _ = try decide(.deny, &harness)
    #expect(authorization(harness, Self.new) == .denied)
    #expect(authorization(harness, Self.old) == .denied)
  }

  @Test(
    "keeps what was decided about its name", arguments: [Authorization.denied, .authorizedAlways])
  func ownDecision(own: Authorization) throws {
    var harness = harness(own)
    let outputs = try decide(own == .denied ? .allowWhileUsing : .deny, &harness)
    #expect(authorization(harness, Self.new) == own)
    #expect(outputs.news(to: Self.map) == [own])
  }

  @Test("an open question is asked again by its name")
  func openQuestion() throws {
    var harness = harness(nil)
    agentTells(&harness, [:])
    let asked = harness.call(.requestAuthorization(.authorizedWhenInUse), from: Self.map).asked
    let number = try #require(asked.first?.question.number)
    // The agent that asks now tells it only later.
    let process = ProcessID(pid: 40, startTime: 0)
    harness.service.recognition.wait(1000)
    harness.service.clients[Self.map]?.caller.lookedAtBy = nil
    #expect(harness.handle(.timer).looks.map(\.pid) == [40])
    let outputs = harness.handle(.looked(1000, process, ProgramClue(exe: "/usr/bin/map")))
    #expect(outputs.cancelled == [number])
    #expect(outputs.asked.map(\.question.app) == [Self.new.name])
  }
}
