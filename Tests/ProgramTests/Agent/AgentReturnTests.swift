import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import TestSupport
import Testing

@testable import CoreLocation

private let geoclue = "org.freedesktop.GeoClue2"
private let client1 = "org.locationd.Client1"

/// Programs, and the daemon that they are served by, which is started anew under them.
@MainActor private final class Household {
  let bus: PrivateBus
  let desktop: PrivateBus
  let daemon: RunningDaemon
  var agent: Program?
  /// The tests' own name, by which all of the test's clients are known where an agent is.
  private(set) var name = ""
  private var control: String { "exe:" + Household.resolved(Program.path("locationctl")) }

  init(hasAgent: Bool = true) throws {
    bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    desktop = try PrivateBus()
    daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20&loop=1"],
      files: [
        "drive.nmea": Recording.drive(seconds: 600),
        "locationd.conf": "[dbus]\ngeoclue=yes\n", "policy.d/ask.conf": "[Rule]\nAction=ask\n",
      ], bus: bus)
    try BusClient(bus.address).waitForDaemon(geoclue)
    guard hasAgent else { return }
    try startTheAgent()
    #expect(try eventually(within: patience) { try self.ownName().hasPrefix("exe:") })
    name = try ownName()
    for app in [name, control] {
      let (text, exit) = try daemon.control("grant", app, "always", "--uid", "\(getuid())").text()
      #expect(exit == 0, "\(text)")
    }
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  func startTheAgent() throws { agent = try startAgent(daemon, on: desktop) }

  func ownName() throws -> String {
    try #require(try daemon.connect().ask("hello")["result"]?["app"]?.string)
  }

  /// As `systemctl restart`, or as the kernel does it.
  func restart(by signal: Int32) throws {
    daemon.program.signal(signal)
    _ = try daemon.program.exit()
    try daemon.startAgain()
  }

  func status() throws -> Status { try daemon.status(daemon.connect()) }

  /// Nothing is registered, nor anybody connected, under a name that stands for all of a user's programs.
  func nameless() throws -> [String] {
    let status = try status()
    // An agent on a terminal is not looked at by itself.
    let clients = (status.clients ?? []).filter { $0.name != "locationd-agent" }
    let apps = clients.map(\.app) + (status.monitors ?? []).map(\.app)
    return apps.filter { $0.hasPrefix("user:") }
  }

  func updating(_ app: String) throws -> Int {
    try (status().clients ?? []).filter { $0.app == app }.map(\.updating).reduce(0, +)
  }

  /// A client object on the bus that updates, as the program would make it of a daemon that has just come.
  func client() throws -> BusClient {
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    let path = try client.makeClient()
    #expect(try client.property(path, client1, "App") == .string(name))
    try client.call(path, "StartUpdatingLocation")
    return client
  }

  func geoclueClient() throws -> BusClient {
    let client = try BusClient(bus.address)
    try client.waitForDaemon(geoclue)
    let manager = "/org/freedesktop/GeoClue2/Manager"
    let path = try #require(
      try client.ask(manager, "\(geoclue).Manager", "GetClient", of: geoclue).first?.asString)
    _ = try client.ask(
      path, "org.freedesktop.DBus.Properties", "Set",
      [
        .string("\(geoclue).Client"), .string("RequestedAccuracyLevel"), .variant(.uint32(8)),
      ], of: geoclue)
    _ = try client.ask(path, "\(geoclue).Client", "Start", of: geoclue)
    return client
  }

  /// The map in a terminal, as a person has it open.
  func map() throws -> Program {
    try Program(
      onTerminal(Cgroup.inSession([Program.path("locationctl"), "map", "--no-browser"])),
      environment: ["LOCATIOND_SOCKET": daemon.socket])
  }

  func mapGoesOn() throws -> Bool {
    let status = try status()
    return try updating(control) == 1
      && status.monitors?.contains { $0.app == control && $0.visits } == true
  }
}

