import DBus
import Foundation
import FoundationXML
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

private let service = "org.freedesktop.GeoClue2"
private let manager = "org.freedesktop.GeoClue2.Manager"
private let managerPath = "/org/freedesktop/GeoClue2/Manager"
private let client2 = "org.freedesktop.GeoClue2.Client"
private let location2 = "org.freedesktop.GeoClue2.Location"
private let properties = "org.freedesktop.DBus.Properties"

extension BusClient {
  fileprivate func get(_ path: String, _ interface: String, _ name: String) throws -> BusValue? {
    let answer = try ask(
      path, properties, "Get", [.string(interface), .string(name)], of: service)
    if case .variant(let value) = answer.first { return value }
    return nil
  }

  fileprivate func wish(_ path: String, _ name: String, _ value: BusValue) throws {
    _ = try ask(
      path, properties, "Set", [.string(client2), .string(name), .variant(value)], of: service)
  }

  /// A client of GeoClue's, of this level, started.
  fileprivate func start(
    level: UInt32? = 8, distance: UInt32 = 0, time: UInt32 = 0
  ) throws -> String {
    let path = try #require(
      try ask(managerPath, manager, "CreateClient", of: service).first?.asString)
    try wish(path, "DesktopId", .string("test"))
    if let level { try wish(path, "RequestedAccuracyLevel", .uint32(level)) }
    try wish(path, "DistanceThreshold", .uint32(distance))
    try wish(path, "TimeThreshold", .uint32(time))
    #expect(try ask(path, client2, "Start", of: service) == [])
    return path
  }

  /// The properties of the next location that is told, and the paths of the one before and its own.
  fileprivate func update() throws -> (location: [String: BusValue], old: String, new: String) {
    let paths = try signal("LocationUpdated").arguments().compactMap(\.asString)
    try #require(paths.count == 2)
    return (try location(at: paths[1]), paths[0], paths[1])
  }

  fileprivate func location(at path: String) throws -> [String: BusValue] {
    let answer = try ask(path, properties, "GetAll", [.string(location2)], of: service)
    return try #require(answer.first?.asDictionary)
  }
}

extension [String: BusValue] {
  /// Microseconds.
  fileprivate var moment: Int64? {
    guard case .structure(let parts) = self["Timestamp"], parts.count == 2,
      let seconds = parts[0].asUInt64, let rest = parts[1].asUInt64
    else { return nil }
    return Int64(seconds) * 1_000_000 + Int64(rest)
  }
}

@Suite("GeoClue's door", .serialized) struct GeoClueTests {
  let bus: PrivateBus

  init() throws {
    bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
  }

