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
    // A reset app is a new one, and is told the place that is there.
    harness.write(harness.call(.permissionsReset(AppSelection(app: "app:weather", uid: 1000))))
    let granted = harness.write(harness.call(.permissionsSet(change))).notes
    #expect(granted.count { $0.contains("begins to be told the place") } == 1, "\(granted)")
  }
}
