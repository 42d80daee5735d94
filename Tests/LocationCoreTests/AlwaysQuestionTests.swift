import LocationModel
import Testing

@testable import LocationCore

@Suite("Asking for Always") struct AlwaysQuestionTests {
  private static let agent = ClientID(8)

  private func desk() -> Desk {
    var desk = Desk(use: .logind)
    desk.handle(.present([1000]))
    var caller = Caller(uid: 1000, pid: 9, app: "userunit:locationd-agent")
    caller.unit = .user("locationd-agent.service")
    caller.isInUserSlice = true
    desk.handle(.connected(Self.agent, caller))
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
    let answered = desk.handle(
      .answered(
        Self.agent, .question(number), AgentDecision(choice).json))
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
    desk.handle(.present([]))
    #expect(desk.fix().tellsPlace(to: Desk.app))
  }

  @Test(
    "asked for at first and answered While Using, it looks like Always and is not told beyond use")
  func provisional() throws {
    var desk = desk()
    let first = try answer(ask(.authorizedAlways, on: &desk), .allowWhileUsing, on: &desk)
    #expect(first.authorizations == [5: .authorizedAlways])
    // To people it is what they said.
    for case .permissions(let list) in desk.call(.permissionsList).replies {
      #expect(list.map(\.authorization) == [.authorizedWhenInUse])
    }
    #expect(desk.fix().tellsPlace(to: Desk.app))
    let left = desk.handle(.present([]))
    #expect(left.purges == [5])
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(left.asked.isEmpty)
    // It needed Always: now that somebody is there, they are asked again.
    let back = desk.handle(.present([1000]))
    #expect(back.asked.first?.question.current == .authorizedWhenInUse)
    #expect(back.asked.first?.question.level == .always)
    let kept = try answer(back, .allowAlways, on: &desk)
    #expect(kept.news.isEmpty)
    desk.handle(.present([]))
    #expect(desk.fix(north: 20).tellsPlace(to: Desk.app))
  }

  @Test("kept at While Using by the second question, the app hears of it")
  func provisionalKept() throws {
    var desk = desk()
    _ = try answer(ask(.authorizedAlways, on: &desk), .allowWhileUsing, on: &desk)
    desk.handle(.present([]))
    let back = desk.handle(.present([1000]))
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
    #expect(desk.handle(.present([])).purges == [5])
    desk.handle(.present([1000]))
    desk.fix()
    #expect((desk.call(.location, from: Desk.app).located?.horizontalAccuracy ?? 0) > 2000)
  }

  @Test("what an administrator says of an app ends full accuracy for a while")
  func fullAccuracyOverruled() throws {
    var desk = desk()
    desk.grant(.authorizedWhenInUse, accuracy: .reduced)
    let request = Request.requestTemporaryFullAccuracy(purpose: "to park")
    _ = try answer(desk.call(request, from: Desk.app), .allowOnce, on: &desk)
    #expect(desk.service.clientStatus(Desk.app).accuracy == .full)
    #expect(desk.set(.authorizedWhenInUse, accuracy: .reduced).purges == [5])
    #expect(desk.service.clientStatus(Desk.app).accuracy == .reduced)
    _ = try answer(desk.call(request, from: Desk.app), .allowOnce, on: &desk)
    desk.grant(.denied)
    desk.grant(.authorizedWhenInUse, accuracy: .reduced)
    #expect(desk.service.clientStatus(Desk.app).accuracy == .reduced)
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
