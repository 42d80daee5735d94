import DBus
import Foundation
import Glibc
import LocationModel
import Platform
import Testing

@Suite("Regions and visits on the bus", .serialized) struct BusMonitoringTests {
  private static let client1 = "org.locationd.Client1"

  private static func circle(_ name: String, north: Double, radius: Double) -> BusValue {
    .dictionary([
      "identifier": .string(name), "latitude": .double(45 + north / 111_132),
      "longitude": .double(7), "radius": .double(radius),
    ])
  }

  @Test("a program is told when it enters and leaves, finds its regions again, and takes them back")
  func regions() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=20"],
      files: ["drive.nmea": Recording.drive(seconds: 300)], bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    let path = try client.makeClient()
    let home = Self.circle("home", north: 1000, radius: 200)
    _ = try client.ask(
      path, Self.client1, "StartMonitoring", [.array(of: "a{sv}", [home])])
    let kept = try #require(try client.property(path, Self.client1, "MonitoredRegions")?.asArray)
    #expect(kept.first?.asDictionary?["identifier"] == .string("home"))
    #expect(kept.first?.asDictionary?["radius"]?.asDouble == 200)

    let entered = try client.signal("DidEnterRegion").arguments()
    #expect(entered.map(\.type) == ["s", "x", "t"])
    #expect(entered[0] == .string("home"))
    let left = try client.signal("DidExitRegion").arguments()
    #expect(left[0] == .string("home"))
    #expect((left[2].asUInt64 ?? 0) > (entered[2].asUInt64 ?? 0))
    _ = try client.ask(path, Self.client1, "Acknowledge", [left[2]])

    _ = try client.ask(path, Self.client1, "StopMonitoring", [.strings(["home"])])
    #expect(
      try client.property(path, Self.client1, "MonitoredRegions") == .array(of: "a{sv}", []))
    withExtendedLifetime(daemon) {}
  }

  private static let polygon: [String: BusValue] = {
    func ring(_ size: Double) -> BusValue {
      let corners = [(45 - size, 7 - size), (45 + size, 7 - size), (45 + size, 7 + size)]
      return .array(
        of: "(dd)", corners.map { .structure([.double($0.0), .double($0.1)]) })
    }
    return [
      "identifier": .string("farm"), "type": .string("polygon"), "points": ring(0.1),
      "holes": .array(of: "a(dd)", [ring(0.01)]), "notifyOnEntry": .bool(true),
      "notifyOnExit": .bool(false),
    ]
  }()

  @Test("regions are listed as they were given, and each object of the program hears of others")
  func listed() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    let (path, other) = (try client.makeClient(), try client.makeClient())
    func heard() throws {
      var left: Set = [path, other]
      while !left.isEmpty {
        let signal = try client.signal("PropertiesChanged")
        if try signal.arguments().last == .strings(["MonitoredRegions"]) {
          left.remove(signal.path ?? "")
        }
      }
    }
    let farm = BusValue.array(of: "a{sv}", [.dictionary(Self.polygon)])
    _ = try client.ask(path, Self.client1, "StartMonitoring", [farm])
    try heard()
    #expect(try client.property(other, Self.client1, "MonitoredRegions") == farm)
    // A listed region can be given again. It may be changed by another door, too.
    let socket = try daemon.connect()
    _ = try socket.ask("stopMonitoring", ["identifier": "farm"])
    try heard()
    _ = try client.ask(other, Self.client1, "StartMonitoring", [farm])
    try heard()
    let app = try #require(try client.property(path, Self.client1, "App"))
    _ = try client.ask(
      "/org/locationd", "org.locationd.Permissions1", "Set",
      [
        app, .uint32(getuid()),
        .dictionary(["authorization": .string("denied")]),
      ])
    try heard()
    #expect(
      try client.property(other, Self.client1, "MonitoredRegions") == .array(of: "a{sv}", []))
    withExtendedLifetime(daemon) {}
  }

  @Test("a region that is none, and one that is not monitored, get named errors")
  func errors() throws {
    let bus = try PrivateBus()
    let daemon = try RunningDaemon(bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon()
    let path = try client.makeClient()
    let flat = BusValue.dictionary(["identifier": .string("x"), "latitude": .double(95)])
    let error = try client.refusal(
      path, Self.client1, "StartMonitoring", [.array(of: "a{sv}", [flat])])
    let wrong = "org.locationd.Error.InvalidArgs"
    #expect(error == wrong)
    let good: [String: BusValue] = [
      "identifier": .string("x"), "latitude": .double(45), "longitude": .double(7),
      "radius": .double(100),
    ]
    for (key, value) in [
      ("notifyOnEntry", .string("no")), ("notifyOnExit", .int32(0)), ("type", .int32(1)),
      ("radius", .string("100")), ("latitude", .bool(true)),
    ] as [(String, BusValue)] {
      let region = BusValue.dictionary(good.merging([key: value]) { $1 })
      let error = try client.refusal(
        path, Self.client1, "StartMonitoring", [.array(of: "a{sv}", [region])])
      #expect(error == wrong, "\(key)")
    }
    let holed = Self.polygon.merging(["holes": .string("none")]) { $1 }
    #expect(
      try client.refusal(
        path, Self.client1, "StartMonitoring", [.array(of: "a{sv}", [.dictionary(holed)])])
        == wrong)
    let long = String(repeating: "x", count: 100_000)
    #expect(try client.refusal(path, Self.client1, "RequestState", [.string(long)]) == wrong)
    let unknown = try client.refusal(
      path, Self.client1, "RequestState", [.string("nowhere")])
    #expect(unknown?.hasPrefix("org.locationd.Error.") == true)
    withExtendedLifetime(daemon) {}
  }
}
