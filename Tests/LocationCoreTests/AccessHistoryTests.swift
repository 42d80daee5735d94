import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

extension ServiceHarness {
  static let terminal = ClientID(9)

  /// Our command line on a terminal of that user's.
  mutating func connectTerminal(_ id: ClientID = ServiceHarness.terminal, uid: UInt32 = 1000) {
    var caller = Caller(uid: uid, pid: 90, app: "exe:/usr/bin/locationctl")
    caller.hasTerminal = true
    caller.isInUserSlice = true
    handle(.connected(id, caller))
  }

  mutating func connect(
    _ id: ClientID, app: String, uid: UInt32 = 1000, _ confinement: Caller.Confinement = .none
  ) {
    var caller = Caller(uid: uid, pid: Int32(id.number), app: app)
    caller.confinement = confinement
    handle(.connected(id, caller))
  }

  mutating func history(
    _ query: HistoryQuery = HistoryQuery(), from client: ClientID = root
  ) -> [AppAccess] {
    call(.history(query), from: client).replies.first?.history ?? []
  }

  /// A second goes by, with a fix that the app is told.
  mutating func tick(_ seconds: Double = 1) {
    now += seconds
    fix(north: now)
  }
}

extension [Output] {
  var stored: [Change] {
    changes.filter { if case .put(_, AccessHistory.kind, _, _) = $0 { true } else { false } }
  }
}

@Suite("The history of accesses") struct AccessHistoryTests {
  private static let settings = LocationService.Settings(version: "1", uid: 990, sources: [])

  /// An app of user 1000 that may know and updates.
  private func harness(_ use: UseRule = .connected) -> ServiceHarness {
    var harness = ServiceHarness(use: use)
    harness.handle(.present([1000]))
    harness.connectApp()
    harness.grant(.authorizedAlways)
    return harness
  }

  @Test("an access begins with a place after a minute without, and lasts to the last place")
  func begins() throws {
    var harness = harness()
    for _ in 0..<30 { harness.tick() }
    var entry = try #require(harness.history().first)
    #expect(entry.app == "user:1000" && entry.uid == 1000 && entry.day == 0)
    #expect(entry.kind == AppAccess.Kind(.standard))
    #expect(entry.tally.accesses == 1 && entry.tally.seconds == 29)
    #expect(entry.tally.first == ServiceHarness.instant(101).utc)
    #expect(entry.tally.last == ServiceHarness.instant(130).utc)
    harness.tick(59)
    harness.tick(60)
    entry = try #require(harness.history().first)
    #expect(entry.tally.accesses == 2 && entry.tally.seconds == 88)
    #expect(harness.history().count == 1)
  }

