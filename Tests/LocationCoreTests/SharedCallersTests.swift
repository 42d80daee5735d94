import LocationModel
import Testing

@testable import LocationCore

@Suite("Callers at the share's doors") struct SharedCallersTests {
  private static func caller(
    _ folder: String?, uid: UInt32 = 1000, isRemote: Bool = false
  ) -> Caller {
    let seen = folder.map {
      ProcessFacts.Seen(
        cgroup: Array("0::\($0)".utf8), command: "", hasOwnUsers: false, hasOwnProcesses: false,
        hasTerminal: false, lineage: nil)
    }
    return Caller(
      shared: ProcessFacts(uid: uid, pid: 0, label: nil, seen: seen), on: .withSystemd,
      isRemote: isRemote, userName: uid == 0 ? "root" : "ann")
  }

  private static let ours = IdentityTests.ours

  @Test(
    "the control group of the socket names the program, and where it names none, the user does",
    arguments: [
      ("/system.slice/weather.service", "unit:weather.service"),
      ("\(ours)/app.slice/sync.service", "userunit:sync"),
      ("\(ours)/app.slice/app-org.qgis.qgis-4711.scope", "app:org.qgis.qgis"),
      ("\(ours)/app.slice/app-flatpak-org.gnome.Maps-4711.scope", "flatpak:org.gnome.Maps"),
      ("\(ours)/app.slice/snap.navit.navit-54b38acc.scope", "snap:navit"),
      ("/user.slice/user-1000.slice/session-3.scope", "gpsd:ann"),
      ("\(ours)/app.slice/vte-spawn-4711.scope", "gpsd:ann"), ("/", "gpsd:ann"),
    ])
  func names(folder: String, app: String) {
    let caller = Self.caller(folder)
    #expect(caller.app == app && !caller.wantsClue)
    #expect(!caller.isTrusted(by: 1000), "the daemon's own user is asked about, too")
  }

  @Test(
    "root is trusted in a unit or session of this machine, and nowhere else",
    arguments: [
      ("/system.slice/cron.service", "unit:cron.service", true),
      ("/user.slice/user-0.slice/session-3.scope", "user:root", true),
      ("/system.slice/docker.service", "gpsd:root", false),
      ("/system.slice/ssh.service", "gpsd:root", false), ("/", "gpsd:root", false),
      (nil, "gpsd:root", false),
    ] as [(String?, String, Bool)])
  func root(folder: String?, app: String, isTrusted: Bool) {
    let caller = Self.caller(folder, uid: 0)
    #expect(caller.app == app && caller.isTrusted(by: 990) == isTrusted)
  }

  @Test(
    "root is undecided in the units of programs that forward ports",
    arguments: [
      "docker.service", "snap.docker.dockerd.service", "containerd.service", "podman.service",
      "libvirtd.service", "lxc@web.service", "lxd.service", "snap.lxd.daemon.service",
      "incus.service", "crio.service", "k3s-agent.service", "kubelet.service", "sshd.service",
      "ssh@7-10.0.0.1:22-10.0.0.2:5022.service", "dropbear.service", "autossh-home.service",
      "tailscaled.service", "cloudflared.service", "frpc.service", "frps.service",
      "frpc@home.service", "chisel-server.service", "ngrok.service", "inetd.service",
      "systemd-socket-proxyd@web.service", "openbsd-inetd.service", "xinetd.service",
      "rinetd.service", "socat.service", "socat@2947.service", "redir.service", "stunnel4.service",
      "stunnel@web.service", "nginx.service", "haproxy.service",
    ])
  func forwarders(unit: String) {
    for slice in ["/system.slice", "/system.slice/system-web.slice"] {
      let caller = Self.caller("\(slice)/\(unit)", uid: 0)
      #expect(caller.app == "gpsd:root" && !caller.isTrusted(by: 990))
    }
  }

  @Test("a rule has a person asked about a forwarder of root's by another name")
  func ruled() {
    let caller = Self.caller("/system.slice/tunnel.service", uid: 0)
    var harness = Self.harness(caller)
    #expect(Self.isTold(harness.walk(for: 2)))
    harness.rule(Policy([.init(app: "unit:tunnel.service", uids: nil, rule: .ask)]))
    #expect(!Self.isTold(harness.walk(for: 2)))
  }

  @Test("in a session over ssh root is undecided: its sshd may forward a port")
  func remote() {
    let folder = "/user.slice/user-0.slice/session-3.scope"
    let caller = Self.caller(folder, uid: 0, isRemote: true)
    #expect(caller.app == "gpsd:root" && !caller.isTrusted(by: 990))
    #expect(Self.caller(folder, isRemote: true).app == "gpsd:ann")
  }

  @Test(
    "in a container root is undecided, and others are nobody", arguments: ContainerTests.folders)
  func containers(folder: String) {
    let root = Self.caller(folder, uid: 0)
    #expect(root.app == "gpsd:root" && !root.isTrusted(by: 990) && !root.isAnonymous)
    let other = Self.caller(folder)
    #expect(other.kind != .gpsd && other.confinement == .sandbox)
  }

