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
      return MonitoringHarness.place(north: 1000 * north + Double(number), east: 1000 * east)
    }
    return Region(identifier: "region \(number)", .polygon(ring, holes: []))
  }

  private func circle(_ identifier: String, north: Double = 0) -> Region {
    Region(identifier: identifier, .circle(MonitoringHarness.place(north: north), radius: 100))
  }

  private func grant(
    _ app: String, _ authorization: Authorization = .authorizedAlways,
    on harness: inout MonitoringHarness
  ) -> [Output] {
    harness.call(
      .permissionsSet(PermissionChange(app: app, uid: Self.uid, authorization: authorization)))
  }

  private static let everything = Policy([
    .init(app: nil, uids: nil, rule: .allow(.authorizedAlways, .full))
  ])

  @Test("under however many names, polygons without a grant stay within the user's corners")
  func manyNames() {
    var harness = MonitoringHarness()
    let regions = (0..<20).map { region($0) }
    var refusals: [Refusal] = []
    var written = 0
    for i in 0..<60 {
      let id = ClientID(UInt64(100 + i))
      harness.connect(id, uid: Self.uid, app: "exe:/tmp/\(i)")
      let outputs = harness.call(.startMonitoring(regions), from: id)
      refusals += outputs.refusals
      written += outputs.count { if case .commit = $0 { true } else { false } }
    }
    #expect(refusals.count == 58)
    #expect(refusals.allSatisfy { $0.code == .limitExceeded })
    #expect(refusals.allSatisfy { $0.message.contains("CornersPerUser=") })
    #expect(harness.service.monitoring.regionTotals[Self.uid]?.corners == 2 * 20 * 900)
    // Nothing of it is written or looked for.
    #expect(written == 0 && harness.disk == StoreSnapshot())
    #expect(
      harness.service.monitoring.registrations.isEmpty
        && !harness.service.monitoring.detectors.isNeeded)
    // It is no other user's concern, and what has gone makes room.
    harness.connect(ClientID(9), uid: 1001, app: "exe:/bin/walk")
    #expect(harness.call(.startMonitoring(regions), from: ClientID(9)).refusals.isEmpty)
    for i in 0..<60 { harness.handle(.gone(ClientID(UInt64(100 + i)))) }
    #expect(harness.service.monitoring.regionTotals[Self.uid] == nil)
    #expect(harness.service.monitoring.undecided.regions.count == 1)
    harness.connect(ClientID(10), uid: Self.uid, app: "exe:/tmp/again")
    #expect(harness.call(.startMonitoring(regions), from: ClientID(10)).refusals.isEmpty)
  }

  @Test("each limit of regions is named by its key, and 0 is none")
  func keys() {
    func refusal(
      _ regions: [Region], _ limit: (inout LocationService.Limits) -> Void
    ) -> String? {
      var harness = MonitoringHarness(regionsPerApp: 0, limit)
      harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
      return harness.call(.startMonitoring(regions), from: ClientID(5)).refusals.first?.message
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
    var harness = MonitoringHarness(regionsPerApp: 0)
    #expect(harness.call(.startMonitoring(circles + wide)).refusals.isEmpty)
  }

  @Test("what a program registered before it was allowed is monitored from then on")
  func allowedLater() {
    var harness = MonitoringHarness()
    let app = ClientID(5)
    harness.connect(app, uid: Self.uid, app: "app:a")
    harness.call(.hello(.init()), from: app)
    let outputs = harness.call(.startMonitoring([circle("home")]), manager: 3, from: app)
    #expect(outputs.replies == [.done])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10), from: app).listed == ["home"])
    #expect(harness.walk(for: 30).reports.isEmpty && harness.disk.records.isEmpty)
    let granted = grant("app:a", on: &harness)
    #expect(granted.started == ["home"])
    #expect(harness.disk.records.count == 1)
    harness.walk(for: 30)
    #expect(harness.walk(north: 500, for: 100).reports == ["1 exit home"])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10), from: app).listed == ["home"])
    // From now on it is the app's, whether it is connected or not.
    harness.handle(.gone(app))
    #expect(
      harness.service.monitoring.registrations[App(uid: Self.uid, name: "app:a")]?.isAny == true)
    #expect(harness.service.monitoring.regionTotals[Self.uid]?.regions == 1)
  }

  @Test(
    "a pause decides about no program: regions that wait are not told to be denied, and wait on")
  func pausedMeanwhile() {
    var harness = MonitoringHarness()
    let app = ClientID(5)
    harness.connect(app, uid: Self.uid, app: "app:a")
    harness.call(.startMonitoring([circle("home")]), from: app)
    let paused = harness.call(.pause(PauseRequest(seconds: 60, uid: Self.uid)))
    #expect(paused.replies.first?.pause != nil && paused.failed.isEmpty)
    harness.now += 61
    harness.handle(.timer)
    #expect(grant("app:a", .denied, on: &harness).failed == ["home": .regionMonitoringDenied])
  }

  @Test("what a program registered before it was refused is told to be denied")
  func deniedLater() {
    var harness = MonitoringHarness()
    let app = ClientID(5)
    harness.connect(app, uid: Self.uid, app: "app:a")
    harness.call(.startMonitoring([circle("home")]), from: app)
    let denied = grant("app:a", .denied, on: &harness)
    #expect(denied.failed == ["home": .regionMonitoringDenied])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10), from: app).listed.isEmpty)
    #expect(harness.service.monitoring.regionTotals.isEmpty && harness.disk.records.isEmpty)
  }

  @Test("what nobody decided about goes with its connection, or when the program wants it no more")
  func gone() {
    var harness = MonitoringHarness()
    for id in [ClientID(5), ClientID(6)] { harness.connect(id, uid: Self.uid, app: "app:a") }
    harness.call(.startMonitoring([circle("a"), circle("b")]), from: ClientID(5))
    harness.call(.startMonitoring([circle("c")]), from: ClientID(6))
    harness.call(.stopMonitoring(identifiers: ["a"]), from: ClientID(6))
    let list = Request.monitoredRegions(after: nil, limit: 10)
    #expect(harness.call(list, from: ClientID(6)).listed == ["b", "c"])
    harness.handle(.gone(ClientID(5)))
    #expect(harness.call(list, from: ClientID(6)).listed == ["c"])
    #expect(grant("app:a", on: &harness).started == ["c"])
  }

  @Test("a program that registers again while its reset is being written keeps that")
  func resetting() {
    var harness = MonitoringHarness()
    harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
    _ = grant("app:a", on: &harness)
    harness.call(.startMonitoring([circle("home")]), from: ClientID(5))
    harness.isDiskSlow = true
    harness.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    harness.call(.startMonitoring([circle("work")]), from: ClientID(5))
    harness.isDiskSlow = false
    harness.finishWriting()
    #expect(grant("app:a", on: &harness).started == ["work"])
  }

  @Test("what was registered while it was allowed waits again once nobody has decided any more")
  func ruleGone() {
    var harness = MonitoringHarness(policy: Self.everything)
    harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
    harness.connect(ClientID(6), uid: Self.uid, app: "app:b")
    for id in [ClientID(5), ClientID(6)] {
      harness.call(.startMonitoring([circle("home")]), from: id)
    }
    harness.handle(.gone(ClientID(6)))
    #expect(harness.disk.records.keys.count { $0.kind == StoredRecord.region } == 2)
    harness.rule(Policy())
    #expect(harness.disk.records.keys.count { $0.app.uid == Self.uid } == 0)
    #expect(grant("app:a", on: &harness).started == ["home"])
    #expect(grant("app:b", on: &harness).started.isEmpty)
  }

  @Test("after a restart the disk is rid of what apps had that nobody has decided about")
  func orphans() {
    var harness = MonitoringHarness(policy: Self.everything)
    harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
    harness.call(.startMonitoring([circle("home")]), from: ClientID(5))
    harness.call(.startMonitoring([circle("root's")]))
    harness.restart(policy: Policy())
    harness.handle(.timer)
    harness.rule(Policy())
    #expect(Set(harness.disk.records.keys.map(\.app.uid)) == [0])
    #expect(harness.service.monitoring.registrations.count == 1)
  }

  @Test("no more apps of a user are remembered than may be; an administrator may decide about more")
  func names() throws {
    var harness = MonitoringHarness(policy: Self.everything) { $0.appsPerUser = 3 }
    var refusals: [Refusal] = []
    for i in 0..<10 {
      let id = ClientID(UInt64(10 + i))
      harness.connect(id, uid: Self.uid, app: "app:\(i)")
      harness.call(.startUpdatingLocation(.init()), from: id)
      refusals += harness.call(.startMonitoringVisits, from: id).refusals
      refusals += harness.call(.startMonitoring([circle("home")]), from: id).refusals
      refusals += harness.call(.startMonitoringSignificantLocationChanges, from: id).refusals
    }
    #expect(refusals.count == 7 * 3)
    #expect(
      refusals.allSatisfy { $0.code == .limitExceeded && $0.message.contains("AppsPerUser=") })
    #expect(
      harness.service.monitoring.registrations.count == 3
        && harness.service.permissions.usage.entries.count == 3)
    #expect(grant("app:9", on: &harness).refusals.isEmpty)
    #expect(
      harness.call(.startMonitoringVisits, from: ClientID(19)).refusals.isEmpty)
    // One that has nothing registered any more, and was not decided about, makes room.
    harness.call(.permissionsReset(AppSelection(app: "app:0", uid: Self.uid)))
    #expect(
      harness.service.permissions.usage.entries.count == 2
        && harness.service.monitoring.registrations.count == 3)
  }

  @Test("of a user with all the apps that may be, no further one is asked about")
  func questions() {
    var harness = MonitoringHarness { $0.appsPerUser = 2 }
    for i in 0..<2 { _ = grant("app:\(i)", on: &harness) }
    harness.handle(.connected(ClientID(8), .agent(uid: Self.uid)))
    harness.call(.agentRegister, from: ClientID(8))
    harness.connect(ClientID(5), uid: Self.uid, app: "app:more")
    let outputs = harness.call(.requestAuthorization(.authorizedWhenInUse), from: ClientID(5))
    #expect(outputs.asked.isEmpty && outputs.refusals.map(\.code) == [.limitExceeded])
    #expect(outputs.refusals.first?.message.contains("AppsPerUser=") == true)
  }

  @Test("events that nobody acknowledges are bounded for all apps of a user, the oldest going")
  func events() {
    var harness = MonitoringHarness(policy: Self.everything) { $0.eventBytesPerUser = 20_000 }
    for i in 0..<4 {
      let id = ClientID(UInt64(10 + i))
      harness.connect(id, uid: Self.uid, app: "app:\(i)")
      harness.call(.startMonitoring([circle("home")]), from: id)
      harness.handle(.gone(id))
    }
    harness.walk(for: 30)
    for _ in 0..<20 {
      harness.walk(north: 500, for: 100)
      harness.walk(north: 0, for: 100)
    }
    let waiting = harness.service.monitoring.registrations.values.map(\.pending.count)
    #expect(
      harness.service.monitoring.eventTotals.bytes[Self.uid].map { (15_000...20_000) ~= $0 } == true
    )
    #expect(waiting.allSatisfy { $0 > 3 } && harness.disk.events.count == waiting.reduce(0, +))
    let last = harness.service.monitoring.registrations.values.map(\.lastEvent)
    #expect(last == [40, 40, 40, 40])
    for i in 0..<4 {
      let id = ClientID(UInt64(10 + i))
      harness.connect(id, uid: Self.uid, app: "app:\(i)")
      harness.call(.acknowledge(event: 40), from: id)
    }
    #expect(harness.service.monitoring.eventTotals.bytes.isEmpty && harness.disk.events.isEmpty)
  }

  @Test("a forgotten app is not remembered for its numbers, and none is given twice")
  func numbers() {
    var harness = MonitoringHarness()
    let app = App(uid: Self.uid, name: "app:a")
    func crossing(_ harness: inout MonitoringHarness) -> [String] {
      _ = grant("app:a", on: &harness)
      harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
      harness.call(.startMonitoring([circle("home")]), from: ClientID(5))
      harness.walk(north: 0, for: 100)
      return harness.walk(north: 500, for: 100).reports
    }
    #expect(crossing(&harness) == ["1 exit home"])
    harness.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    #expect(
      harness.service.monitoring.registrations[app] == nil && harness.disk.lastEvents[app] == nil)
    // The way back was an event, too.
    #expect(crossing(&harness) == ["3 exit home"])
    harness.call(.permissionsReset(AppSelection(app: "app:a", uid: Self.uid)))
    harness.restart()
    #expect(crossing(&harness) == ["5 exit home"])
  }

  @Test("what waits for a slow disk is bounded, too")
  func slowDisk() {
    var harness = MonitoringHarness(policy: Self.everything) { $0.bytesPerUser = 100_000 }
    harness.isDiskSlow = true
    harness.connect(ClientID(5), uid: Self.uid, app: "app:a")
    var refusals: [Refusal] = []
    for i in 0..<20 {
      let one = Region(identifier: "one", region(i).shape)
      refusals += harness.call(.startMonitoring([one]), from: ClientID(5)).refusals
    }
    #expect(refusals.count > 10)
    #expect(
      refusals.allSatisfy { $0.code == .limitExceeded && $0.message.contains("BytesPerUser=") })
    harness.isDiskSlow = false
    harness.finishWriting()
    #expect(harness.call(.startMonitoringVisits, from: ClientID(5)).refusals.isEmpty)
  }

  @Test("a region that is registered again as it was is not written again")
  func unchanged() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home"), circle("work", north: 900)]))
    let again = harness.call(.startMonitoring([circle("home"), circle("work", north: 800)]))
    #expect(again.written == ["work"])
    #expect(again.started == ["home", "work"] && again.replies == [.done])
  }

  @Test("managers that listen are bounded over all connections of a user")
  func managers() {
    var harness = MonitoringHarness { $0.managersPerUser = 10 }
    harness.call(
      .permissionsSet(
        PermissionChange(app: "app:a", uid: Self.uid, authorization: .authorizedAlways)))
    for i in 0..<5 {
      let id = ClientID(UInt64(10 + i))
      harness.connect(id, uid: Self.uid, app: "app:a")
      for manager in 0..<5 {
        harness.call(.monitoredRegions(after: nil, limit: 1), manager: manager, from: id)
      }
    }
    func listening() -> Int {
      harness.service.clients.all.values.reduce(0) { $0 + $1.listening.managers.count }
    }
    #expect(listening() == 10)
    // A manager too many is refused, and registers nothing; a manager that stops needs no room.
    let late = ClientID(14)
    for request: Request in [
      .startMonitoringVisits, .startMonitoringSignificantLocationChanges,
      .startMonitoring([circle("home")]),
    ] {
      let outputs = harness.call(request, manager: 90, from: late)
      #expect(outputs.refusals.map(\.code) == [.limitExceeded])
    }
    #expect(harness.service.monitoring.registeredApps.isEmpty)
    for manager in 100..<200 {
      harness.call(.stopMonitoringSignificantLocationChanges, manager: manager, from: late)
    }
    #expect(listening() == 10)
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
      return changes.compactMap {
        if case .put(_, let kind, let key, _) = $0, kind != StoredRecord.asked { key } else { nil }
      }
    }
  }
}
