import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A service manager that says what the test has set of its units.
private final class PlayedManager {
  private let program: Program
  private let file: URL

  init(on bus: PrivateBus) throws {
    file = bus.folder.appending(path: "units")
    let script = """
      import dbus, dbus.bus, dbus.service, dbus.mainloop.glib, json, sys
      from gi.repository import GLib
      dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
      bus = dbus.bus.BusConnection(sys.argv[1])
      SYSTEMD = "org.freedesktop.systemd1"
      units = {}
      class Unit(dbus.service.Object):
          def __init__(self, name, path):
              self.name = name
              super().__init__(bus, path)
          @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
          def GetAll(self, interface):
              with open(sys.argv[2]) as f: states = json.load(f)
              load, active, enabled, *triggers = states.get(self.name, ["not-found", "inactive", ""])
              return {"LoadState": load, "ActiveState": active, "UnitFileState": enabled,
                  "WantedBy": dbus.Array([], "s"), "TriggeredBy": dbus.Array(triggers, "s")}
      class Manager(dbus.service.Object):
          @dbus.service.method(SYSTEMD + ".Manager", in_signature="s", out_signature="o")
          def LoadUnit(self, name):
              print("asked", name, flush=True)
              path = "/org/freedesktop/systemd1/unit/u%d" % len(units)
              if name not in units: units[name] = Unit(name, path)
              return units[name].__dbus_object_path__
      manager = Manager(bus, "/org/freedesktop/systemd1")
      name = dbus.service.BusName(SYSTEMD, bus)
      print("ready", flush=True)
      GLib.MainLoop().run()
      """
    try "{}".write(to: file, atomically: true, encoding: .utf8)
    program = try Program(["/usr/bin/python3", "-c", script, bus.address, file.path])
    try #require(try program.line() == "ready")
  }

  /// Of each unit LoadState, ActiveState, UnitFileState and the unit that triggers it.
  func set(_ units: [String: [String]]) throws {
    let members = units.map { name, words in
      JSON.Member(key: name, value: .array(words.map(JSON.string)))
    }
    try JSON.object(members).text.write(to: file, atomically: true, encoding: .utf8)
  }

  /// The units that were asked about since.
  func asked() -> [String] {
    var names: [String] = []
    while let line = program.waitingLine() { names.append(String(line.dropFirst(6))) }
    return names
  }
}

@Suite("A service that is switched off", .serialized, .timeLimit(.minutes(60)))
struct OffUnitTests {
  private static let unit = "tracker.service"

  private func monitor(_ daemon: RunningDaemon) throws -> JSON? {
    let monitors = try daemon.connect().ask("status")["result"]?["monitors"]?.array
    return monitors?.first { $0["app"]?.string == "unit:\(Self.unit)" }
  }

  private func isOn(_ daemon: RunningDaemon) throws -> Bool {
    let sources = try daemon.connect().ask("status")["result"]?["sources"]?.array
    return sources?.first?["state"]?.string != "closed"
  }

  @Test(
    "what it registered powers nothing, and does again when it is back; an enabled one's goes on",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func off() throws {
    let bus = try PrivateBus(guests: [MockService.systemd])
    let manager = try PlayedManager(on: bus)
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=1&loop=1"], files: ["track.jsonl": toAndFro + "\n"],
      bus: bus)
    try BusClient(bus.address).waitForDaemon()
    let app = try TrackerApp(daemon, on: "none")
    let cgroup = try Cgroup("/system.slice/\(Self.unit)")
    func register() throws { _ = try app.register([:], in: cgroup) }
    try manager.set([Self.unit: ["loaded", "inactive", "enabled"]])
    try register()
    var asked: [String] = []
    func hasAsked(_ units: [String]) -> Bool {
      asked += manager.asked()
      return asked == units
    }
    #expect(eventually(within: patience) { hasAsked([Self.unit]) })
    #expect(try monitor(daemon)?["resting"] == nil && isOn(daemon))

    // `disable --now` leaves the socket listening until the machine's next start.
    try manager.set([
      Self.unit: ["loaded", "inactive", "disabled", "tracker.socket"],
      "tracker.socket": ["loaded", "active", "disabled"],
    ])
    asked = []
    try register()
    #expect(eventually(within: patience) { hasAsked([Self.unit, "tracker.socket"]) })
    #expect(try eventually(within: patience) { try monitor(daemon)?["resting"]?.bool == true })
    #expect(try eventually(within: patience) { try !isOn(daemon) })
    let (text, _) = try daemon.control("status").text()
    #expect(text.contains("its unit is off, so nothing is powered for it"), "\(text)")

    // A daemon that starts asks at once, and finds it gone from the disk.
    try manager.set([:])
    asked = []
    try daemon.restart()
    #expect(eventually(within: patience) { hasAsked([Self.unit]) })
    #expect(
      try eventually(within: patience) {
        let monitor = try monitor(daemon)
        return monitor?["resting"]?.bool == true && monitor?["regions"]?.integer == 1
      })
    // It is there again: all that it registered holds.
    let greet = """
      import socket, sys, time
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"hello"}\\n')
      time.sleep(600)
      """
    let back = try Program(cgroup.command(["python3", "-c", greet, daemon.socket]))
    #expect(try eventually(within: patience) { try monitor(daemon)?["resting"] == nil })
    #expect(try eventually(within: patience) { try isOn(daemon) })
    withExtendedLifetime(back) {}
  }
}
