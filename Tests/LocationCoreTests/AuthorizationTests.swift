import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Who may") struct AuthorizationTests {
  static let requests: [Request] = [
    .location, .requestLocation(.init()), .startUpdatingLocation(.init()),
  ]

  @Test("root and the daemon's own user are told where they are", arguments: [0, 990] as [UInt32])
  func allowed(uid: UInt32) {
    var harness = ServiceHarness()
    harness.connect(ClientID(5), uid: uid)
    for request in Self.requests {
      #expect(harness.call(request, from: ClientID(5)).refusals.isEmpty)
    }
  }

  @Test("nobody else is, by any request, and no source opens for them", arguments: requests.indices)
  func denied(number: Int) {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.fix()
    harness.connect(ClientID(5), uid: 1000)
    let outputs = harness.call(Self.requests[number], from: ClientID(5))
    // Updates and a single request may be started before somebody has decided; until then nothing is said.
    let isStarted = number > 0
    #expect(outputs.refusals.map(\.code) == (isStarted ? [] : [.denied]))
    #expect(outputs.failures.isEmpty)
    #expect(outputs.told.isEmpty)
    #expect(outputs.located == nil)
    #expect(
      !harness.fix(north: 9).contains { output in
        guard case .tell(let recipients, _) = output else { return false }
        return recipients.contains { $0.client == ClientID(5) }
      })
    var alone = ServiceHarness()
    alone.connect(ClientID(5), uid: 1000)
    #expect(alone.call(Self.requests[number], from: ClientID(5)).opens == 0)
  }

  @Test("a single request of an undecided app waits for the decision, and opens nothing before it")
  func undecided() {
    var harness = ServiceHarness()
    harness.connect(ServiceHarness.app, uid: 1000)
    let asked = harness.call(
      .requestLocation(.init(desiredAccuracy: 100)), from: ServiceHarness.app)
    #expect(asked.refusals.isEmpty && asked.replies.isEmpty && asked.opens == 0)
    #expect(harness.fix().located == nil)
    harness.now += 5
    let granted = harness.grant(.authorizedWhenInUse)
    #expect(granted.opens == 1)
    #expect(granted.located == nil)
    #expect(harness.fix(north: 10).located != nil)
    // A location that is fresh then is the answer.
    harness.write(harness.call(.permissionsReset(.init(app: "user:1000", uid: 1000))))
    harness.call(.requestLocation(.init(desiredAccuracy: 100)), from: ServiceHarness.app)
    harness.fix(north: 20)
    #expect(harness.grant(.authorizedWhenInUse).located != nil)
  }

  @Test("a single request that nobody decides about in time is refused, with what helps")
  func undecidedTooLong() throws {
    var harness = ServiceHarness()
    harness.connect(ServiceHarness.app, uid: 1000)
    harness.call(.requestLocation(.init(timeout: 4)), from: ServiceHarness.app)
    harness.now += 3.9
    #expect(harness.handle(.timer).refusals.isEmpty)
    harness.now += 0.2
    let refusal = try #require(harness.handle(.timer).refusals.first)
    #expect(refusal.code == .denied)
    #expect(refusal.message.hasSuffix("locationctl grant user:1000 when-in-use --uid 1000"))
    harness.call(.requestLocation(.init(timeout: 4)), from: ServiceHarness.app)
    #expect(harness.set(.denied).refusals.map(\.code) == [.denied])
    #expect(harness.service.wakeAsked == nil)
  }

  @Test("the sky, from which a place could be told, and the sources are for those who may know")
  func sky() throws {
    func status(_ authorization: Authorization, _ accuracy: AccuracyAuthorization) throws -> Status
    {
      var harness = ServiceHarness()
      harness.connectApp()
      harness.grant(authorization, accuracy: accuracy)
      for case .status(let status) in harness.call(.status, from: ServiceHarness.app).replies {
        return status
      }
      throw Refusal(.failed, "no status")
    }
    let exact = try status(.authorizedAlways, .full)
    #expect(exact.maySeeSky && !exact.isForAdministrator)
    // The reasons are made of these, which stay in the daemon.
    #expect(exact.sources != nil && exact.json["sources"] == nil)
    #expect(try !status(.authorizedAlways, .reduced).maySeeSky)
    let denied = try status(.denied, .full)
    #expect(!denied.maySeeSky && denied.sources == nil)
    #expect(denied.obstacle?.contains("sudo locationctl grant") == true)
  }

  @Test("someone denied sees of the status only themselves")
  func status() throws {
    var harness = ServiceHarness()
    harness.connect(ClientID(5), uid: 1000)
    guard case .status(let status)? = harness.call(.status, from: ClientID(5)).replies.first else {
      Issue.record("no status")
      return
    }
    #expect(status.client.authorization == .notDetermined)
    #expect(status.sources == nil)
    #expect(status.clients == nil)
    #expect(status.monitors == nil)
    #expect(status.counters == nil)
  }

  @Test("a request from a client that never came is passed over")
  func stranger() {
    var harness = ServiceHarness()
    #expect(harness.call(.location, from: ClientID(99)).isEmpty)
  }

  @Test("one user's managers and waiting requests are bounded, another's are not touched")
  func limits() {
    var limits = LocationService.Limits()
    limits.managersPerUser = 3
    limits.waitingPerUser = 2
    var harness = ServiceHarness(limits)
    for manager in 0..<3 { harness.call(.startUpdatingLocation(.init()), manager: manager) }
    let refused = harness.call(.startUpdatingLocation(.init()), manager: 3)
    #expect(refused.refusals.map(\.code) == [.limitExceeded])
    for _ in 0..<2 { harness.call(.requestLocation(.init())) }
    #expect(harness.call(.requestLocation(.init())).refusals.map(\.code) == [.limitExceeded])
    harness.connect(ClientID(2), uid: 990)
    #expect(
      harness.call(.startUpdatingLocation(.init()), from: ClientID(2)).refusals.isEmpty)
  }
}
