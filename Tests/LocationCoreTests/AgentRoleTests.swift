import LocationModel
import Testing

@testable import LocationCore

@Suite("Agents that ask, and agents that cannot") struct AgentRoleTests {
  private static let service = ClientID(8)
  private static let terminal = ClientID(9)

  private func desk() -> Desk {
    var desk = Desk()
    var service = Caller(uid: 1000, pid: 9, app: "userunit:locationd-agent")
    service.unit = .user("locationd-agent.service")
    service.isInUserSlice = true
    desk.handle(.connected(Self.service, service))
    var terminal = Caller(uid: 1000, pid: 10, app: "exe:/usr/bin/locationctl")
    terminal.hasTerminal = true
    terminal.isInUserSlice = true
    desk.handle(.connected(Self.terminal, terminal))
    desk.connectApp()
    return desk
  }

  /// The agent that tells the programs of user 1000 apart.
  private func identifier(_ desk: borrowing Desk) -> ClientID? {
    desk.service.agent(for: Caller(uid: 1000, pid: 7, app: "user:1000"))
  }

  private func ask(_ desk: inout Desk) -> [Output] {
    desk.call(.requestAuthorization(.authorizedWhenInUse), from: Desk.app)
  }

  @Test("one that cannot ask tells programs apart, and leaves asking to another")
  func standsBy() {
    var desk = desk()
    #expect(desk.call(.agentStandBy, from: Self.service).replies == [.done])
    #expect(ask(&desk).refusals.map(\.code) == [.denied])
    #expect(desk.call(.agentRegister, from: Self.terminal).replies == [.done])
    #expect(identifier(desk) == Self.service)
    #expect(ask(&desk).asked.map(\.agent) == [9])
    desk.handle(.gone(Self.terminal))
    #expect(identifier(desk) == Self.service)
    #expect(desk.call(.agentRegister, from: Self.service).replies == [.done])
  }

  @Test("the unit wins over a terminal, and what the terminal was asked is put to the unit")
  func unitWins() throws {
    var desk = desk()
    desk.call(.agentRegister, from: Self.terminal)
    let asked = try #require(ask(&desk).asked.first)
    #expect(asked.agent == 9)
    let taken = desk.call(.agentRegister, from: Self.service)
    #expect(taken.replies == [.done])
    #expect(taken.cancelled == [asked.question.number])
    #expect(taken.asked.map(\.agent) == [8])
    #expect(taken.asked.map(\.question) == [asked.question])
    #expect(identifier(desk) == Self.service)
    // The terminal's answer is not heard, and neither does it come first again.
    let call = AgentCall.question(asked.question.number)
    let yes = AgentDecision(.allowAlways).json
    #expect(desk.handle(.answered(Self.terminal, call, yes)).isEmpty)
    #expect(desk.call(.agentStandBy, from: Self.terminal).refusals.map(\.code) == [.denied])
    // With the unit gone the terminal answers again.
    let back = desk.handle(.gone(Self.service))
    #expect(back.asked.map(\.agent) == [9])
    #expect(back.refusals.isEmpty)
    #expect(identifier(desk) == Self.terminal)
  }

  @Test("of one that asks and can no more, the questions are given up, and another may ask")
  func givesUp() {
    var desk = desk()
    desk.call(.agentRegister, from: Self.service)
    #expect(desk.call(.agentRegister, from: Self.terminal).refusals.map(\.code) == [.denied])
    #expect(ask(&desk).asked.map(\.agent) == [8])
    let given = desk.call(.agentStandBy, from: Self.service)
    #expect(given.refusals.map(\.code) == [.denied])
    #expect(desk.call(.agentRegister, from: Self.terminal).replies == [.done])
    #expect(identifier(desk) == Self.service)
  }

  @Test("a terminal alone does both, until there is one to tell programs apart for it")
  func terminalAlone() {
    var desk = desk()
    desk.call(.agentRegister, from: Self.terminal)
    #expect(identifier(desk) == Self.terminal)
    #expect(desk.call(.agentStandBy, from: Self.service).replies == [.done])
    #expect(identifier(desk) == Self.service)
    desk.handle(.gone(Self.service))
    #expect(identifier(desk) == Self.terminal)
    #expect(ask(&desk).asked.map(\.agent) == [9])
  }

  @Test("who stays in use is told to the agent as it begins and ends, and to one that comes later")
  func holding() {
    var desk = desk()
    desk.call(.agentRegister, from: Self.service)
    // An app that may know nothing is not shown.
    #expect(desk.call(.beginUse, from: Desk.app).holding == [])
    #expect(desk.grant(.authorizedWhenInUse).holding == [["user:1000"]])
    #expect(desk.call(.beginUse, from: Desk.app).holding == [])
    desk.connectApp(ClientID(6))
    #expect(desk.call(.beginUse, from: ClientID(6)).holding == [])
    #expect(desk.call(.endUse, from: ClientID(6)).holding == [])
    #expect(desk.handle(.gone(Self.service)).holding == [])
    #expect(desk.call(.agentRegister, from: Self.terminal).holding == [["user:1000"]])
    let denied = desk.set(.denied)
    #expect(denied.holding == [[]])
    desk.write(denied)
    #expect(desk.grant(.authorizedWhenInUse).holding == [["user:1000"]])
    #expect(desk.handle(.gone(ClientID(6))).holding == [])
    #expect(desk.handle(.gone(Desk.app)).holding == [[]])
  }

  @Test("there is no third one, and none without a terminal or the agent's unit")
  func noThird() {
    var desk = desk()
    desk.call(.agentRegister, from: Self.terminal)
    desk.call(.agentStandBy, from: Self.service)
    var third = Caller(uid: 1000, pid: 11, app: "exe:/tmp/x")
    desk.handle(.connected(ClientID(10), third))
    #expect(desk.call(.agentStandBy, from: ClientID(10)).refusals.map(\.code) == [.denied])
    third.hasTerminal = true
    third.isInUserSlice = true
    desk.handle(.connected(ClientID(11), third))
    for request in [Request.agentStandBy, .agentRegister] {
      #expect(desk.call(request, from: ClientID(11)).refusals.map(\.code) == [.denied])
    }
  }
}

extension [Output] {
  /// The apps that stay in use, as agents are told.
  fileprivate var holding: [[String]] {
    compactMap { if case .notify(_, .holding(let apps)) = $0 { apps } else { nil } }
  }
}