@MainActor @Suite("Programs over a restart of the daemon", .serialized, .timeLimit(.minutes(60)))
struct AgentReturnTests {
  @Test(
    "keep their permissions at every door, however the daemon ends",
    arguments: [SIGTERM, SIGKILL])
  func restarts(signal: Int32) async throws {
    let household = try Household()
    let (manager, recorder) = household.daemon.library().manager()
    manager.startUpdatingLocation()
    manager.startMonitoringVisits()
    let map = try household.map()
    #expect(try await until { try !recorder.locations.isEmpty && household.mapGoesOn() })
    for round in 0..<3 {
      try household.restart(by: signal)
      // All before the agent is back, which looks for the daemon twice a second.
      let began = ContinuousClock.now
      let socket = try household.daemon.connect()
      let app = try socket.ask("hello")["result"]?["app"]?.string
      // The agent has two seconds for its answer, which a busy machine may take from it.
      let isLate = ContinuousClock.now - began >= .seconds(2)
      #expect(app == household.name || isLate, "\(round): \(app ?? "none")")
      let location = try socket.ask("requestLocation")["result"]?["location"]
      #expect(location != nil)
      let bus = try household.client()
      let geoclue = try household.geoclueClient()
      #expect(try bus.signal("DidUpdateLocations").arguments().count == 3)
      #expect(try geoclue.signal("LocationUpdated").arguments().count == 2)
      let count = recorder.locations.count
      #expect(
        try await until { try recorder.locations.count > count + 2 && household.mapGoesOn() })
      #expect(try await until { try household.nameless().isEmpty })
    }
    // The app has noticed nothing.
    #expect(recorder.errors.isEmpty)
    #expect(recorder.count("authorization") == 1)
    withExtendedLifetime(map) {}
  }

  @Test("go on as nobody where the agent does not come back, and by their names as soon as it does")
  func late() async throws {
    let household = try Household()
    let (manager, recorder) = household.daemon.library().manager()
    manager.startUpdatingLocation()
    #expect(await until { !recorder.locations.isEmpty })
    household.agent = nil
    let began = ContinuousClock.now
    try household.restart(by: SIGKILL)
    let socket = try household.daemon.connect()
    let app = try #require(try socket.ask("hello")["result"]?["app"]?.string)
    #expect(app.hasPrefix("user:"))
    #expect(ContinuousClock.now - began > .seconds(5))
    let region: JSON = [
      "identifier": "home", "type": "circle", "latitude": .number(45), "longitude": .number(7),
      "radius": .number(400),
    ]
    #expect(try socket.ask("startMonitoring", ["region": region])["result"] != nil)
    let bus = try BusClient(household.bus.address)
    let path = try bus.makeClient()
    #expect(try bus.property(path, client1, "App") == .string(app))
    #expect(await until { recorder.count("authorization notDetermined") == 1 })
    try household.startTheAgent()
    #expect(
      try socket.event("didChangeAuthorization")["authorization"]?.string == "authorizedAlways")
    try bus.wait("the name") {
      try bus.property(path, client1, "App") == .string(household.name)
    }
    let told = try bus.signal("DidChangeAuthorization").arguments()
    #expect(told == [.string("authorizedAlways"), .string("full")])
    let count = recorder.locations.count
    #expect(await until { recorder.locations.count > count + 2 })
    #expect(
      recorder.calls.filter { $0.hasPrefix("authorization") }.map { $0.dropFirst(14) } == [
        "authorizedAlways", "notDetermined", "authorizedAlways",
      ])
    #expect(try household.nameless().isEmpty)
    #expect(try household.status().monitors?.map(\.regions) == [1])
  }

  @Test("are served at once where there never was an agent")
  func noAgent() throws {
    let household = try Household(hasAgent: false)
    try household.restart(by: SIGKILL)
    let began = ContinuousClock.now
    #expect(try household.ownName().hasPrefix("user:"))
    let bus = try BusClient(household.bus.address)
    try bus.waitForDaemon()
    _ = try bus.makeClient()
    #expect(ContinuousClock.now - began < .seconds(4))
  }
}
