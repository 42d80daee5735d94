import DBus
import Foundation
import FoundationXML
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

private let root = "/org/locationd"
private let manager = "org.locationd.Manager1"
private let client1 = "org.locationd.Client1"

extension BusClient {
  /// A client object of this program's.
  func makeClient(_ options: [String: BusValue] = [:]) throws -> String {
    try #require(try ask(root, manager, "CreateClient", [.dictionary(options)]).first?.asString)
  }

  func call(_ client: String, _ member: String) throws {
    #expect(try ask(client, client1, member) == [])
  }

  func set(_ client: String, _ name: String, _ value: BusValue) throws -> String? {
    try refusal(
      client, "org.freedesktop.DBus.Properties", "Set",
      [.string(client1), .string(name), .variant(value)])
  }

  func location() throws -> [String: BusValue] {
    let signal = try signal("DidUpdateLocations")
    return try #require(try signal.arguments().first?.asArray?.last?.asDictionary)
  }
}

@Suite("The door on the bus", .serialized) struct BusDoorTests {
  let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func start(_ sources: [String] = ["static:45,7,100,5"]) throws -> RunningDaemon {
    let daemon = try RunningDaemon(
      sources, files: ["drive.nmea": Recording.drive(seconds: 600)], bus: bus)
    try BusClient(bus.address).waitForDaemon()
    return daemon
  }

  @Test("a program is told locations by signals, until it stops")
  func standard() throws {
    let daemon = try start(["replay://{folder}/drive.nmea?rate=20&loop=1"])
    let client = try BusClient(bus.address)
    let path = try client.makeClient(["name": .string("Map")])
    #expect(path.hasPrefix("/org/locationd/client/"))
    #expect(try client.property(path, client1, "Location") == .dictionary([:]))
    try client.call(path, "StartUpdatingLocation")
    let first = try client.location()
    let second = try client.location()
    for (key, type) in [
      ("latitude", "d"), ("altitude", "d"), ("horizontalAccuracy", "d"), ("speed", "d"),
      ("timestamp", "x"), ("source", "s"), ("simulated", "b"),
    ] {
      #expect(first[key]?.type == type, "\(key)")
    }
    #expect(first["longitude"] == .double(7))
    #expect(try #require(first["timestamp"]?.asInt64) < second["timestamp"]?.asInt64 ?? 0)
    #expect(second["course"] == .double(0))
    #expect(second["verticalAccuracy"]?.type != "v")
    let known = try #require(try client.property(path, client1, "Location")?.asDictionary)
    #expect(known["longitude"] == .double(7))
    try client.call(path, "StopUpdatingLocation")
    let status = try client.ask(root, manager, "Status").first?.asDictionary
    let mine = status?["clients"]?.asArray?.compactMap(\.asDictionary)
    #expect(mine?.map { $0["updating"] } == [.int64(0), .int64(0)])
    #expect(mine?.contains { $0["name"] == .string("Map") } == true)
    // A list has its type also while there is nothing in it.
    #expect(status?["monitors"] == .array(of: "a{sv}", []))
    withExtendedLifetime(daemon) {}
  }

