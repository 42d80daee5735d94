import LocationModel
import Testing

@testable import LocationCore

@Suite("Agents that ask, and agents that cannot") struct AgentRoleTests {
  private static let service = ClientID(8)
  private static let terminal = ClientID(9)

  private func harness() -> ServiceHarness {
    var harness = ServiceHarness()
    harness.handle(.connected(Self.service, .agent()))
    var terminal = Caller(uid: 1000, pid: 10, app: "exe:/usr/bin/locationctl")
    terminal.hasTerminal = true
    terminal.isInUserSlice = true
    harness.handle(.connected(Self.terminal, terminal))
    harness.connectApp()
    return harness
  }

  /// The agent that tells the programs of user 1000 apart.
  private func identifier(_ harness: ServiceHarness) -> ClientID? {
    harness.service.agent(for: Caller(uid: 1000, pid: 7, app: "user:1000"))
  }

  private func ask(_ harness: inout ServiceHarness) -> [Output] {
    harness.call(.requestAuthorization(.authorizedWhenInUse), from: ServiceHarness.app)
  }

  @Test("one that cannot ask tells programs apart, and leaves asking to another")
  func standsBy() {
    var harness = harness()
    #expect(harness.call(.agentStandBy, from: Self.service).replies == [.done])
    #expect(ask(&harness).refusals.map(\.code) == [.denied])
    #expect(harness.call(.agentRegister, from: Self.terminal).replies == [.done])
    #expect(identifier(harness) == Self.service)
    #expect(ask(&harness).asked.map(\.agent) == [9])
    harness.handle(.gone(Self.terminal))
    #expect(identifier(harness) == Self.service)
    #expect(harness.call(.agentRegister, from: Self.service).replies == [.done])
  }

  @Test("the unit wins over a terminal, and what the terminal was asked is put to the unit")
  func unitWins() throws {
    var harness = harness()
    harness.call(.agentRegister, from: Self.terminal)
    let asked = try #require(ask(&harness).asked.first)
    #expect(asked.agent == 9)
    let taken = harness.call(.agentRegister, from: Self.service)
    #expect(taken.replies == [.done])
    #expect(taken.cancelled == [asked.question.number])
    #expect(taken.asked.map(\.agent) == [8])
    #expect(taken.asked.map(\.question) == [asked.question])
    #expect(identifier(harness) == Self.service)
    // The terminal's answer is not heard, and neither does it come first again.
    let call = AgentCall.question(asked.question.number)
    let yes = AgentDecision(.allowAlways).json
    #expect(harness.handle(.answered(Self.terminal, call, yes)).isEmpty)
    #expect(harness.call(.agentStandBy, from: Self.terminal).refusals.map(\.code) == [.denied])
    // With the unit gone the terminal answers again.
    let back = harness.handle(.gone(Self.service))
    #expect(back.asked.map(\.agent) == [9])
    #expect(back.refusals.isEmpty)
    #expect(identifier(harness) == Self.terminal)
  }

  @Test("of one that asks and can no more, the questions are given up, and another may ask")
  func givesUp() {
    var harness = harness()
    harness.call(.agentRegister, from: Self.service)
    #expect(harness.call(.agentRegister, from: Self.terminal).refusals.map(\.code) == [.denied])
    #expect(ask(&harness).asked.map(\.agent) == [8])
    let given = harness.call(.agentStandBy, from: Self.service)
    #expect(given.refusals.map(\.code) == [.denied])
    #expect(harness.call(.agentRegister, from: Self.terminal).replies == [.done])
    #expect(identifier(harness) == Self.service)
  }

  @Test("a terminal alone does both, until there is one to tell programs apart for it")
  func terminalAlone() {
    var harness = harness()
    harness.call(.agentRegister, from: Self.terminal)
    #expect(identifier(harness) == Self.terminal)
    #expect(harness.call(.agentStandBy, from: Self.service).replies == [.done])
    #expect(identifier(harness) == Self.service)
    harness.handle(.gone(Self.service))
    #expect(identifier(harness) == Self.terminal)
    #expect(ask(&harness).asked.map(\.agent) == [9])
  }

  @Test("who stays in use is told to the agent as it begins and ends, and to one that comes later")
  func holding() {
    var harness = harness()
    harness.call(.agentRegister, from: Self.service)
    // An app that may know nothing is not shown.
    #expect(harness.call(.beginUse, from: ServiceHarness.app).holding == [])
    #expect(harness.grant(.authorizedWhenInUse).holding == [["user:1000"]])
    #expect(harness.call(.beginUse, from: ServiceHarness.app).holding == [])
    harness.connectApp(ClientID(6))
    #expect(harness.call(.beginUse, from: ClientID(6)).holding == [])
    #expect(harness.call(.endUse, from: ClientID(6)).holding == [])
    #expect(harness.handle(.gone(Self.service)).holding == [])
    #expect(harness.call(.agentRegister, from: Self.terminal).holding == [["user:1000"]])
    let denied = harness.set(.denied)
    #expect(denied.holding == [[]])
    harness.write(denied)
    #expect(harness.grant(.authorizedWhenInUse).holding == [["user:1000"]])
    #expect(harness.handle(.gone(ClientID(6))).holding == [])
    #expect(harness.handle(.gone(ServiceHarness.app)).holding == [[]])
  }

  @Test("there is no third one, and none without a terminal or the agent's unit")
  func noThird() {
    var harness = harness()
    harness.call(.agentRegister, from: Self.terminal)
    harness.call(.agentStandBy, from: Self.service)
    var third = Caller(uid: 1000, pid: 11, app: "exe:/tmp/x")
    harness.handle(.connected(ClientID(10), third))
    #expect(harness.call(.agentStandBy, from: ClientID(10)).refusals.map(\.code) == [.denied])
    third.hasTerminal = true
    third.isInUserSlice = true
    harness.handle(.connected(ClientID(11), third))
    for request in [Request.agentStandBy, .agentRegister] {
      #expect(harness.call(request, from: ClientID(11)).refusals.map(\.code) == [.denied])
    }
  }
}

extension [Output] {
  /// The apps that stay in use, as agents are told.
  fileprivate var holding: [[String]] {
    compactMap { if case .notify(_, .holding(let apps)) = $0 { apps } else { nil } }
  }
}
