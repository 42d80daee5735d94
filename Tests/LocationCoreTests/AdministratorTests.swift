import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Who may administer") struct AdministratorTests {
  @Test("whoever is no administrator is refused, whatever they say; a sandboxed root too")
  func refused() {
    var harness = ServiceHarness()
    harness.connect(ClientID(5), uid: 1000)
    var sandboxed = Caller(uid: 0, pid: 8, app: "flatpak:org.x")
    sandboxed.confinement = .sandbox
    harness.handle(.connected(ClientID(6), sandboxed))
    var gone = Caller(uid: 0, pid: 9, app: "user:root")
    gone.confinement = .unknown
    harness.handle(.connected(ClientID(7), gone))
    let requests: [Request] = [
      .servicesSet(enabled: true), .permissionsReset(.init()),
      .permissionsSet(PermissionChange(app: "user:1000", authorization: .authorizedAlways)),
      .permissionsUnrestrict(AppSelection(app: "user:1000")),
    ]
    for client in [ClientID(5), ClientID(6), ClientID(7)] {
      for request in requests {
        var outputs = harness.call(request, from: client)
        if let number = outputs.consulted {
          // Nobody knows the first one yet, which is in no sandbox.
          #expect(client == ClientID(5))
          #expect(outputs.count == 1)
          outputs = harness.handle(.consented(number, .none))
        }
        #expect(outputs.refusals.map(\.code) == [.denied])
        #expect(outputs.count == 1)
      }
    }
  }

  @Test("whose own apps it is consented to change changes those, and nothing else")
  func consented() {
    var harness = ServiceHarness()
    harness.connectApp()
    func ask(_ request: Request, _ consent: Consent, on harness: inout ServiceHarness) -> [Output] {
      guard let number = harness.call(request, from: ServiceHarness.app).consulted else {
        return []
      }
      let outputs = harness.handle(.consented(number, consent))
      return outputs + harness.write(outputs)
    }
    func set(_ uid: UInt32?, _ authorization: Authorization = .authorizedAlways) -> Request {
      .permissionsSet(PermissionChange(app: "app:x", uid: uid, authorization: authorization))
    }
    #expect(ask(set(nil), .own, on: &harness).replies == [.done])
    #expect(ask(set(1000, .denied), .own, on: &harness).replies == [.done])
    for request in [
      set(1001), set(0), set(nil, .restricted), .servicesSet(enabled: false),
      .permissionsReset(AppSelection(uid: 1001)),
      .permissionsUnrestrict(AppSelection(app: "app:x")),
    ] {
      let outputs = ask(request, .own, on: &harness)
      #expect(outputs.refusals.map(\.code) == [.denied])
      #expect(outputs.commits.isEmpty)
    }
    harness.grant(.authorizedWhenInUse)
    #expect(ask(.permissionsReset(AppSelection()), .own, on: &harness).replies == [.done])
    #expect(ask(set(1001), .all, on: &harness).replies == [.done])
  }

  @Test(
    "the switch, the set place and forgetting are the whole machine's, and consented to as such")
  func machine() {
    let place = SetPlace(Coordinate(latitude: 45, longitude: 7))
    for request in [
      Request.servicesSet(enabled: false), .hereSet(place), .hereForget, .hereStatus, .forget,
    ] {
      var harness = ServiceHarness()
      harness.connectApp()
      for (consent, isDone) in [(Consent.none, false), (.own, false), (.all, true)] {
        let number = harness.call(request, from: ServiceHarness.app).consultedForAll
        var outputs = number.map { harness.handle(.consented($0, consent)) } ?? []
        outputs += harness.write(outputs)
        #expect(outputs.refusals.isEmpty == isDone && outputs.replies.isEmpty != isDone)
      }
    }
    var harness = ServiceHarness()
    harness.connectApp()
    let own = PermissionChange(app: "app:x", authorization: .authorizedAlways)
    #expect(
      harness.call(.permissionsSet(own), from: ServiceHarness.app).consultedForAll == nil)
  }

  @Test(
    "each sees the own user's apps, the group's members all, a sandbox itself; nobody is asked for it"
  )
  func seen() throws {
    var harness = ServiceHarness()
    for (uid, app) in [(1000, "app:x"), (1000, "flatpak:y"), (1001, "app:x")] as [(UInt32, String)]
    {
      harness.write(
        harness.call(
          .permissionsSet(PermissionChange(app: app, uid: uid, authorization: .authorizedAlways))))
    }
    harness.write(
      harness.call(.permissionsSet(PermissionChange(app: "snap:z", authorization: .restricted))))
    #expect(
      harness.call(.permissionsList).appsShown
        == ["snap:z all", "app:x 1000", "app:x 1001", "flatpak:y 1000"])

    harness.connect(ServiceHarness.app, uid: 1000)
    for (consent, list) in [
      (Consent.none, ["snap:z all", "app:x 1000", "flatpak:y 1000"]),
      (.own, ["snap:z all", "app:x 1000", "flatpak:y 1000"]),
      (.all, ["snap:z all", "app:x 1000", "app:x 1001", "flatpak:y 1000"]),
    ] {
      let asked = harness.call(.permissionsList, from: ServiceHarness.app)
      #expect(asked.consulted == nil)
      let number = try #require(asked.lookedUp)
      #expect(harness.handle(.consented(number, consent)).appsShown == list)
    }

    var sandboxed = Caller(uid: 1000, pid: 8, app: "flatpak:y")
    sandboxed.confinement = .sandbox
    harness.handle(.connected(ClientID(6), sandboxed))
    #expect(harness.call(.permissionsList, from: ClientID(6)).appsShown == ["flatpak:y 1000"])
    // What its user's programs without a name may do is not its own.
    harness.grant(.authorizedAlways)
    var nameless = Caller(uid: 1000, pid: 9, app: "user:1000")
    nameless.confinement = .sandbox
    harness.handle(.connected(ClientID(7), nameless))
    #expect(harness.call(.permissionsList, from: ClientID(7)).appsShown == [])
  }

  @Test("nobody has decided about an app that was reset")
  func resetSource() throws {
    var harness = ServiceHarness()
    harness.connectApp()
    harness.grant(.authorizedWhenInUse)
    harness.fix()
    // It has used a service, and so is listed.
    harness.write(harness.call(.permissionsReset(.init(app: "user:1000", uid: 1000))))
    harness.call(.startUpdatingLocation(.init()), from: ServiceHarness.app)
    harness.grant(.authorizedWhenInUse, once: true)
    harness.handle(.gone(ServiceHarness.app))
    guard case .permissions(let list)? = harness.call(.permissionsList).replies.first else {
      Issue.record("no list")
      return
    }
    let entry = try #require(list.first)
    #expect(entry.authorization == .notDetermined)
    #expect(entry.source == nil)
  }

  @Test("no app with a name of its own can be consented to grant itself anything")
  func selfGrant() {
    for (app, spelling) in [
      ("app:maps", "app:maps"), ("userunit:foo", "userunit:foo.service"),
      ("unit:bar.service", "unit:bar"), ("app:maps", "user:ann"), ("exe:/usr/bin/walk", "user:ann"),
    ] {
      var harness = ServiceHarness()
      harness.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: app)))
      for uid in [nil, 1000] as [UInt32?] {
        let change = PermissionChange(app: spelling, uid: uid, authorization: .authorizedAlways)
        let outputs = harness.call(.permissionsSet(change), from: ClientID(6))
        #expect(outputs.refusals.map(\.code) == [.denied], "\(app) says \(spelling)")
        #expect(outputs.consulted == nil)
      }
      let denial = PermissionChange(app: spelling, authorization: .denied)
      #expect(harness.call(.permissionsSet(denial), from: ClientID(6)).consulted != nil)
    }
  }

  @Test("a grant to user:NAME is consented to where it is not for the app that asks for it")
  func grantToUser() {
    let control = "exe:/usr/bin/locationctl"
    for (app, uid) in [("unit:bar.service", nil), ("app:maps", 1001), (control, nil)]
      as [(String, UInt32?)]
    {
      var harness = ServiceHarness()
      var settings = harness.service.settings
      settings.controlApp = control
      harness.service = LocationService(settings, at: ServiceHarness.instant(100))
      harness.handle(.connected(ClientID(6), Caller(uid: 1000, pid: 8, app: app)))
      let change = PermissionChange(app: "user:ann", uid: uid, authorization: .authorizedAlways)
      #expect(harness.call(.permissionsSet(change), from: ClientID(6)).consulted != nil, "\(app)")
    }
  }

  @Test("requests that wait for consent are bounded, and go with who made them")
  func consentsBounded() {
    var harness = ServiceHarness()
    harness.connectApp()
    var consulted: [Int64] = []
    let request = Request.permissionsReset(.init())
    for _ in 0..<100 {
      if let number = harness.call(request, from: ServiceHarness.app).consulted {
        consulted.append(number)
      }
    }
    #expect(consulted.count == 8)
    harness.handle(.gone(ServiceHarness.app))
    #expect(harness.handle(.consented(consulted[0], .all)).isEmpty)
  }
}
