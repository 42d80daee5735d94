import LocationModel
import Testing

@testable import LocationCore

@Suite("What a refusal says, and whether it helps") struct RefusalTests {
  private static let rule = "/etc/locationd/policy.d/10-mine.conf:3"
  private static let grant = "sudo locationctl grant user:1000"

  private func harness(_ rule: PolicyRule? = nil, use: UseRule = .connected) -> ServiceHarness {
    var harness = ServiceHarness(use: use)
    if let rule {
      var settings = harness.service.settings
      settings.policy = Policy([.init(app: "user:*", uids: nil, rule: rule, at: Self.rule)])
      harness.handle(.configured(settings))
    }
    harness.connect(ServiceHarness.app, uid: 1000)
    return harness
  }

  private func refusal(_ request: Request, on harness: inout ServiceHarness) -> String {
    harness.call(request, from: ServiceHarness.app).refusals.first?.message ?? "nothing is refused"
  }

  @Test(
    "where a rule decides, it names the rule and no grant, and a grant is refused",
    arguments: [PolicyRule.deny, .restrict])
  func rule(rule: PolicyRule) throws {
    var harness = harness(rule)
    let message = refusal(.requestLocation(.init()), on: &harness)
    #expect(message.contains(Self.rule))
    #expect(!message.contains("locationctl grant"))
    let outcomes = [
      harness.set(.authorizedWhenInUse), harness.set(.authorizedAlways),
      harness.set(nil, once: true),
      harness.set(nil, accuracy: .reduced),
    ]
    for outputs in outcomes {
      #expect(outputs.commits.isEmpty)
      let refusal = try #require(outputs.refusals.first)
      #expect(refusal.code == .failed)
      #expect(refusal.message.contains("no effect"))
      #expect(refusal.message.contains(Self.rule))
    }
    // A denial has an effect once the rule is gone.
    #expect(harness.write(harness.set(.denied)).replies == [.done])
    #expect(
      harness.write(harness.call(.permissionsReset(.init(app: "user:1000", uid: 1000)))).replies
        == [
          .done
        ])
  }

  @Test("what the rules allow or have asked about can be granted", arguments: [true, false])
  func open(isAsked: Bool) {
    var harness = harness(isAsked ? .ask : .allow(.authorizedWhenInUse, .reduced))
    #expect(harness.grant(.authorizedAlways).replies == [.done])
    #expect(refusal(.requestLocation(.init()), on: &harness) == "nothing is refused")
  }

  @Test("what was restricted is said to be so until it is unrestricted, of a user or of all")
  func restricted() {
    var harness = harness()
    for uid in [nil, 1000] as [UInt32?] {
      harness.write(harness.set(.restricted, uid: uid))
    }
    let message = refusal(.requestLocation(.init()), on: &harness)
    #expect(
      message.hasSuffix(
        "sudo locationctl unrestrict user:1000 and sudo locationctl unrestrict user:1000 --uid 1000"
      ))
    for uid in [nil, 1000] as [UInt32?] {
      harness.write(harness.call(.permissionsUnrestrict(.init(app: "user:1000", uid: uid))))
    }
    #expect(refusal(.location, on: &harness).hasSuffix("when-in-use --uid 1000"))
  }

  @Test("of a system's service no more use is made than can be: what helps is Always")
  func service() {
    var harness = ServiceHarness(use: .logind)
    let service = ClientID(6)
    harness.handle(.connected(service, Caller(uid: 33, pid: 8, app: "unit:web.service")))
    func message() -> String {
      harness.call(.location, from: service).refusals.first?.message ?? ""
    }
    let remedy = "sudo locationctl grant unit:web.service always --uid 33"
    #expect(message().hasSuffix(remedy))
    harness.write(
      harness.call(
        .permissionsSet(
          .init(app: "unit:web.service", uid: 33, authorization: .authorizedWhenInUse))))
    #expect(message().contains("never is"))
    #expect(message().hasSuffix(remedy))
    harness.write(
      harness.call(
        .permissionsSet(.init(app: "unit:web.service", uid: 33, authorization: .authorizedAlways))))
    #expect(message() == "")
  }

  @Test(
    "a region's state under reduced accuracy is refused for that, and the remedy helps",
    arguments: [Authorization.authorizedWhenInUse, .authorizedAlways])
  func reduced(authorization: Authorization) {
    var harness = harness()
    harness.grant(authorization, accuracy: .reduced)
    let message = refusal(.requestState(identifier: "home"), on: &harness)
    #expect(message.contains("reduced accuracy"))
    #expect(!message.contains("not in use"))
    let level = authorization == .authorizedAlways ? "always" : "when-in-use"
    #expect(message.hasSuffix("\(Self.grant) \(level) --uid 1000"))
    harness.grant(authorization, accuracy: .full)
    #expect(
      refusal(.requestState(identifier: "home"), on: &harness) == "No region 'home' is monitored.")
  }

  @Test("out of use is said to be the reason where it is, though the accuracy is reduced too")
  func unused() {
    var harness = harness(use: .logind)
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    #expect(refusal(.requestState(identifier: "home"), on: &harness).contains("not in use now"))
  }

  @Test(
    "an undecided app that is not in use is told that nobody has decided, and which grant helps")
  func askedUnused() {
    var harness = harness(use: .logind)
    let message = refusal(.requestAuthorization(.authorizedWhenInUse), on: &harness)
    #expect(message.hasPrefix("user:1000 (uid 1000) has no permission to know the location yet"))
    #expect(message.contains("not in use"))
    #expect(message.hasSuffix("\(Self.grant) when-in-use --uid 1000"))
    #expect(!message.contains("may know the location"))
  }

  @Test("with nobody to ask for more, more is what is said to be missing")
  func more() {
    var harness = harness()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    let always = refusal(.requestAuthorization(.authorizedAlways), on: &harness)
    #expect(always.contains("while it is not in use"))
    #expect(always.hasSuffix("\(Self.grant) always --uid 1000"))
    let full = refusal(.requestTemporaryFullAccuracy(purpose: "to turn"), on: &harness)
    #expect(full.contains("reduced accuracy"))
    #expect(full.hasSuffix("\(Self.grant) when-in-use --uid 1000"))
  }
}
