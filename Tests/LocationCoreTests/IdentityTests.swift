import TestSupport
import Testing

@testable import LocationCore

@Suite("Identity") struct IdentityTests {
  /// uid 1000, in a folder of the unified hierarchy.
  static func caller(
    in folder: String, uid: UInt32 = 1000, label: String? = nil, command: String = "prog",
    hasOwnUsers: Bool = false, hasOwnProcesses: Bool = false, hasTerminal: Bool = false,
    on machine: Machine = .withSystemd
  ) -> Caller {
    caller(
      cgroup: "0::\(folder)\n", uid: uid, label: label, command: command, hasOwnUsers,
      hasOwnProcesses, hasTerminal, on: machine)
  }

  static func caller(
    cgroup: String, uid: UInt32 = 1000, label: String? = nil, command: String = "prog",
    _ hasOwnUsers: Bool = false, _ hasOwnProcesses: Bool = false, _ hasTerminal: Bool = false,
    on machine: Machine = .withSystemd
  ) -> Caller {
    let seen = ProcessFacts.Seen(
      cgroup: Array(cgroup.utf8), command: command, hasOwnUsers: hasOwnUsers,
      hasOwnProcesses: hasOwnProcesses, hasTerminal: hasTerminal,
      lineage: [ProcessID(pid: 7, startTime: 70)])
    let facts = ProcessFacts(uid: uid, pid: 7, label: label, seen: seen)
    return Caller(facts, on: machine, userName: "ann")
  }

  static let ours = "/user.slice/user-1000.slice/user@1000.service"

  @Test(
    "each unit is the app it is",
    arguments: [
      ("\(ours)/app.slice/app-flatpak-org.gnome.Maps-4711.scope", "flatpak:org.gnome.Maps"),
      ("\(ours)/app.slice/app-flatpak-org.x.A\\x2db-4711.scope", "flatpak:org.x.A-b"),
      ("\(ours)/flatpak-org.gnome.Maps-4711.scope", "flatpak:org.gnome.Maps"),
      (
        "\(ours)/app.slice/snap.firefox.firefox-54b38acc-3ba2-4c6d-b284-7ac07e1159e5.scope",
        "snap:firefox"
      ),
      ("\(ours)/app.slice/snap.hello-world.hook.configure-54b38acc.scope", "snap:hello-world"),
      ("\(ours)/app.slice/snap.lxd_two.sync.service", "snap:lxd_two"),
      ("/system.slice/snap.cups.cupsd.service", "snap:cups"),
      ("/system.slice/snap.foo\\x2bcomp.hook.install-54b38acc.scope", "snap:foo"),
      ("/system.slice/weather.service", "unit:weather.service"),
      ("/system.slice/system-weather.slice/weather@home.service", "unit:weather@home.service"),
      ("/own.slice/own-part.slice/weather.service", "unit:weather.service"),
      ("/system.slice/weather.service/worker/3", "unit:weather.service"),
      ("/system.slice/_cpu.service", "unit:cpu.service"),
      (
        "/machine.slice/systemd-nspawn@box.service/payload/system.slice/x.service",
        "unit:systemd-nspawn@box.service"
      ),
      ("\(ours)/app.slice/sync.service", "userunit:sync"),
      ("\(ours)/session.slice/org.gnome.Shell@wayland.service", "userunit:org.gnome.Shell@wayland"),
      ("\(ours)/app.slice/locationd-agent.service", "userunit:locationd-agent"),
      ("\(ours)/app.slice/app-org.gnome.Maps-4711.scope", "app:org.gnome.Maps"),
      ("\(ours)/app.slice/app-gnome-org.gnome.Maps-4711.scope", "app:org.gnome.Maps"),
      (
        "\(ours)/app.slice/app-gnome-Evolution\\x2dalarm\\x2dnotify-2437.scope",
        "app:Evolution-alarm-notify"
      ),
      ("\(ours)/app.slice/app-niri-foo-bar-2437.scope", "app:foo-bar"),
      ("\(ours)/app.slice/app-firefox-2437.scope", "app:firefox"),
      ("\(ours)/app.slice/app-firefox.scope", "app:firefox"),
      ("\(ours)/app.slice/app-org.kde.marble@7a1f.service", "app:org.kde.marble"),
      ("\(ours)/app.slice/app-org.kde.marble@autostart.service", "app:org.kde.marble"),
      ("\(ours)/app.slice/app-org.kde.marble-autostart.service", "app:org.kde.marble"),
      ("\(ours)/app.slice/app-KDE-org.kde.marble.service", "app:org.kde.marble"),
      ("\(ours)/app.slice/app-chromium-12.slice/app-chromium-12.scope", "app:chromium"),
      ("\(ours)/app.slice/dbus-:1.2-org.gnome.Maps@31.service", "app:org.gnome.Maps"),
    ])
  func named(folder: String, app: String) {
    #expect(Self.caller(in: folder).app == app)
  }

