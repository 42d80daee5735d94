import LocationModel
import Testing

@testable import LocationCore

@Suite("What could not be written") struct UnwrittenTests {
  private static let app = App(uid: 1000, name: "app:map")

  private func permit(_ authorization: Authorization, on harness: inout MonitoringHarness)
    -> [Output]
  {
    harness.call(
      .permissionsSet(
        PermissionChange(app: Self.app.name, uid: 1000, authorization: authorization)))
  }

  private func status(_ harness: inout MonitoringHarness) -> Status? {
    for case .status(let status) in harness.call(.status).replies { return status }
    return nil
  }

  @Test("what was taken away while the disk was full is written once there is room")
  func revoked() {
    var harness = MonitoringHarness()
    _ = permit(.authorizedAlways, on: &harness)
    harness.isDiskFull = true
    #expect(permit(.denied, on: &harness).refusals.count == 1)
    #expect(harness.disk.permissions[Self.app]?.authorization == .authorizedAlways)
    harness.isDiskFull = false
    _ = harness.pass(61)
    #expect(harness.disk.permissions[Self.app]?.authorization == .denied)
  }

  @Test("what was refused since it could not be written is not written later either")
  func granted() {
    var harness = MonitoringHarness()
    harness.isDiskFull = true
    #expect(permit(.authorizedAlways, on: &harness).refusals.count == 1)
    harness.isDiskFull = false
    _ = harness.pass(61)
    #expect(harness.disk.permissions[Self.app] == nil)
  }

  @Test("a service that was refused since it could not be written is not on, now or later")
  func started() {
    var harness = MonitoringHarness()
    harness.isDiskFull = true
    for request in [Request.startMonitoringVisits, .startMonitoringSignificantLocationChanges] {
      #expect(harness.call(request).refusals.count == 1)
    }
    #expect(status(&harness)?.monitors?.isEmpty == true)
    harness.isDiskFull = false
    _ = harness.pass(200)
    #expect(harness.disk.records.isEmpty)
    harness.call(.startMonitoringVisits)
    #expect(status(&harness)?.monitors?.first?.visits == true)
  }

  @Test("restrictions and the master switch, too")
  func ofAll() {
    var harness = ServiceHarness()
    for request in [
      Request.permissionsSet(PermissionChange(app: "app:map", authorization: .restricted)),
      .servicesSet(enabled: false),
    ] {
      for id in harness.call(request).commits {
        harness.handle(.commitFailed(id, "the disk is full"))
      }
    }
    harness.now += 61
    var changes: [Change] = []
    var outputs = harness.handle(.timer)
    while !outputs.commits.isEmpty {
      changes += outputs.changes
      outputs = harness.write(outputs)
    }
    // The switch forgets what was learnt, too.
    #expect(changes.first == .restrict(Restriction(uid: nil, name: "app:map")))
    #expect(changes.contains(.forgetNetworks))
    #expect(changes.last == .servicesEnabled(false))
  }

