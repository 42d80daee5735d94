import DBus
import Foundation
import LocationModel
import Platform
import TestSupport
import Testing

/// iio-sensor-proxy as programs see its compass: it tells those that have claimed it, and them alone.
private final class SensorProxy {
  static let name = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy/Compass"
  static let interface = "net.hadess.SensorProxy.Compass"
  /// Debian 12's: GeoClue's user may send to the compass, and nobody else.
  static let policy = """
    <busconfig>
      <policy context="default">
        <allow own="\(name)"/>
        <deny send_destination="\(name)" send_path="\(path)"/>
        <allow send_destination="\(name)" send_interface="org.freedesktop.DBus.Introspectable"/>
      </policy>
    </busconfig>
    """

  let client: BusClient
  private var owned: BusName?
  private lazy var object = BusObject(Self.path, target: self, [Self.table])
  var has = true
  var degrees = -1.0
  var owner: String?
  private var peer: BusPeer?

  init(_ bus: PrivateBus) throws {
    client = try BusClient(bus.address)
    try client.connection.export(object)
    owned = try client.connection.own(Self.name) { _ in }
    try client.wait("the name") { owned?.state == .owned }
  }

  private static let table = BusInterface(
    interface,
    methods: [
      BusMethod("ClaimCompass") { (proxy: SensorProxy, call) throws(BusError) in
        proxy.owner = call.sender
        proxy.peer = try proxy.client.connection.awaitEnd(of: call.sender) { [unowned proxy] in
          proxy.owner = nil
        }
        return []
      }
    ],
    properties: [
      BusProperty("HasCompass", "b") { (proxy: SensorProxy) in .bool(proxy.has) },
      BusProperty("CompassHeading", "d") { (proxy: SensorProxy) in .double(proxy.degrees) },
    ])

  /// Off the bus; the object is held by its connection until then.
  func leave() throws {
    client.connection.remove(object)
    owned = nil
    peer = nil
    try client.wait("the bus to be told") { try !client.isThere(Self.name) }
  }

  func turn(to degrees: Double) throws {
    self.degrees = degrees
    guard owner != nil else { return }
    try client.connection.propertiesChanged(["CompassHeading"], of: Self.interface, on: object)
  }
}

@Suite("The compass of this machine") struct CompassTests {
  let bus: PrivateBus
  let daemon: RunningDaemon
  let client: SocketClient

  init() throws {
    bus = try PrivateBus(own: SensorProxy.policy)
    daemon = try RunningDaemon(["static:45,7,100,5"], bus: bus)
    client = try daemon.connect()
  }

  /// Turns the compass until the client hears of it.
  private func heading(_ proxy: SensorProxy, _ degrees: Double) throws -> Heading {
    var heading: Heading?
    try proxy.client.wait("a heading") {
      try proxy.turn(to: degrees)
      heading = try client.heading(within: 0.05)
      return heading?.magneticHeading == degrees
    }
    return try #require(heading)
  }

  @Test("it is claimed while somebody wants headings, and let go of after")
  func claimed() throws {
    let proxy = try SensorProxy(bus)
    #expect(proxy.owner == nil)
    client.request("startUpdatingHeading", ["headingFilter": .integer(-1)])
    let heading = try heading(proxy, 271.5)
    #expect(heading.accuracy == nil)
    client.request("stopUpdatingHeading")
    try proxy.client.wait("it to be let go of") { proxy.owner == nil }
  }

  @Test("where the place is known, true north is told too")
  func trueNorth() throws {
    let proxy = try SensorProxy(bus)
    client.request("startUpdatingLocation")
    client.request("startUpdatingHeading", ["headingFilter": .integer(-1)])
    // Headings have none until the place is known.
    var north: Double?
    var degrees = 10.0
    let isTold = try eventually(within: patience) {
      degrees = 40 - degrees
      north = try heading(proxy, degrees).trueHeading.map { $0 - degrees }
      return north != nil
    }
    #expect(isTold)
    // In 2025 to 2030, at 45° N 7° E.
    #expect((2.5...5).contains(try #require(north)))
  }

  @Test("programs on the bus are told, too, by signals and as a property")
  func onTheBus() throws {
    let proxy = try SensorProxy(bus)
    let client1 = "org.locationd.Client1"
    var path: String?
    try proxy.client.wait("locationd") {
      path = try? proxy.client.ask(
        "/org/locationd", "org.locationd.Manager1", "CreateClient", [.dictionary([:])]
      ).first?.asString
      return path != nil
    }
    let object = try #require(path)
    #expect(try proxy.client.ask(object, client1, "StartUpdatingHeading") == [])
    try proxy.client.wait("a claim") { proxy.owner != nil }
    try proxy.turn(to: 42)
    let signal = try proxy.client.signal("DidUpdateHeading")
    let heading = try signal.arguments().first?.asDictionary
    #expect(heading?["magneticHeading"] == .double(42))
    #expect(heading?["headingAccuracy"] == nil)
    #expect(
      try proxy.client.property(object, client1, "Heading")?.asDictionary?["magneticHeading"]
        == .double(42))
    #expect(try proxy.client.ask(object, client1, "StopUpdatingHeading") == [])
    try proxy.client.wait("it to be let go of") { proxy.owner == nil }
  }

  @Test("one that comes later, goes, or is none, is told in the status and harms nobody")
  func comesAndGoes() throws {
    client.request("startUpdatingHeading", ["headingFilter": .integer(-1)])
    for _ in 0..<2 {
      let proxy = try SensorProxy(bus)
      _ = try heading(proxy, 90)
      try proxy.leave()
    }
    let proxy = try SensorProxy(bus)
    proxy.has = false
    var reason: String?
    try proxy.client.wait("the status") {
      let status = try client.ask("status")["result"]
      reason = status?["sources"]?.array?.last?["reason"]?.string
      return reason?.contains("no compass") == true
    }
    #expect(try client.location(within: 0.1) == nil)
  }
}
