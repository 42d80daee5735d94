import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@Suite("Staying in use, over the bus", .serialized) struct BusUseTests {
  /// With dbus-python: what it is told is printed, a signal ends its use.
  private static let navigation = """
    import signal, sys, dbus
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(sys.argv[1])
    manager = bus.get_object("org.locationd", "/org/locationd")
    path = manager.CreateClient({"name": "Way"}, dbus_interface="org.locationd.Manager1")
    thing = bus.get_object("org.locationd", path)
    client = dbus.Interface(thing, "org.locationd.Client1")
    def ask(member):
        try:
            getattr(client, member)()
            print(member, flush=True)
        except dbus.DBusException as error:
            print(member, error.get_dbus_name(), flush=True)
    client.connect_to_signal("DidUpdateLocations", lambda *told: print("told", flush=True))
    GLib.unix_signal_add(0, signal.SIGUSR1, lambda: ask("EndUse") or True)
    GLib.unix_signal_add(0, signal.SIGUSR2, lambda: ask("BeginUse") or True)
    ask("StartUpdatingLocation")
    GLib.MainLoop().run()
    """

  @Test("a program in use may stay so though nobody looks, until it ends that")
  func holds() throws {
    let bus = try PrivateBus(guests: [Logind.name])
    let logind = try Logind(on: bus)
    try logind.open("1", of: getuid())
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: [
        "drive.nmea": Recording.drive(seconds: 600), "policy.d/ask.conf": "[Rule]\nAction=ask\n",
      ], bus: bus, flags: ["--in-use", "logind"])
    let socket = try daemon.connect()
    try BusClient(bus.address).waitForDaemon()
    let present = try eventually(within: patience) {
      try socket.ask("status")["result"]?["client"]?["inUse"] == .bool(true)
    }
    #expect(present)
    try socket.decide("authorizedWhenInUse")
    let program = try Program(["/usr/bin/python3", "-c", Self.navigation, bus.address])
    func wait(for text: String) throws { while try program.line() != text {} }
    func isTold() throws -> Bool? {
      let clients = try socket.ask("status")["result"]?["clients"]?.array
      return clients?.first { $0["name"] == "Way" }?["inUse"]?.bool
    }
    try wait(for: "StartUpdatingLocation")
    try wait(for: "told")
    program.signal(SIGUSR2)
    try wait(for: "BeginUse")
    try logind.change("1", ["LockedHint": .bool(true)])
    let isAway = try eventually(within: patience) {
      try socket.ask("status")["result"]?["client"]?["inUse"] != .bool(true)
    }
    #expect(isAway)
    #expect(try isTold() == true)
    program.passOver()
    for _ in 0..<5 { try wait(for: "told") }
    program.signal(SIGUSR1)
    try wait(for: "EndUse")
    let isOver = try eventually(within: patience) { try isTold() != true }
    #expect(isOver)
    // Out of use nobody begins it.
    program.signal(SIGUSR2)
    try wait(for: "BeginUse org.locationd.Error.Denied")
    try logind.change("1", ["LockedHint": .bool(false)])
    try wait(for: "told")
  }
}
