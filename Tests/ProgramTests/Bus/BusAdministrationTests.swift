import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

private let root = "/org/locationd"
private let permissions = "org.locationd.Permissions1"

@Suite("Administrators on the bus", .serialized) struct BusAdministrationTests {
  let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func deny(_ app: String, _ client: BusClient, of uid: UInt32 = 4711) throws {
    _ = try client.ask(
      root, permissions, "Set",
      [.string(app), .uint32(uid), .dictionary(["authorization": .string("denied")])])
  }

  @Test("of a change each administrator who has listed is told, and nobody else, whoever listens")
  func changed() throws {
    let daemon = try RunningDaemon(bus: bus)
    let (lister, other) = (try BusClient(bus.address), try BusClient(bus.address))
    try lister.waitForDaemon()
    _ = try other.ask(
      "/", "org.freedesktop.DBus", "AddMatch", [.string("type='signal'")],
      of: "org.freedesktop.DBus")
    #expect(try lister.ask(root, permissions, "List") == [.array(of: "a{sv}", [])])
    // Listing again does not have it told twice.
    _ = try lister.ask(root, permissions, "List")
    try deny("snap:a", other)
    let change = try lister.signal("Changed")
    #expect(change.path == root)
    #expect(change.interface == permissions)
    #expect(try change.arguments() == [.string("snap:a"), .uint32(4711)])
    // By the other door, too, and of all users.
    #expect(try daemon.control("restrict", "snap:b").text().exit == 0)
    #expect(
      try lister.signal("Changed").arguments() == [.string("snap:b"), .uint32(.max)])
    #expect(try daemon.control("unrestrict", "snap:b").text().exit == 0)
    _ = try lister.signal("Changed")
    _ = try lister.ask(root, permissions, "Reset", [.string("snap:a"), .uint32(4711)])
    #expect(try lister.signal("Changed").arguments() == [.string("snap:a"), .uint32(4711)])
    _ = try lister.ask(root, "org.locationd.Manager1", "Status")
    #expect(lister.signals("Changed").isEmpty)
    _ = try other.ask(root, "org.locationd.Manager1", "Status")
    #expect(other.signals("Changed").isEmpty)
  }

  @Test(
    "a start that was refused begins nothing later, whatever is wished, until it is asked for again"
  )
  func refusedStart() throws {
    let client1 = "org.locationd.Client1"
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=50&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600)], bus: bus)
    let (client, other) = (try BusClient(bus.address), try BusClient(bus.address))
    try client.waitForDaemon()
    let path = try client.makeClient()
    let app = try #require(try client.property(path, client1, "App")?.asString)
    try deny(app, client, of: getuid())
    let start = "StartUpdatingLocation"
    #expect(try client.refusal(path, client1, start) == "org.locationd.Error.Denied")
    _ = try client.ask(root, permissions, "Reset", [.string(app), .uint32(getuid())])
    #expect(try client.set(path, "DistanceFilter", .double(0)) == nil)
    try other.call(other.makeClient(), start)
    for _ in 0..<3 { _ = try other.location() }
    _ = try client.ask(root, "org.locationd.Manager1", "Status")
    #expect(client.signals("DidUpdateLocations").isEmpty)
    try client.call(path, start)
    _ = try client.location()
    withExtendedLifetime(daemon) {}
  }

  @Test("the set place is set and taken back there, and what is remembered is forgotten")
  func here() throws {
    let state = FileManager.default.temporaryDirectory.path + "/here-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let manager = "org.locationd.Manager1"
    try RunningDaemon.learnPlace(state: state)
    let daemon = try RunningDaemon([], bus: bus, state: state)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    func source() throws -> String? {
      let get = try daemon.control("get", "--timeout", "0.3", "--json")
      return try JSON(parsing: get.text().text)["source"]?.string
    }
    #expect(try source()?.hasPrefix("last:") == true)
    let place: [String: BusValue] = [
      "latitude": .double(45.5), "longitude": .double(7.25), "horizontalAccuracy": .double(20),
    ]
    #expect(try client.ask(root, manager, "SetHere", [.dictionary(place)]).isEmpty)
    #expect(try source() == "set:")
    for wrong in [["latitude": .double(95), "longitude": .double(7)], ["latitude": .double(45)]]
      as [[String: BusValue]]
    {
      let refusal = try client.refusal(root, manager, "SetHere", [.dictionary(wrong)])
      #expect(refusal == "org.locationd.Error.InvalidArgs", "\(refusal ?? "")")
    }
    _ = try client.ask(root, manager, "ForgetHere")
    #expect(try source()?.hasPrefix("last:") == true)
    _ = try client.ask(root, manager, "Forget")
    #expect(try daemon.control("get", "--timeout", "0.3").exit() == 4)
  }

  @Test(
    "nobody but an administrator says there where the machine stands, or forgets",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func hereRefused() throws {
    let daemon = try RunningDaemon(bus: bus)
    try BusClient(bus.address).waitForDaemon()
    let calls = [
      ["SetHere", "{'latitude': <45.5>, 'longitude': <7.25>}"], ["ForgetHere"], ["Forget"],
    ]
    for call in calls {
      let (said, exit) = try Program(
        [
          "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "gdbus", "call",
          "--address", bus.address, "--dest", "org.locationd", "--object-path", root, "--method",
          "org.locationd.Manager1.\(call[0])",
        ] + call.dropFirst()
      ).text()
      #expect(exit != 0 && said.contains("org.locationd.Error.Denied"), "\(said)")
    }
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "who is no administrator sees and is told of the own programs alone, and changes nothing",
    .enabled(if: AsRoot.isPossible, AsRoot.missing), .asRootWithCgroups)
  func refused() throws {
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    for (name, uid) in [("app:own", 65534), ("app:other", 4711)] as [(String, UInt32)] {
      try deny(name, client, of: uid)
    }
    let stranger = try Program([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c",
      """
      import dbus
      from dbus.mainloop.glib import DBusGMainLoop
      from gi.repository import GLib
      DBusGMainLoop(set_as_default=True)
      bus = dbus.bus.BusConnection("\(bus.address)")
      manager = bus.get_object("org.locationd", "/org/locationd")
      manager.connect_to_signal("Changed", lambda *change: print("changed"))
      def ask(member, *arguments):
          try:
              answer = getattr(dbus.Interface(manager, "\(permissions)"), member)(*arguments)
              print([str(one["app"]) for one in answer], flush=True)
          except dbus.DBusException as error:
              print(error.get_dbus_name(), flush=True)
      ask("List")
      ask("Set", "user:nobody", 65534, {"authorization": "authorizedAlways"})
      ask("Reset", "", 65534)
      def ping():
          # Signals that were sent before its answer have come before it.
          manager.Ping(dbus_interface="org.freedesktop.DBus.Peer")
          print("alive", flush=True)
          return True
      GLib.timeout_add(50, ping)
      GLib.MainLoop().run()
      """,
    ])
    #expect(try stranger.line() == "['app:own']")
    for _ in 0..<2 { #expect(try stranger.line() == "org.locationd.Error.Denied") }
    #expect(try stranger.line() == "alive")
    for name in ["snap:a", "snap:b", "user:nobody"] { try deny(name, client) }
    stranger.passOver()
    #expect(try stranger.line() == "alive")
    #expect(try stranger.line() == "alive")
    withExtendedLifetime(daemon) {}
  }

  @Test("permissions are set, listed and reset in full")
  func complete() throws {
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    func set(_ entries: [String: BusValue]) throws -> String? {
      try client.refusal(
        root, permissions, "Set", [.string("snap:a"), .uint32(4711), .dictionary(entries)])
    }
    func listed() throws -> [String: BusValue]? {
      try client.ask(root, permissions, "List").first?.asArray?.first?.asDictionary
    }
    for (entries, authorization, accuracy) in [
      (["authorization": .string("authorizedAlways")], "authorizedAlways", "full"),
      (["accuracy": .string("reduced")], "authorizedAlways", "reduced"),
      (["once": .bool(true)], "authorizedWhenInUse", "reduced"),
      (["authorization": .string("denied")], "denied", "reduced"),
      (["authorization": .string("restricted")], "restricted", "reduced"),
    ] as [([String: BusValue], String, String)] {
      #expect(try set(entries) == nil)
      let entry = try listed()
      #expect(entry?["app"] == .string("snap:a"))
      #expect(entry?["authorization"] == .string(authorization))
      #expect(entry?["accuracy"] == .string(accuracy))
      #expect(entry?["source"] == .string("administrator"))
    }
    let wrong = "org.locationd.Error.InvalidArgs"
    #expect(try set(["once": .bool(true), "authorization": .string("denied")]) == wrong)
    #expect(try set(["authorization": .string("notDetermined")]) == wrong)
    #expect(try set(["once": .string("yes")]) == wrong)
    #expect(try set(["accuracy": .int64(1)]) == wrong)
    for name in ["", "a", "snap:", "cat:a"] {
      #expect(
        try client.refusal(
          root, permissions, "Set",
          [.string(name), .uint32(1), .dictionary(["authorization": .string("denied")])]) == wrong)
    }
    withExtendedLifetime(daemon) {}
  }
}
