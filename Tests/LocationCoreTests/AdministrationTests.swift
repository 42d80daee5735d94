import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

extension [Output] {
  var commits: [CommitID] { compactMap { if case .commit(_, let id) = $0 { id } else { nil } } }
  var changes: [Change] {
    flatMap { output -> [Change] in
      if case .commit(let changes, _) = output { changes } else { [] }
    }
  }
  var consulted: Int64? {
    for output in self {
      switch output {
      case .authorizeAdmin(let number, _), .authorizeMachine(let number, _): return number
      default: continue
      }
    }
    return nil
  }
  /// The number of a question about what holds for the whole machine.
  var consultedForAll: Int64? {
    for case .authorizeMachine(let number, _) in self { return number }
    return nil
  }
  /// The number of a question that asks nobody for a password.
  var lookedUp: Int64? {
    for case .authorizeAdmins(let number, _) in self { return number }
    return nil
  }
  /// The apps of a list, with their users.
  var appsShown: [String]? {
    for case .answer(_, _, .permissions(let list)) in self {
      return list.map { "\($0.app) \($0.uid.map(String.init) ?? "all")" }
    }
    return nil
  }
  var purges: [UInt64] { compactMap { if case .purge(let id) = $0 { id.number } else { nil } } }

  /// The authorizations that clients are told.
  var news: [UInt64: Authorization] {
    var news: [UInt64: Authorization] = [:]
    for case .tell(let recipients, .didChangeAuthorization(let authorization, _)) in self {
      for recipient in recipients { news[recipient.client.number] = authorization }
    }
    return news
  }

  /// Whether a place is told to the client, in whatever way.
  func tellsPlace(to client: ClientID) -> Bool {
    contains { output in
      switch output {
      case .tell(let recipients, let event):
        event.hasPlace && recipients.contains { $0.client == client }
      case .answer(client, _, .location(let location)): location != nil
      default: false
      }
    }
  }
}

extension ServiceHarness {
  static let app = ClientID(5)

  /// An app of somebody's, updating.
  mutating func connectApp(_ id: ClientID = ServiceHarness.app, uid: UInt32 = 1000) {
    connect(id, uid: uid)
    call(.startUpdatingLocation(.init()), from: id)
  }

  /// Root's entry of it.
  @discardableResult
  mutating func set(
    _ authorization: Authorization?, accuracy: AccuracyAuthorization? = nil, once: Bool = false,
    uid: UInt32? = 1000
  ) -> [Output] {
    call(
      .permissionsSet(
        PermissionChange(
          app: "user:1000", uid: uid, authorization: authorization, accuracy: accuracy, once: once))
    )
  }

  /// Says that all commits so far are written, in their order.
  @discardableResult
  mutating func write(_ outputs: [Output]) -> [Output] {
    outputs.commits.flatMap { handle(.committed($0)) }
  }

  /// Set and written.
  @discardableResult
  mutating func grant(
    _ authorization: Authorization, accuracy: AccuracyAuthorization? = nil, once: Bool = false
  ) -> [Output] {
    write(set(authorization, accuracy: accuracy, once: once))
  }
}

@Suite("Granting and revoking") struct AdministrationTests {
  @Test("what is granted holds, is answered and is told once it is written, and not before")
  func grantAfterCommit() {
    var harness = ServiceHarness()
    harness.connectApp()
    let asked = harness.set(.authorizedWhenInUse)
    #expect(asked.changes.count == 1)
    #expect(asked.replies.isEmpty)
    #expect(asked.news.isEmpty)
    #expect(!harness.fix().tellsPlace(to: ServiceHarness.app))
    let written = harness.write(asked)
    #expect(written.replies.count == 1)
    #expect(written.news == [5: .authorizedWhenInUse])
    #expect(harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
  }

  @Test("what cannot be written is not granted, and whoever granted it is told why")
  func failedGrant() {
    var harness = ServiceHarness()
    harness.connectApp()
    let asked = harness.set(.authorizedAlways)
    let failed = asked.commits.flatMap { harness.handle(.commitFailed($0, "the disk is full")) }
    #expect(failed.refusals.first?.message.contains("the disk is full") == true)
    #expect(failed.replies.isEmpty)
    #expect(failed.news.isEmpty)
    #expect(!harness.fix().tellsPlace(to: ServiceHarness.app))
  }

