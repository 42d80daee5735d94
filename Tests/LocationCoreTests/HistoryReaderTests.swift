import LocationModel
import Testing

@testable import LocationCore

@Suite("The readers of the history") struct HistoryReaderTests {
  /// Two users' apps have been told a place, and one is in a sandbox.
  private func harness() -> ServiceHarness {
    var harness = ServiceHarness()
    harness.connect(ClientID(5), app: "flatpak:org.a.Maps", .sandbox)
    harness.connect(ClientID(6), app: "app:weather")
    harness.connect(ClientID(7), app: "app:weather", uid: 1001)
    harness.connectTerminal()
    for (id, app, uid) in [
      (5, "flatpak:org.a.Maps", 1000), (6, "app:weather", 1000), (7, "app:weather", 1001),
    ] as [(UInt64, String, UInt32)] {
      let change = PermissionChange(app: app, uid: uid, authorization: .authorizedAlways)
      harness.write(harness.call(.permissionsSet(change)))
      harness.call(.hello(.init(name: "N\(id)", purpose: "P\(id)")), from: ClientID(id))
      harness.call(.startUpdatingLocation(.init()), from: ClientID(id))
    }
    harness.tick()
    return harness
  }

  @Test(
    "an administrator sees everybody's, a terminal its user's, a program and a sandbox their own")
  func views() {
    var harness = harness()
    func seen(_ id: ClientID, _ harness: inout ServiceHarness) -> [String] {
      harness.history(from: id).map { "\($0.app) \($0.uid)" }.sorted()
    }
    #expect(
      seen(ServiceHarness.root, &harness) == [
        "app:weather 1000", "app:weather 1001", "flatpak:org.a.Maps 1000",
      ])
    #expect(
      seen(ServiceHarness.terminal, &harness) == ["app:weather 1000", "flatpak:org.a.Maps 1000"])
    #expect(seen(ClientID(5), &harness) == ["flatpak:org.a.Maps 1000"])
    #expect(seen(ClientID(6), &harness) == ["app:weather 1000"])
    #expect(seen(ClientID(7), &harness) == ["app:weather 1001"])
    harness.connect(ClientID(8), app: "user:1000", .sandbox)
    #expect(seen(ClientID(8), &harness).isEmpty)
    let others = HistoryQuery(uid: 1001)
    for id in [ServiceHarness.terminal, ClientID(5), ClientID(6)] {
      #expect(harness.call(.history(others), from: id).refusals.map(\.code) == [.denied])
    }
    #expect(harness.history(others).map(\.uid) == [1001])
    #expect(harness.history(HistoryQuery(app: "app:weather"), from: ClientID(5)).isEmpty)
  }

  @Test("the person's page hears which sources there are and which fail, and no more of them")
  func sources() {
    var harness = harness()
    var page = Caller(uid: 1000, pid: 31, app: "userunit:locationd-settings")
    page.unit = .user("locationd-settings.service")
    page.isInUserSlice = true
    harness.handle(.connected(ClientID(31), page))
    harness.fix()
    let told = harness.call(.status, from: ClientID(31)).replies.first?.status?.json["sources"]
    let source = told?.array?.first
    #expect(source == ["name": "gps"])
    harness.handle(.failed(SourceID(0), "no recording at /home/b/a.nmea"))
    let failed = harness.call(.status, from: ClientID(31)).replies.first?.status?.json["sources"]
    #expect(failed?.array?.first == ["name": "gps", "state": "failed"])
    page.isInUserSlice = false
    harness.handle(.connected(ClientID(32), page))
    let other = harness.call(.status, from: ClientID(32)).replies.first?.status
    #expect(other != nil && other?.json["sources"] == nil)
  }

  @Test("an app's own words stand beside its name, in the history and among the apps")
  func claims() {
    var harness = harness()
    let entry = harness.history(HistoryQuery(app: "app:weather", uid: 1001)).first
    #expect(entry?.claim == AppClaim(name: "N7", purpose: "P7"))
    let apps = harness.call(.permissionsList).replies.first?.permissions ?? []
    #expect(apps.first { $0.uid == 1001 }?.claim == AppClaim(name: "N7", purpose: "P7"))
  }

  @Test(
    "only a person's terminal, their agent and an administrator forget it, and it leaves the disk")
  func forget() {
    var harness = harness()
    for id in [ClientID(5), ClientID(6), ClientID(7)] {
      let refused = harness.call(.historyForget(AppSelection()), from: id)
      #expect(refused.refusals.map(\.code) == [.denied] && refused.changes.isEmpty)
    }
    let others = AppSelection(app: "app:weather", uid: 1001)
    #expect(
      harness.call(.historyForget(others), from: ServiceHarness.terminal).refusals.count == 1)
    let done = harness.call(
      .historyForget(AppSelection(app: "app:weather")), from: ServiceHarness.terminal)
    let gone = Change.remove(App(uid: 1000, name: ""), kind: AccessHistory.kind, key: "app:weather")
    #expect(done.changes == [gone] && gone.erases)
    #expect(harness.write(done).replies == [.done])
    #expect(
      harness.history().map { "\($0.app) \($0.uid)" } == [
        "app:weather 1001", "flatpak:org.a.Maps 1000",
      ])
    harness.handle(.connected(ClientID(30), .agent()))
    harness.write(harness.call(.historyForget(AppSelection()), from: ClientID(30)))
    #expect(harness.history().map(\.uid) == [1001])
  }

  @Test("reset forgets an app's accesses, and revoke keeps them")
  func reset() {
    var harness = harness()
    let denied = PermissionChange(app: "app:weather", uid: 1000, authorization: .denied)
    harness.write(harness.call(.permissionsSet(denied)))
    #expect(harness.history(HistoryQuery(app: "app:weather", uid: 1000)).count == 1)
    let outputs = harness.call(
      .permissionsReset(AppSelection(app: "app:weather", uid: 1000)))
    #expect(
      outputs.changes.contains(
        .remove(App(uid: 1000, name: ""), kind: AccessHistory.kind, key: "app:weather")))
    #expect(harness.history(HistoryQuery(app: "app:weather", uid: 1000)).isEmpty)
    #expect(harness.history(HistoryQuery(app: "app:weather", uid: 1001)).count == 1)
  }

  @Test("the journal says once an hour that an app begins in the background, without its words")
  func journal() {
    var harness = ServiceHarness(use: .logind)
    harness.connect(ClientID(6), app: "app:weather")
    harness.call(.hello(.init(name: "Secret", purpose: "Secret")), from: ClientID(6))
    let change = PermissionChange(app: "app:weather", uid: 1000, authorization: .authorizedAlways)
    harness.write(harness.call(.permissionsSet(change)))
    harness.handle(.present([1000]))
    harness.call(.startUpdatingLocation(.init()), from: ClientID(6))
    harness.now += 1
    #expect(harness.fix().notes.isEmpty)
    harness.handle(.present([]))
    var said: [String] = []
    for _ in 0..<62 {
      harness.now += 61
      said += harness.fix(north: harness.now).notes
    }
    #expect(
      said == [
        "app:weather (uid 1000) begins to be told the place in the background (standard, full)",
        "app:weather (uid 1000) begins to be told the place in the background (standard, full)",
      ])
  }

  /// An app that is told the place in the background, again and again.
  private func behind() -> ServiceHarness {
    var harness = ServiceHarness(use: .logind)
    harness.connect(ClientID(6), app: "app:weather")
    harness.connectTerminal()
    allow(&harness)
    return harness
  }

  private func allow(_ harness: inout ServiceHarness) {
    let change = PermissionChange(app: "app:weather", uid: 1000, authorization: .authorizedAlways)
    harness.write(harness.call(.permissionsSet(change)))
    harness.call(.startUpdatingLocation(.init()), from: ClientID(6))
  }

  /// The journal's lines about beginnings, of `count` of them, each after 61 seconds.
  private func lines(_ count: Int, _ harness: inout ServiceHarness) -> Int {
    var notes: [String] = []
    for _ in 0..<count {
      harness.now += 61
      notes += harness.fix(north: harness.now).notes
    }
    return notes.count { $0.contains("begins to be told the place") }
  }

  @Test("neither reset nor a history that is forgotten has the journal say it twice an hour")
  func forgotten() {
    var harness = behind()
    #expect(lines(2, &harness) == 1)
    for _ in 0..<10 {
      harness.write(harness.call(.permissionsReset(AppSelection(app: "app:weather", uid: 1000))))
      allow(&harness)
      harness.write(harness.call(.historyForget(AppSelection()), from: ServiceHarness.terminal))
      #expect(lines(2, &harness) == 0)
    }
    #expect(lines(40, &harness) == 1)
  }

  @Test("a daemon that starts anew remembers the journal's line for its hour")
  func restarted() throws {
    var harness = behind()
    let begun = harness.now + 61
    var disk = StoreSnapshot()
    for _ in 0..<3 {
      harness.now += 61
      for case .put(let app, let kind, let key, let bytes) in harness.fix(north: harness.now).stored
      {
        disk.records[.init(app: app, kind: kind, key: key)] = bytes
      }
    }
    try #require(disk.records.count == 1)
    let app = App(uid: 1000, name: "app:weather")
    let settings = LocationService.Settings(version: "1", uid: 990, sources: [])
    func mayTell(_ seconds: Double) -> Bool {
      var history = AccessHistory(settings, disk, at: ServiceHarness.instant(begun + 10))
      return history.isNews(of: app, at: ServiceHarness.instant(begun + seconds))
    }
    #expect(!mayTell(20) && !mayTell(3598) && mayTell(3600))
    // The record goes on with the hour that was remembered.
    var history = AccessHistory(settings, disk, at: ServiceHarness.instant(begun + 10))
    let later = ServiceHarness.instant(begun + 100)
    _ = history.note(app, .init(.standard), AppClaim(), at: later)
    guard case .put(_, _, _, let bytes)? = history.drain().first else {
      Issue.record("nothing is written")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""noted":\#(Int(begun))"#))
  }

  @Test("of one user's apps no more are remembered than a user may have")
  func bounded() {
    var lines = BackgroundLines()
    let now = ServiceHarness.instant(10)
    let apps = (0..<4).map { App(uid: 1000, name: "app:\($0)") }
    for (i, app) in apps.enumerated() {
      let now = ServiceHarness.instant(Double(i))
      let isNew = lines.mayTell(of: app, most: 3, at: now)
      #expect(isNew)
    }
    #expect(lines.members(of: apps[0]).isEmpty && !lines.members(of: apps[1]).isEmpty)
    let isOthers = lines.mayTell(of: App(uid: 1001, name: "app:1"), most: 3, at: now)
    #expect(isOthers && !lines.members(of: apps[1]).isEmpty)
  }
}
