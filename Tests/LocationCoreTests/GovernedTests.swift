import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

/// An administrator's decision about `user:NAME`.
@Suite("A decision about a user's programs") struct GovernedTests {
  private static let own = ["exe:/usr/bin/walk", "script:/bin/sh:/home/a/walk", "app:org.a.Walk"]
  private static let others = [
    "unit:walk.service", "userunit:walk", "flatpak:org.a.Walk", "snap:walk",
  ]

  private static let agent = ClientID(8)

  private func connect(_ app: String, uid: UInt32 = 1000, to harness: inout ServiceHarness) {
    harness.handle(.connected(ServiceHarness.app, Caller(uid: uid, pid: 7, app: app)))
  }

  private func authorization(
    _ app: String, uid: UInt32 = 1000, on harness: inout ServiceHarness
  ) -> Authorization? {
    connect(app, uid: uid, to: &harness)
    defer { harness.handle(.gone(ServiceHarness.app)) }
    for case .hello(let greeting) in harness.call(.hello(.init()), from: ServiceHarness.app).replies
    {
      return greeting.authorization
    }
    return nil
  }

  private func decide(
    _ app: String, _ authorization: Authorization, once: Bool = false,
    on harness: inout ServiceHarness
  ) {
    harness.write(
      harness.call(
        .permissionsSet(
          PermissionChange(app: app, uid: 1000, authorization: authorization, once: once))))
  }

