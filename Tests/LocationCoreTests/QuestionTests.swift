import LocationModel
import Testing

@testable import LocationCore

extension [Output] {
  /// Questions put to agents, and to whom.
  var asked: [(agent: UInt64, question: AgentQuestion)] {
    compactMap {
      guard case .ask(let agent, .decide(let question), let id) = $0,
        id == .integer(question.number)
      else { return nil }
      return (agent.number, question)
    }
  }

  var cancelled: [Int64] {
    compactMap { if case .ask(_, .cancel(let number), id: nil) = $0 { number } else { nil } }
  }

  var notes: [String] { compactMap { if case .note(let text) = $0 { text } else { nil } } }

  /// What was answered to `requestAuthorization`, by client.
  var authorizations: [UInt64: Authorization] {
    var answers: [UInt64: Authorization] = [:]
    for case .answer(let client, _, .authorization(let authorization)) in self {
      answers[client.number] = authorization
    }
    return answers
  }
}

@Suite("Asking") struct QuestionTests {
  private static let agent = ClientID(8)

  /// An app of user 1000, and an agent that answers for that user.
  private func desk(agent: Bool = true, use: UseRule = .connected) -> Desk {
    var desk = Desk(use: use)
    desk.take(.present([1000]))
    if agent { #expect(register(Self.agent, uid: 1000, on: &desk).replies == [.done]) }
    desk.connectApp()
    return desk
  }

  @discardableResult
  private func register(
    _ client: ClientID, uid: UInt32, hasTerminal: Bool = true, on desk: inout Desk
  ) -> [Output] {
    var caller = Caller(uid: uid, pid: 9, app: "exe:/usr/bin/locationctl")
    caller.hasTerminal = hasTerminal
    desk.take(.connected(client, caller))
    return desk.call(.agentRegister, from: client)
  }

  private func ask(
    _ level: Authorization = .authorizedWhenInUse, _ client: ClientID = Desk.app,
    on desk: inout Desk
  ) -> [Output] {
    desk.call(.requestAuthorization(level), from: client)
  }

  /// What comes of an answer, written.
  private func answer(
    _ number: Int64, _ decision: AgentDecision, from agent: ClientID = QuestionTests.agent,
    on desk: inout Desk
  ) -> [Output] {
    let outputs = desk.take(
      .answered(agent, ClientAnswer(id: .integer(number), result: decision.json)))
    return outputs + desk.write(outputs)
  }

  @Test("While Using, Once and Don't Allow, as the person says")
  func decisions() throws {
    for (choice, authorization) in [
      (AgentDecision.Choice.allowWhileUsing, Authorization.authorizedWhenInUse),
      (.allowOnce, .authorizedWhenInUse), (.deny, .denied),
      // Never more than was asked for.
      (.allowAlways, .authorizedWhenInUse),
    ] {
      var desk = desk()
      desk.call(.hello(.init(name: "x", purpose: "to find you")), from: Desk.app)
      let question = try #require(ask(on: &desk).asked.first)
      #expect(question.agent == Self.agent.number)
      #expect(question.question.app == "user:1000")
      #expect(question.question.purpose == "to find you")
      #expect(question.question.level == .whenInUse)
      let outputs = answer(question.question.number, AgentDecision(choice), on: &desk)
      #expect(outputs.authorizations == [5: authorization])
      #expect(outputs.news == [5: authorization])
      #expect(outputs.notes.count == 1)
      #expect(desk.fix().tellsPlace(to: Desk.app) == (choice != .deny))
      // It is determined: nobody is asked again.
      #expect(ask(on: &desk).authorizations == [5: authorization])
    }
  }

  @Test("nothing is granted before the answer is written, and nothing if it cannot be")
  func written() throws {
    var desk = desk()
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    let decision = AgentDecision(.allowWhileUsing).json
    let outputs = desk.take(
      .answered(Self.agent, ClientAnswer(id: .integer(number), result: decision)))
    #expect(outputs.authorizations.isEmpty)
    #expect(!desk.fix().tellsPlace(to: Desk.app))
    let failed = outputs.commits.flatMap { desk.take(.commitFailed($0, "no room")) }
    #expect(failed.refusals.first?.message.contains("no room") == true)
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
  }

  @Test("Precise off is reduced accuracy")
  func reduced() throws {
    var desk = desk()
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    _ = answer(number, AgentDecision(.allowWhileUsing, .reduced), on: &desk)
    #expect(desk.service.clientStatus(Desk.app).accuracy == .reduced)
  }

  @Test("with no agent the app is told at once what an administrator could run")
  func noAgent() {
    var desk = desk(agent: false)
    let refusal = ask(on: &desk).refusals.first
    #expect(refusal?.code == .denied)
    #expect(
      refusal?.message.hasSuffix("sudo locationctl grant user:1000 when-in-use --uid 1000") == true)
  }

