import LocationModel
import Testing

@testable import LocationCore

@Suite("What an app says is to be started") struct ActivationTests {
  private static let client = MonitoringHarness.tracker

  private func harness(
    uid: UInt32 = 0, app: String = "unit:tracker.service",
    unit: Caller.Unit? = .system("tracker.service")
  ) -> MonitoringHarness {
    var harness = MonitoringHarness()
    if uid != 0 {
      harness.call(
        .permissionsSet(PermissionChange(app: app, uid: uid, authorization: .authorizedAlways)))
    }
    var caller = Caller(uid: uid, pid: 20, app: app)
    caller.unit = unit
    harness.handle(.connected(Self.client, caller))
    return harness
  }

  @Test(
    "is its own unit, as the kernel says it, and nothing else",
    arguments: [
      ("unit:a.service", Caller.Unit.system("a.service"), "a.service", true),
      ("unit:a.service", .system("a.service"), "b.service", false),
      ("unit:a@1.service", .system("a@1.service"), "a@1.service", true),
      ("unit:a@1.service", .system("a@1.service"), "a@2.service", false),
      ("userunit:a", .user("a.service"), "a.service", true),
      ("userunit:a", .user("a.service"), "b.service", false),
      (
        "app:org.a.B", .user("app-org.a.B@autostart.service"), "app-org.a.B@autostart.service", true
      ),
      ("snap:a", .system("snap.a.daemon.service"), "snap.a.daemon.service", true),
      // These start other programs, or are another one's tomorrow.
      ("exe:/usr/bin/a", .user("dbus.service"), "dbus.service", false),
      ("app:org.a.B", .user("dbus-:1.2-org.a.B@0.service"), "dbus-:1.2-org.a.B@0.service", false),
      ("exe:/usr/bin/a", .user("run-u12.service"), "run-u12.service", false),
      ("user:root", .system("session-3.scope"), "a.service", false),
      ("user:root", nil, "a.service", false),
    ])
  func units(app: String, unit: Caller.Unit?, name: String, isTaken: Bool) {
    var harness = harness(uid: 1000, app: app, unit: unit)
    let outputs = harness.call(.setActivation(.unit(name)), from: Self.client)
    #expect(outputs.replies == (isTaken ? [.done] : []))
    #expect(outputs.refusals.map(\.code) == (isTaken ? [] : [.denied]))
    #expect(harness.disk.records.keys.contains { $0.kind == "activation" } == isTaken)
  }

  @Test("of a name on a bus, is what the bus says to be its own, when it is looked for")
  func names() throws {
    for (place, isTaken) in [(Launch.Place.system, true), (.user, true), (nil, false)] {
      var harness = harness()
      let asked = harness.call(.setActivation(.busName("org.a.Tracker")), from: Self.client)
      #expect(asked.replies.isEmpty)
      let search = try #require(asked.ownerSearches.first)
      #expect(search.name == "org.a.Tracker")
      let outputs = harness.handle(.ownerFound(search.number, place))
      #expect(outputs.replies == (isTaken ? [.done] : []))
      #expect(outputs.refusals.map(\.code) == (isTaken ? [] : [.denied]))
      // A second answer is not heard.
      #expect(harness.handle(.ownerFound(search.number, .system)).isEmpty)
    }
  }

