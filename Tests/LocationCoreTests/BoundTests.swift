import LocationModel
import Testing

@testable import LocationCore

@Suite("What one user's programs can make the daemon keep") struct BoundTests {
  private static let uid: UInt32 = 1000

  private func region(_ number: Int, corners: Int = 900) -> Region {
    let ring = (0..<corners).map { i in
      let way = Double(i) / Double(corners) * 4
      let side = way.truncatingRemainder(dividingBy: 1)
      let (north, east) =
        switch Int(way) {
        case 0: (side, 0.0)
        case 1: (1.0, side)
        case 2: (1 - side, 1.0)
        default: (0.0, 1 - side)
        }
      return MonitorDesk.place(north: 1000 * north + Double(number), east: 1000 * east)
    }
    return Region(identifier: "region \(number)", .polygon(ring, holes: []))
  }

  private func circle(_ identifier: String, north: Double = 0) -> Region {
    Region(identifier: identifier, .circle(MonitorDesk.place(north: north), radius: 100))
  }

  private func grant(
    _ app: String, _ authorization: Authorization = .authorizedAlways, on desk: inout MonitorDesk
  ) -> [Output] {
    desk.call(
      .permissionsSet(PermissionChange(app: app, uid: Self.uid, authorization: authorization)))
  }

  private static let everything = Policy([
    .init(app: nil, uids: nil, rule: .allow(.authorizedAlways, .full))
  ])