  @Test("covers programs that an agent or a desktop tells, and no service, sandbox or other user")
  func covers() {
    for decided in [Authorization.authorizedAlways, .denied, .restricted] {
      var harness = ServiceHarness()
      decide("user:ann", decided, on: &harness)
      for app in Self.own { #expect(authorization(app, on: &harness) == decided, "\(app)") }
      for app in Self.others {
        #expect(authorization(app, on: &harness) == .notDetermined, "\(app)")
      }
      #expect(authorization(Self.own[0], uid: 1001, on: &harness) == .notDetermined)
    }
  }

  @Test(
    "is nothing for a program about which something of its own is decided, by a person or a rule")
  func own() {
    var harness = ServiceHarness()
    decide("user:ann", .denied, on: &harness)
    decide(Self.own[0], .authorizedWhenInUse, on: &harness)
    #expect(authorization(Self.own[0], on: &harness) == .authorizedWhenInUse)
    var settings = harness.service.settings
    settings.policy = Policy([
      .init(app: Self.own[1], uids: nil, rule: .allow(.authorizedAlways, .full))
    ])
    harness.handle(.configured(settings))
    #expect(authorization(Self.own[1], on: &harness) == .authorizedAlways)
  }

  @Test("by a rule of the administrator's files covers them, too")
  func rule() {
    var harness = ServiceHarness()
    var settings = harness.service.settings
    settings.policy = Policy([
      .init(app: "user:ann", uids: [1000], rule: .allow(.authorizedWhenInUse, .full))
    ])
    harness.handle(.configured(settings))
    for app in Self.own { #expect(authorization(app, on: &harness) == .authorizedWhenInUse) }
    for app in Self.others { #expect(authorization(app, on: &harness) == .notDetermined) }
    #expect(authorization(Self.own[0], uid: 1001, on: &harness) == .notDetermined)
  }

  @Test("of a person, or once, covers nothing else")
  func narrow() {
    var harness = ServiceHarness()
    decide("user:ann", .authorizedWhenInUse, once: true, on: &harness)
    #expect(authorization(Self.own[0], on: &harness) == .notDetermined)
  }

  @Test("holds at once for those that are connected, and its end too")
  func atOnce() {
    var harness = ServiceHarness()
    connect(Self.own[0], to: &harness)
    harness.call(.startUpdatingLocation(.init()), from: ServiceHarness.app)
    #expect(harness.fix().told.isEmpty)
    decide("user:ann", .authorizedAlways, on: &harness)
    #expect(harness.fix(north: 10).told == [0])
    let revoked = harness.call(
      .permissionsSet(PermissionChange(app: "user:ann", uid: 1000, authorization: .denied)))
    #expect(revoked.contains { if case .purge(ServiceHarness.app) = $0 { true } else { false } })
    #expect(harness.fix(north: 20).told.isEmpty)
  }

  @Test("that denies takes what they have registered, from the disk too")
  func registrations() {
    var harness = ServiceHarness()
    decide("user:ann", .authorizedAlways, on: &harness)
    connect(Self.own[0], to: &harness)
    harness.write(harness.call(.startMonitoringVisits, from: ServiceHarness.app))
    #expect(harness.service.monitoring.registrations.count == 1)
    let revoked = harness.call(
      .permissionsSet(PermissionChange(app: "user:ann", uid: 1000, authorization: .denied)))
    let erased = revoked.flatMap { output -> [Change] in
      guard case .commit(let changes, _) = output else { return [] }
      return changes
    }
    #expect(erased.contains(.erase(App(uid: 1000, name: Self.own[0]))))
    harness.write(revoked)
    #expect(harness.service.monitoring.registrations.isEmpty)
  }

  /// Connects a program of the user's, and an agent that answers for that user.
  private func connectWithAgent(to harness: inout ServiceHarness) {
    harness.handle(.present([1000]))
    var agent = Caller(uid: 1000, pid: 9, app: "exe:/usr/bin/locationctl")
    agent.hasTerminal = true
    agent.isInUserSlice = true
    harness.handle(.connected(Self.agent, agent))
    harness.call(.agentRegister, from: Self.agent)
    connect(Self.own[0], to: &harness)
  }

  @Test(
    "takes back an open question about them, and an answer to it grants nothing",
    arguments: [Authorization.denied, .restricted])
  func questions(decided: Authorization) throws {
    var harness = ServiceHarness()
    connectWithAgent(to: &harness)
    let asked = harness.call(
      .requestAuthorization(.authorizedAlways), from: ServiceHarness.app
    ).asked
    let number = try #require(asked.first?.question.number)
    let revoked = harness.call(
      .permissionsSet(PermissionChange(app: "user:ann", uid: 1000, authorization: decided)))
    let written = harness.write(revoked)
    #expect(written.cancelled == [number])
    #expect(written.authorizations == [ServiceHarness.app.number: decided])
    let allowed = AgentDecision(.allowAlways).json
    harness.write(harness.handle(.answered(Self.agent, .question(number), allowed)))
    #expect(harness.service.clientStatus(ServiceHarness.app).authorization == decided)
  }

  @Test("ends the full accuracy that they have for a while, and so does its reset")
  func fullAccuracy() throws {
    func reduce(_ harness: inout ServiceHarness) {
      harness.write(
        harness.call(
          .permissionsSet(
            PermissionChange(
              app: "user:ann", uid: 1000, authorization: .authorizedWhenInUse, accuracy: .reduced)))
      )
    }
    for isReset in [false, true] {
      var harness = ServiceHarness(use: .connected)
      connectWithAgent(to: &harness)
      reduce(&harness)
      let asked = harness.call(
        .requestTemporaryFullAccuracy(purpose: "to park"), from: ServiceHarness.app
      ).asked
      let number = try #require(asked.first?.question.number)
      let once = AgentDecision(.allowOnce).json
      harness.handle(.answered(Self.agent, .question(number), once))
      #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .full)
      if isReset {
        harness.write(harness.call(.permissionsReset(AppSelection(app: "user:ann", uid: 1000))))
      } else {
        decide("user:ann", .denied, on: &harness)
      }
      reduce(&harness)
      #expect(harness.service.clientStatus(ServiceHarness.app).accuracy == .reduced)
    }
  }

  @Test("is the reason that a refusal gives, with what ends it")
  func reason() {
    var harness = ServiceHarness()
    decide("user:ann", .restricted, on: &harness)
    connect(Self.own[0], to: &harness)
    let message = harness.call(.location, from: ServiceHarness.app).refusals.first?.message
    #expect(message?.contains("sudo locationctl unrestrict user:ann --uid 1000") == true)
  }
}