  @Test("one location is asked for by a call that does not wait, and told by a signal")
  func oneShot() throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    for _ in 0..<2 {
      try client.call(path, "RequestLocation")
      #expect(try client.location()["latitude"] == .double(45))
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("wishes are properties, and hold at once")
  func wishes() throws {
    let daemon = try start(["replay://{folder}/drive.nmea?rate=50&loop=1"])
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    #expect(try client.property(path, client1, "DesiredAccuracy") == .double(-1))
    #expect(try client.set(path, "DistanceFilter", .double(95)) == nil)
    let change = try client.signal("PropertiesChanged").arguments()
    #expect(change[1].asDictionary == ["DistanceFilter": .double(95)])
    try client.call(path, "StartUpdatingLocation")
    func latitude() throws -> Double { try #require(try client.location()["latitude"]?.asDouble) }
    let (first, second) = (try latitude(), try latitude())
    // At 10 m a second, and 111.1 km a degree.
    #expect(second - first > 94 / 111_200.0 || second < first)
    #expect(try client.set(path, "DistanceFilter", .double(-1)) == nil)
    // Earlier ones may have waited here.
    client.forget()
    let (third, fourth) = (try latitude(), try latitude())
    #expect(fourth - third < 15 / 111_000.0)
    withExtendedLifetime(daemon) {}
  }

  @Test("what is wrong is told by a named error")
  func errors() throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    let path = try client.makeClient()
    let ours = "org.locationd.Error.InvalidArgs"
    let standard = "org.freedesktop.DBus.Error"
    for bad in [Double.nan, .infinity, -3, -0.5] {
      #expect(try client.set(path, "DesiredAccuracy", .double(bad)) == ours)
      #expect(try client.set(path, "DistanceFilter", .double(bad == -3 ? -2 : bad)) == ours)
    }
    #expect(try client.set(path, "DesiredAccuracy", .int32(1)) == "\(standard).InvalidArgs")
    #expect(try client.set(path, "App", .string("me")) == "\(standard).PropertyReadOnly")
    #expect(try client.refusal(root, manager, "CreateClient") == "\(standard).InvalidArgs")
    let name: [BusValue] = [.dictionary(["name": .bool(true)])]
    #expect(try client.refusal(root, manager, "CreateClient", name) == ours)
    for wrong in ["/", "/org/locationd/client/999"] {
      #expect(try client.refusal(root, manager, "DeleteClient", [.path(wrong)]) == ours)
    }
    #expect(try client.refusal(path, client1, "Fly") == "\(standard).UnknownMethod")
    #expect(try client.ask(root, manager, "DeleteClient", [.path(path)]) == [])
    #expect(
      try client.refusal(path, client1, "StopUpdatingLocation") == "\(standard).UnknownObject")
    withExtendedLifetime(daemon) {}
  }

