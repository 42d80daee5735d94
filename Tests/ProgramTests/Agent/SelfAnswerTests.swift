import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A program that asks for Always and has its own child, on a terminal that it made, answer for it.
private enum SelfAnswer {
  /// How it goes about it.
  enum Way: String, CaseIterable {
    case socket, bus
    /// `locationctl agent` is the child, and the answers are typed by its parent.
    case locationctl
  }

  /// `group` where all of it runs. Its lines: what the registration came to, then what asking did.
  static func program(
    _ daemon: RunningDaemon, _ bus: PrivateBus, _ way: Way, in group: Cgroup?,
    as uid: UInt32 = 65534
  ) throws -> Program {
    try Program([
      "/usr/bin/python3", "-c", script, way.rawValue, daemon.socket, bus.address, group?.path ?? "",
      "\(uid)", try daemon.copyForAll(),
    ])
  }

  private static let script = """
    import json, os, pty, socket, subprocess, sys
    way, path, bus, group, uid, control = sys.argv[1:]
    uid = int(uid)
    def become():
        if os.path.isdir(group):
            with open(group + "/cgroup.procs", "w") as procs: procs.write(str(os.getpid()))
        elif group:
            subprocess.check_call(["mount", "--bind", group, "/proc/%d/cgroup" % os.getpid()])
        if os.getuid() != uid: os.setgroups([]); os.setresgid(uid, uid, uid); os.setresuid(uid, uid, uid)
    class Client:
        def __init__(self):
            s = socket.socket(socket.AF_UNIX); s.connect(path)
            self.input, self.output, self.last = s.makefile("r"), s.makefile("w"), 0
        def send(self, **message):
            self.output.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); self.output.flush()
        def ask(self, method, **params):
            self.last += 1
            self.send(id=self.last, method=method, params=params)
            while True:
                line = self.input.readline()
                if json.loads(line).get("id") == self.last: return line.strip()
    def listen(said):
        agent = Client()
        print(agent.ask("agent.register"), file=said, flush=True)
        for line in agent.input:
            asked = json.loads(line)
            if asked["method"] == "agent.identify":
                agent.send(id=asked["id"], result={"exe": "/usr/bin/trusted"})
            if asked["method"] == "agent.decide":
                agent.send(id=asked["id"], result={"decision": "allowAlways"})
    def listenOnBus(said):
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        connection = dbus.bus.BusConnection(bus)
        class Agent(dbus.service.Object):
            @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}", out_signature="a{sv}")
            def Decide(self, question): return {"decision": "allowAlways"}
            @dbus.service.method("org.locationd.Agent1", in_signature="u", out_signature="a{sv}")
            def Identify(self, pid): return {"exe": "/usr/bin/trusted"}
        agent = Agent(connection, "/agent")
        manager = connection.get_object("org.locationd", "/org/locationd")
        try:
            manager.Register(dbus.ObjectPath("/agent"), dbus_interface="org.locationd.Agents1")
            print("registered", file=said, flush=True)
        except dbus.DBusException as error:
            print(error.get_dbus_name(), file=said, flush=True)
        GLib.MainLoop().run()
    hear, say = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        become()
        if way == "locationctl": os.execv(control, [control, "agent", "--socket", path])
        (listenOnBus if way == "bus" else listen)(os.fdopen(say, "w"))
        os._exit(0)
    become()
    if way == "locationctl":
        print(os.read(terminal, 4096).decode().strip().splitlines()[0], flush=True)
        if os.fork() == 0:
            try:
                while True:
                    if b"> " in os.read(terminal, 4096): os.write(terminal, b"a\\n")
            except OSError:
                os._exit(0)
    else:
        print(os.fdopen(hear).readline().strip(), flush=True)
    client = Client()
    print(client.ask("hello"), flush=True)
    print(client.ask("requestAuthorization", level="always"), flush=True)
    print(client.ask("requestLocation", timeout=0.2), flush=True)
    if way == "bus":
        import dbus
        connection = dbus.bus.BusConnection(bus)
        def call(path, name, *arguments):
            try:
                return connection.get_object("org.locationd", path).get_dbus_method(*name)(*arguments)
            except dbus.DBusException as error:
                return error.get_dbus_name()
        made = call("/org/locationd", ("CreateClient", "org.locationd.Manager1"), dbus.Dictionary({}, "sv"))
        print(call(made, ("RequestAlwaysAuthorization", "org.locationd.Client1")), flush=True)
        print(call(made, ("RequestLocation", "org.locationd.Client1")), flush=True)
    os.kill(pid, 9)
    """
}

