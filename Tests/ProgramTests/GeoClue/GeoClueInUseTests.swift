import DBus
import Foundation
import LocationModel
import Testing

/// A desktop that looks at GeoClue's `InUse`, as gnome-shell does for the icon in its panel.
private final class Desktop {
  let client: BusClient
  private(set) var said: [Bool] = []
  private var subscription: BusSubscription?

  static let service = "org.freedesktop.GeoClue2"
  static let manager = "org.freedesktop.GeoClue2.Manager"

  init(_ address: String) throws {
    client = try BusClient(address)
    subscription = try client.connection.listen(
      to: Self.service,
      .init(interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
    ) { [unowned self] in
      guard case .signal(let signal) = $0, let values = try? signal.arguments(), values.count > 1,
        values[0] == .string(Self.manager),
        case .bool(let isInUse)? = values[1].asDictionary?["InUse"]
      else { return }
      said.append(isInUse)
    }
  }
}

@Suite("GeoClue's own indicator") struct GeoClueInUseTests {
  @Test("it goes out with a pause and a revocation, and comes back with the pause's end")
  func inUse() throws {
    let bus = try PrivateBus(policies: ["org.locationd.conf", "org.locationd.GeoClue2.conf"])
    let daemon = try RunningDaemon(
      ["static:45,7,100,5"], files: ["locationd.conf": "[DBus]\nGeoClue=yes\n"], bus: bus)
    let client = try BusClient(bus.address)
    try client.waitForDaemon(Desktop.service)
    let desktop = try Desktop(bus.address)
    func ask(
      _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
    ) throws -> [BusValue] {
      try client.ask(path, interface, member, arguments, of: Desktop.service)
    }
    let made = try ask("/org/freedesktop/GeoClue2/Manager", Desktop.manager, "CreateClient")
    let path = try #require(made.first?.asString)
    let words: [(String, BusValue)] = [
      ("DesktopId", .string("test")), ("RequestedAccuracyLevel", .uint32(8)),
    ]
    for (name, value) in words {
      _ = try ask(
        path, "org.freedesktop.DBus.Properties", "Set",
        [.string("org.freedesktop.GeoClue2.Client"), .string(name), .variant(value)])
    }
    _ = try ask(path, "org.freedesktop.GeoClue2.Client", "Start")
    try desktop.client.wait("the icon") { desktop.said == [true] }
    _ = try client.signal("LocationUpdated")
    #expect(try daemon.control("pause").exit() == 0)
    try desktop.client.wait("the pause") { desktop.said == [true, false] }
    #expect(try daemon.control("resume").exit() == 0)
    try desktop.client.wait("its end") { desktop.said == [true, false, true] }
    _ = try client.signal("LocationUpdated")
    #expect(try daemon.control("revoke", "user:\(NSUserName())").exit() == 0)
    try desktop.client.wait("the revocation") { desktop.said == [true, false, true, false] }
  }
}