  @Test(
    "what happened while the disk was full is known after a restart, and no number is given twice")
  func happened() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([MonitoringHarness.home]))
    harness.call(.startMonitoringVisits)
    harness.walk(for: 30)
    harness.isDiskFull = true
    #expect(harness.leaveHome().reports == ["1 exit home"])
    #expect(harness.comeHome().reports == ["2 enter home"])
    harness.call(.acknowledge(event: 2))
    #expect(harness.disk.lastEvents.isEmpty)
    harness.isDiskFull = false
    #expect(harness.leaveHome().reports == ["3 exit home"])
    let before = harness.disk
    harness.restart()
    #expect(harness.call(.hello(.init())).reports == ["3 exit home"])
    #expect(harness.call(.requestState(identifier: "home")).state == .outside)
    #expect(before.records.keys.contains { $0.kind == StoredRecord.visits })
    #expect(harness.comeHome().reports == ["4 enter home"])
  }

  @Test("all acknowledged, the numbers go on from where they were")
  func numbers() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([MonitoringHarness.home]))
    harness.walk(for: 30)
    harness.isDiskFull = true
    #expect(harness.leaveHome().reports == ["1 exit home"])
    harness.call(.acknowledge(event: 1))
    harness.isDiskFull = false
    _ = harness.pass(61)
    harness.restart()
    #expect(harness.call(.hello(.init())).reports.isEmpty)
    #expect(harness.comeHome().reports == ["2 enter home"])
  }

  @Test("it is tried again every minute, and at once when something else could be written")
  func pace() {
    var harness = ServiceHarness()
    for id in harness.set(.denied).commits { harness.handle(.commitFailed(id, "the disk is full")) }
    var tries = 0
    for _ in 0..<600 {
      harness.now += 1
      let outputs = harness.handle(.timer)
      tries += outputs.commits.count
      for id in outputs.commits { harness.handle(.commitFailed(id, "the disk is full")) }
    }
    #expect(tries == 10)
    harness.now += 1
    let other = harness.call(.servicesSet(enabled: true))
    let next = harness.write(other)
    #expect(next.changes.contains { if case .permission = $0 { true } else { false } })
    #expect(harness.write(next).commits.isEmpty)
    harness.now += 3600
    #expect(harness.handle(.timer).commits.isEmpty)
  }

  @Test("one that can never be written keeps no other waiting")
  func stubborn() {
    var harness = ServiceHarness()
    for request in [
      Request.servicesSet(enabled: false),
      .permissionsSet(PermissionChange(app: "app:map", authorization: .restricted)),
    ] {
      for id in harness.call(request).commits { harness.handle(.commitFailed(id, "no room")) }
    }
    var written: [Change] = []
    for _ in 0..<3 {
      harness.now += 61
      var outputs = harness.handle(.timer)
      while let id = outputs.commits.first {
        let isStubborn = outputs.changes == [.servicesEnabled(false)]
        if !isStubborn { written += outputs.changes }
        outputs = harness.handle(isStubborn ? .commitFailed(id, "no room") : .committed(id))
      }
    }
    #expect(written.contains(.restrict(Restriction(uid: nil, name: "app:map"))))
  }

  @Test("the status says so to administrators, and the journal once")
  func said() {
    var harness = MonitoringHarness()
    #expect(status(&harness)?.trouble == nil)
    harness.isDiskFull = true
    #expect(permit(.denied, on: &harness).notes.count == 1)
    #expect(permit(.denied, on: &harness).notes.isEmpty)
    #expect(status(&harness)?.trouble == "the disk is full")
    harness.isDiskFull = false
    #expect(harness.pass(61).notes.count { $0.contains("written again") } == 1)
    #expect(status(&harness)?.trouble == nil)
  }

  /// Nothing could be kept from the start, an agent is there, and an app that wants to be allowed.
  private func troubled() -> ServiceHarness {
    var remembered = StoreSnapshot()
    remembered.trouble = "the disk is full"
    var harness = ServiceHarness(sources: [("gps", false)], .init(), remembered)
    var caller = Caller(uid: 1000, pid: 9, app: "exe:/usr/bin/locationctl")
    caller.hasTerminal = true
    caller.isInUserSlice = true
    harness.handle(.connected(ClientID(8), caller))
    harness.call(.agentRegister, from: ClientID(8))
    harness.connectApp()
    return harness
  }

  private func ask(on harness: inout ServiceHarness) -> [Output] {
    harness.call(.requestAuthorization(.authorizedWhenInUse), from: ServiceHarness.app)
  }

  @Test(
    "where nothing could be kept, it is looked again before a person is asked, who is if it can")
  func fromTheStart() {
    var harness = troubled()
    let first = ask(on: &harness)
    #expect(first.asked.isEmpty && first.refusals.isEmpty)
    #expect(first.commits.count == 1)
    #expect(first.changes.isEmpty)
    // One look at a time.
    let second = ask(on: &harness)
    #expect(second.commits.isEmpty && second.refusals.isEmpty)
    #expect(harness.write(first).asked.count == 1)
  }

  @Test(
    "where still nothing can be kept, those who wait for the look are refused, all with the reason")
  func still() {
    var harness = troubled()
    for _ in 0..<2 {
      let looked = ask(on: &harness)
      _ = ask(on: &harness)
      #expect(looked.commits.count == 1)
      let refused = looked.commits.flatMap { harness.handle(.commitFailed($0, "the disk is full")) }
      #expect(refused.asked.isEmpty)
      #expect(refused.refusals.count == 2)
      #expect(refused.refusals.allSatisfy { $0.message.contains("the disk is full") })
    }
  }

  @Test("what waits to be written is what the look tries")
  func triesWhatWaits() {
    var harness = troubled()
    let looked = ask(on: &harness)
    for id in looked.commits { harness.handle(.commitFailed(id, "the disk is full")) }
    let denial = harness.call(
      .permissionsSet(.init(app: "app:map", uid: 1000, authorization: .denied)))
    for id in denial.commits { harness.handle(.commitFailed(id, "the disk is full")) }
    let again = ask(on: &harness)
    #expect(again.commits.count == 1)
    #expect(!again.changes.isEmpty)
    #expect(harness.write(again).asked.count == 1)
  }
}