@Suite(
  "No program answers for itself", .serialized,
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
struct SelfAnswerTests {
  private let bus: PrivateBus
  private let daemon: RunningDaemon

  init() throws {
    bus = try PrivateBus()
    daemon = try RunningDaemon(
      files: ["locationd.conf": "[Permissions]\nInUse=connected\n"], bus: bus)
    try BusClient(bus.address).waitForDaemon()
  }

  private func expectNothing(
    _ way: SelfAnswer.Way, in folder: String, isAgent: Bool, app: String
  ) throws {
    let group = try Cgroup(folder)
    let program = try SelfAnswer.program(daemon, bus, way, in: group)
    let registered = try program.line()
    let isRegistered = ["registered", "\"result\":{}", "come here"].contains {
      registered.contains($0)
    }
    #expect(isRegistered == isAgent, "\(registered)")
    #expect(try JSON(parsing: program.line())["result"]?["app"]?.string == app)
    for _ in 0..<2 {
      let answer = try JSON(parsing: program.line())
      #expect(answer["error"]?["data"]?["name"] == "denied", "\(answer)")
    }
    if way == .bus {
      #expect(try program.line() == "org.locationd.Error.Denied")
      // The other waits for a decision.
      #expect(try program.line() == "None")
    }
    #expect(try daemon.connect().permissions() == [:])
    withExtendedLifetime(group) {}
  }

  @Test(
    "a system service with a terminal of its own making is nobody's agent",
    arguments: SelfAnswer.Way.allCases)
  fileprivate func systemService(way: SelfAnswer.Way) throws {
    try expectNothing(
      way, in: "/system.slice/evil.service", isAgent: false, app: "unit:evil.service")
  }

  @Test("nor does such a service answer for others of its user")
  func otherService() throws {
    let evil = try Cgroup("/system.slice/evil.service")
    let program = try SelfAnswer.program(daemon, bus, .socket, in: evil)
    #expect(try program.line().contains("cannot answer for its user"))
    let other = try Cgroup("/system.slice/radar.service")
    let get =
      ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      + [try daemon.copyForAll(), "get", "--socket", daemon.socket]
    let (text, exit) = try Program(onTerminal(other.command(get))).text()
    #expect(exit == 3)
    #expect(text.contains("sudo locationctl grant unit:radar.service"))
    withExtendedLifetime((evil, other, program)) {}
  }

  @Test(
    "a user's program is answered for by no descendant of its own",
    arguments: SelfAnswer.Way.allCases)
  fileprivate func userProgram(way: SelfAnswer.Way) throws {
    try expectNothing(
      way, in: "/user.slice/user-65534.slice/session-7.scope", isAgent: true, app: "user:nobody")
  }

  @Test(
    "nor is a service of the user's manager, though the agent's parent is gone",
    arguments: [SelfAnswer.Way.socket, .bus])
  fileprivate func userService(way: SelfAnswer.Way) throws {
    try expectNothing(
      way, in: "\(IdentityTests.users)/app.slice/sly.service", isAgent: true, app: "userunit:sly")
  }

  @Test("the agent's unit takes over from a terminal, for whom nobody had to be asked before")
  func unitWins() throws {
    let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let session = try Cgroup("/user.slice/user-65534.slice/session-4.scope")
    let agent = nobody + [try daemon.copyForAll(), "agent", "--socket", daemon.socket]
    let terminal = try Program(onTerminal(session.command(agent), answers: []))
    #expect(try terminal.line().contains("come here"))
    // Two terminals are one too many, the unit is not.
    let second = try Program(onTerminal(session.command(agent))).text()
    #expect(second.exit == 3)
    #expect(second.text.contains("Another agent answers"))
    let unit = try Cgroup("\(IdentityTests.users)/app.slice/locationd-agent.service")
    let script = """
      import json, socket
      s = socket.socket(socket.AF_UNIX); s.connect("\(daemon.socket)")
      f, g = s.makefile("r"), s.makefile("w")
      def send(**message): g.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n"); g.flush()
      send(id=1, method="agent.register")
      for line in f:
          message = json.loads(line)
          if message.get("method") == "agent.identify": send(id=message["id"], result={})
          elif message.get("method") == "agent.decide":
              send(id=message["id"], result={"decision": "deny"})
          else: print(line.strip(), flush=True)
      """
    let service = try Program(unit.command(nobody + ["/usr/bin/python3", "-c", script]))
    #expect(try service.line().contains("\"result\":{}"))
    let app = try Cgroup("\(IdentityTests.users)/app.slice/app-gnome-maps-1.scope")
    let get = nobody + [try daemon.copyForAll(), "get", "--socket", daemon.socket]
    #expect(try Program(onTerminal(app.command(get))).text().exit == 3)
    #expect(try daemon.connect().permissions()["app:maps"] == "denied")
    withExtendedLifetime((session, unit, app)) {}
  }
}

@Suite("No program answers for what has started it", .serialized) struct OwnKinTests {
  @Test("an agent that the app itself has started is not asked, and one that it has not is")
  func child() throws {
    let daemon = try RunningDaemon(files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"])
    let agent = [Program.path("locationctl"), "agent", "--socket", daemon.socket]
    let driver = "import pty, sys; pty.spawn(sys.argv[1:])"
    var child: Program? = try Program(["python3", "-c", driver] + Cgroup.inSession(agent))
    #expect(try child?.line().contains("come here") == true)
    let client = try daemon.connect()
    let refused = try client.ask("requestAuthorization", ["level": "whenInUse"])
    #expect(refused["error"]?["data"]?["name"] == "denied")
    #expect(refused["error"]?["message"]?.string?.contains("sudo locationctl grant") == true)
    child = nil
    var other: Program?
    let isTaken = try eventually(within: patience) {
      let next = try Program(onTerminal(Cgroup.inSession(agent), answers: ["w"]))
      other = next
      return try next.line().contains("come here")
    }
    #expect(isTaken)
    let answer = try client.ask("requestAuthorization", ["level": "whenInUse"])
    #expect(answer["result"]?["authorization"] == "authorizedWhenInUse")
    withExtendedLifetime(other) {}
  }
}