  @Test(
    "what has no name that lasts is one of its user's programs",
    arguments: [
      "/", "/init.scope", "/system.slice", "/system.slice/docker-0af3.scope",
      "/user.slice/user-1000.slice/session-2.scope", "/docker/0af3", "/docker/0af3/x.service",
      "\(ours)", "\(ours)/init.scope", "\(ours)/app.slice",
      "\(ours)/app.slice/vte-spawn-54b38acc-3ba2-4c6d-b284-7ac07e1159e5.scope",
      // These start others.
      "\(ours)/session.slice/dbus.service", "\(ours)/session.slice/dbus-broker.service",
      // systemd-run counts.
      "\(ours)/app.slice/run-u12.service", "\(ours)/app.slice/run-r08af.service",
      "\(ours)/app.slice/run-p12-i34.service", "/system.slice/run-u12.service",
      "/system.slice/dbus-:1.2-org.weather@0.service",
      "/system.slice/weather.service (deleted)", "/../system.slice/weather.service",
      "/system.slice/../weather.service", "system.slice/weather.service", "",
      "/system.slice/.service",
      "\(ours)/app.slice/app-.scope", "\(ours)/app.slice/app-flatpak--1.scope",
      "\(ours)/app.slice/app-\\xff\\xfe-1.scope", "\(ours)/app.slice/app-gnome-\\x0a-1.scope",
      "\(ours)/app.slice/app-gnome-\\xe2\\x80\\xae-1.scope",
    ])
  func nameless(folder: String) {
    let caller = Self.caller(in: folder)
    #expect(caller.app == "user:ann")
    #expect(caller.wantsClue)
  }

  @Test("a unit whose name only begins like a made-up one keeps it")
  func notMadeUp() {
    #expect(Self.caller(in: "/system.slice/run-parts.service").app == "unit:run-parts.service")
    #expect(Self.caller(in: "\(Self.ours)/a.slice/run-x.service").app == "userunit:run-x")
  }

  @Test(
    "what a user makes in the part of the own manager is no system service and no other user's",
    arguments: [
      "\(ours)/system.slice/weather.service", "\(ours)/app.slice/weather.service",
      "\(ours)/weather.service", "\(ours)/app.slice/a.scope/system.slice/weather.service",
      "\(ours)/init.scope/weather.service", "\(ours)/user@0.service/weather.service",
      "/user.slice/user-1000.slice/session-2.scope/system.slice/weather.service",
      "\(ours)/app.slice/user@1001.service/app.slice/app-flatpak-org.gnome.Maps-1.scope",
    ])
  func forged(folder: String) {
    let caller = Self.caller(in: folder)
    #expect(caller.kind == .user || caller.kind == .userunit)
    #expect(!caller.isSystemService)
    #expect(caller.app != "userunit:locationd-agent")
  }

  @Test(
    "who became somebody else inside a user's app is not that app",
    arguments: [
      "app-flatpak-org.gnome.Maps-1.scope", "app-gnome-x-1.scope", "sync.service",
      "snap.firefox.firefox-54b38acc.scope", "locationd-agent.service",
    ])
  func becameAnother(unit: String) {
    let caller = Self.caller(in: "\(Self.ours)/app.slice/\(unit)", uid: 0)
    #expect(caller.app == "user:ann")
    #expect(caller.unit == nil)
  }