  private func start(
    rate: Int = 20, step: Double = 1, seconds: Double = 600
  ) throws -> RunningDaemon {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=\(rate)&loop=1"],
      files: [
        "drive.nmea": Recording.drive(seconds: seconds, step: step),
        "locationd.conf": "[dbus]\ngeoclue=yes\n",
      ], bus: bus)
    try BusClient(bus.address).waitForDaemon(service)
    return daemon
  }

  @Test("a program is told of each new location by an object that it can read")
  func updates() throws {
    let daemon = try start(step: 0.5)
    let client = try BusClient(bus.address)
    let path = try #require(
      try client.ask(managerPath, manager, "GetClient", of: service).first?.asString)
    #expect(try client.ask(managerPath, manager, "GetClient", of: service) == [.path(path)])
    #expect(try client.get(path, client2, "Location") == .path("/"))
    #expect(try client.get(path, client2, "Active") == .bool(false))
    #expect(try client.get(managerPath, manager, "InUse") == .bool(false))
    #expect(try client.get(managerPath, manager, "AvailableAccuracyLevel") == .uint32(8))
    try client.wish(path, "RequestedAccuracyLevel", .uint32(8))
    _ = try client.ask(path, client2, "Start", of: service)
    let first = try client.update()
    #expect(first.old == "/")
    let second = try client.update()
    #expect(second.old == first.new)
    #expect(second.location["Longitude"] == .double(7))
    #expect(second.location["Altitude"] == .double(240))
    #expect(second.location["Heading"] == .double(0))
    #expect(try #require(second.location["Accuracy"]?.asDouble) < 50)
    #expect(try #require(second.location["Speed"]?.asDouble) > 9)
    #expect(second.location["Description"]?.asString?.isEmpty == false)
    // Half a second apart, so whole seconds would not do.
    let passed = try #require(second.location.moment) - (first.location.moment ?? 0)
    #expect(passed == 500_000)
    #expect(try client.get(path, client2, "Active") == .bool(true))
    #expect(try client.get(managerPath, manager, "InUse") == .bool(true))
    #expect(try client.location(at: first.new)["Longitude"] == .double(7))

    _ = try client.ask(path, client2, "Stop", of: service)
    #expect(try client.get(path, client2, "Active") == .bool(false))
    #expect(try client.get(managerPath, manager, "InUse") == .bool(false))
    _ = try client.ask(managerPath, manager, "DeleteClient", [.path(path)], of: service)
    #expect(
      try client.refusal(path, client2, "Start", of: service)
        == "org.freedesktop.DBus.Error.UnknownObject")
    withExtendedLifetime(daemon) {}
  }

  @Test("thresholds of distance and time hold")
  func thresholds() throws {
    // Long enough that it does not begin again meanwhile, which is a leap.
    let daemon = try start(seconds: 3000)
    let client = try BusClient(bus.address)
    _ = try client.start(distance: 45)
    func latitude() throws -> Double {
      try #require(try client.update().location["Latitude"]?.asDouble)
    }
    let (south, north) = (try latitude(), try latitude())
    // At 10 m a second.
    #expect((49...51).contains((north - south) * 111_140), "\((north - south) * 111_140)")
    let patient = try BusClient(bus.address)
    _ = try patient.start(time: 7)
    let (before, after) = (try patient.update(), try patient.update())
    #expect(try #require(after.location.moment) - (before.location.moment ?? 0) == 7_000_000)
    withExtendedLifetime(daemon) {}
  }

  @Test("STREET is some 100 m, NEIGHBORHOOD 1 km; CITY, or nothing in particular, some kilometres")
  func coarse() throws {
    // To and fro within one place of some kilometres.
    let daemon = try start(seconds: 10)
    let wishes: [(level: UInt32?, accuracy: Double)] = [
      (nil, 3000), (0, 3000), (1, 3000), (4, 3000), (5, 1000), (6, 100), (7, 100),
    ]
    for (level, accuracy) in wishes {
      let client = try BusClient(bus.address)
      let path = try client.start(level: level)
      let location = try client.update().location
      #expect(location["Accuracy"] == .double(accuracy))
      #expect(location["Speed"] == .double(-1))
      #expect(location["Altitude"] == .double(-Double.greatestFiniteMagnitude))
      #expect(location["Latitude"] != .double(45))
      let latitude = try #require(location["Latitude"]?.asDouble)
      #expect((44.9...45.2).contains(latitude))
      // The same place is not told twice.
      #expect(client.signals("LocationUpdated").isEmpty)
      // Wishing more brings more.
      try client.wish(path, "RequestedAccuracyLevel", .uint32(8))
      #expect(try #require(try client.update().location["Accuracy"]?.asDouble) < 50)
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("CITY gets the city of the time zone where nothing else is known, and EXACT does not")
  func zone() throws {
    let conf = "[sources]\nsource=none\n[dbus]\ngeoclue=yes\n"
    let daemon = try RunningDaemon(
      [], files: ["locationd.conf": conf], bus: bus, environment: ["TZ": "Asia/Seoul"])
    let client = try BusClient(bus.address)
    try client.waitForDaemon(service)
    _ = try client.start(level: 8)
    _ = try client.start(level: 4)
    let city = try client.update().location
    #expect(city["Accuracy"] == .double(300_000))
    #expect((try #require(city["Latitude"]?.asDouble) - 37.55).magnitude < 0.1)
    #expect(client.signals("LocationUpdated").isEmpty)
    withExtendedLifetime(daemon) {}
  }

  @Test("one who wishes for less while it runs is told at once, wherever its thresholds lie")
  func narrowed() throws {
    // Exact places come no more: there is but one.
    let daemon = try RunningDaemon(
      ["static:45,7"], files: ["locationd.conf": "[dbus]\ngeoclue=yes\n"], bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon(service)
    let path = try client.start(distance: 100_000)
    #expect(try client.update().location["Latitude"] == .double(45))
    try client.wish(path, "RequestedAccuracyLevel", .uint32(4))
    #expect(try client.update().location["Accuracy"] == .double(3000))
    // The first after a start is told, wherever it lies.
    _ = try client.ask(path, client2, "Stop", of: service)
    _ = try client.ask(path, client2, "Start", of: service)
    #expect(try client.update().location["Accuracy"] == .double(3000))
    withExtendedLifetime(daemon) {}
  }

  @Test("libraries that keep properties are told that the location has changed, but not of each")
  func kept() throws {
    let daemon = try start(rate: 100)
    let client = try BusClient(bus.address)
    let path = try client.start()
    let first = try #require(try kept(by: client))
    #expect(try client.location(at: first)["Latitude"] != nil)
    // Each client is told its first location at once, though others were told just now.
    let second = try BusClient(bus.address)
    _ = try second.start()
    let its = try #require(try kept(by: second))
    #expect(try second.location(at: its)["Latitude"] != nil)
    let before = second.signals("LocationUpdated").count
    #expect(before < 300, "\(before) places before that")

    var newest = try #require(try kept(by: client))
    #expect(newest != first)
    let (places, changes) = (
      client.signals("LocationUpdated").count, client.signals("PropertiesChanged").count
    )
    #expect(places > 10 * changes, "\(places) places, \(changes) changes")
    _ = try client.ask(path, client2, "Stop", of: service)
    // The last one, too.
    let last = try client.get(path, client2, "Location")?.asString
    while newest != last { newest = try #require(try kept(by: client)) }
    withExtendedLifetime(daemon) {}
  }

  /// The place that a library that keeps properties has from now on.
  private func kept(by client: BusClient) throws -> String? {
    while true {
      let signal = try client.signal("PropertiesChanged")
      let values = try signal.arguments()
      if let place = values.dropFirst().first?.asDictionary?["Location"] { return place.asString }
    }
  }

  @Test("whoever's place was taken away is told of the next one at once")
  func keptAgain() throws {
    let daemon = try start(rate: 100)
    let client = try BusClient(bus.address)
    let path = try client.start()
    let agent = try DesktopAgent(bus.address)
    try agent.register()
    #expect(try kept(by: client) != "/")
    func turn(to level: UInt32) throws {
      agent.change(to: level)
      try client.wait("the switch") {
        try agent.turn()
        return try client.get(path, client2, "Active") == .bool(level > 0)
      }
    }
    try turn(to: 0)
    #expect(try client.get(path, client2, "Location") == .path("/"))
    client.forget()
    try turn(to: 8)
    #expect(try kept(by: client) != "/")
    let before = client.signals("LocationUpdated").count
    #expect(before < 300, "\(before) places before that")
    withExtendedLifetime(daemon) {}
  }

  @Test("a desktop's switch is a ceiling, also for programs that run already, and no consent")
  func agents() throws {
    let daemon = try start()
    let client = try BusClient(bus.address)
    let path = try client.start()
    let exact = try client.update()
    #expect(try #require(exact.location["Accuracy"]?.asDouble) < 50)

    let agent = try DesktopAgent(bus.address)
    agent.level = 4
    try agent.register()
    let unknown = "org.freedesktop.DBus.Error.UnknownObject"
    func remains(_ place: String) throws -> Bool {
      try client.refusal(place, properties, "GetAll", [.string(location2)], of: service) != unknown
    }
    #expect(try !remains(exact.new))
    func accuracy() throws -> Double? { try client.update().location["Accuracy"]?.asDouble }
    try client.wait("a coarse place") { (try? accuracy()) == 3000 }
    agent.change(to: 0)
    try client.wait("the end") {
      try agent.turn()
      return try client.get(path, client2, "Active") == .bool(false)
    }
    #expect(try client.get(path, client2, "Location") == .path("/"))
    let other = try BusClient(bus.address)
    let late = try #require(
      try other.ask(managerPath, manager, "GetClient", of: service).first?.asString)
    #expect(
      try other.refusal(late, client2, "Start", of: service)
        == "org.freedesktop.DBus.Error.AccessDenied")
    agent.change(to: 8)
    try client.wait("the beginning") {
      try agent.turn()
      return try client.get(path, client2, "Active") == .bool(true)
    }
    try client.wait("an exact place") { try accuracy() ?? 3000 < 50 }
    agent.change(to: 0)
    try client.wait("the end") {
      try agent.turn()
      return try client.get(path, client2, "Active") == .bool(false)
    }
    agent.leave()
    try client.wait("the beginning") { try client.get(path, client2, "Active") == .bool(true) }
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "agents of one user are bounded, so that those which never answer use up no patience of the bus"
  )
  func manyAgents() throws {
    let daemon = try start()
    // They answer nothing: nobody turns their loops.
    let agents = try (0..<9).map { _ in try BusClient(bus.address) }
    for agent in agents {
      try agent.connection.send(
        BusMessage(to: service, managerPath, manager, "AddAgent", [.string("test")]))
    }
    let last = try BusClient(bus.address)
    #expect(
      try last.refusal(managerPath, manager, "AddAgent", [.string("test")], of: service)
        == "org.freedesktop.DBus.Error.LimitsExceeded")
    withExtendedLifetime((daemon, agents)) {}
  }

  @Test("nobody else can use a client, or read a location that it was told")
  func strangers() throws {
    let daemon = try start()
    let (client, other) = (try BusClient(bus.address), try BusClient(bus.address))
    let path = try client.start()
    let told = try client.update().new
    let unknown = "org.freedesktop.DBus.Error.UnknownObject"
    _ = try other.ask(managerPath, manager, "GetClient", of: service)
    for (path, interface, member, arguments) in [
      (path, client2, "Start", []), (path, properties, "GetAll", [BusValue.string(client2)]),
      (told, properties, "GetAll", [.string(location2)]),
    ] {
      #expect(try other.refusal(path, interface, member, arguments, of: service) == unknown)
    }
    #expect(
      try other.refusal(managerPath, manager, "DeleteClient", [.path(path)], of: service)
        == "org.freedesktop.DBus.Error.AccessDenied")
    withExtendedLifetime(daemon) {}
  }

  @Test("a program that reads late finds every location that it was told of")
  func slow() throws {
    let daemon = try start(rate: 100)
    let client = try BusClient(bus.address)
    _ = try client.start()
    let good = try BusClient(bus.address)
    _ = try good.start()
    for _ in 0..<600 { _ = try good.signal("LocationUpdated") }
    // Some are left out on the way, but none that is told is not there.
    var last = try client.update()
    #expect(last.old == "/")
    for _ in 0..<400 {
      let next = try client.update()
      #expect(next.old == last.new)
      last = next
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("without being chosen, GeoClue's name is left alone")
  func notChosen() throws {
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    #expect(try !client.isThere(service))
    withExtendedLifetime(daemon) {}
  }
}