  @Test("under however many names, polygons without a grant stay within the user's corners")
  func manyNames() {
    var desk = MonitorDesk()
    let regions = (0..<20).map { region($0) }
    var refusals: [Refusal] = []
    var written = 0
    for i in 0..<240 {
      let id = ClientID(UInt64(100 + i))
      desk.connect(id, uid: Self.uid, app: "exe:/tmp/\(i)")
      let outputs = desk.call(.startMonitoring(regions), from: id)
      refusals += outputs.refusals
      written += outputs.count { if case .commit = $0 { true } else { false } }
    }
    #expect(refusals.count == 238)
    #expect(refusals.allSatisfy { $0.code == .limitExceeded })
    #expect(refusals.allSatisfy { $0.message.contains("CornersPerUser=") })
    #expect(desk.service.monitoring.regionTotals[Self.uid]?.corners == 2 * 20 * 900)
    // Nothing of it is written or looked for.
    #expect(written == 0 && desk.disk == Remembered())
    #expect(
      desk.service.monitoring.registrations.isEmpty && !desk.service.monitoring.detectors.isNeeded)
    // It is no other user's concern, and what has gone makes room.
    desk.connect(ClientID(9), uid: 1001, app: "exe:/bin/walk")
    #expect(desk.call(.startMonitoring(regions), from: ClientID(9)).refusals.isEmpty)
    for i in 0..<240 { desk.handle(.gone(ClientID(UInt64(100 + i)))) }
    #expect(desk.service.monitoring.regionTotals[Self.uid] == nil)
    #expect(desk.service.monitoring.undecided.regions.count == 1)
    desk.connect(ClientID(10), uid: Self.uid, app: "exe:/tmp/again")
    #expect(desk.call(.startMonitoring(regions), from: ClientID(10)).refusals.isEmpty)
  }

  @Test("each limit of regions is named by its key, and 0 is none")
  func keys() {
    func refusal(
      _ regions: [Region], _ limit: (inout LocationService.Limits) -> Void
    ) -> String? {
      var desk = MonitorDesk(regionsPerApp: 0, limit)
      desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
      return desk.call(.startMonitoring(regions), from: ClientID(5)).refusals.first?.message
    }
    let circles = (0..<3000).map { circle("c\($0)") }
    #expect(refusal(circles) { _ in }?.contains("RegionsPerUser=") == true)
    let wide = (0..<60).map { region($0) }
    #expect(refusal(wide) { _ in }?.contains("CornersPerUser=") == true)
    #expect(
      refusal(wide) {
        $0.cornersPerUser = 0
        $0.regionBytesPerUser = 100_000
      }?
      .contains("RegionBytesPerUser=") == true)
    #expect(
      refusal(circles + wide) {
        $0.regionsPerUser = 0
        $0.cornersPerUser = 0
        $0.regionBytesPerUser = 0
      } == nil)
    // Root's programs are limited by the app alone.
    var desk = MonitorDesk(regionsPerApp: 0)
    #expect(desk.call(.startMonitoring(circles + wide)).refusals.isEmpty)
  }

  @Test("what a program registered before it was allowed is monitored from then on")
  func allowedLater() {
    var desk = MonitorDesk()
    let app = ClientID(5)
    desk.connect(app, uid: Self.uid, app: "app:a")
    desk.call(.hello(.init()), from: app)
    let outputs = desk.call(.startMonitoring([circle("home")]), manager: 3, from: app)
    #expect(outputs.replies == [.done])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10), from: app).listed == ["home"])
    #expect(desk.walk(for: 30).reports.isEmpty && desk.disk.records.isEmpty)
    let granted = grant("app:a", on: &desk)
    #expect(granted.started == ["home"])
    #expect(desk.disk.records.count == 1)
    desk.walk(for: 30)
    #expect(desk.walk(north: 500, for: 100).reports == ["1 exit home"])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10), from: app).listed == ["home"])
    // From now on it is the app's, whether it is connected or not.
    desk.handle(.gone(app))
    #expect(desk.service.monitoring.registrations[App(uid: Self.uid, name: "app:a")]?.isAny == true)
    #expect(desk.service.monitoring.regionTotals[Self.uid]?.regions == 1)
  }

  @Test("what a program registered before it was refused is told to be denied")
  func deniedLater() {
    var desk = MonitorDesk()
    let app = ClientID(5)
    desk.connect(app, uid: Self.uid, app: "app:a")
    desk.call(.startMonitoring([circle("home")]), from: app)
    let denied = grant("app:a", .denied, on: &desk)
    #expect(denied.failed == ["home": .regionMonitoringDenied])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10), from: app).listed.isEmpty)
    #expect(desk.service.monitoring.regionTotals.isEmpty && desk.disk.records.isEmpty)
  }

  @Test("what nobody decided about goes with its connection, or when the program wants it no more")
  func gone() {
    var desk = MonitorDesk()
    for id in [ClientID(5), ClientID(6)] { desk.connect(id, uid: Self.uid, app: "app:a") }
    desk.call(.startMonitoring([circle("a"), circle("b")]), from: ClientID(5))
    desk.call(.startMonitoring([circle("c")]), from: ClientID(6))
    desk.call(.stopMonitoring(identifiers: ["a"]), from: ClientID(6))
    let list = Request.monitoredRegions(after: nil, limit: 10)
    #expect(desk.call(list, from: ClientID(6)).listed == ["b", "c"])
    desk.handle(.gone(ClientID(5)))
    #expect(desk.call(list, from: ClientID(6)).listed == ["c"])
    #expect(grant("app:a", on: &desk).started == ["c"])
  }

  @Test("a program that registers again while its reset is being written keeps that")
  func resetting() {
    var desk = MonitorDesk()
    desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
    _ = grant("app:a", on: &desk)
    desk.call(.startMonitoring([circle("home")]), from: ClientID(5))
    desk.isDiskSlow = true
    desk.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    desk.call(.startMonitoring([circle("work")]), from: ClientID(5))
    desk.isDiskSlow = false
    desk.finishWriting()
    #expect(grant("app:a", on: &desk).started == ["work"])
  }

  @Test("what was registered while it was allowed waits again once nobody has decided any more")
  func ruleGone() {
    var desk = MonitorDesk(policy: Self.everything)
    desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
    desk.connect(ClientID(6), uid: Self.uid, app: "app:b")
    for id in [ClientID(5), ClientID(6)] {
      desk.call(.startMonitoring([circle("home")]), from: id)
    }
    desk.handle(.gone(ClientID(6)))
    #expect(desk.disk.records.keys.count { $0.kind == Kept.region } == 2)
    desk.rule(Policy())
    #expect(desk.disk.records.keys.count { $0.app.uid == Self.uid } == 0)
    #expect(grant("app:a", on: &desk).started == ["home"])
    #expect(grant("app:b", on: &desk).started.isEmpty)
  }

  @Test("after a restart the disk is rid of what apps had that nobody has decided about")
  func orphans() {
    var desk = MonitorDesk(policy: Self.everything)
    desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
    desk.call(.startMonitoring([circle("home")]), from: ClientID(5))
    desk.call(.startMonitoring([circle("root's")]))
    desk.restart(policy: Policy())
    desk.handle(.timer)
    desk.rule(Policy())
    #expect(Set(desk.disk.records.keys.map(\.app.uid)) == [0])
    #expect(desk.service.monitoring.registrations.count == 1)
  }

  @Test("no more apps of a user are remembered than may be; an administrator may decide about more")
  func names() throws {
    var desk = MonitorDesk(policy: Self.everything) { $0.appsPerUser = 3 }
    var refusals: [Refusal] = []
    for i in 0..<10 {
      let id = ClientID(UInt64(10 + i))
      desk.connect(id, uid: Self.uid, app: "app:\(i)")
      desk.call(.startUpdatingLocation(.init()), from: id)
      refusals += desk.call(.startMonitoringVisits, from: id).refusals
      refusals += desk.call(.startMonitoring([circle("home")]), from: id).refusals
      refusals += desk.call(.startMonitoringSignificantLocationChanges, from: id).refusals
    }
    #expect(refusals.count == 7 * 3)
    #expect(
      refusals.allSatisfy { $0.code == .limitExceeded && $0.message.contains("AppsPerUser=") })
    #expect(
      desk.service.monitoring.registrations.count == 3
        && desk.service.permissions.usage.entries.count == 3)
    #expect(grant("app:9", on: &desk).refusals.isEmpty)
    #expect(
      desk.call(.startMonitoringVisits, from: ClientID(19)).refusals.isEmpty)
    // One that has nothing registered any more, and was not decided about, makes room.
    desk.call(.permissionsReset(AppSelection(app: "app:0", uid: Self.uid)))
    #expect(
      desk.service.permissions.usage.entries.count == 2
        && desk.service.monitoring.registrations.count == 3)
  }

  @Test("of a user with all the apps that may be, no further one is asked about")
  func questions() {
    var desk = MonitorDesk { $0.appsPerUser = 2 }
    for i in 0..<2 { _ = grant("app:\(i)", on: &desk) }
    var agent = Caller(uid: Self.uid, pid: 9, app: "userunit:locationd-agent")
    agent.unit = .user("locationd-agent.service")
    agent.isInUserSlice = true
    desk.handle(.connected(ClientID(8), agent))
    desk.call(.agentRegister, from: ClientID(8))
    desk.connect(ClientID(5), uid: Self.uid, app: "app:more")
    let outputs = desk.call(.requestAuthorization(.authorizedWhenInUse), from: ClientID(5))
    #expect(outputs.asked.isEmpty && outputs.refusals.map(\.code) == [.limitExceeded])
    #expect(outputs.refusals.first?.message.contains("AppsPerUser=") == true)
  }

  @Test("events that nobody acknowledges are bounded for all apps of a user, the oldest going")
  func events() {
    var desk = MonitorDesk(policy: Self.everything) { $0.eventBytesPerUser = 20_000 }
    for i in 0..<4 {
      let id = ClientID(UInt64(10 + i))
      desk.connect(id, uid: Self.uid, app: "app:\(i)")
      desk.call(.startMonitoring([circle("home")]), from: id)
      desk.handle(.gone(id))
    }
    desk.walk(for: 30)
    for _ in 0..<20 {
      desk.walk(north: 500, for: 100)
      desk.walk(north: 0, for: 100)
    }
    let waiting = desk.service.monitoring.registrations.values.map(\.pending.count)
    #expect(
      desk.service.monitoring.eventTotals.bytes[Self.uid].map { (15_000...20_000) ~= $0 } == true)
    #expect(waiting.allSatisfy { $0 > 3 } && desk.disk.events.count == waiting.reduce(0, +))
    let last = desk.service.monitoring.registrations.values.map(\.lastEvent)
    #expect(last == [40, 40, 40, 40])
    for i in 0..<4 {
      let id = ClientID(UInt64(10 + i))
      desk.connect(id, uid: Self.uid, app: "app:\(i)")
      desk.call(.acknowledge(event: 40), from: id)
    }
    #expect(desk.service.monitoring.eventTotals.bytes.isEmpty && desk.disk.events.isEmpty)
  }

  @Test("a forgotten app is not remembered for its numbers, and none is given twice")
  func numbers() {
    var desk = MonitorDesk()
    let app = App(uid: Self.uid, name: "app:a")
    func crossing(_ desk: inout MonitorDesk) -> [String] {
      _ = grant("app:a", on: &desk)
      desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
      desk.call(.startMonitoring([circle("home")]), from: ClientID(5))
      desk.walk(north: 0, for: 100)
      return desk.walk(north: 500, for: 100).reports
    }
    #expect(crossing(&desk) == ["1 exit home"])
    desk.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    #expect(desk.service.monitoring.registrations[app] == nil && desk.disk.lastEvents[app] == nil)
    // The way back was an event, too.
    #expect(crossing(&desk) == ["3 exit home"])
    desk.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    desk.restart()
    #expect(crossing(&desk) == ["5 exit home"])
  }

  @Test("what waits for a slow disk is bounded, too")
  func slowDisk() {
    var desk = MonitorDesk(policy: Self.everything) { $0.bytesPerUser = 100_000 }
    desk.isDiskSlow = true
    desk.connect(ClientID(5), uid: Self.uid, app: "app:a")
    var refusals: [Refusal] = []
    for i in 0..<20 {
      let one = Region(identifier: "one", region(i).shape)
      refusals += desk.call(.startMonitoring([one]), from: ClientID(5)).refusals
    }
    #expect(refusals.count > 10)
    #expect(
      refusals.allSatisfy { $0.code == .limitExceeded && $0.message.contains("BytesPerUser=") })
    desk.isDiskSlow = false
    desk.finishWriting()
    #expect(desk.call(.startMonitoringVisits, from: ClientID(5)).refusals.isEmpty)
  }

  @Test("a region that is registered again as it was is not written again")
  func unchanged() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home"), circle("work", north: 900)]))
    let again = desk.call(.startMonitoring([circle("home"), circle("work", north: 800)]))
    #expect(again.written == ["work"])
    #expect(again.started == ["home", "work"] && again.replies == [.done])
  }

  @Test("managers that listen are bounded over all connections of a user")
  func managers() {
    var desk = MonitorDesk { $0.managersPerUser = 10 }
    for i in 0..<5 {
      let id = ClientID(UInt64(10 + i))
      desk.connect(id, uid: Self.uid, app: "app:a")
      for manager in 0..<5 {
        desk.call(.monitoredRegions(after: nil, limit: 1), manager: manager, from: id)
      }
    }
    #expect(desk.service.clients.all.values.reduce(0) { $0 + $1.listening.managers.count } == 10)
  }

  @Test("an app's name is short enough to be repeated in each of its records")
  func longNames() {
    #expect(AppName("exe:/" + String(repeating: "a", count: 500)) != nil)
    #expect(AppName("exe:/" + String(repeating: "a", count: 600)) == nil)
  }
}

extension [Output] {
  /// Regions that are told to be monitored from now on.
  fileprivate var started: [String] {
    compactMap {
      if case .tell(_, .didStartMonitoring(let identifier)) = $0 { identifier } else { nil }
    }
  }

  fileprivate var failed: [String: Refusal.Code] {
    reduce(into: [:]) {
      if case .tell(_, .monitoringDidFail(let identifier?, let refusal)) = $1 {
        $0[identifier] = refusal.code
      }
    }
  }

  /// Keys of the records that are written.
  fileprivate var written: [String] {
    flatMap { output -> [String] in
      guard case .commit(let changes, _) = output else { return [] }
      return changes.compactMap { if case .put(_, _, let key, _) = $0 { key } else { nil } }
    }
  }
}