  @Test(
    "only the share's unit hands programs over; without systemd, the daemon's own user and root")
  func share() {
    let unit = IdentityTests.caller(
      in: "/system.slice/locationd-share.service", uid: 990, hasOwnUsers: true)
    #expect(unit.isShare(on: .withSystemd, daemon: 991))
    for folder in [
      "/system.slice/other.service", "\(Self.ours)/app.slice/locationd-share.service",
      "/user.slice/user-1000.slice/session-3.scope",
    ] {
      #expect(!IdentityTests.caller(in: folder).isShare(on: .withSystemd, daemon: 991))
      #expect(!IdentityTests.caller(in: folder, uid: 0).isShare(on: .withSystemd, daemon: 991))
    }
    let without = Machine(hasSystemd: false, cgroup: [])
    #expect(IdentityTests.caller(in: "/", uid: 991, on: without).isShare(on: without, daemon: 991))
    #expect(!IdentityTests.caller(in: "/", uid: 992, on: without).isShare(on: without, daemon: 991))
  }

  // MARK: - What they are told

  private static let reader = ClientID(5)

  private static func harness(_ caller: Caller, use: UseRule = .connected) -> MonitoringHarness {
    var harness = MonitoringHarness(use: use)
    harness.handle(.connected(reader, caller))
    var request = StandardRequest()
    request.isForReceiver = true
    harness.call(.startUpdatingLocation(request), from: reader)
    return harness
  }

  private static func isTold(_ outputs: [Output]) -> Bool {
    outputs.contains {
      if case .tell(let recipients, .didUpdateLocations) = $0 {
        recipients.contains { $0.client == reader }
      } else {
        false
      }
    }
  }

  @Test("undecided, denied or reduced they are told nothing; with a permission, each fix")
  func told() {
    var harness = Self.harness(Self.caller("/user.slice/user-1000.slice/session-3.scope"))
    #expect(!Self.isTold(harness.walk(for: 3)))
    for (authorization, accuracy, isTold) in [
      (.authorizedAlways, .reduced, false), (.authorizedAlways, .full, true),
      (.denied, .full, false),
    ] as [(Authorization, AccuracyAuthorization, Bool)] {
      let change = PermissionChange(
        app: "gpsd:ann", uid: 1000, authorization: authorization, accuracy: accuracy)
      harness.call(.permissionsSet(change))
      #expect(Self.isTold(harness.walk(for: 3)) == isTold, "\(authorization) \(accuracy)")
    }
  }

  @Test("allowed in use, they are told while the person is there; always, without")
  func inUse() {
    var harness = Self.harness(
      Self.caller("/user.slice/user-1000.slice/session-3.scope"), use: .logind)
    for (authorization, present, isTold) in [
      (.authorizedWhenInUse, [], false), (.authorizedWhenInUse, [1000], true),
      (.authorizedWhenInUse, [1001], false), (.authorizedAlways, [], true),
    ] as [(Authorization, Set<UInt32>, Bool)] {
      let change = PermissionChange(app: "gpsd:ann", uid: 1000, authorization: authorization)
      harness.call(.permissionsSet(change))
      harness.handle(.present(present))
      #expect(Self.isTold(harness.walk(for: 3)) == isTold, "\(authorization) \(present)")
    }
  }

  @Test("a decision about all of a user's programs is for them")
  func governed() {
    var harness = Self.harness(Self.caller("/user.slice/user-1000.slice/session-3.scope"))
    harness.call(
      .permissionsSet(
        PermissionChange(app: "user:ann", uid: 1000, authorization: .authorizedAlways))
    )
    #expect(Self.isTold(harness.walk(for: 2)))
  }

  @Test("an administrator's line allows all that read there, until the share's name is revoked")
  func line() {
    let share = IdentityTests.caller(in: "/system.slice/locationd-share.service", uid: 990)
    var harness = Self.harness(Caller(lineOf: share))
    #expect(Self.isTold(harness.walk(for: 2)))
    harness.call(
      .permissionsSet(
        PermissionChange(app: "unit:locationd-share.service", uid: 990, authorization: .denied)))
    #expect(!Self.isTold(harness.walk(for: 2)))
  }

  @Test("the list of apps has a line with what it may know, though it has wanted no place yet")
  func listed() {
    let share = IdentityTests.caller(in: "/system.slice/locationd-share.service", uid: 990)
    var harness = MonitoringHarness(use: .connected)
    func list() -> [AppPermission] {
      var all: [AppPermission] = []
      for case .permissions(let list) in harness.call(.permissionsList).replies { all += list }
      return all.filter { $0.app == "unit:locationd-share.service" }
    }
    #expect(list().isEmpty)
    harness.handle(.connected(Self.reader, Caller(lineOf: share)))
    let lines = list()
    #expect(lines.map(\.uid) == [990] && lines.map(\.uses) == [0])
    #expect(lines.map(\.authorization) == [.authorizedAlways])
    harness.handle(.gone(Self.reader))
    #expect(list().isEmpty)
  }
}
