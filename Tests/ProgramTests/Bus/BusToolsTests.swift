import DBus
import Foundation
import Platform
import Testing

/// The tools that people and programs use on a bus, as they are, on every object there is.
@Suite("Tools on the bus", .serialized) struct BusToolsTests {
  private let bus: PrivateBus
  private let daemon: RunningDaemon

  init() throws {
    bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    daemon = try RunningDaemon(
      files: ["locationd.conf": "[DBus]\nGeoClue=yes\n"], bus: bus)
    let client = try BusClient(bus.address)
    for name in ["org.locationd", Self.geoclue] { try client.waitForDaemon(name) }
  }

  private static let geoclue = "org.freedesktop.GeoClue2"
  /// The objects that everyone sees; a client is there for its owner's connection alone, which no such tool
  /// shares.
  private static let objects = [
    ("org.locationd", "/org/locationd", ["Manager1", "Permissions1", "Agents1"]),
    (geoclue, "/org/freedesktop/GeoClue2/Manager", ["Manager"]),
  ]

  private func run(_ command: String...) throws -> String {
    let (text, exit) = try Program(
      command, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
    ).text()
    #expect(exit == 0, "\(command): \(text)")
    return text
  }

  private func busctl(_ arguments: String...) throws -> String {
    let (text, exit) = try Program(["busctl", "--address=\(bus.address)"] + arguments).text()
    #expect(exit == 0, "\(arguments): \(text)")
    return text
  }

  @Test("busctl shows the tree, each interface, its properties, and calls what it finds")
  func busctl() throws {
    for (service, path, interfaces) in Self.objects {
      #expect(try busctl("tree", "--list", service).contains("\(path)\n"))
      let all = try busctl("introspect", service, path)
      for interface in interfaces {
        let name = "\(service).\(interface)"
        #expect(all.contains("\(name) "), "\(name)")
        #expect(try busctl("introspect", service, path, name).contains("."), "\(name)")
      }
    }
    let introspection = try busctl("introspect", "org.locationd", "/org/locationd")
    for line in [
      #"\.Register +method +o +-"#, #"\.Changed +signal +su +-"#, #"\.List +method +- +aa\{sv\}"#,
      #"\.ServicesEnabled +property +b +true"#, #"\.CreateClient +method +a\{sv\} +o"#,
    ] {
      #expect(introspection.range(of: line, options: .regularExpression) != nil, "\(line)")
    }
    let permissions = ["org.locationd", "/org/locationd", "org.locationd.Permissions1"]
    _ = try busctl(
      "call", permissions[0], permissions[1], permissions[2], "Set", "sua{sv}", "snap:a", "4711",
      "1", "authorization", "s", "denied")
    let list = try busctl("call", permissions[0], permissions[1], permissions[2], "List")
    #expect(list.contains(#""app" s "snap:a""#))
    #expect(
      try busctl(
        "get-property", Self.geoclue, "/org/freedesktop/GeoClue2/Manager",
        "\(Self.geoclue).Manager", "AvailableAccuracyLevel") == "u 8\n")
    // A client goes with the connection that it was made on.
    let made = try busctl(
      "call", "org.locationd", "/org/locationd", "org.locationd.Manager1", "CreateClient", "a{sv}",
      "0")
    #expect(made.hasPrefix(#"o "/org/locationd/client/"#))
  }

  @Test("gdbus does, too")
  func gdbus() throws {
    func gdbus(_ verb: String, _ service: String, _ path: String, _ rest: String...) throws
      -> String
    {
      let command = ["gdbus", verb, "--address", bus.address, "--dest", service, "--object-path"]
      let (text, exit) = try Program(command + [path] + rest).text()
      #expect(exit == 0, "\(text)")
      return text
    }
    for (service, path, interfaces) in Self.objects {
      let all = try gdbus("introspect", service, path, "--recurse")
      for interface in interfaces { #expect(all.contains("interface \(service).\(interface) {")) }
    }
    let status = try gdbus(
      "call", "org.locationd", "/org/locationd", "--method", "org.locationd.Manager1.Status")
    #expect(status.contains("'authorizedAlways'"))
    let none = try gdbus(
      "call", "org.locationd", "/org/locationd", "--method", "org.locationd.Permissions1.List")
    #expect(
      none.contains("([@a{sv} {}],)") || none.contains("(@aa{sv} [],)") || none.contains("uid"))
    let client = try gdbus(
      "call", Self.geoclue, "/org/freedesktop/GeoClue2/Manager", "--method",
      "\(Self.geoclue).Manager.CreateClient")
    #expect(client.hasPrefix("(objectpath '/org/freedesktop/GeoClue2/Client/"))
  }

  @Test("dbus-python, GLib's library and systemd's read every object, and the same of each")
  func libraries() throws {
    let folder = PrivateBus.house.appending(path: "Tests/BusPrograms").path
    let built = bus.folder.appending(path: "objects").path
    let compiler = try Program([
      "sh", "-c",
      "clang '\(folder)/objects.c' -Wall -Werror -o '\(built)' "
        + "$(pkg-config --cflags --libs libsystemd)",
    ])
    #expect(try compiler.text() == ("", 0))
    let all = try [
      run("/usr/bin/python3", folder + "/objects.py", bus.address),
      run("/usr/bin/python3", folder + "/objects-gio.py", bus.address), run(built),
    ].map { $0.split(separator: "\n").sorted() }
    #expect(all[0] == all[1])
    #expect(all[0] == all[2])
    for property in [
      "org.locationd.Manager1.Version s", "org.locationd.Client1.MonitoredRegions aa{sv}",
      "org.locationd.Client1.Location a{sv}", "\(Self.geoclue).Manager.InUse b",
      "\(Self.geoclue).Client.Location o", "\(Self.geoclue).Location.Timestamp (tt)",
    ] {
      #expect(all[0].contains { $0 == property }, "\(property)")
    }
  }

  @Test("GeoClue's interfaces are what GeoClue publishes")
  func published() throws {
    let client = try BusClient(bus.address)
    func document(_ path: String) throws -> InterfaceDocument {
      let answer = try client.ask(
        path, "org.freedesktop.DBus.Introspectable", "Introspect", of: Self.geoclue)
      return try InterfaceDocument(answer.first?.asString ?? "")
    }
    let manager = "/org/freedesktop/GeoClue2/Manager"
    let path = try #require(
      try client.ask(manager, "\(Self.geoclue).Manager", "GetClient", of: Self.geoclue).first?
        .asString)
    _ = try client.ask(path, "\(Self.geoclue).Client", "Start", of: Self.geoclue)
    let location = try #require(
      try client.signal("LocationUpdated").arguments().last?.asString)
    let file = PrivateBus.house.appending(path: "Tests/BusPrograms/\(Self.geoclue).xml")
    let published = try InterfaceDocument(String(contentsOf: file, encoding: .utf8))
    let ours = try [manager, path, location].flatMap { try document($0).lines }
    #expect(
      ours.filter { $0.hasPrefix("\(Self.geoclue).") && !$0.contains(" annotation ") }.sorted()
        == published.lines)
  }
}
