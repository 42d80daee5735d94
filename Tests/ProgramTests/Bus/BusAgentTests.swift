import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

/// An agent in Python, on the bus and on a terminal of its own, which does as it is told.
final class BusAgent {
  let program: Program

  /// `decide`: the body of Decide, `says` the type that it says it answers with; `as`: a command that
  /// starts it.
  init(
    _ bus: PrivateBus, decide: String, identify: String = "return {}", says: String = "a{sv}",
    as become: [String] = [], uid: UInt32 = getuid()
  ) throws {
    let script = """
      import os, sys
      sys.stdout = sys.stderr = os.fdopen(9, "w")
      import dbus, dbus.service
      from dbus.mainloop.glib import DBusGMainLoop
      from gi.repository import GLib
      DBusGMainLoop(set_as_default=True)
      bus = dbus.bus.BusConnection("\(bus.address)")
      path = dbus.ObjectPath("/agent")
      manager = bus.get_object("org.locationd", "/org/locationd")
      agents = dbus.Interface(manager, "org.locationd.Agents1")
      class Agent(dbus.service.Object):
          @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}", out_signature="\(says)",
                               async_callbacks=("answer", "fail"))
          def Decide(self, question, answer, fail):
              print("asked", question["level"], question["uid"], question["app"], flush=True)
              \(decide)
          @dbus.service.method("org.locationd.Agent1", in_signature="u", out_signature="a{sv}",
                               async_callbacks=("answer", "fail"))
          def Identify(self, pid, answer, fail):
              \(identify)
              answer({})
          @dbus.service.method("org.locationd.Agent1", in_signature="t")
          def Cancel(self, number):
              print("cancelled", flush=True)
      agent = Agent(bus, path)
      try:
          agents.Register(path)
          print("registered", flush=True)
          GLib.MainLoop().run()
      except dbus.DBusException as error:
          print(error.get_dbus_name(), error.get_dbus_message(), flush=True)
      """
    let agent = become + ["/usr/bin/python3", "-c", script]
    program = try Program(onTerminal(Cgroup.inSession(agent, uid: uid)))
  }

  func line() throws -> String { try program.line(within: patience) }

  func wait(for text: String) throws {
    while true { if try line().hasPrefix(text) { return } }
  }
}

@Suite("Agents on the bus", .serialized) struct BusAgentTests {
  let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  /// A daemon that asks about every app, also of the tests' own user.
  private func start() throws -> RunningDaemon {
    let daemon = try RunningDaemon(
      ["static:45,7,100,5"], files: ["policy.d/ask.conf": "[Rule]\nAction=ask\n"], bus: bus)
    try BusClient(bus.address).waitForDaemon()
    return daemon
  }

  private func agent(_ decide: String, identify: String = "pass", says: String = "a{sv}") throws
    -> BusAgent
  {
    let agent = try BusAgent(bus, decide: decide, identify: identify, says: says)
    #expect(try agent.line() == "registered")
    return agent
  }