  @Test("is started by whom the name was found with")
  func places() throws {
    var harness = harness(uid: 1000, app: "app:org.a.Map", unit: .user("app-org.a.Map-1.scope"))
    harness.connectAgent()
    for place in [Launch.Place.user, .system] {
      let asked = harness.call(.setActivation(.busName("org.a.Map")), from: Self.client)
      harness.handle(.ownerFound(try #require(asked.ownerSearches.first).number, place))
      harness.call(.startMonitoring([MonitoringHarness.home]), from: Self.client)
      harness.walk(for: 30)
      harness.handle(.gone(Self.client))
      let told = harness.leaveHome()
      #expect(told.agentLaunches.count == (place == .user ? 1 : 0))
      #expect(told.launches.count == (place == .user ? 0 : 1))
      #expect(harness.comeHome().isEmpty == false)
      var caller = Caller(uid: 1000, pid: 22, app: "app:org.a.Map")
      caller.unit = .user("app-org.a.Map-2.scope")
      harness.handle(.connected(Self.client, caller))
      harness.call(.acknowledge(event: 1000), from: Self.client)
    }
  }

  @Test("needs Always")
  func needsAlways() {
    for authorization in [Authorization.authorizedWhenInUse, .denied] {
      var harness = harness(uid: 1000, app: "userunit:a", unit: .user("a.service"))
      harness.call(
        .permissionsSet(
          PermissionChange(app: "userunit:a", uid: 1000, authorization: authorization)))
      for activation in [Activation.unit("a.service"), .busName("org.a.A")] {
        let outputs = harness.call(.setActivation(activation), from: Self.client)
        #expect(outputs.refusals.map(\.code) == [.denied])
        #expect(outputs.ownerSearches.isEmpty)
      }
    }
    var harness = MonitoringHarness()
    harness.connect(ClientID(5), uid: 1000, app: "userunit:a")
    let outputs = harness.call(.setActivation(.unit("a.service")), from: ClientID(5))
    #expect(outputs.refusals.first?.message.contains("sudo locationctl grant") == true)
  }

  @Test("is written once, however often it is said")
  func again() throws {
    var harness = harness()
    for i in 0..<3 {
      let outputs = harness.call(.setActivation(.unit("tracker.service")), from: Self.client)
      #expect(outputs.replies == [.done])
      #expect(outputs.notes.count == (i == 0 ? 1 : 0))
      #expect(outputs.contains { if case .commit = $0 { true } else { false } } == (i == 0))
    }
    for i in 0..<3 {
      let asked = harness.call(.setActivation(.busName("org.a.Tracker")), from: Self.client)
      let outputs = harness.handle(
        .ownerFound(try #require(asked.ownerSearches.first).number, .system))
      #expect(outputs.replies == [.done])
      #expect(outputs.contains { if case .commit = $0 { true } else { false } } == (i == 0))
    }
  }

  @Test("is not taken when the permission has gone by the time that the name is found")
  func revokedMeanwhile() throws {
    var harness = harness(uid: 1000, app: "userunit:a", unit: .user("a.service"))
    let asked = harness.call(.setActivation(.busName("org.a.A")), from: Self.client)
    harness.call(
      .permissionsSet(PermissionChange(app: "userunit:a", uid: 1000, authorization: .denied)))
    let outputs = harness.handle(
      .ownerFound(try #require(asked.ownerSearches.first).number, .system))
    #expect(outputs.refusals.map(\.code) == [.denied])
    #expect(harness.disk.records.isEmpty)
  }

  @Test("is forgotten by revoke and reset, also before it is written")
  func forgotten() {
    for erasing in [
      Request.permissionsSet(
        PermissionChange(app: "userunit:a", uid: 1000, authorization: .denied)),
      .permissionsReset(AppSelection(app: "userunit:a", uid: 1000)),
      .permissionsReset(AppSelection()),
    ] {
      var harness = harness(uid: 1000, app: "userunit:a", unit: .user("a.service"))
      harness.isDiskSlow = true
      harness.call(.setActivation(.unit("a.service")), from: Self.client)
      harness.call(erasing)
      harness.finishWriting()
      #expect(harness.service.launcher.schedule.isEmpty)
      #expect(harness.disk.records.isEmpty)
    }
  }

  @Test(
    "several searches of one user's programs wait at most, and none for longer than ten seconds")
  func bounded() {
    var harness = harness()
    var outputs: [Output] = []
    for _ in 0..<100 {
      outputs += harness.call(.setActivation(.busName("org.a.A")), from: Self.client)
    }
    #expect(outputs.ownerSearches.count == OwnerSearches.mostPerUser)
    #expect(outputs.refusals.map(\.code) == Array(repeating: .limitExceeded, count: 92))
    let later = harness.pass(10)
    #expect(later.refusals.map(\.code) == Array(repeating: .denied, count: 8))
    harness.call(.setActivation(.busName("org.a.A")), from: Self.client)
    harness.handle(.gone(Self.client))
    #expect(!harness.service.launcher.searches.isWaiting(Self.client))
  }

  @Test(
    "what was allowed for some time, and no longer, starts nothing",
    arguments: ["revoke", "reset", "when in use", "restrict", "disable"])
  func takenAway(how: String) {
    var harness = MonitoringHarness()
    harness.connectMap()
    harness.registerAndGo("map.service")
    #expect(harness.leaveHome().reports.isEmpty)
    let change: Request =
      switch how {
      case "revoke":
        .permissionsSet(
          PermissionChange(app: "userunit:map", uid: 1000, authorization: .denied))
      case "reset": .permissionsReset(AppSelection(app: "userunit:map", uid: 1000))
      case "when in use":
        .permissionsSet(
          PermissionChange(app: "userunit:map", uid: 1000, authorization: .authorizedWhenInUse))
      case "restrict":
        .permissionsSet(
          PermissionChange(app: "userunit:map", uid: 1000, authorization: .restricted))
      default: .servicesSet(enabled: false)
      }
    harness.call(change)
    #expect((harness.service.wakeAsked ?? .never) > .start + .seconds(harness.now))
    #expect(harness.connectAgent().agentLaunches.isEmpty)
    #expect(harness.pass(600).agentLaunches.isEmpty)
  }

  @Test("a name on a bus is whose process has it, or whose sandbox, and never only the same user's")
  func sameProgram() {
    func caller(_ app: String, _ pid: Int32, uid: UInt32 = 1000) -> Caller {
      Caller(uid: uid, pid: pid, app: app)
    }
    #expect(caller("user:me", 7).isSameProgram(as: caller("user:me", 7)))
    #expect(!caller("user:me", 7).isSameProgram(as: caller("user:me", 8)))
    #expect(!caller("user:me", 0).isSameProgram(as: caller("user:me", 0)))
    #expect(caller("flatpak:a.b", 7).isSameProgram(as: caller("flatpak:a.b", 8)))
    #expect(!caller("flatpak:a.b", 7).isSameProgram(as: caller("flatpak:a.c", 8)))
    #expect(!caller("flatpak:a.b", 7).isSameProgram(as: caller("flatpak:a.b", 7, uid: 1001)))
  }

  @Test(
    "names that nobody can have are no names",
    arguments: [
      "", "a", ":1.2", "org.freedesktop.DBus", "org..a", "org.1a", "org.a b", "org.a\n", ".org.a",
      "org.ä", String(repeating: "a.", count: 200) + "a",
    ])
  func busNames(name: String) {
    #expect(Activation(busName: name) == nil)
  }

  @Test(
    "units that cannot be started are no units",
    arguments: [
      "", ".service", "a", "a.timer", "a.service\n", "../a.service", "a/b.service", "a@.service",
      "-.service", "--user.service", "a b.service", "@a.service", "a.service ",
      String(repeating: "a", count: 250) + ".service",
    ])
  func unitNames(name: String) {
    #expect(Activation(unit: name) == nil)
  }

  @Test("what can be is taken as it is")
  func names2() {
    for name in ["org.gnome.Maps", "de.a-b._c.D1"] {
      #expect(Activation(busName: name) == .busName(name))
    }
    for name in [
      "a.service", #"app-org.a\x2db@x.service"#, "snap.a.b.service", "dbus-:1.2-a.b@0.service",
    ] {
      #expect(Activation(unit: name) == .unit(name))
    }
  }
}
