import LocationModel
import Testing

@testable import LocationCore

@Suite("What could not be written") struct UnwrittenTests {
  private static let app = App(uid: 1000, name: "app:map")

  private func permit(_ authorization: Authorization, on desk: inout MonitorDesk) -> [Output] {
    desk.call(
      .permissionsSet(
        PermissionChange(app: Self.app.name, uid: 1000, authorization: authorization)))
  }

  private func status(_ desk: inout MonitorDesk) -> Status? {
    for case .status(let status) in desk.call(.status).replies { return status }
    return nil
  }

  @Test("what was taken away while the disk was full is written once there is room")
  func revoked() {
    var desk = MonitorDesk()
    _ = permit(.authorizedAlways, on: &desk)
    desk.isDiskFull = true
    #expect(permit(.denied, on: &desk).refusals.count == 1)
    #expect(desk.disk.permissions[Self.app]?.authorization == .authorizedAlways)
    desk.isDiskFull = false
    _ = desk.pass(61)
    #expect(desk.disk.permissions[Self.app]?.authorization == .denied)
  }

  @Test("what was refused since it could not be written is not written later either")
  func granted() {
    var desk = MonitorDesk()
    desk.isDiskFull = true
    #expect(permit(.authorizedAlways, on: &desk).refusals.count == 1)
    desk.isDiskFull = false
    _ = desk.pass(61)
    #expect(desk.disk.permissions[Self.app] == nil)
  }

  @Test("a service that was refused since it could not be written is not on, now or later")
  func started() {
    var desk = MonitorDesk()
    desk.isDiskFull = true
    for request in [Request.startMonitoringVisits, .startMonitoringSignificantLocationChanges] {
      #expect(desk.call(request).refusals.count == 1)
    }
    #expect(status(&desk)?.monitors?.isEmpty == true)
    desk.isDiskFull = false
    _ = desk.pass(200)
    #expect(desk.disk.records.isEmpty)
    desk.call(.startMonitoringVisits)
    #expect(status(&desk)?.monitors?.first?.visits == true)
  }