  @Test("closed, nonsense or no answer in time is no consent and not remembered")
  func unanswered() throws {
    for kind in 0..<4 {
      var desk = desk()
      let number = try #require(ask(on: &desk).asked.first?.question.number)
      let outputs: [Output]
      switch kind {
      case 0:
        outputs = desk.take(.answered(Self.agent, ClientAnswer(id: .integer(number), result: nil)))
      case 1:
        outputs = desk.take(
          .answered(Self.agent, ClientAnswer(id: .integer(number), result: ["decision": "yes"])))
      case 2: outputs = desk.take(.gone(Self.agent))
      default:
        desk.now += 121
        outputs = desk.take(.timer)
        #expect(outputs.cancelled == [number])
      }
      #expect(outputs.refusals.map(\.code) == [.denied], "\(kind)")
      #expect(outputs.commits.isEmpty)
      #expect(desk.service.clientStatus(Desk.app).authorization == .notDetermined)
      // An answer that comes too late is none.
      let late = answer(number, AgentDecision(.allowWhileUsing), on: &desk)
      #expect(late.commits.isEmpty)
    }
  }

  @Test("who answers what they were not asked is not heard")
  func liars() throws {
    var desk = desk()
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    register(ClientID(9), uid: 1001, on: &desk)
    #expect(answer(number, AgentDecision(.allowAlways), from: ClientID(9), on: &desk).isEmpty)
    #expect(answer(number, AgentDecision(.allowAlways), from: Desk.app, on: &desk).isEmpty)
    #expect(answer(number + 1, AgentDecision(.allowAlways), on: &desk).isEmpty)
    #expect(answer(number, AgentDecision(.deny), on: &desk).authorizations == [5: .denied])
  }

