import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite(
  "Root in a container that has the machine's users", .serialized,
  .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
struct ContainerTests {
  /// As docker, podman and nspawn start root: processes of its own, users of the machine's.
  private static let box = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
  private let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  private func run(_ arguments: [String], as command: ([String]) throws -> [String]) throws
    -> (text: String, exit: Int32)
  {
    let control = [Program.path("locationctl")] + arguments + ["--socket", daemon.socket]
    return try Program(command(control)).text()
  }

  private func expectNothing(as command: ([String]) throws -> [String]) throws {
    let status = try JSON(
      parsing: run(["status", "--json"], as: command).text
        .trimmingCharacters(in: .newlines))
    #expect(status["client"]?["authorization"] != "authorizedAlways")
    #expect(status["sources"] == nil)
    #expect(status["clients"] == nil)
    let (got, exit) = try run(["get"], as: command)
    #expect(exit == 3)
    #expect(!got.contains("45"))
    for arguments in [
      ["grant", "app:x", "always"], ["revoke", "app:x"], ["reset", "--all"],
      ["restrict", "app:x"], ["unrestrict", "app:x"], ["disable"], ["enable"],
    ] {
      #expect(try run(arguments, as: command).exit == 3, "\(arguments)")
    }
    #expect(try run(["apps"], as: command) == ("No app yet.\n", 0))
    let agent = try run(["agent"]) { try onTerminal(command($0)) }
    #expect(agent.exit == 3, "\(agent.text)")
    #expect(try daemon.connect().permissions() == [:])
    // The machine's own root is what it was.
    #expect(try run(["get"], as: { $0 }).exit == 0)
  }

  @Test("it is in a sandbox: no place, no administration, no agent")
  func processes() throws {
    try expectNothing { try Cgroup.inSession(Self.box + $0) }
  }

  @Test(
    "so it is where only its control group says it",
    arguments: [
      "/system.slice/docker-0af3.scope", "/machine.slice/libpod-0af3.scope/container",
      "/machine.slice/machine-box.scope/payload/system.slice/x.service",
      "/kubepods/burstable/pod0af3/0af3", "/lxc.payload.box", "/docker/0af3",
    ])
  func groups(folder: String) throws {
    let group = try Cgroup(folder)
    try expectNothing { group.command($0) }
    withExtendedLifetime(group) {}
  }

  @Test("on the bus it is no other")
  func bus() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    try BusClient(bus.address).waitForDaemon()
    let script = """
      import dbus
      bus = dbus.bus.BusConnection("\(bus.address)")
      manager = bus.get_object("org.locationd", "/org/locationd")
      def ask(interface, member, *arguments):
          try: print(getattr(dbus.Interface(manager, "org.locationd." + interface), member)(*arguments))
          except dbus.DBusException as error: print(error.get_dbus_name(), flush=True)
      ask("Permissions1", "Reset", "", 0)
      print(len(dbus.Interface(manager, "org.locationd.Permissions1").List()), flush=True)
      ask("Manager1", "SetServicesEnabled", False)
      ask("Agents1", "Register", dbus.ObjectPath("/agent"))
      """
    let command = onTerminal(
      try Cgroup.inSession(Self.box + ["/usr/bin/python3", "-c", script]))
    let (text, _) = try Program(command).text()
    let lines = text.split(whereSeparator: \.isNewline)
    #expect(
      lines == [
        "org.locationd.Error.Denied", "0", "org.locationd.Error.Denied",
        "org.locationd.Error.Denied",
      ])
    withExtendedLifetime(daemon) {}
  }
}