  @Test("what a person answers holds, for programs of either door")
  func answers() throws {
    let daemon = try start()
    let agent = try agent(#"answer({"decision": "allowWhileUsing", "accuracy": "reduced"})"#)
    let client = try BusClient(bus.address)
    let path = try client.makeClient(["purpose": .string("to show the way")])
    try client.call(path, "RequestWhenInUseAuthorization")
    #expect(try agent.line().hasPrefix("asked whenInUse \(getuid()) "))
    try client.waitForAuthorization("authorizedWhenInUse", "reduced")
    try client.wait("the property") {
      let told = try client.signal("PropertiesChanged").arguments()[1].asDictionary
      return told?["AuthorizationStatus"] == .string("authorizedWhenInUse")
    }
    try client.call(path, "RequestLocation")
    #expect(try client.location()["horizontalAccuracy"] == .double(3000))
    #expect(
      try daemon.connect().ask("hello")["result"]?["authorization"] == "authorizedWhenInUse")
    // It is asked for once more exactly, and for nothing twice.
    #expect(
      try client.refusal(
        path, "org.locationd.Client1", "RequestTemporaryFullAccuracy", [.string("")])
        == "org.locationd.Error.InvalidArgs")
    let purpose: [BusValue] = [.string("to find the door")]
    #expect(
      try client.ask(path, "org.locationd.Client1", "RequestTemporaryFullAccuracy", purpose) == [])
    #expect(try agent.line().hasPrefix("asked fullAccuracy "))
    // Nothing has changed, which is told, too.
    let again = try client.signal("DidChangeAuthorization").arguments()
    #expect(again == [.string("authorizedWhenInUse"), .string("reduced")])
  }

  @Test("an exact place for once is told as it is given")
  func fullAccuracy() throws {
    let daemon = try start()
    let agent = try agent(
      #"answer({"decision": "allowOnce", "accuracy": "full" if "full" in question["level"] else "reduced"})"#
    )
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    try client.call(path, "RequestWhenInUseAuthorization")
    try client.waitForAuthorization("authorizedWhenInUse", "reduced")
    _ = try client.ask(
      path, "org.locationd.Client1", "RequestTemporaryFullAccuracy", [.string("to find the door")])
    try client.waitForAuthorization("authorizedWhenInUse", "full")
    try client.call(path, "RequestLocation")
    #expect(try client.location()["latitude"] == .double(45))
    withExtendedLifetime((daemon, agent)) {}
  }

  @Test("with an agent that dies, fails or answers what is no answer, nothing is granted")
  func rogues() throws {
    let daemon = try start()
    for (decide, says) in [
      ("os._exit(0)", "a{sv}"), (#"fail(dbus.DBusException("no"))"#, "a{sv}"),
      (#"answer({"decision": "yes please"})"#, "a{sv}"), ("answer({})", "a{sv}"),
      (#"answer({"decision": dbus.Boolean(True)})"#, "a{sv}"),
      (#"answer({"decision": "allowAlways", "accuracy": "more"})"#, "a{sv}"),
      ("answer()", ""), (#"answer("allowAlways")"#, "s"),
      (#"answer({"decision": "allowAlways"})"#, "a{ss}"),
      (#"agents.Unregister(path); answer({"decision": "allowAlways"})"#, "a{sv}"),
    ] {
      let agent = try agent(decide, says: says)
      let client = try BusClient(bus.address)
      let path = try client.makeClient()
      try client.call(path, "RequestAlwaysAuthorization")
      try agent.wait(for: "asked always")
      let outcome = try client.signal("DidChangeAuthorization").arguments()
      #expect(outcome.first == .string("notDetermined"), "\(decide)")
      #expect(
        try client.property(path, "org.locationd.Client1", "AuthorizationStatus")
          == .string("notDetermined"), "\(decide)")
      #expect(try daemon.connect().ask("hello")["result"]?["authorization"] == "notDetermined")
      // An app without an answer is not asked about again at once: everything begins anew.
      agent.program.signal(SIGKILL)
      try daemon.restart()
      try BusClient(bus.address).waitForDaemon()
    }
  }

  @Test("an agent that hangs keeps nobody waiting but who asked, and leaves when it goes")
  func hangs() throws {
    let daemon = try start()
    let agent = try agent("pass")
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    try client.call(path, "RequestWhenInUseAuthorization")
    try agent.wait(for: "asked")
    #expect(try daemon.connect().ask("hello")["result"] != nil)
    let socket = try daemon.connect()
    let waiting = socket.request("requestAuthorization", ["level": "whenInUse"])
    agent.program.signal(SIGKILL)
    #expect(try socket.reply(to: waiting)["error"]?["data"]?["name"] == "denied")
    let outcome = try client.signal("DidChangeAuthorization").arguments()
    #expect(outcome.first == .string("notDetermined"))
  }

  @Test("who does not wait any more has the question taken back")
  func cancelled() throws {
    let daemon = try start()
    let agent = try agent("pass")
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    try client.call(path, "RequestWhenInUseAuthorization")
    try agent.wait(for: "asked")
    _ = try client.ask("/org/locationd", "org.locationd.Manager1", "DeleteClient", [.path(path)])
    try agent.wait(for: "cancelled")
    withExtendedLifetime(daemon) {}
  }

  @Test("the first agent answers until it goes, whichever door it came by")
  func first() throws {
    let daemon = try start()
    let onBus = try agent("pass")
    func terminal() throws -> Program {
      let agent = [Program.path("locationctl"), "agent", "--socket", daemon.socket]
      return try Program(onTerminal(Cgroup.inSession(agent)))
    }
    #expect(try terminal().text().exit == 3)
    let other = try BusAgent(bus, decide: "pass")
    #expect(try other.line().hasPrefix("org.locationd.Error.Denied Another agent answers"))
    onBus.program.signal(SIGKILL)
    var last: Program?
    let taken = try eventually(within: patience) {
      let program = try terminal()
      last = program
      return try program.line().contains("come here")
    }
    #expect(taken)
    #expect(
      try BusAgent(bus, decide: "pass").line().hasPrefix(
        "org.locationd.Error.Denied Another agent answers"))
    withExtendedLifetime(last) {}
  }

  @Test(
    "nobody answers for another user, and what is not on a terminal for nobody",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func others() throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    #expect(
      try client.refusal(
        "/org/locationd", "org.locationd.Agents1", "Register", [.path("/agent")])
        == "org.locationd.Error.Denied")
    #expect(
      try client.refusal(
        "/org/locationd", "org.locationd.Agents1", "Unregister", [.path("/agent")])
        == "org.locationd.Error.InvalidArgs")
    let agent = try BusAgent(
      bus, decide: #"answer({"decision": "allowAlways"})"#,
      as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], uid: 65534)
    #expect(try agent.line() == "registered")
    let path = try client.makeClient()
    #expect(
      try client.refusal(path, "org.locationd.Client1", "RequestAlwaysAuthorization")
        == "org.locationd.Error.Denied")
    // Nor do others get at the agent, who may call any daemon: only locationd and root may.
    let stranger = try Program([
      "setpriv", "--reuid=1", "--regid=1", "--clear-groups", "/usr/bin/python3", "-c",
      """
      import dbus
      bus = dbus.bus.BusConnection("\(bus.address)")
      for number in range(200):
          try:
              bus.call_blocking(":1.%d" % number, "/agent", "org.locationd.Agent1", "Identify", "u", [1])
              print("answered")
          except dbus.DBusException as error:
              said = error.get_dbus_name()
              if not said.endswith(("AccessDenied", "NameHasNoOwner", "ServiceUnknown")):
                  print(number, error)
      """,
    ])
    let (text, exit) = try stranger.text()
    #expect(exit == 0 && text.isEmpty, "\(text)")
    withExtendedLifetime(daemon) {}
  }

  @Test("an agent that lets calls lie is asked no more than sixteen, and nobody waits for it long")
  func flood() throws {
    let daemon = try start()
    let agent = try agent("pass", identify: #"print("looks", flush=True); return"#)
    var clients: [SocketClient] = []
    for _ in 0..<60 { clients.append(try daemon.connect()) }
    for client in clients { #expect(try client.ask("hello")["result"] != nil) }
    let onBus = try BusClient(bus.address)
    _ = try onBus.makeClient()
    agent.program.signal(SIGKILL)
    let looks = try agent.program.text().text.split(separator: "\n").count { $0 == "looks" }
    #expect((1...16).contains(looks), "\(looks)")
  }

  @Test("an agent on the bus tells its user's programs apart")
  func identify() throws {
    let daemon = try start()
    let agent = try agent(
      "pass", identify: #"return answer({"exe": os.readlink("/proc/%d/exe" % pid)})"#)
    let (text, _) = try daemon.control("status", "--json").text()
    let app = try JSON(parsing: text)["client"]?["app"]?.string
    let exe = "exe:" + URL(filePath: Program.path("locationctl")).resolvingSymlinksInPath().path
    #expect(app == exe || app?.hasPrefix("user:") == false)
    withExtendedLifetime(agent) {}
  }
}

extension BusClient {
  /// A decision takes away, and tells it, before what it gives is written and told.
  func waitForAuthorization(_ authorization: String, _ accuracy: String) throws {
    try wait("\(authorization), \(accuracy)") {
      try signal("DidChangeAuthorization").arguments()
        == [.string(authorization), .string(accuracy)]
    }
  }
}
