import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Asking for Always") struct AlwaysQuestionTests {
  private static let agent = ClientID(8)

  private func harness() -> ServiceHarness {
    var harness = ServiceHarness(use: .logind)
    harness.handle(.present([1000]))
    harness.handle(.connected(Self.agent, .agent()))
    harness.call(.agentRegister, from: Self.agent)
    harness.connectApp()
    return harness
  }

  private func ask(_ level: Authorization, on harness: inout ServiceHarness) -> [Output] {
    harness.call(.requestAuthorization(level), from: ServiceHarness.app)
  }

  private func answer(
    _ outputs: [Output], _ choice: AgentDecision.Choice, on harness: inout ServiceHarness
  ) throws -> [Output] {
    let number = try #require(outputs.asked.first?.question.number)
    let answered = harness.handle(
      .answered(
        Self.agent, .question(number), AgentDecision(choice).json))
    return answered + harness.write(answered)
  }

  private func status(_ harness: ServiceHarness) -> Authorization {
    harness.service.clientStatus(ServiceHarness.app).authorization
  }

  @Test(
    "of While Using it may be asked once, and the answer to that holds", arguments: [true, false])
  func second(isChanged: Bool) throws {
    var harness = harness()
    _ = try answer(ask(.authorizedWhenInUse, on: &harness), .allowWhileUsing, on: &harness)
    let question = ask(.authorizedAlways, on: &harness)
    #expect(question.asked.first?.question.current == .authorizedWhenInUse)
    let outputs = try answer(question, isChanged ? .allowAlways : .allowWhileUsing, on: &harness)
    let expected = isChanged ? Authorization.authorizedAlways : .authorizedWhenInUse
    #expect(outputs.authorizations == [5: expected])
    // No news where nothing has changed.
    #expect(outputs.news == (isChanged ? [5: .authorizedAlways] : [:]))
    let again = ask(.authorizedAlways, on: &harness)
    #expect(again.asked.isEmpty)
    #expect(again.authorizations == [5: expected])
  }

  @Test("Don't, to the second question, takes away nothing")
  func secondDenied() throws {
    var harness = harness()
    _ = try answer(ask(.authorizedWhenInUse, on: &harness), .allowWhileUsing, on: &harness)
    _ = try answer(ask(.authorizedAlways, on: &harness), .deny, on: &harness)
    #expect(status(harness) == .authorizedWhenInUse)
  }

  @Test("what was allowed once cannot ask for Always")
  func once() throws {
    var harness = harness()
    _ = try answer(ask(.authorizedWhenInUse, on: &harness), .allowOnce, on: &harness)
    let outputs = ask(.authorizedAlways, on: &harness)
    #expect(outputs.asked.isEmpty)
    #expect(outputs.authorizations == [5: .authorizedWhenInUse])
  }

  @Test("asked for at first and answered Always, it is Always")
  func straight() throws {
    var harness = harness()
    let question = ask(.authorizedAlways, on: &harness)
    #expect(question.asked.first?.question.level == .always)
    #expect(
      try answer(question, .allowAlways, on: &harness).authorizations == [5: .authorizedAlways])
    harness.handle(.present([]))
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
  }

  @Test(
    "asked for at first and answered While Using, it looks like Always and is not told beyond use")
  func provisional() throws {
    var harness = harness()
    let first = try answer(ask(.authorizedAlways, on: &harness), .allowWhileUsing, on: &harness)
    #expect(first.authorizations == [5: .authorizedAlways])
    // To people it is what they said.
    for case .permissions(let list) in harness.call(.permissionsList).replies {
      #expect(list.map(\.authorization) == [.authorizedWhenInUse])
    }
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
    let left = harness.handle(.present([]))
    #expect(left.purges == [5])
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    #expect(left.asked.isEmpty)
    // It needed Always: now that somebody is there, they are asked again.
    let back = harness.handle(.present([1000]))
    #expect(back.asked.first?.question.current == .authorizedWhenInUse)
    #expect(back.asked.first?.question.level == .always)
    let kept = try answer(back, .allowAlways, on: &harness)
    #expect(kept.news.isEmpty)
    harness.handle(.present([]))
    #expect(harness.fix(north: 20).tellsPlace(to: ServiceHarness.app))
  }

  @Test("a beacon waits with provisional Always, which is told, and is sent again in use")
  func provisionalBeacon() throws {
    var harness = harness()
    _ = try answer(ask(.authorizedAlways, on: &harness), .allowWhileUsing, on: &harness)
    harness.call(.stopUpdatingLocation, from: ServiceHarness.app)
    let uses = { harness.service.permissions.usage.entries.values.reduce(0) { $0 + $1.count } }
    let before = uses()
    let frame = BeaconFrame(BeaconIdentity(BeaconUUID(1, 2), major: 3, minor: 4))
    #expect(
      harness.call(.startAdvertising(frame), from: ServiceHarness.app).advertised == [[frame]])
    _ = harness.handle(.advertised(frame, trouble: nil))
    #expect(uses() == before + 1)
    let left = harness.handle(.present([]))
    #expect(left.advertised == [[]] && left.advertisingFailures == [.rangingUnavailable])
    let back = harness.handle(.present([1000]))
    #expect(back.advertised == [[frame]] && back.advertisingFailures.isEmpty)
    #expect(uses() == before + 2)
  }

  @Test("kept at While Using by the second question, the app hears of it")
  func provisionalKept() throws {
    var harness = harness()
    _ = try answer(ask(.authorizedAlways, on: &harness), .allowWhileUsing, on: &harness)
    harness.handle(.present([]))
    let back = harness.handle(.present([1000]))
    #expect(try answer(back, .allowWhileUsing, on: &harness).news == [5: .authorizedWhenInUse])
    #expect(ask(.authorizedAlways, on: &harness).asked.isEmpty)
  }

  @Test("full accuracy for a purpose is given while in use, and nothing of it is remembered")
  func fullAccuracy() throws {
    var harness = harness()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    let request = Request.requestTemporaryFullAccuracy(purpose: "to park")
    let question = harness.call(request, from: ServiceHarness.app)
    #expect(question.asked.first?.question.level == .fullAccuracy)
    #expect(question.asked.first?.question.purpose == "to park")
    let given = try answer(question, .allowOnce, on: &harness)
    #expect(given.commits.isEmpty)
    #expect(given.replies == [.accuracy(.full)])
    harness.fix()
    #expect(harness.call(.location, from: ServiceHarness.app).located?.horizontalAccuracy == 5)
    #expect(harness.call(request, from: ServiceHarness.app).replies == [.accuracy(.full)])
    #expect(harness.handle(.present([])).purges == [5])
    harness.handle(.present([1000]))
    harness.fix()
    #expect(
      (harness.call(.location, from: ServiceHarness.app).located?.horizontalAccuracy ?? 0) > 2000)
  }

  @Test("what an administrator says of an app ends full accuracy for a while")
  func fullAccuracyOverruled() throws {
    var harness = harness()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    let request = Request.requestTemporaryFullAccuracy(purpose: "to park")
    _ = try answer(harness.call(request, from: ServiceHarness.app), .allowOnce, on: &harness)
    #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .full)
    #expect(harness.set(.authorizedWhenInUse, accuracy: .reduced).purges == [5])
    #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .reduced)
    _ = try answer(harness.call(request, from: ServiceHarness.app), .allowOnce, on: &harness)
    harness.grant(.denied)
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .reduced)
  }

  @Test("full accuracy refused is reduced accuracy as before")
  func fullAccuracyRefused() throws {
    var harness = harness()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    let question = harness.call(
      .requestTemporaryFullAccuracy(purpose: "to park"), from: ServiceHarness.app)
    #expect(try answer(question, .deny, on: &harness).replies == [.accuracy(.reduced)])
    harness.grant(.denied)
    let refused = harness.call(
      .requestTemporaryFullAccuracy(purpose: "to park"), from: ServiceHarness.app)
    #expect(refused.refusals.map(\.code) == [.denied])
  }
}

extension [Output] {
  fileprivate var advertised: [[BeaconFrame]] {
    compactMap { if case .advertise(let frames) = $0 { frames } else { nil } }
  }

  fileprivate var advertisingFailures: [Refusal.Code] {
    compactMap {
      if case .tell(_, .advertisingDidFail(let refusal)) = $0 { refusal.code } else { nil }
    }
  }
}