  @Test("restrictions and the master switch, too")
  func ofAll() {
    var desk = Desk()
    for request in [
      Request.permissionsSet(PermissionChange(app: "app:map", authorization: .restricted)),
      .servicesSet(enabled: false),
    ] {
      for id in desk.call(request).commits { desk.handle(.commitFailed(id, "the disk is full")) }
    }
    desk.now += 61
    var changes: [Change] = []
    var outputs = desk.handle(.timer)
    while !outputs.commits.isEmpty {
      changes += outputs.changes
      outputs = desk.write(outputs)
    }
    #expect(
      changes == [.restrict(Restriction(uid: nil, name: "app:map")), .servicesEnabled(false)])
  }

  @Test(
    "what happened while the disk was full is known after a restart, and no number is given twice")
  func happened() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([MonitorDesk.home]))
    desk.call(.startMonitoringVisits)
    desk.walk(for: 30)
    desk.isDiskFull = true
    #expect(desk.leaveHome().reports == ["1 exit home"])
    #expect(desk.comeHome().reports == ["2 enter home"])
    desk.call(.acknowledge(event: 2))
    #expect(desk.disk.lastEvents.isEmpty)
    desk.isDiskFull = false
    #expect(desk.leaveHome().reports == ["3 exit home"])
    let before = desk.disk
    desk.restart()
    #expect(desk.call(.hello(.init())).reports == ["3 exit home"])
    #expect(desk.call(.requestState(identifier: "home")).state == .outside)
    #expect(before.records.keys.contains { $0.kind == Kept.visits })
    #expect(desk.comeHome().reports == ["4 enter home"])
  }

  @Test("all acknowledged, the numbers go on from where they were")
  func numbers() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([MonitorDesk.home]))
    desk.walk(for: 30)
    desk.isDiskFull = true
    #expect(desk.leaveHome().reports == ["1 exit home"])
    desk.call(.acknowledge(event: 1))
    desk.isDiskFull = false
    _ = desk.pass(61)
    desk.restart()
    #expect(desk.call(.hello(.init())).reports.isEmpty)
    #expect(desk.comeHome().reports == ["2 enter home"])
  }

  @Test("it is tried again every minute, and at once when something else could be written")
  func pace() {
    var desk = Desk()
    for id in desk.set(.denied).commits { desk.handle(.commitFailed(id, "the disk is full")) }
    var tries = 0
    for _ in 0..<600 {
      desk.now += 1
      let outputs = desk.handle(.timer)
      tries += outputs.commits.count
      for id in outputs.commits { desk.handle(.commitFailed(id, "the disk is full")) }
    }
    #expect(tries == 10)
    desk.now += 1
    let other = desk.call(.servicesSet(enabled: true))
    let next = desk.write(other)
    #expect(next.changes.contains { if case .permission = $0 { true } else { false } })
    #expect(desk.write(next).commits.isEmpty)
    desk.now += 3600
    #expect(desk.handle(.timer).commits.isEmpty)
  }

  @Test("one that can never be written keeps no other waiting")
  func stubborn() {
    var desk = Desk()
    for request in [
      Request.servicesSet(enabled: false),
      .permissionsSet(PermissionChange(app: "app:map", authorization: .restricted)),
    ] {
      for id in desk.call(request).commits { desk.handle(.commitFailed(id, "no room")) }
    }
    var written: [Change] = []
    for _ in 0..<3 {
      desk.now += 61
      let outputs = desk.handle(.timer)
      let isStubborn = outputs.changes == [.servicesEnabled(false)]
      if !isStubborn { written += outputs.changes }
      for id in outputs.commits {
        desk.handle(isStubborn ? .commitFailed(id, "no room") : .committed(id))
      }
    }
    #expect(written == [.restrict(Restriction(uid: nil, name: "app:map"))])
  }

  @Test("the status says so to administrators, and the journal once")
  func said() {
    var desk = MonitorDesk()
    #expect(status(&desk)?.trouble == nil)
    desk.isDiskFull = true
    #expect(permit(.denied, on: &desk).notes.count == 1)
    #expect(permit(.denied, on: &desk).notes.isEmpty)
    #expect(status(&desk)?.trouble == "the disk is full")
    desk.isDiskFull = false
    #expect(desk.pass(61).notes.count { $0.contains("written again") } == 1)
    #expect(status(&desk)?.trouble == nil)
  }

  /// Nothing could be kept from the start, an agent is there, and an app that wants to be allowed.
  private func troubled() -> Desk {
    var remembered = Remembered()
    remembered.trouble = "the disk is full"
    var desk = Desk(sources: [("gps", false)], .init(), remembered)
    var caller = Caller(uid: 1000, pid: 9, app: "exe:/usr/bin/locationctl")
    caller.hasTerminal = true
    caller.isInUserSlice = true
    desk.handle(.connected(ClientID(8), caller))
    desk.call(.agentRegister, from: ClientID(8))
    desk.connectApp()
    return desk
  }

  private func ask(on desk: inout Desk) -> [Output] {
    desk.call(.requestAuthorization(.authorizedWhenInUse), from: Desk.app)
  }

  @Test(
    "where nothing could be kept, it is looked again before a person is asked, who is if it can")
  func fromTheStart() {
    var desk = troubled()
    let first = ask(on: &desk)
    #expect(first.asked.isEmpty && first.refusals.isEmpty)
    #expect(first.commits.count == 1)
    #expect(first.changes.isEmpty)
    // One look at a time.
    let second = ask(on: &desk)
    #expect(second.commits.isEmpty && second.refusals.isEmpty)
    #expect(desk.write(first).asked.count == 1)
  }

  @Test(
    "where still nothing can be kept, those who wait for the look are refused, all with the reason")
  func still() {
    var desk = troubled()
    for _ in 0..<2 {
      let looked = ask(on: &desk)
      _ = ask(on: &desk)
      #expect(looked.commits.count == 1)
      let refused = looked.commits.flatMap { desk.handle(.commitFailed($0, "the disk is full")) }
      #expect(refused.asked.isEmpty)
      #expect(refused.refusals.count == 2)
      #expect(refused.refusals.allSatisfy { $0.message.contains("the disk is full") })
    }
  }

  @Test("what waits to be written is what the look tries")
  func triesWhatWaits() {
    var desk = troubled()
    let looked = ask(on: &desk)
    for id in looked.commits { desk.handle(.commitFailed(id, "the disk is full")) }
    let denial = desk.call(
      .permissionsSet(.init(app: "app:map", uid: 1000, authorization: .denied)))
    for id in denial.commits { desk.handle(.commitFailed(id, "the disk is full")) }
    let again = ask(on: &desk)
    #expect(again.commits.count == 1)
    #expect(!again.changes.isEmpty)
    #expect(desk.write(again).asked.count == 1)
  }
}