  @Test("a user has one agent: the first, until it goes; and not just any program")
  func oneAgent() throws {
    var desk = desk()
    #expect(register(ClientID(9), uid: 1000, on: &desk).refusals.map(\.code) == [.denied])
    #expect(register(Self.agent, uid: 1000, on: &desk).replies == [.done])
    #expect(
      register(ClientID(10), uid: 1002, hasTerminal: false, on: &desk).refusals.map(\.code)
        == [.denied])
    var sandboxed = Caller(uid: 1002, pid: 9, app: "flatpak:org.x")
    sandboxed.hasTerminal = true
    sandboxed.walls = .sandbox
    desk.take(.connected(ClientID(11), sandboxed))
    #expect(desk.call(.agentRegister, from: ClientID(11)).refusals.map(\.code) == [.denied])
    desk.take(.gone(Self.agent))
    #expect(desk.call(.agentRegister, from: ClientID(9)).replies == [.done])
    #expect(ask(on: &desk).asked.first?.agent == 9)
  }

  @Test("questions of one app join, and all who asked are answered")
  func join() throws {
    var desk = desk()
    desk.connectApp(ClientID(6))
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    #expect(ask(.authorizedWhenInUse, ClientID(6), on: &desk).asked.isEmpty)
    let outputs = answer(number, AgentDecision(.allowWhileUsing), on: &desk)
    #expect(outputs.authorizations == [5: .authorizedWhenInUse, 6: .authorizedWhenInUse])
    #expect(outputs.commits.count == 1)
  }

  @Test("an app that asks 10,000 times has one question, and is soon told to stop")
  func flood() throws {
    var desk = desk()
    var asked = 0
    var refused = 0
    for _ in 0..<10_000 {
      let outputs = ask(on: &desk)
      asked += outputs.asked.count
      refused += outputs.refusals.count
    }
    #expect(asked == 1)
    #expect(refused == 10_000 - 64)
  }

  @Test("an app whose question is closed again and again is asked about ever more rarely")
  func rests() throws {
    var desk = desk()
    var asked = 0
    for _ in 0..<10_000 {
      desk.now += 1
      for (_, question) in ask(on: &desk).asked {
        asked += 1
        desk.take(.answered(Self.agent, ClientAnswer(id: .integer(question.number), result: nil)))
      }
    }
    #expect(asked < 14, "\(asked)")
    #expect(asked > 5)
  }

  @Test("one user's apps have a bounded number of questions, and do not take another's")
  func bounded() {
    var desk = desk()
    register(ClientID(9), uid: 1001, on: &desk)
    var asked = 0
    for i in 0..<50 {
      let id = ClientID(UInt64(100 + i))
      desk.take(.connected(id, Caller(uid: 1000, pid: 9, app: "flatpak:org.a\(i)")))
      asked += ask(.authorizedWhenInUse, id, on: &desk).asked.count
    }
    #expect(asked == 8)
    desk.take(.connected(ClientID(200), Caller(uid: 1001, pid: 9, app: "flatpak:org.a")))
    #expect(ask(.authorizedWhenInUse, ClientID(200), on: &desk).asked.count == 1)
  }

  @Test("when the app goes, or an administrator decides, the question is taken back")
  func cancelled() throws {
    var desk = desk()
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    let granted = desk.grant(.authorizedAlways)
    #expect(granted.cancelled == [number])
    #expect(granted.authorizations == [5: .authorizedAlways])
    var other = self.desk()
    let second = try #require(ask(on: &other).asked.first?.question.number)
    #expect(other.take(.gone(Desk.app)).cancelled == [second])
  }

  @Test("an app out of use asks nobody")
  func outOfUse() {
    var desk = desk(use: .logind)
    desk.take(.present([]))
    let outputs = ask(on: &desk)
    #expect(outputs.asked.isEmpty)
    #expect(outputs.refusals.map(\.code) == [.denied])
  }

  @Test("where nothing can be remembered nobody is asked")
  func noMemory() {
    var remembered = Remembered()
    remembered.trouble = "it is broken"
    var desk = Desk(.init(), remembered)
    register(Self.agent, uid: 1000, on: &desk)
    desk.connectApp()
    let outputs = ask(on: &desk)
    #expect(outputs.asked.isEmpty)
    #expect(outputs.refusals.first?.message.contains("it is broken") == true)
  }

  @Test("one that waits for an answer is not hung up on")
  func halfClosed() throws {
    var desk = desk()
    let number = try #require(ask(on: &desk).asked.first?.question.number)
    desk.call(.stopUpdatingLocation, from: Desk.app)
    #expect(desk.take(.finished(Desk.app)).hangUps == 0)
    #expect(answer(number, AgentDecision(.deny), on: &desk).hangUps > 0)
  }
}

@Suite("Asking for Always") struct AlwaysQuestionTests {
  private static let agent = ClientID(8)

  private func desk() -> Desk {
    var desk = Desk(use: .logind)
    desk.take(.present([1000]))
    var caller = Caller(uid: 1000, pid: 9, app: "userunit:locationd-agent")
    caller.unit = .user("locationd-agent.service")
    desk.take(.connected(Self.agent, caller))
    desk.call(.agentRegister, from: Self.agent)
    desk.connectApp()
    return desk
  }

  private func ask(_ level: Authorization, on desk: inout Desk) -> [Output] {
    desk.call(.requestAuthorization(level), from: Desk.app)
  }

  private func answer(
    _ outputs: [Output], _ choice: AgentDecision.Choice, on desk: inout Desk
  ) throws -> [Output] {
    let number = try #require(outputs.asked.first?.question.number)
    let answered = desk.take(
      .answered(
        Self.agent, ClientAnswer(id: .integer(number), result: AgentDecision(choice).json)))
    return answered + desk.write(answered)
  }

  private func status(_ desk: borrowing Desk) -> Authorization {
    desk.service.clientStatus(Desk.app).authorization
  }

  @Test(
    "of While Using it may be asked once, and the answer to that holds", arguments: [true, false])
  func second(isChanged: Bool) throws {
    var desk = desk()
    _ = try answer(ask(.authorizedWhenInUse, on: &desk), .allowWhileUsing, on: &desk)
    let question = ask(.authorizedAlways, on: &desk)
    #expect(question.asked.first?.question.current == .authorizedWhenInUse)
    let outputs = try answer(question, isChanged ? .allowAlways : .allowWhileUsing, on: &desk)
    let expected = isChanged ? Authorization.authorizedAlways : .authorizedWhenInUse
    #expect(outputs.authorizations == [5: expected])
    // No news where nothing has changed.
    #expect(outputs.news == (isChanged ? [5: .authorizedAlways] : [:]))
    let again = ask(.authorizedAlways, on: &desk)
    #expect(again.asked.isEmpty)
    #expect(again.authorizations == [5: expected])
  }