  @Test("nobody else can use, read or find a client, or hears its signals")
  func strangers() throws {
    let daemon = try start(["replay://{folder}/drive.nmea?rate=20&loop=1"])
    let (owner, other) = (try BusClient(bus.address), try BusClient(bus.address))
    let path = try owner.makeClient()
    try owner.call(path, "StartUpdatingLocation")
    _ = try other.ask(
      "/", "org.freedesktop.DBus", "AddMatch", [.string("type='signal'")],
      of: "org.freedesktop.DBus")
    _ = try owner.location()
    for (interface, member, arguments) in [
      (client1, "StopUpdatingLocation", []),
      ("org.freedesktop.DBus.Properties", "GetAll", [BusValue.string(client1)]),
      ("org.freedesktop.DBus.Introspectable", "Introspect", []),
    ] {
      let error = try other.refusal(path, interface, member, arguments)
      #expect(error == "org.freedesktop.DBus.Error.UnknownObject", "\(member)")
    }
    #expect(
      try other.refusal(root, manager, "DeleteClient", [.path(path)])
        == "org.locationd.Error.InvalidArgs")
    let tree = try other.ask(root, "org.freedesktop.DBus.Introspectable", "Introspect")
    #expect(tree.first?.asString?.contains("<node name") == false)
    for _ in 0..<5 { _ = try owner.location() }
    _ = try other.ask(root, manager, "Status")
    #expect(other.signals("DidUpdateLocations").isEmpty)
    withExtendedLifetime(daemon) {}
  }

  @Test("administrators see and change what apps may do, and the switch for all")
  func permissions() throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    let permissions = "org.locationd.Permissions1"
    let path = try client.makeClient()
    try client.call(path, "StartUpdatingLocation")
    _ = try client.location()
    let app = try #require(try client.property(path, client1, "App"))
    func set(_ permission: [String: BusValue]) throws -> String? {
      try client.refusal(
        root, permissions, "Set", [app, .uint32(getuid()), .dictionary(permission)])
    }
    #expect(try set(["authorization": .string("denied")]) == nil)
    let change = try client.signal("DidChangeAuthorization").arguments()
    #expect(change == [.string("denied"), .string("full")])
    #expect(try client.property(path, client1, "AuthorizationStatus") == .string("denied"))
    #expect(
      try client.refusal(path, client1, "StartUpdatingLocation") == "org.locationd.Error.Denied")
    let list = try client.ask(root, permissions, "List").first?.asArray?.compactMap(\.asDictionary)
    let entry = try #require(list?.first { $0["app"] == app })
    #expect(entry["authorization"] == .string("denied"))
    #expect(entry["source"] == .string("administrator"))
    #expect(try set(["authorization": .string("perhaps")]) == "org.locationd.Error.InvalidArgs")
    #expect(try set([:]) == "org.locationd.Error.InvalidArgs")
    #expect(try client.refusal(root, permissions, "Reset", [app, .uint32(getuid())]) == nil)
    try client.call(path, "StartUpdatingLocation")
    _ = try client.location()

    #expect(try client.property(root, manager, "ServicesEnabled") == .bool(true))
    _ = try client.ask(root, manager, "SetServicesEnabled", [.bool(false)])
    #expect(try client.property(root, manager, "ServicesEnabled") == .bool(false))
    #expect(try client.refusal(path, client1, "RequestLocation") == "org.locationd.Error.Denied")
    withExtendedLifetime(daemon) {}
  }

  @Test("a program that leaves the bus leaves nothing behind")
  func leaves() throws {
    let daemon = try start()
    var client: BusClient? = try BusClient(bus.address)
    for _ in 0..<3 { _ = try client?.makeClient() }
    let path = try #require(try client?.makeClient())
    try client?.call(path, "StartUpdatingLocation")
    let socket = try daemon.connect()
    func clients() throws -> Int? {
      try socket.ask("status")["result"]?["clients"]?.array?.count
    }
    #expect(try clients() == 5)
    withExtendedLifetime(client) { client = nil }
    #expect(try eventually(within: patience) { try clients() == 1 })
  }

  @Test("clients that come and go, of either door, leave no memory behind")
  func comeAndGo() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      files: ["locationd.conf": "[DBus]\nGeoClue=yes\n"], bus: bus)
    let client = try BusClient(bus.address)
    client.hears = false
    let geoclue = "org.freedesktop.GeoClue2"
    try client.waitForDaemon(geoclue)
    func comeAndGo(_ count: Int) throws {
      for _ in 0..<count {
        let path = try client.makeClient()
        try client.call(path, "StartUpdatingLocation")
        _ = try client.ask(root, manager, "DeleteClient", [.path(path)])
        let there = "/\(geoclue.replacing(".", with: "/"))/Manager"
        let other = try client.ask(there, "\(geoclue).Manager", "CreateClient", of: geoclue)
        _ = try client.ask(there, "\(geoclue).Manager", "DeleteClient", other, of: geoclue)
      }
    }
    // The most is held after the first of them.
    try comeAndGo(1000)
    let before = try daemon.program.residentMemory
    try comeAndGo(2000)
    // A kilobyte of each would be 4000.
    #expect(try daemon.program.residentMemory - before < 1000)
  }

  @Test("the clients of one program, and of one user, are bounded")
  func limits() throws {
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": "[Limits]\nConnectionsPerUser=200\n"], bus: bus)
    let (one, two) = (try BusClient(bus.address), try BusClient(bus.address))
    var paths: [String] = []
    try one.wait("the daemon") {
      if let path = try? one.makeClient() { paths.append(path) }
      return !paths.isEmpty
    }
    // Memory that was given back counts as that of others.
    _ = try one.ask(root, manager, "DeleteClient", [.path(paths.removeLast())])
    _ = try two.ask(root, manager, "DeleteClient", [.path(two.makeClient())])
    while paths.count < 128 { paths.append(try one.makeClient()) }
    let options: [BusValue] = [.dictionary([:])]
    let limit = "org.locationd.Error.LimitExceeded"
    #expect(try one.refusal(root, manager, "CreateClient", options) == limit)
    for _ in 0..<72 { _ = try two.makeClient() }
    #expect(try two.refusal(root, manager, "CreateClient", options) == limit)
    _ = try one.ask(root, manager, "DeleteClient", [.path(paths[0])])
    _ = try two.makeClient()
    withExtendedLifetime(daemon) {}
  }

  @Test("a bus that goes and comes back finds the daemon again, and the socket notices nothing")
  func restart() throws {
    let daemon = try start(["replay://{folder}/drive.nmea?rate=20&loop=1"])
    let client = try BusClient(bus.address)
    try client.call(try client.makeClient(), "StartUpdatingLocation")
    _ = try client.location()
    let socket = try daemon.connect()
    _ = try socket.ask("startUpdatingLocation")
    bus.stop()
    for _ in 0..<5 { _ = try socket.event(within: patience) }
    try bus.start()
    try client.wait("the bus") { client.connection.uniqueName != nil }
    var path: String?
    try client.wait("the daemon") {
      path = try? client.makeClient()
      return path != nil
    }
    try client.call(try #require(path), "StartUpdatingLocation")
    _ = try client.location()
  }

  @Test("a policy that comes while the daemon runs lets it have its name")
  func latePolicy() throws {
    let bus = try PrivateBus(policies: [])
    let daemon = try RunningDaemon(bus: bus)
    let refusal = "does not let us have the name org.locationd"
    while try !daemon.program.line().contains(refusal) {}
    try bus.add(policy: "org.locationd.conf")
    let client = try BusClient(bus.address)
    _ = try client.ask("/", "org.freedesktop.DBus", "ReloadConfig", of: "org.freedesktop.DBus")
    try client.waitForDaemon()
    try client.call(client.makeClient(), "StartUpdatingLocation")
    #expect(try client.location()["latitude"] == .double(45))
    withExtendedLifetime(daemon) {}
  }

  @Test("a frozen bus keeps no location from the socket")
  func frozen() throws {
    let daemon = try start(["replay://{folder}/drive.nmea?rate=100&loop=1"])
    let client = try BusClient(bus.address)
    try client.call(try client.makeClient(), "StartUpdatingLocation")
    _ = try client.location()
    let socket = try daemon.connect()
    _ = try socket.ask("startUpdatingLocation")
    let before = try daemon.program.heldMemory
    bus.freeze()
    // More than the bus's socket and what is kept for it can hold.
    for _ in 0..<600 { _ = try socket.event(within: patience) }
    #expect(try daemon.program.heldMemory - before < 2000)
    bus.thaw()
    _ = try client.location()
  }

  @Test(
    "the interfaces are what is written down of them",
    arguments: [
      ("org.locationd.Manager1", false), ("org.locationd.Client1", true),
      ("org.locationd.Permissions1", false), ("org.locationd.Agents1", false),
    ])
  func documents(interface: String, isClient: Bool) throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    let path = isClient ? try client.makeClient() : root
    let answer = try client.ask(path, "org.freedesktop.DBus.Introspectable", "Introspect")
    let file = PrivateBus.house.appending(path: "config/dbus/\(interface).xml")
    let written = try InterfaceDocument(String(contentsOf: file, encoding: .utf8))
    let said = try InterfaceDocument(answer.first?.asString ?? "")
    #expect(written.names == [interface])
    #expect(written.lines == said.lines.filter { $0.hasPrefix(interface) })
    withExtendedLifetime(daemon) {}
  }
}

/// An introspection document, as lines that can be compared.
final class InterfaceDocument: NSObject, XMLParserDelegate {
  private(set) var lines: [String] = []
  private(set) var names: [String] = []
  private var path: [String] = []

  init(_ text: String) throws {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    lines.sort()
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard element != "node" else { return }
    if element == "interface" { names.append(attributes["name"] ?? "") }
    let rest = attributes.filter { $0.key != "name" }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    path.append(attributes["name"] ?? "")
    lines.append("\(path.joined(separator: " ")) \(element) \(rest)")
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if element != "node" { path.removeLast() }
  }
}
