import DBus
import Foundation
import LocationModel
import Platform
import Testing

/// wpa_supplicant with a radio, and a wire, which has an interface of its too. It counts what it is asked.
final class PlayedSupplicant: PlayedRadios {
  static let name = "fi.w1.wpa_supplicant1"
  private static let path = "/fi/w1/wpa_supplicant1"
  fileprivate static let interface = "\(name).Interface"
  fileprivate static let wirePath = "\(path)/Interfaces/0"
  fileprivate static let radioPath = "\(path)/Interfaces/1"
  /// The policy that wpa_supplicant ships: others than root and netdev neither call nor hear it.
  static let policy = """
    <busconfig><policy context="default">
      <allow own="\(name)"/><deny send_destination="\(name)"/>
      <deny receive_sender="\(name)" receive_type="signal"/>
    </policy></busconfig>
    """

  let client: BusClient
  private var owned: BusName?
  private lazy var manager = BusObject(Self.path, target: self, [Self.managerTable])
  private lazy var radio = BusObject(Self.radioPath, target: self, [Self.radioTable])
  private let wire = PlayedWire()
  fileprivate var stations: [PlayedStation] = []
  /// Calls and reads of lists since it began.
  fileprivate(set) var calls = 0
  var requests = 0
  fileprivate(set) var lists = 0
  fileprivate(set) var isToScan = false
  /// The error that a scan is refused with.
  var refusal: String?
  fileprivate var state = "disconnected"
  fileprivate var isPlugged = true

  init(_ bus: PrivateBus) throws {
    client = try BusClient(bus.address)
    for object in [manager, radio, wire.object] { try client.connection.export(object) }
    try begin()
  }

  func begin() throws {
    owned = try client.connection.own(Self.name) { _ in }
    try client.wait("the name") { owned?.state == .owned }
  }

  func end() throws {
    owned = nil
    try client.wait("the bus to be told") { try !client.isThere(Self.name) }
  }

  /// Another network is around, and is heard at the next scan.
  func add(_ address: [UInt8], named name: String) throws {
    let path = "\(Self.radioPath)/BSSs/\(stations.count)"
    let station = PlayedStation(path, address, Array(name.utf8))
    try client.connection.export(station.object)
    stations.append(station)
  }

  fileprivate var heard: [BusValue] {
    stations.filter { $0.seen != nil }.map { .path($0.object.path) }
  }

  private static let managerTable = BusInterface(
    name,
    properties: [
      BusProperty("Interfaces", "ao") { (supplicant: PlayedSupplicant) in
        supplicant.calls += 1
        let paths = supplicant.isPlugged ? [wirePath, radioPath] : [wirePath]
        return .array(of: "o", paths.map(BusValue.path))
      }
    ])

  private static let radioTable = BusInterface(
    interface,
    methods: [
      BusMethod("Scan", in: [.init("args", "a{sv}")]) {
        (supplicant: PlayedSupplicant, call) throws(BusError) in
        supplicant.calls += 1
        supplicant.requests += 1
        guard call.arguments.first?.asDictionary?["Type"]?.asString == "active" else {
          throw BusError("\(name).InvalidArgs", "Wrong scan type")
        }
        if let refusal = supplicant.refusal { throw BusError(refusal, "Scan request rejected") }
        supplicant.isToScan = true
        return []
      }
    ],
    properties: [
      BusProperty("Ifname", "s") { (_: PlayedSupplicant) in .string("wlan7") },
      BusProperty("Driver", "s") { (_: PlayedSupplicant) in .string("nl80211") },
      BusProperty("State", "s") { (supplicant: PlayedSupplicant) in .string(supplicant.state) },
      BusProperty("BSSs", "ao") { (supplicant: PlayedSupplicant) in
        supplicant.calls += 1
        supplicant.lists += 1
        return .array(of: "o", supplicant.heard)
      },
    ])

  private func tell(
    _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
  ) throws {
    try client.connection.send(
      BusSignal(interface, member, values), to: BusRecipient(nil, of: path))
  }

  /// Properties of the radio change, as they are told in the bus's usual words and in its own older ones.
  private func tell(_ changes: [String: BusValue]) throws {
    try tell(
      Self.radioPath, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(Self.interface), .dictionary(changes), .strings([])])
    try tell(Self.radioPath, Self.interface, "PropertiesChanged", [.dictionary(changes)])
  }

  func scan() throws {
    isToScan = false
    for station in stations {
      let isNew = station.seen == nil
      station.seen = Clock.boottime
      guard isNew else { continue }
      try tell(
        Self.radioPath, Self.interface, "BSSAdded",
        [.path(station.object.path), .dictionary(["BSSID": station.bytes])])
    }
    try tell(["BSSs": .array(of: "o", heard)])
    try tell(Self.radioPath, Self.interface, "ScanDone", [.bool(true)])
  }

  /// A scan ends without a list.
  func failScan() throws {
    isToScan = false
    try tell(Self.radioPath, Self.interface, "ScanDone", [.bool(false)])
  }

  /// The networks were last heard so long ago.
  func forgetScan(seconds: Int) {
    for station in stations { station.seen = Clock.boottime - .seconds(seconds) }
  }

  func turn(to state: String) throws {
    self.state = state
    try tell(["State": .string(state)])
  }

  func plug(_ isPlugged: Bool) throws {
    self.isPlugged = isPlugged
    try tell(
      Self.path, Self.name, isPlugged ? "InterfaceAdded" : "InterfaceRemoved",
      [.path(Self.radioPath)] + (isPlugged ? [.dictionary(["Ifname": .string("wlan7")])] : []))
  }
}

private final class PlayedWire {
  private(set) lazy var object = BusObject(PlayedSupplicant.wirePath, target: self, [Self.table])

  private static let table = BusInterface(
    PlayedSupplicant.interface,
    properties: [
      BusProperty("Ifname", "s") { (_: PlayedWire) in .string("eth7") },
      BusProperty("Driver", "s") { (_: PlayedWire) in .string("wired") },
      BusProperty("State", "s") { (_: PlayedWire) in .string("disconnected") },
      BusProperty("BSSs", "ao") { (_: PlayedWire) in .array(of: "o", []) },
    ])
}

private final class PlayedStation {
  let bytes: BusValue
  private let name: BusValue
  /// Nil until a scan has heard it.
  var seen: Boottime?
  private(set) lazy var object = BusObject(path, target: self, [Self.table])
  private let path: String

  init(_ path: String, _ address: [UInt8], _ name: [UInt8]) {
    self.path = path
    bytes = .array(of: "y", address.map(BusValue.byte))
    self.name = .array(of: "y", name.map(BusValue.byte))
  }

  private static let table = BusInterface(
    "\(PlayedSupplicant.name).BSS",
    properties: [
      BusProperty("BSSID", "ay") { (station: PlayedStation) in station.bytes },
      BusProperty("SSID", "ay") { (station: PlayedStation) in station.name },
      BusProperty("Signal", "n") { (_: PlayedStation) in .int16(-58) },
      BusProperty("Frequency", "q") { (_: PlayedStation) in .uint16(2437) },
      BusProperty("Age", "u") { (station: PlayedStation) in
        let age = station.seen.map { Clock.boottime - $0 } ?? .zero
        return .uint32(UInt32(clamping: age.components.seconds))
      },
    ])
}