  @Test("what is revoked stops at once, is purged, and only then is written and answered")
  func revokeBeforeCommit() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    let asked = harness.set(.denied)
    #expect(asked.purges == [5])
    #expect(asked.news == [5: .denied])
    #expect(asked.failures.map(\.code) == [.denied])
    #expect(asked.replies.isEmpty)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    #expect(asked.changes.contains(.erase(App(uid: 1000, name: "user:1000"))))
    #expect(harness.write(asked).replies.count == 1)
    #expect(!harness.fix(north: 20).tellsPlace(to: ServiceHarness.app))
  }

  @Test("what is revoked stays so though it cannot be written")
  func failedRevoke() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    let asked = harness.set(.denied)
    let failed = asked.commits.flatMap { harness.handle(.commitFailed($0, "the disk is full")) }
    #expect(failed.refusals.count == 1)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    #expect(harness.call(.location, from: ServiceHarness.app).refusals.map(\.code) == [.denied])
  }

  @Test("a grant on its way to the disk does not outlive the revocation that came after it")
  func overtaken() {
    var harness = ServiceHarness()
    harness.connectApp()
    let granted = harness.set(.authorizedAlways)
    let revoked = harness.set(.denied)
    let again = harness.set(.authorizedWhenInUse)
    #expect(harness.write(granted).news.isEmpty)
    #expect(!harness.fix(north: 10).tellsPlace(to: ServiceHarness.app))
    harness.write(revoked)
    #expect(!harness.fix(north: 20).tellsPlace(to: ServiceHarness.app))
    #expect(harness.write(again).news == [5: .authorizedWhenInUse])
    #expect(harness.fix(north: 30).tellsPlace(to: ServiceHarness.app))
  }

  @Test("less accuracy holds at once, more once it is written")
  func accuracy() throws {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedWhenInUse)
    let less = harness.set(nil, accuracy: .reduced)
    #expect(less.purges == [5])
    harness.write(less)
    #expect(harness.fix().tellsPlace(to: ServiceHarness.app))
    let place = try #require(harness.call(.location, from: ServiceHarness.app).located)
    #expect(place.horizontalAccuracy >= 2000)
    let more = harness.set(nil, accuracy: .full)
    #expect(try #require(harness.call(.location, from: ServiceHarness.app).located) == place)
    harness.write(more)
    #expect(
      try #require(harness.call(.location, from: ServiceHarness.app).located).horizontalAccuracy
        == 5)
  }

  @Test("of reduced accuracy the same coarse place is told once in a quarter of an hour")
  func coarseStream() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    var told = 0
    for second in 0..<1000 {
      harness.now = 100 + Double(second)
      for case .tell(let recipients, .didUpdateLocations(let location, _)) in harness.fix(
        north: Double(second) * 30)
      {
        #expect(recipients == [Recipient(client: ServiceHarness.app, manager: 0)])
        #expect(location.horizontalAccuracy >= 2000)
        told += 1
      }
    }
    #expect(told == 2)
  }

  @Test("a coarse place nearer than the filter says is not told, however long it is")
  func coarseFilter() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedWhenInUse, accuracy: .reduced)
    harness.call(.startUpdatingLocation(.init(distanceFilter: 5000)), from: ServiceHarness.app)
    func told(at second: Double, north: Double) -> Int {
      harness.now = 100 + second
      return harness.fix(north: north).count {
        if case .tell(_, .didUpdateLocations) = $0 { true } else { false }
      }
    }
    let standing = (0..<1000).reduce(0) { $0 + told(at: Double($1), north: 0) }
    #expect(standing == 1)
    let moving = (1000..<2000).reduce(0) {
      $0 + told(at: Double($1), north: Double($1 - 1000) * 30)
    }
    #expect(moving >= 1)
  }

  @Test(
    "the master switch stops all, root too, and nothing comes before it is on again on the disk")
  func masterSwitch() {
    var harness = ServiceHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.connectApp()
    harness.grant(.authorizedAlways)
    let off = harness.call(.servicesSet(enabled: false))
    #expect(off.purges == [1, 5])
    #expect(off.news == [1: .denied, 5: .denied])
    harness.write(off)
    #expect(harness.fix(north: 10).told.isEmpty)
    #expect(harness.call(.requestLocation(.init())).refusals.map(\.code) == [.denied])
    let on = harness.call(.servicesSet(enabled: true))
    #expect(harness.fix(north: 20).told.isEmpty)
    #expect(harness.write(on).news == [1: .authorizedAlways, 5: .authorizedAlways])
    #expect(harness.fix(north: 30).told.count == 2)
  }

  @Test("restricted, a decision waits underneath until the restriction ends")
  func restricted() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    let restricted = harness.set(.restricted, uid: nil)
    #expect(restricted.news == [5: .restricted])
    harness.write(restricted)
    harness.grant(.authorizedWhenInUse)
    #expect(!harness.fix().tellsPlace(to: ServiceHarness.app))
    let ended = harness.call(.permissionsUnrestrict(AppSelection(app: "user:1000")))
    #expect(ended.news.isEmpty)
    #expect(harness.write(ended).news == [5: .authorizedWhenInUse])
  }

  @Test("reset forgets an app, or all; it may ask again")
  func reset() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    let forgotten = harness.call(.permissionsReset(AppSelection(app: "user:1000", uid: 1000)))
    #expect(forgotten.news == [5: .notDetermined])
    #expect(forgotten.changes == [.forget(App(uid: 1000, name: "user:1000"))])
    harness.write(forgotten)
    harness.grant(.denied)
    let all = harness.call(.permissionsReset(AppSelection()))
    #expect(all.commits.count == 1)
    #expect(harness.write(all).news == [5: .notDetermined])
    #expect(harness.call(.permissionsList).replies == [.permissions([])])
  }

  @Test("a decision is about one app of one user")
  func apart() {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.handle(.connected(ClientID(6), Caller(uid: 1001, pid: 8, app: "user:1000")))
    harness.handle(.connected(ClientID(7), Caller(uid: 1000, pid: 9, app: "flatpak:org.x")))
    #expect(harness.grant(.authorizedAlways).news == [5: .authorizedAlways])
  }

  @Test("what is remembered holds from the first moment")
  func restored() {
    var remembered = StoreSnapshot()
    remembered.permissions[App(uid: 1000, name: "user:1000")] = Permission(.authorizedWhenInUse)
    remembered.restrictions = [Restriction(uid: 1001, name: "user:1001")]
    var harness = ServiceHarness(.init(), remembered)
    harness.connect(ClientID(5), uid: 1000)
    harness.connect(ClientID(6), uid: 1001)
    let statuses = [ClientID(5), ClientID(6)].map { harness.service.clientStatus($0).authorization }
    #expect(statuses == [.authorizedWhenInUse, .restricted])
    remembered.servicesEnabled = false
    var off = ServiceHarness(.init(), remembered)
    #expect(off.call(.location).refusals.map(\.code) == [.denied])
  }

  @Test("how often and when an app used a service is kept, and written only now and then")
  func usage() throws {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedAlways)
    harness.fix()
    harness.now = 110
    #expect(harness.call(.location, from: ServiceHarness.app).located != nil)
    for i in 1..<500 { #expect(harness.fix(north: Double(i)).commits.isEmpty) }
    harness.now = 500
    let later = harness.handle(.timer)
    let app = App(uid: 1000, name: "user:1000")
    #expect(
      later.changes.contains(.usage(app, Usage(last: ServiceHarness.instant(110).utc, count: 2))))
    #expect(harness.handle(.timer).commits.isEmpty)
    guard case .permissions(let list)? = harness.call(.permissionsList).replies.first else {
      Issue.record("no list")
      return
    }
    let entry = try #require(list.first { $0.uid == 1000 })
    #expect(entry.uses == 2)
    // It is at it just now.
    #expect(entry.lastUsed == ServiceHarness.instant(500).utc)
  }

  @Test("a client that only waits for the disk is not hung up on")
  func lastWord() {
    var harness = ServiceHarness()
    let asked = harness.set(.authorizedAlways)
    #expect(harness.handle(.finished(ServiceHarness.root)).hangUps == 0)
    let written = harness.write(asked)
    #expect(written.replies.count == 1)
    #expect(written.hangUps == 1)
  }
}