  @Test("systemd's own hierarchy counts where the unified one is not used")
  func hierarchies() {
    let old = "12:pids:/x\n4:memory:/y/z.service\n1:name=systemd:/system.slice/weather.service\n"
    #expect(Self.caller(cgroup: old + "0::/\n").app == "unit:weather.service")
    #expect(Self.caller(cgroup: old).app == "unit:weather.service")
    #expect(
      Self.caller(cgroup: "0::\(Self.ours)/app.slice/sync.service\n" + old).app == "userunit:sync")
    for nonsense in [
      "", "\n\n", "0:", "0::", "::", ":::", "0:cpu:/a.service", "1:name=systemd2:/a.service",
    ] {
      #expect(Self.caller(cgroup: nonsense).app == "user:ann")
    }
  }

  @Test("whatever a folder may be called is borne, and makes nobody a service or a sandbox's app")
  func anything() {
    var random = Dice(seed: 1)
    let pieces = [
      "/", "-", "@", ":", ".", "\\x", "\\xc3", "app", "flatpak", "snap", ".scope", ".slice",
    ]
    for _ in 0..<5000 {
      var bytes = Array("0::/system.slice/a.scope/".utf8)
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        if Bool.random(using: &random) {
          bytes += pieces.randomElement(using: &random).map { Array($0.utf8) } ?? []
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        }
      }
      let seen = ProcessFacts.Seen(
        cgroup: bytes.filter { $0 != 0x0A }, command: "", hasOwnUsers: false,
        hasOwnProcesses: false, hasTerminal: false, lineage: nil)
      let facts = ProcessFacts(uid: 1000, pid: 7, label: nil, seen: seen)
      let caller = Caller(facts, on: .withSystemd, userName: "ann")
      #expect(caller.app == "user:ann")
      #expect(!caller.isInUserSlice)
    }
  }

  @Test("a snap's label says more than the unit")
  func labels() {
    let plain = "\(Self.ours)/app.slice/sync.service"
    let snap = "\(Self.ours)/app.slice/snap.firefox.firefox-54b38acc.scope"
    for label in [
      "snap.maps.maps (enforce)", "snap.maps.maps (complain)", "snap.maps.hook.configure",
    ] {
      let caller = Self.caller(in: plain, label: label)
      #expect(caller.app == "snap:maps")
      #expect(caller.confinement == .sandbox)
    }
    #expect(Self.caller(in: snap, label: "unconfined").app == "user:ann")
    #expect(Self.caller(in: snap, label: nil).app == "snap:firefox")
    #expect(Self.caller(in: "/system.slice/snap.a.b.service", label: "unconfined").app == "snap:a")
    for label in [
      "snap", "snap.", "snap.maps", "snap..maps", "snap.MAPS.maps", ":box:snap.maps.maps", "",
      "/usr/bin/snap.maps.maps", "system_u:system_r:snap.maps.maps:s0", "snap.a:b.c",
    ] {
      #expect(Self.caller(in: plain, label: label).app == "userunit:sync")
    }
  }

  @Test("it is told who may be in a sandbox")
  func confinement() {
    let ours = Self.ours
    #expect(Self.caller(in: "\(ours)/a.slice/app-flatpak-org.x-1.scope").confinement == .sandbox)
    #expect(Self.caller(in: "\(ours)/a.slice/app-gnome-org.x-1.scope").confinement == .none)
    #expect(Self.caller(in: "\(ours)/init.scope", hasOwnUsers: true).confinement == .sandbox)
    #expect(
      Self.caller(in: "\(ours)/init.scope", command: "xdg-dbus-proxy").confinement == .sandbox)
    #expect(Self.caller(in: "/", hasOwnUsers: true).confinement == .sandbox)
    #expect(Self.caller(in: "/").confinement == .none)
  }

  @Test("one that cannot be looked at is nobody: not even one of its user's programs")
  func gone() {
    let unseen = ProcessFacts(uid: 1000, pid: 7, label: nil, seen: nil)
    let caller = Caller(unseen, on: .withSystemd, userName: "ann")
    #expect(caller.app == "user:ann")
    #expect(caller.confinement == .unknown)
    #expect(!caller.mayBeAgent)
    #expect(caller.isKin(of: Caller(uid: 1000, pid: 8, app: "user:ann")))
    #expect(!caller.wantsClue)
    let snap = ProcessFacts(uid: 1000, pid: 7, label: "snap.maps.maps (enforce)", seen: nil)
    #expect(Caller(snap, on: .withSystemd, userName: "ann").app == "snap:maps")
  }

  @Test("services and sessions are known by their unit")
  func units() {
    let service = Self.caller(in: "/system.slice/weather.service")
    #expect(service.isSystemService)
    #expect(service.unit == .system("weather.service"))
    #expect(Self.caller(in: "/system.slice/run-u1.service").isSystemService)
    let session = Self.caller(in: "/user.slice/user-1000.slice/session-c2.scope")
    #expect(session.unit == .system("session-c2.scope"))
    #expect(!session.isSystemService)
    let agent = Self.caller(in: "\(Self.ours)/app.slice/locationd-agent.service")
    #expect(agent.unit == .user("locationd-agent.service"))
    #expect(!agent.isSystemService)
  }

  @Test("an agent's clue names the nameless, as nothing but a program or a flatpak")
  func clues() {
    func heeded(_ clue: ProgramClue, _ caller: Caller = Self.caller(in: "/")) -> Caller {
      var caller = caller
      caller.apply(clue)
      return caller
    }
    #expect(heeded(ProgramClue(exe: "/usr/bin/where am i")).app == "exe:/usr/bin/where am i")
    let script = ProgramClue(exe: "/usr/bin/python3", script: "/home/ann/walk.py", isShared: true)
    #expect(heeded(script).app == "script:/usr/bin/python3:/home/ann/walk.py")
    #expect(!heeded(script).isShared)
    for script in [nil, "walk.py", "/a\nb"] as [String?] {
      let caller = heeded(ProgramClue(exe: "/usr/bin/python3", script: script, isShared: true))
      #expect(caller.app == "exe:/usr/bin/python3")
      #expect(caller.isShared)
    }
    #expect(heeded(ProgramClue(flatpak: "org.x")).app == "flatpak:org.x")
    #expect(heeded(ProgramClue(flatpak: "org.x")).confinement == .sandbox)
    for exe in ["", "ls", "/a\nb", "/\u{202e}a", "/" + String(repeating: "a", count: 4096)] {
      #expect(heeded(ProgramClue(exe: exe)).app == "user:ann")
    }
    let boxed = Self.caller(in: "/", hasOwnUsers: true)
    #expect(heeded(ProgramClue(exe: "/usr/bin/maps"), boxed).app == "user:ann")
    let service = Self.caller(in: "/system.slice/weather.service")
    #expect(heeded(ProgramClue(exe: "/usr/bin/maps"), service) == service)
  }
}

extension Machine {
  static let withSystemd = Machine(hasSystemd: true, cgroup: Array("0::/system.slice/x".utf8))
  static let withoutSystemd = Machine(hasSystemd: false, cgroup: [])
}
