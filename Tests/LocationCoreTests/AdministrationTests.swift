import LocationModel
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
    for case .consult(let number, _) in self { return number }
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

extension Desk {
  static let app = ClientID(5)

  /// An app of somebody's, updating.
  mutating func connectApp(_ id: ClientID = Desk.app, uid: UInt32 = 1000) {
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
    var desk = Desk()
    desk.connectApp()
    let asked = desk.set(.authorizedWhenInUse)
    #expect(asked.changes.count == 1)
    #expect(asked.replies.isEmpty)
    #expect(asked.news.isEmpty)
    #expect(!desk.fix().tellsPlace(to: Desk.app))
    let written = desk.write(asked)
    #expect(written.replies.count == 1)
    #expect(written.news == [5: .authorizedWhenInUse])
    #expect(desk.fix(north: 10).tellsPlace(to: Desk.app))
  }

  @Test("what cannot be written is not granted, and whoever granted it is told why")
  func failedGrant() {
    var desk = Desk()
    desk.connectApp()
    let asked = desk.set(.authorizedAlways)
    let failed = asked.commits.flatMap { desk.handle(.commitFailed($0, "the disk is full")) }
    #expect(failed.refusals.first?.message.contains("the disk is full") == true)
    #expect(failed.replies.isEmpty)
    #expect(failed.news.isEmpty)
    #expect(!desk.fix().tellsPlace(to: Desk.app))
  }