  @Test("an app that is told nothing has no access, however often it asks")
  func untold() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.tick()
    harness.call(.location, from: ServiceHarness.app)
    harness.call(.requestLocation(.init()), from: ServiceHarness.app)
    #expect(harness.history().isEmpty)
    harness.grant(.denied)
    harness.tick()
    #expect(harness.history().isEmpty)
  }

  @Test("connections of one app are one access, also those that come and go")
  func connections() throws {
    var harness = harness()
    harness.call(.stopUpdatingLocation, from: ServiceHarness.app)
    for i in 0..<4 {
      let id = ClientID(UInt64(20 + i))
      harness.connect(id, uid: 1000)
      harness.call(.startUpdatingLocation(.init()), from: id)
      harness.tick(20)
      harness.handle(.gone(id))
    }
    let entry = try #require(harness.history().first)
    #expect(entry.tally.accesses == 1 && entry.tally.seconds == 60)
  }

  @Test("exactness, background and service are told apart")
  func kinds() throws {
    var harness = harness(.logind)
    harness.tick()
    harness.handle(.present([]))
    harness.tick()
    harness.grant(.authorizedAlways, accuracy: .reduced)
    harness.tick(1000)
    let kinds = Set(harness.history().map(\.kind))
    #expect(
      kinds == [
        .init(.standard), .init(.standard, isBackground: true),
        .init(.standard, .reduced, isBackground: true),
      ])
  }

  @Test("a place as coarse as a reduced one is an access of reduced exactness")
  func vague() throws {
    var harness = harness()
    harness.now += 1
    harness.fix(accuracy: AccuracyAuthorization.reducedRadius)
    #expect(harness.history().first?.kind.accuracy == .reduced)
  }

  @Test("each day has its own entry by the clock on the wall, and 30 days are kept")
  func days() throws {
    var harness = harness()
    for _ in 0..<40 {
      harness.tick(86_400)
      harness.tick()
    }
    let entries = harness.history()
    #expect(entries.map(\.day) == Array((11...40).reversed()))
    #expect(harness.history(HistoryQuery(days: 2)).map(\.day) == [40, 39])
    var settings = Self.settings
    settings.localOffset = .seconds(9 * 3600)
    let history = AccessHistory(settings, StoreSnapshot(), at: ServiceHarness.instant(0))
    #expect(history.day(at: ServiceHarness.instant(15 * 3600)) == 1)
    #expect(history.day(at: ServiceHarness.instant(15 * 3600 - 1)) == 0)
  }

  @Test("a clock that is not set forgets no day")
  func untrusted() {
    var history = AccessHistory(Self.settings, StoreSnapshot(), at: ServiceHarness.instant(0))
    let app = App(uid: 1000, name: "app:a")
    var now = ServiceHarness.instant(0)
    _ = history.note(app, .init(.standard), AppClaim(), at: now)
    now.utc = now.utc + .seconds(86_400 * 400)
    now.boottime += .seconds(100)
    now.utcTrusted = false
    _ = history.note(app, .init(.standard), AppClaim(), at: now)
    _ = history.drainDue(at: now)
    #expect(history.records[app]?.rows.count == 2)
    now.utc = now.utc + .seconds(86_400)
    now.boottime += .seconds(1)
    now.utcTrusted = true
    _ = history.note(app, .init(.standard), AppClaim(), at: now)
    _ = history.drainDue(at: now)
    #expect(history.records[app]?.rows.map(\.day) == [400, 401])
  }

  @Test("a day that is over leaves the disk at a start, and with whatever happens then")
  func expires() {
    var harness = harness()
    harness.tick()
    let outputs = harness.outputs
    let gone = Change.remove(App(uid: 1000, name: ""), kind: AccessHistory.kind, key: "user:1000")
    harness.now = 30 * 86_400 - 1
    #expect(!harness.handle(.timer).changes.contains(gone))
    harness.now += 1
    #expect(harness.handle(.timer).changes.contains(gone))
    var disk = StoreSnapshot()
    for case .put(let app, let kind, let key, let bytes) in outputs.stored {
      disk.records[.init(app: app, kind: kind, key: key)] = bytes
    }
    for (day, isKept) in [(29, true), (30, false)] {
      let now = ServiceHarness.instant(Double(day) * 86_400)
      var history = AccessHistory(Self.settings, disk, at: now)
      #expect(history.records.isEmpty != isKept)
      #expect(history.drainDue(at: now) == (isKept ? [] : [gone]))
    }
  }

  @Test("an access that goes on at midnight is of either day, and begins once")
  func midnight() {
    var harness = harness()
    harness.now = 86_399
    harness.tick(0)
    harness.tick()
    harness.tick()
    #expect(harness.history().map(\.tally.accesses) == [1, 1])
    #expect(harness.history().map(\.tally.seconds) == [2, 0])
  }

  @Test(
    "an access is written as it begins and after each 45 seconds of fixes, and a restart knows it")
  func written() throws {
    var harness = harness()
    var stored: [Change] = []
    for _ in 0..<600 {
      harness.now += 1
      let outputs = harness.fix(north: harness.now)
      stored += outputs.stored
      harness.write(outputs)
    }
    #expect((9...14).contains(stored.count))
    guard case .put(let owner, let kind, let key, let bytes)? = stored.last else {
      Issue.record("nothing is written")
      return
    }
    #expect(!String(decoding: bytes, as: UTF8.self).contains("45."))
    var remembered = StoreSnapshot()
    remembered.records[.init(app: owner, kind: kind, key: key)] = bytes
    var later = ServiceHarness(.init(), remembered)
    let entry = try #require(later.history().first)
    #expect(entry.app == "user:1000" && entry.uid == 1000 && entry.tally.accesses == 1)
    // Less than a minute is lost.
    let whole = try #require(harness.history().first)
    #expect(whole.tally.seconds - entry.tally.seconds < 60)
    #expect(entry.tally.first == whole.tally.first)
  }

  @Test("nothing wakes to write that an access goes on, and an app that begins is soon written")
  func wakes() {
    var harness = harness()
    harness.tick()
    harness.now += 1
    #expect(harness.fix(north: harness.now).stored.isEmpty)
    #expect(harness.service.history.dueAt == nil)
    harness.now += 1
    harness.connect(ClientID(6), app: "app:weather")
    let change = PermissionChange(app: "app:weather", uid: 1000, authorization: .authorizedAlways)
    harness.write(harness.call(.permissionsSet(change)))
    harness.call(.startUpdatingLocation(.init()), from: ClientID(6))
    harness.now += 1
    #expect(harness.fix(north: harness.now).stored.isEmpty)
    #expect(harness.service.history.dueAt == ServiceHarness.instant(101 + 45).boottime)
    harness.now = 101 + 45
    #expect(harness.handle(.timer).stored.count == 2)
    #expect(harness.service.history.dueAt == nil)
  }

  /// The ways in which an app's last session stops.
  enum End: CaseIterable { case stopped, gone, paused, denied }

  @Test("the end of an access is written as its last session stops", arguments: End.allCases)
  func ends(end: End) {
    var harness = harness()
    harness.connectTerminal()
    harness.connect(ClientID(20), uid: 1000)
    harness.call(.startUpdatingLocation(.init()), from: ClientID(20))
    for _ in 0..<10 { harness.tick() }
    #expect(harness.handle(.gone(ClientID(20))).stored.isEmpty)
    let outputs =
      switch end {
      case .stopped: harness.call(.stopUpdatingLocation, from: ServiceHarness.app)
      case .gone: harness.handle(.gone(ServiceHarness.app))
      case .paused: harness.call(.pause(PauseRequest()), from: ServiceHarness.terminal)
      case .denied: harness.set(.denied)
      }
    #expect(outputs.stored.count == 1)
  }

  @Test("an app that begins and ends in a loop is written once in 45 seconds, and nothing wakes")
  func loop() {
    var harness = harness()
    var stored = 0
    for _ in 0..<450 {
      harness.call(.startUpdatingLocation(.init()), from: ServiceHarness.app)
      harness.now += 1
      stored += harness.fix(north: harness.now).stored.count
      stored += harness.call(.stopUpdatingLocation, from: ServiceHarness.app).stored.count
      #expect(harness.service.history.dueAt == nil)
    }
    #expect((10...21).contains(stored), "\(stored)")
  }

  @Test("while nothing can be written, nothing is tried for the history, and all of it is kept")
  func trouble() {
    var harness = harness()
    harness.now += 1
    for id in harness.fix(north: 1).commits { harness.handle(.commitFailed(id, "full")) }
    for _ in 0..<55 {
      harness.now += 1
      #expect(harness.fix(north: harness.now).stored.isEmpty)
    }
    harness.now += 10
    let again = harness.handle(.timer)
    #expect(again.stored.count == 1)
    harness.write(again)
    harness.tick(45)
    #expect(harness.outputs.stored.count == 1)
    #expect(harness.history().first?.tally.seconds == 110)
  }

  @Test(
    "a record of another program's making is read without a trap",
    arguments: [
      "{}", "[]", #"{"rows":[[1]]}"#,
      #"{"rows":[[9223372036854775807,"standard",0,1,1,1,1]]}"#,
      #"{"rows":[[1,"standard",0,-5,-1,9223372036854775807,1]]}"#,
      #"{"rows":[[1,"nothing",0,1,1,1,1]]}"#,
    ])
  func broken(text: String) {
    var remembered = StoreSnapshot()
    remembered.records[
      .init(app: App(uid: 1000, name: ""), kind: AccessHistory.kind, key: "app:a")] = Array(
        text.utf8)
    var harness = ServiceHarness(.init(), remembered)
    #expect(harness.history().isEmpty)
  }

  @Test("10,000 accesses a day of 100 apps are less than 1 MB for a month, and some write a minute")
  func size() {
    var history = AccessHistory(Self.settings, StoreSnapshot(), at: ServiceHarness.instant(0))
    let apps = (0..<100).map { App(uid: 1000, name: "app:org.example.Application\($0)") }
    func note(_ app: App, _ seconds: Double, isBackground: Bool) {
      let kind = AppAccess.Kind(.standard, isBackground: isBackground)
      _ = history.note(
        app, kind, AppClaim(name: "Application"), at: ServiceHarness.instant(seconds))
    }
    for day in 0..<29 {
      for i in 0..<400 {
        note(apps[i % 100], Double(day * 86_400 + i * 100), isBackground: i < 200)
      }
    }
    _ = history.drain()
    var writes = 0
    for i in 0..<10_000 {
      let second = 29 * 86_400 + Double(i) * 8.64
      note(apps[i % 100], second, isBackground: i < 5000)
      writes += history.drainDue(at: ServiceHarness.instant(second)).isEmpty ? 0 : 1
    }
    #expect((1000...1920).contains(writes))
    var bytes = 0
    for case .put(_, _, let key, let value) in history.records(of: 1000) {
      bytes += key.utf8.count + value.count
    }
    // A hundred accesses of an app and day in place of four make two numbers of each row longer.
    let rows = history.records.values.reduce(0) { $0 + $1.rows.count }
    #expect(rows == 6000 && bytes + 4 * rows < 1_000_000, "\(bytes) bytes")
    #expect(history.records.values.reduce(0) { $0 + ($1.rows.last?.tally.accesses ?? 0) } == 5000)
  }

  @Test("an answer is shorter than a connection may have waiting, and says what it leaves out")
  func long() {
    var history = AccessHistory(Self.settings, StoreSnapshot(), at: ServiceHarness.instant(0))
    let claim = AppClaim(
      name: String(repeating: "n", count: 500), purpose: String(repeating: "\"", count: 500))
    for i in 0..<100 {
      let app = App(uid: UInt32(i), name: "exe:/" + String(repeating: "p", count: 200) + "\(i)")
      for day in 0..<30 {
        let now = ServiceHarness.instant(Double(day) * 86_400)
        _ = history.note(app, .init(.standard), claim, at: now)
      }
    }
    let now = ServiceHarness.instant(29 * 86_400)
    let (entries, more) = history.entries(HistoryQuery(), at: now) { _ in true }
    let bytes = JSON.array(entries.map(\.json)).text.utf8.count
    #expect(more && (500_000..<1_000_000).contains(bytes), "\(bytes)")
    #expect(entries.count { $0.claim.name != nil } == 100)
    #expect(entries.prefix(100).allSatisfy { $0.day == 29 && $0.claim.name != nil })
    let one = history.entries(HistoryQuery(), at: now) { $0.uid == 1 }
    #expect(one.entries.count == 30 && !one.more)
  }

  @Test(
    "beside too many apps of one user the one that was told longest ago goes, and no other user's")
  func bounded() {
    var settings = Self.settings
    settings.limits.appsPerUser = 3
    var history = AccessHistory(settings, StoreSnapshot(), at: ServiceHarness.instant(0))
    let other = App(uid: 1001, name: "app:a")
    _ = history.note(other, .init(.standard), AppClaim(), at: ServiceHarness.instant(0))
    for i in 1...5 {
      let app = App(uid: 1000, name: "app:\(i)")
      _ = history.note(app, .init(.standard), AppClaim(), at: ServiceHarness.instant(Double(i)))
    }
    #expect(Set(history.records.keys.map(\.name)) == ["app:a", "app:3", "app:4", "app:5"])
    #expect(
      history.drain().contains(
        .remove(App(uid: 1000, name: ""), kind: AccessHistory.kind, key: "app:1")))
  }
}
