import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A machine whose timedated, logind and network are played, at places that the test says.
private final class RunningTimezone {
  static let timedate = "org.freedesktop.timedate1"
  static let network = "org.freedesktop.NetworkManager"
  static let vienna = "48.2082,16.3738"
  static let bucharest = "44.4268,26.1025"
  private static let clock = "/org/freedesktop/timedate1"
  private static let manager = "/org/freedesktop/NetworkManager"

  let bus: PrivateBus
  let daemon: RunningDaemon
  let client: BusClient
  private let timedated: MockService
  private let networkManager: MockService
  let logind: Logind
  private let places: RunningPlaces
  private(set) var program: Program?
  private var count = 0

  init(at place: String) throws {
    bus = try PrivateBus(
      policies: ["org.locationd.Timezone.conf"],
      guests: [Self.timedate, Self.network, Logind.name])
    timedated = try MockService(["--template", "timedated"], as: Self.timedate, on: bus)
    networkManager = try MockService(
      [Self.network, Self.manager, Self.network], as: Self.network, on: bus)
    try networkManager.mock(
      Self.manager, "AddProperties",
      [.string(Self.network), .dictionary(["PrimaryConnection": .string("/1")])])
    logind = try Logind(on: bus)
    daemon = try RunningDaemon([], files: ["locationd.conf": Self.configuration(place)])
    places = try RunningPlaces.ofWorld()
    client = try BusClient(bus.address)
    try set("Europe/Vienna")
  }

  private static func configuration(_ place: String?) -> String {
    "[Sources]\nSource=\(place.map { "static:\($0),100,5" } ?? "none")\n"
  }

  func start(interval: Double = 0.2, settling: Double = 1) throws {
    program = try Program([
      Program.path("locationd-timezone"), "--daemon", daemon.socket, "--places", places.socket,
      "--bus", bus.address, "--interval", "\(interval)", "--settling", "\(settling)",
    ])
    try client.waitForDaemon("org.locationd.Timezone")
  }

  /// The machine goes there, or to where nothing is received.
  func go(to place: String?) throws {
    try daemon.write(Self.configuration(place), to: "locationd.conf")
    daemon.program.signal(SIGHUP)
    guard let place else { return }
    let isThere = try eventually(within: patience) {
      let client = try self.daemon.connect()
      let reply = try client.ask("requestLocation")["result"]?["location"]
      return reply?["latitude"]?.double == Double(place.split(separator: ",")[0])
    }
    try #require(isThere)
  }

  func set(_ zone: String) throws {
    try timedated.mock(
      Self.clock, "UpdateProperties",
      [.string(Self.timedate), .dictionary(["Timezone": .string(zone)])])
  }

  func changeNetwork() throws {
    count += 1
    try networkManager.mock(
      Self.manager, "UpdateProperties",
      [.string(Self.network), .dictionary(["PrimaryConnection": .string("/\(count)/a")])])
  }

  /// The zones that were set.
  func zones() throws -> [String] {
    let values = try timedated.mock(Self.clock, "GetCalls", [])
    var set: [String] = []
    for case .structure(let call) in values.first?.asArray ?? [] {
      guard call.count == 3, call[1].asString == "SetTimezone" else { continue }
      if let zone = call[2].asArray?.first?.unwrapped.asString { set.append(zone) }
    }
    return set
  }

  func isSet(_ zones: [String], within seconds: Double = patience) throws -> Bool {
    try eventually(within: seconds) { try self.zones() == zones }
  }
}

extension BusValue {
  fileprivate var unwrapped: BusValue { if case .variant(let value) = self { value } else { self } }
}

@Suite("The time zone follows the place, by real programs", .serialized, .timeLimit(.minutes(60)))
struct TimezoneTests {
  @Test("a journey over borders sets the zone once, says so in the journal and to agents")
  func journey() throws {
    let machine = try RunningTimezone(at: RunningTimezone.vienna)
    try machine.start()
    try machine.go(to: RunningTimezone.bucharest)
    #expect(try machine.isSet(["Europe/Bucharest"]))
    let said = try #require(machine.program)
    while try !said.line().contains("the time zone is Europe/Bucharest now, and was Europe/Vienna")
    {}
    let zone = try machine.client.ask(
      "/org/locationd/Timezone", "org.freedesktop.DBus.Properties", "GetAll",
      [.string("org.locationd.Timezone1")], of: "org.locationd.Timezone")
    #expect(zone.first?.asDictionary?["Timezone"]?.asString == "Europe/Bucharest")
    // Later looks leave the zone as it is.
    #expect(try !machine.isSet([], within: 2) && machine.isSet(["Europe/Bucharest"]))
  }

  @Test("a set place, another network and sleep do not set it; a place after sleep does")
  func movements() throws {
    let machine = try RunningTimezone(at: RunningTimezone.vienna)
    try machine.start(interval: 3600)
    try machine.go(to: nil)
    let here = try machine.daemon.control("here", "set", RunningTimezone.bucharest)
    #expect(try here.exit() == 0)
    for _ in 0..<5 { try machine.changeNetwork() }
    #expect(try !machine.isSet(["Europe/Bucharest"], within: 2))
    #expect(try machine.daemon.control("here", "forget").exit() == 0)
    try machine.go(to: RunningTimezone.bucharest)
    try machine.logind.wakeUp()
    #expect(try machine.isSet(["Europe/Bucharest"]))
  }

  @Test("while the desktop of somebody at the machine sets it, nothing is done, and only then")
  func desktop() throws {
    let machine = try RunningTimezone(at: RunningTimezone.bucharest)
    func claim(_ client: BusClient) throws -> String? {
      try client.refusal(
        "/org/locationd/Timezone", "org.locationd.Timezone1", "SetDesktopFollows", [.bool(true)],
        of: "org.locationd.Timezone")
    }
    try machine.start(interval: 0.2, settling: 3)
    var desktop: BusClient? = try BusClient(machine.bus.address)
    #expect(try desktop.flatMap(claim) == "org.freedesktop.DBus.Error.AccessDenied")
    try machine.logind.open("c1", of: getuid())
    #expect(try desktop.flatMap(claim) == nil)
    #expect(try !machine.isSet(["Europe/Bucharest"], within: 5))
    desktop = nil
    #expect(try machine.isSet(["Europe/Bucharest"]))
  }

  @Test("without a permission or a service of places it says what is missing, and sets nothing")
  func missing() throws {
    let program = try Program([
      Program.path("locationd-timezone"), "--daemon", "/nowhere/s", "--places", "/nowhere/p",
      "--bus", try PrivateBus().address,
    ])
    #expect(try program.line().contains("no daemon at"))
  }
}