  @Test("what is revoked stops at once, is purged, and only then is written and answered")
  func revokeBeforeCommit() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    let asked = desk.set(.denied)
    #expect(asked.purges == [5])
    #expect(asked.news == [5: .denied])
    #expect(asked.failures.map(\.code) == [.denied])
    #expect(asked.replies.isEmpty)
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(asked.changes.contains(.erase(App(uid: 1000, name: "user:1000"))))
    #expect(desk.write(asked).replies.count == 1)
    #expect(!desk.fix(north: 20).tellsPlace(to: Desk.app))
  }

  @Test("what is revoked stays so though it cannot be written")
  func failedRevoke() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    let asked = desk.set(.denied)
    let failed = asked.commits.flatMap { desk.handle(.commitFailed($0, "the disk is full")) }
    #expect(failed.refusals.count == 1)
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    #expect(desk.call(.location, from: Desk.app).refusals.map(\.code) == [.denied])
  }

  @Test("a grant on its way to the disk does not outlive the revocation that came after it")
  func overtaken() {
    var desk = Desk()
    desk.connectApp()
    let granted = desk.set(.authorizedAlways)
    let revoked = desk.set(.denied)
    let again = desk.set(.authorizedWhenInUse)
    #expect(desk.write(granted).news.isEmpty)
    #expect(!desk.fix(north: 10).tellsPlace(to: Desk.app))
    desk.write(revoked)
    #expect(!desk.fix(north: 20).tellsPlace(to: Desk.app))
    #expect(desk.write(again).news == [5: .authorizedWhenInUse])
    #expect(desk.fix(north: 30).tellsPlace(to: Desk.app))
  }

  @Test("less accuracy holds at once, more once it is written")
  func accuracy() throws {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedWhenInUse)
    let less = desk.set(nil, accuracy: .reduced)
    #expect(less.purges == [5])
    desk.write(less)
    #expect(desk.fix().tellsPlace(to: Desk.app))
    let place = try #require(desk.call(.location, from: Desk.app).located)
    #expect(place.horizontalAccuracy >= 2000)
    let more = desk.set(nil, accuracy: .full)
    #expect(try #require(desk.call(.location, from: Desk.app).located) == place)
    desk.write(more)
    #expect(try #require(desk.call(.location, from: Desk.app).located).horizontalAccuracy == 5)
  }

  @Test("of reduced accuracy the same coarse place is told once in a quarter of an hour")
  func coarseStream() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedWhenInUse, accuracy: .reduced)
    var told = 0
    for second in 0..<1000 {
      desk.now = 100 + Double(second)
      for case .tell(let recipients, .didUpdateLocations(let location, _)) in desk.fix(
        north: Double(second) * 30)
      {
        #expect(recipients == [Recipient(client: Desk.app, manager: 0)])
        #expect(location.horizontalAccuracy >= 2000)
        told += 1
      }
    }
    #expect(told == 2)
  }

  @Test(
    "the master switch stops all, root too, and nothing comes before it is on again on the disk")
  func masterSwitch() {
    var desk = Desk()
    desk.call(.startUpdatingLocation(.init()))
    desk.connectApp()
    desk.grant(.authorizedAlways)
    let off = desk.call(.servicesSet(enabled: false))
    #expect(off.purges == [1, 5])
    #expect(off.news == [1: .denied, 5: .denied])
    desk.write(off)
    #expect(desk.fix(north: 10).told.isEmpty)
    #expect(desk.call(.requestLocation(.init())).refusals.map(\.code) == [.denied])
    let on = desk.call(.servicesSet(enabled: true))
    #expect(desk.fix(north: 20).told.isEmpty)
    #expect(desk.write(on).news == [1: .authorizedAlways, 5: .authorizedAlways])
    #expect(desk.fix(north: 30).told.count == 2)
  }

  @Test("restricted, a decision waits underneath until the restriction ends")
  func restricted() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    let restricted = desk.set(.restricted, uid: nil)
    #expect(restricted.news == [5: .restricted])
    desk.write(restricted)
    desk.grant(.authorizedWhenInUse)
    #expect(!desk.fix().tellsPlace(to: Desk.app))
    let ended = desk.call(.permissionsUnrestrict(AppSelection(app: "user:1000")))
    #expect(ended.news.isEmpty)
    #expect(desk.write(ended).news == [5: .authorizedWhenInUse])
  }

  @Test("reset forgets an app, or all; it may ask again")
  func reset() {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    let forgotten = desk.call(.permissionsReset(AppSelection(app: "user:1000", uid: 1000)))
    #expect(forgotten.news == [5: .notDetermined])
    #expect(forgotten.changes == [.forget(App(uid: 1000, name: "user:1000"))])
    desk.write(forgotten)
    desk.grant(.denied)
    let all = desk.call(.permissionsReset(AppSelection()))
    #expect(all.commits.count == 1)
    #expect(desk.write(all).news == [5: .notDetermined])
    #expect(desk.call(.permissionsList).replies == [.permissions([])])
  }

  @Test("a decision is about one app of one user")
  func apart() {
    var desk = Desk()
    desk.connectApp()
    desk.handle(.connected(ClientID(6), Caller(uid: 1001, pid: 8, app: "user:1000")))
    desk.handle(.connected(ClientID(7), Caller(uid: 1000, pid: 9, app: "flatpak:org.x")))
    #expect(desk.grant(.authorizedAlways).news == [5: .authorizedAlways])
  }

  @Test("whoever is no administrator is refused, whatever they say; a sandboxed root too")
  func refused() {
    var desk = Desk()
    desk.connect(ClientID(5), uid: 1000)
    var sandboxed = Caller(uid: 0, pid: 8, app: "flatpak:org.x")
    sandboxed.walls = .sandbox
    desk.handle(.connected(ClientID(6), sandboxed))
    var gone = Caller(uid: 0, pid: 9, app: "user:root")
    gone.walls = .unknown
    desk.handle(.connected(ClientID(7), gone))
    let requests: [Request] = [
      .permissionsList, .servicesSet(enabled: true), .permissionsReset(.init()),
      .permissionsSet(PermissionChange(app: "user:1000", authorization: .authorizedAlways)),
      .permissionsUnrestrict(AppSelection(app: "user:1000")),
    ]
    for client in [ClientID(5), ClientID(6), ClientID(7)] {
      for request in requests {
        var outputs = desk.call(request, from: client)
        if let number = outputs.consulted {
          // Nobody knows the first one yet, which is in no sandbox.
          #expect(client == ClientID(5))
          #expect(outputs.count == 1)
          outputs = desk.handle(.consented(number, .none))
        }
        #expect(outputs.refusals.map(\.code) == [.denied])
        #expect(outputs.count == 1)
      }
    }
  }

  @Test("whose own apps it is consented to change changes those, and nothing else")
  func consented() {
    var desk = Desk()
    desk.connectApp()
    func ask(_ request: Request, _ consent: Consent, on desk: inout Desk) -> [Output] {
      guard let number = desk.call(request, from: Desk.app).consulted else { return [] }
      let outputs = desk.handle(.consented(number, consent))
      return outputs + desk.write(outputs)
    }
    func set(_ uid: UInt32?, _ authorization: Authorization = .authorizedAlways) -> Request {
      .permissionsSet(PermissionChange(app: "app:x", uid: uid, authorization: authorization))
    }
    #expect(ask(set(nil), .own, on: &desk).replies == [.done])
    #expect(ask(set(1000, .denied), .own, on: &desk).replies == [.done])
    for request in [
      set(1001), set(0), set(nil, .restricted), .servicesSet(enabled: false),
      .permissionsReset(AppSelection(uid: 1001)),
      .permissionsUnrestrict(AppSelection(app: "app:x")),
    ] {
      let outputs = ask(request, .own, on: &desk)
      #expect(outputs.refusals.map(\.code) == [.denied])
      #expect(outputs.commits.isEmpty)
    }
    desk.grant(.authorizedWhenInUse)
    #expect(ask(.permissionsReset(AppSelection()), .own, on: &desk).replies == [.done])
    #expect(ask(set(1001), .all, on: &desk).replies == [.done])
    guard case .permissions(let list)? = ask(.permissionsList, .own, on: &desk).replies.first else {
      Issue.record("no list")
      return
    }
    #expect(list.isEmpty)
  }

  @Test("no app with a name of its own can be consented to grant itself anything")
  func selfGrant() {
    var desk = Desk()
    desk.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: "app:maps")))
    let change = PermissionChange(app: "app:maps", authorization: .authorizedAlways)
    let outputs = desk.call(.permissionsSet(change), from: ClientID(6))
    #expect(outputs.refusals.map(\.code) == [.denied])
    #expect(outputs.consulted == nil)
  }

  @Test("requests that wait for consent are bounded, and go with who made them")
  func consentsBounded() {
    var desk = Desk()
    desk.connectApp()
    var consulted: [Int64] = []
    for _ in 0..<100 {
      if let number = desk.call(.permissionsList, from: Desk.app).consulted {
        consulted.append(number)
      }
    }
    #expect(consulted.count == 8)
    desk.handle(.gone(Desk.app))
    #expect(desk.handle(.consented(consulted[0], .all)).isEmpty)
  }

  @Test("what is remembered holds from the first moment")
  func restored() {
    var remembered = Remembered()
    remembered.permissions[App(uid: 1000, name: "user:1000")] = Permission(.authorizedWhenInUse)
    remembered.restrictions = [Restriction(uid: 1001, name: "user:1001")]
    var desk = Desk(.init(), remembered)
    desk.connect(ClientID(5), uid: 1000)
    desk.connect(ClientID(6), uid: 1001)
    let statuses = [ClientID(5), ClientID(6)].map { desk.service.clientStatus($0).authorization }
    #expect(statuses == [.authorizedWhenInUse, .restricted])
    remembered.servicesEnabled = false
    var off = Desk(.init(), remembered)
    #expect(off.call(.location).refusals.map(\.code) == [.denied])
  }

  @Test("how often and when an app used a service is kept, and written only now and then")
  func usage() throws {
    var desk = Desk()
    desk.connectApp()
    desk.grant(.authorizedAlways)
    desk.fix()
    desk.now = 110
    #expect(desk.call(.location, from: Desk.app).located != nil)
    for i in 1..<500 { #expect(desk.fix(north: Double(i)).commits.isEmpty) }
    desk.now = 500
    let later = desk.handle(.timer)
    let app = App(uid: 1000, name: "user:1000")
    #expect(later.changes.contains(.usage(app, Usage(last: Desk.instant(110).utc, count: 2))))
    #expect(desk.handle(.timer).commits.isEmpty)
    guard case .permissions(let list)? = desk.call(.permissionsList).replies.first else {
      Issue.record("no list")
      return
    }
    let entry = try #require(list.first { $0.uid == 1000 })
    #expect(entry.uses == 2)
    // It is at it just now.
    #expect(entry.lastUsed == Desk.instant(500).utc)
  }

  @Test("a client that only waits for the disk is not hung up on")
  func lastWord() {
    var desk = Desk()
    let asked = desk.set(.authorizedAlways)
    #expect(desk.handle(.finished(Desk.root)).hangUps == 0)
    let written = desk.write(asked)
    #expect(written.replies.count == 1)
    #expect(written.hangUps == 1)
  }
}