  @Test("Don't, to the second question, takes away nothing")
  func secondDenied() throws {
    var desk = desk()
    _ = try answer(ask(.authorizedWhenInUse, on: &desk), .allowWhileUsing, on: &desk)
    _ = try answer(ask(.authorizedAlways, on: &desk), .deny, on: &desk)
    #expect(status(desk) == .authorizedWhenInUse)
  }

  @Test("what was allowed once cannot ask for Always")
  func once() throws {
    var desk = desk()
    _ = try answer(ask(.authorizedWhenInUse, on: &desk), .allowOnce, on: &desk)
    let outputs = ask(.authorizedAlways, on: &desk)
    #expect(outputs.asked.isEmpty)
    #expect(outputs.authorizations == [5: .authorizedWhenInUse])
  }

  @Test("asked for at first and answered Always, it is Always")
  func straight() throws {
    var desk = desk()
    let question = ask(.authorizedAlways, on: &desk)
    #expect(question.asked.first?.question.level == .always)
    #expect(try answer(question, .allowAlways, on: &desk).authorizations == [5: .authorizedAlways])
    desk.take(.present([]))
    #expect(desk.fix().tellsPlace(to: Desk.app))
  }

  @Test(
    "asked for at first and answered While Using, it looks like Always and is not told beyond use")
  func provisional() throws {
    var desk = desk()
    let first = try answer(ask(.authorizedAlways, on: &desk), .allowWhileUsing, on: &desk)
    #expect(first.authorizations == [5: .authorizedAlways])
    #expect(desk.fix().tellsPlace(to: Desk.app))
    let left = desk.take(.present([]))
    #expect(left.purges == [5])
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(left.asked.isEmpty)
    // It needed Always: now that somebody is there, they are asked again.
    let back = desk.take(.present([1000]))
    #expect(back.asked.first?.question.current == .authorizedWhenInUse)
    #expect(back.asked.first?.question.level == .always)
    let kept = try answer(back, .allowAlways, on: &desk)
    #expect(kept.news.isEmpty)
    desk.take(.present([]))
    #expect(desk.fix(north: 20).tellsPlace(to: Desk.app))
  }

  @Test("kept at While Using by the second question, the app hears of it")
  func provisionalKept() throws {
    var desk = desk()
    _ = try answer(ask(.authorizedAlways, on: &desk), .allowWhileUsing, on: &desk)
    desk.take(.present([]))
    let back = desk.take(.present([1000]))
    #expect(try answer(back, .allowWhileUsing, on: &desk).news == [5: .authorizedWhenInUse])
    #expect(ask(.authorizedAlways, on: &desk).asked.isEmpty)
  }

  @Test("full accuracy for a purpose is given while in use, and nothing of it is remembered")
  func fullAccuracy() throws {
    var desk = desk()
    desk.grant(.authorizedWhenInUse, accuracy: .reduced)
    let request = Request.requestTemporaryFullAccuracy(purpose: "to park")
    let question = desk.call(request, from: Desk.app)
    #expect(question.asked.first?.question.level == .fullAccuracy)
    #expect(question.asked.first?.question.purpose == "to park")
    let given = try answer(question, .allowOnce, on: &desk)
    #expect(given.commits.isEmpty)
    #expect(given.replies == [.accuracy(.full)])
    desk.fix()
    #expect(desk.call(.location, from: Desk.app).located?.horizontalAccuracy == 5)
    #expect(desk.call(request, from: Desk.app).replies == [.accuracy(.full)])
    #expect(desk.take(.present([])).purges == [5])
    desk.take(.present([1000]))
    desk.fix()
    #expect((desk.call(.location, from: Desk.app).located?.horizontalAccuracy ?? 0) > 2000)
  }

  @Test("full accuracy refused is reduced accuracy as before")
  func fullAccuracyRefused() throws {
    var desk = desk()
    desk.grant(.authorizedWhenInUse, accuracy: .reduced)
    let question = desk.call(.requestTemporaryFullAccuracy(purpose: "to park"), from: Desk.app)
    #expect(try answer(question, .deny, on: &desk).replies == [.accuracy(.reduced)])
    desk.grant(.denied)
    let refused = desk.call(.requestTemporaryFullAccuracy(purpose: "to park"), from: Desk.app)
    #expect(refused.refusals.map(\.code) == [.denied])
  }
}
