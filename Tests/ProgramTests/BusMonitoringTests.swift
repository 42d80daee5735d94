import Foundation
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
    #expect(error == "org.locationd.Error.InvalidArgs")
    let unknown = try client.refusal(
      path, Self.client1, "RequestState", [.string("nowhere")])
    #expect(unknown?.hasPrefix("org.locationd.Error.") == true)
    withExtendedLifetime(daemon) {}
  }
}
