import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Who a client is", .serialized) struct IdentityTests {
  static let users = "/user.slice/user-65534.slice/user@65534.service"

  @Test(
    "each kind of unit is told by the folder that its process is in",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups,
    arguments: [
      ("\(users)/app.slice/app-flatpak-org.gnome.Maps-4711.scope", "flatpak:org.gnome.Maps"),
      ("\(users)/app.slice/snap.maps.maps-54b38acc-3ba2-4c6d-b284-7ac07e1159e5.scope", "snap:maps"),
      ("/system.slice/snap.maps.daemon.service", "snap:maps"),
      ("/system.slice/weather.service", "unit:weather.service"),
      ("/system.slice/weather.service/worker", "unit:weather.service"),
      ("\(users)/app.slice/sync.service", "userunit:sync"),
      ("\(users)/app.slice/app-gnome-Evolution\\x2dalarm-12.scope", "app:Evolution-alarm"),
      ("\(users)/app.slice/app-org.kde.marble@7a1f.service", "app:org.kde.marble"),
      ("/user.slice/user-65534.slice/session-3.scope", "user:nobody"),
      // Where a user may make folders, only that user's apps are.
      ("\(users)/system.slice/weather.service", "userunit:weather"),
      ("\(users)/app.slice/a.scope/system.slice/weather.service", "user:nobody"),
      ("/user.slice/user-0.slice/user@0.service/app.slice/app-gnome-root-1.scope", "user:nobody"),
    ])
  func units(folder: String, app: String) throws {
    let daemon = try RunningDaemon()
    let cgroup = try Cgroup(folder)
    #expect(try RunningDaemon.app(of: cgroup.command(daemon.statusAsNobody())) == app)
  }

  @Test(
    "systemd's own hierarchy says it too",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithOldHierarchy)
  func named() throws {
    let daemon = try RunningDaemon()
    let cgroup = try Cgroup("/system.slice/weather.service", in: .named)
    #expect(
      try RunningDaemon.app(of: cgroup.command(daemon.statusAsNobody())) == "unit:weather.service")
  }

  @Test(
    "a service of the system's manager is told",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func systemManager() throws {
    let name = "locationd-test-\(UUID())"
    let isReal = !AsRoot.isInside && Manager.isSystems
    let daemon = try RunningDaemon(hasOwnGroups: !isReal)
    let run = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--unit=\(name)"]
    let group = isReal ? nil : try Cgroup("/system.slice/\(name).service")
    let command = group?.command(daemon.status()) ?? run + daemon.status()
    #expect(try RunningDaemon.app(of: command) == "unit:\(name).service")
  }

  @Test(
    "a service and an app of the user's manager are told",
    .enabled(if: Manager.isUsers || AsRoot.isPossible, AsRoot.missing),
    .asRoot(unless: Manager.isUsers))
  func userManager() throws {
    let daemon = try RunningDaemon(hasOwnGroups: !Manager.isUsers)
    let run = ["systemd-run", "--user", "--quiet", "--collect"]
    func app(_ unit: String, _ flags: [String]) throws -> String? {
      let slice = "/user.slice/user-\(getuid()).slice/user@\(getuid()).service/app.slice"
      let group = Manager.isUsers ? nil : try Cgroup("\(slice)/\(unit)")
      let command = group?.command(daemon.status()) ?? run + flags + daemon.status()
      return try withExtendedLifetime(group) { try RunningDaemon.app(of: command) }
    }
    let name = "locationd-test-\(UUID())"
    #expect(
      try app("\(name).service", ["--pipe", "--wait", "--unit=\(name)"]) == "userunit:\(name)")
    let scope = "app-org.locationd.Test-\(getpid())"
    #expect(
      try app("\(scope).scope", ["--scope", "--unit=\(scope)"]) == "app:org.locationd.Test")
  }

  @Test(
    "a daemon that may look into nobody's programs tells them all the same",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func withoutRights() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nobody-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    chown(folder, 65534, 65534)
    let program = folder + "/locationd"
    try Program.copy(Program.path("locationd"), to: program)
    let become = [
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all",
      "--inh-caps=-all", "--no-new-privs",
    ]
    let daemon = try Program(
      Cgroup.daemon(
        become + [
          program, "--config", "/dev/null", "--source", "static:45,7", "--socket", folder + "/s",
          "--bus", "none",
        ]))
    while try !daemon.line().contains("listens") {}
    let service = try Cgroup("/system.slice/weather.service")
    let status = [Program.path("locationctl"), "status", "--json", "--socket", folder + "/s"]
    #expect(try RunningDaemon.app(of: service.command(status)) == "unit:weather.service")
    let slice = "/user.slice/user-0.slice/user@0.service/app.slice"
    let app = try Cgroup(slice + "/app-gnome-org.kde.marble-1.scope")
    #expect(try RunningDaemon.app(of: app.command(status)) == "app:org.kde.marble")
  }

  @Test(
    "a user whom this machine does not list is a number, and no name server is asked",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func unlisted() throws {
    let daemon = try RunningDaemon()
    let become = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
    let status = try [daemon.copyForAll()] + daemon.status().dropFirst()
    // In no unit of a manager, wherever the tests run.
    let box = try Cgroup("/locationd-test")
    #expect(try RunningDaemon.app(of: box.command(become + status)) == "user:54321")
    // Only to ask one would it need these.
    let libraries = try kernelText("/proc/\(daemon.program.pid)/maps")
    #expect(!libraries.contains("libnss"))
  }

  @Test("neither its file, nor its arguments, nor what it says of itself names a program")
  func pretended() throws {
    let daemon = try RunningDaemon()
    let plain = try RunningDaemon.app(of: daemon.status())
    let folder = daemon.folder.appending(path: "snap/firefox/1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let renamed = folder.appending(path: "app-flatpak-org.gnome.Maps-1.scope").path
    try Program.copy(Program.path("locationctl"), to: renamed)
    #expect(try RunningDaemon.app(of: [renamed] + daemon.status().dropFirst()) == plain)
    let argv = ["bash", "-c", #"exec -a "flatpak:org.gnome.Maps" "$0" "$@""#]
    #expect(try RunningDaemon.app(of: argv + daemon.status()) == plain)
    let client = try daemon.connect()
    let claims = try client.ask(
      "hello", ["app": "flatpak:org.gnome.Maps", "uid": .integer(0)])
    #expect(claims["error"]?["message"]?.string?.contains("no parameter 'app'") == true)
    let named = try client.ask("hello", ["name": "flatpak:org.gnome.Maps"])
    #expect(named["result"]?["app"]?.string == plain)
  }

  @Test(
    "on the bus, a proxy in the unit that flatpak puts it in is that app",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func proxy() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    try BusClient(bus.address).waitForDaemon()
    let slice = "/user.slice/user-\(getuid()).slice/user@\(getuid()).service/app.slice"
    let scope = try Cgroup(slice + "/app-flatpak-org.gnome.Maps-4711.scope")
    let path = bus.folder.appending(path: "proxy").path
    let proxy = try Program(scope.command(["xdg-dbus-proxy", bus.address, path]))
    #expect(eventually(within: patience) { access(path, F_OK) == 0 })
    let client = try BusClient("unix:path=\(path)")
    let object = try client.makeClient()
    #expect(
      try client.property(object, "org.locationd.Client1", "App")
        == .string("flatpak:org.gnome.Maps"))
    withExtendedLifetime((daemon, scope, proxy)) {}
  }

  @Test(
    "a descriptor that was passed on stays that of the process that connected",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func passedOn() throws {
    let daemon = try RunningDaemon()
    let connecting = try Cgroup("/system.slice/weather.service")
    let holding = try Cgroup("/system.slice/news.service")
    let holder = try Passing.program(daemon, "passed", connecting, holding)
    #expect(try Passing.app(holder.line()) == "unit:weather.service")
    // Without walking in between, it would have been this.
    #expect(try Passing.app(holder.line()) == "unit:news.service")
  }

  @Test(
    "of a process that is gone nobody takes the name, whoever has its number now",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups,
    arguments: ["gone", "reused"])
  func gone(how: String) throws {
    let daemon = try RunningDaemon()
    let connecting = try Cgroup("/system.slice/weather.service")
    let other = try Cgroup("/system.slice/news.service")
    // So that it is looked at only then.
    daemon.program.signal(SIGSTOP)
    let holder = try Passing.program(daemon, how, connecting, other)
    #expect(try holder.line() == "ready")
    daemon.program.signal(SIGCONT)
    #expect(try Passing.app(holder.line()) == "user:root")
  }
}

enum Manager {
  static let isSystems = {
    guard let program = try? Program(["systemctl", "show-environment"]) else { return false }
    return (try? program.exit()) == 0
  }()

  static let isUsers = {
    guard let program = try? Program(["systemctl", "--user", "show-environment"]) else {
      return false
    }
    return (try? program.exit()) == 0
  }()
}

extension RunningDaemon {
  func status() -> [String] {
    [Program.path("locationctl"), "status", "--json", "--socket", socket]
  }

  func statusAsNobody() throws -> [String] {
    ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", try copyForAll()]
      + status().dropFirst()
  }

  /// The identity of a command that prints the daemon's status.
  static func app(of command: [String]) throws -> String? {
    let (text, exit) = try Program(command).text()
    try #require(exit == 0, "\(text)")
    return try JSON(parsing: text.trimmingCharacters(in: .newlines))["client"]?["app"]?.string
  }
}

/// Processes that hand a connection on.
enum Passing {
  static func program(
    _ daemon: RunningDaemon, _ how: String, _ connecting: Cgroup, _ holding: Cgroup
  ) throws -> Program {
    try Program(["python3", "-c", script, daemon.socket, how, connecting.path, holding.path])
  }

  static func app(_ reply: String) throws -> String? {
    try JSON(parsing: reply)["result"]?["app"]?.string
  }

  private static let script = """
    import ctypes, os, socket, subprocess, sys
    path, how, connecting, holding = sys.argv[1:]
    def enter(group):
      if os.path.isdir(group):
        with open(group + "/cgroup.procs", "w") as procs: procs.write(str(os.getpid()))
      else:
        subprocess.check_call(["mount", "--bind", group, "/proc/%d/cgroup" % os.getpid()])
    def connect():
      made = socket.socket(socket.AF_UNIX)
      made.connect(path)
      return made
    def ask(connection):
      connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"hello"}\\n')
      return connection.makefile().readline()
    here, there = socket.socketpair()
    enter(holding)
    child = os.fork()
    if child == 0:
      enter(connecting)
      connection = connect()
      socket.send_fds(there, [b"x"], [connection.fileno()])
      # Alive until it is known, or gone before.
      if how == "passed": there.recv(1)
      os._exit(0)
    passed = socket.socket(fileno=socket.recv_fds(here, 1, 1)[1][0])
    if how == "passed":
      print(ask(passed), end="", flush=True)
      print(ask(connect()), end="", flush=True)
      here.send(b"x")
    os.waitpid(child, 0)
    if how == "reused":
      # clone3 with a number of our choice: struct clone_args, whose 5th is SIGCHLD.
      number = ctypes.c_int(child)
      wishes = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17, 0, 0, 0, ctypes.addressof(number), 1, 0)
      again = ctypes.CDLL(None, use_errno=True).syscall(435, wishes, 88)
      if again == 0:
        enter(connecting)
        os.write(there.fileno(), b"x")
        there.recv(1)
        os._exit(0)
      assert again == child, os.strerror(ctypes.get_errno())
      here.recv(1)
    if how != "passed":
      print("ready", flush=True)
      print(ask(passed), end="", flush=True)
    here.close()
    """
}
