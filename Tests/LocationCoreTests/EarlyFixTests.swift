import LocationModel
import TestSupport
import Testing

@testable import LocationCore

@Suite("A fix that comes before anything is due") struct EarlyFixTests {
  private static let people: [ClientID] = (2...6).map { ClientID($0) }
  private static let agent = ClientID(9)

  @Test(
    "it leaves nothing undone: a timer of the same moment does nothing and asks for no other wake-up",
    arguments: UInt64(1)...24)
  func leavesNothing(seed: UInt64) {
    var dice = Dice(seed: seed)
    var harness = MonitoringHarness()
    harness.handle(.connected(Self.agent, .agent()))
    harness.call(.agentRegister, from: Self.agent)
    for client in Self.people { rule(client, .authorizedAlways, on: &harness) }
    for step in 0..<300 {
      wait(.random(in: 0...20, using: &dice), on: &harness)
      act(on: &harness, by: &dice)
      wait(0.5, on: &harness)
      harness.north += .random(in: -40...60, using: &dice)
      harness.fix(accuracy: .random(in: 3...30, using: &dice))
      var other = harness.service
      var outputs: [Output] = []
      other.handle(.timer, at: harness.instant, into: &outputs)
      // Agents may be shown that a use is younger than it was.
      outputs.removeAll { if case .notify = $0 { true } else { false } }
      #expect(outputs.isEmpty, "seed \(seed), step \(step)")
      #expect(other.wakeAsked == harness.service.wakeAsked, "seed \(seed), step \(step)")
    }
  }

  private func app(_ client: ClientID) -> String { "app:number\(client.number)" }

  private func rule(
    _ client: ClientID, _ authorization: Authorization, on harness: inout MonitoringHarness
  ) {
    harness.call(
      .permissionsSet(
        PermissionChange(app: app(client), uid: 1000, authorization: authorization)))
  }

  private func wait(_ seconds: Double, on harness: inout MonitoringHarness) {
    harness.now += seconds
    if let wake = harness.service.wakeAsked, wake <= harness.instant.boottime {
      harness.handle(.timer)
    }
  }

  /// A client comes, asks for something, goes, or is ruled.
  private func act(on harness: inout MonitoringHarness, by dice: inout Dice) {
    guard let client = Self.people.randomElement(using: &dice) else { return }
    let isOn = Bool.random(using: &dice)
    switch Int.random(in: 0..<16, using: &dice) {
    case 0: harness.connect(client, uid: 1000, app: app(client))
    case 1: harness.handle(.gone(client))
    case 2:
      harness.call(
        .startUpdatingLocation(StandardRequest(distanceFilter: isOn ? 100 : -1)), from: client)
    case 3: harness.call(.stopUpdatingLocation, from: client)
    case 4:
      let request = OneShotRequest(desiredAccuracy: isOn ? 1 : 100)
      harness.call(.requestLocation(request), from: client)
    case 5: harness.call(.startMonitoring([MonitoringHarness.home]), from: client)
    case 6: harness.call(isOn ? .startMonitoringVisits : .stopMonitoringVisits, from: client)
    case 7: harness.call(.startMonitoringSignificantLocationChanges, from: client)
    case 8:
      let pause = PauseRequest(seconds: 60, uid: 1000)
      harness.call(isOn ? .pause(pause) : .resume(pause))
    case 9: rule(client, isOn ? .authorizedAlways : .denied, on: &harness)
    case 10: harness.call(isOn ? .beginUse : .endUse, from: client)
    case 11: harness.isDiskFull = isOn
    case 12: harness.call(.servicesSet(enabled: isOn))
    case 13: harness.call(.servicesSet(enabled: true))
    case 14: harness.call(.requestAuthorization(.authorizedAlways), from: client)
    default: harness.handle(.timer)
    }
  }
}
