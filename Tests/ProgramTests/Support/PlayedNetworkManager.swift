import DBus
import Foundation
import LocationModel
import Platform
import Testing

/// NetworkManager, as far as Wi-Fi radios go. It counts what it is asked.
final class PlayedNetworkManager: PlayedRadios {
  static let name = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"
  private static let devicePath = path + "/Devices/3"
  /// The policy that NetworkManager ships: everybody may call it.
  static let policy = """
    <busconfig><policy context="default">
      <allow own="\(name)"/><allow send_destination="\(name)"/>
    </policy></busconfig>
    """

  let client: BusClient
  private var owned: BusName?
  private lazy var manager = BusObject(Self.path, target: self, [Self.managerTable])
  private lazy var device = BusObject(Self.devicePath, target: self, Self.deviceTables)
  private var points: [PlayedAccessPoint] = []
  /// Calls and reads of properties since it began.
  fileprivate(set) var calls = 0
  var requests = 0
  /// Times that the list was asked for.
  fileprivate(set) var lists = 0
  /// Polkit's word.
  var refuses = false
  fileprivate var state: UInt32 = 100
  fileprivate var isPlugged = true
  fileprivate var lastScan: Int64 = -1

  init(_ bus: PrivateBus) throws {
    client = try BusClient(bus.address)
    try client.connection.export(manager)
    try client.connection.export(device)
    try begin()
  }

  /// Networks around, by the last parts of their addresses; a name each, or of all.
  func hear(_ addresses: [String], named name: String = "net", strength: UInt8 = 70) throws {
    for point in points { client.connection.remove(point.object) }
    points = try addresses.enumerated().map { number, address in
      let point = PlayedAccessPoint(
        "\(Self.path)/AccessPoint/\(number + 1)", address, Array(name.utf8), strength)
      try client.connection.export(point.object)
      return point
    }
  }

  func add(_ address: String, named name: [UInt8]) throws {
    let path = "\(Self.path)/AccessPoint/\(points.count + 1)"
    let point = PlayedAccessPoint(path, address, name, 70)
    try client.connection.export(point.object)
    points.append(point)
  }

  private func begin() throws {
    owned = try client.connection.own(Self.name) { _ in }
    try client.wait("the name") { owned?.state == .owned }
  }

  private static let managerTable = BusInterface(
    name,
    methods: [
      BusMethod("GetDevices", out: [.init("devices", "ao")]) { (manager: PlayedNetworkManager, _) in
        manager.calls += 1
        return [.array(of: "o", manager.isPlugged ? [.path(devicePath)] : [])]
      }
    ])

  private static let wireless = "\(name).Device.Wireless"
  private static let deviceTables = [
    BusInterface(
      "\(name).Device",
      properties: [
        BusProperty("DeviceType", "u") { (manager: PlayedNetworkManager) in
          manager.calls += 1
          return .uint32(2)
        }, BusProperty("Interface", "s") { (_: PlayedNetworkManager) in .string("wlan7") },
        BusProperty("State", "u") { (manager: PlayedNetworkManager) in .uint32(manager.state) },
      ]),
    BusInterface(
      wireless,
      methods: [
        BusMethod("GetAllAccessPoints", out: [.init("points", "ao")]) {
          (manager: PlayedNetworkManager, _) in
          manager.calls += 1
          manager.lists += 1
          return [.array(of: "o", manager.points.map { .path($0.object.path) })]
        },
        BusMethod("RequestScan", in: [.init("options", "a{sv}")]) {
          (manager: PlayedNetworkManager, _) throws(BusError) in
          manager.calls += 1
          manager.requests += 1
          guard !manager.refuses else {
            throw BusError("\(wireless.dropLast(9)).PermissionDenied", "not authorized")
          }
          manager.isToScan = true
          return []
        },
      ],
      properties: [BusProperty("LastScan", "x") { (m: PlayedNetworkManager) in .int64(m.lastScan) }]
    ),
  ]

  fileprivate(set) var isToScan = false

  func scan() throws {
    isToScan = false
    let now = Clock.boottime.nanoseconds
    for point in points { point.seen = Int32(now / 1_000_000_000) }
    lastScan = now / 1_000_000
    try client.connection.propertiesChanged(["LastScan"], of: Self.wireless, on: device)
  }

  /// The last scan was so long ago.
  func forgetScan(seconds: Int64) {
    lastScan = Clock.boottime.nanoseconds / 1_000_000 - seconds * 1000
  }

  func turn(to state: UInt32) throws {
    self.state = state
    try client.connection.propertiesChanged(["State"], of: "\(Self.name).Device", on: device)
  }

  func plug(_ isPlugged: Bool) throws {
    self.isPlugged = isPlugged
    try client.connection.send(
      BusSignal(
        Self.name, isPlugged ? "DeviceAdded" : "DeviceRemoved", [.path(Self.devicePath)]),
      to: BusRecipient(nil, of: Self.path))
  }

  func restart() throws {
    owned = nil
    try client.wait("the bus to be told") { try !client.isThere(Self.name) }
    try begin()
  }
}

private final class PlayedAccessPoint {
  let address: String
  let name: [UInt8]
  let strength: UInt8
  var seen: Int32 = -1
  private(set) lazy var object = BusObject(path, target: self, [Self.table])
  private let path: String

  init(_ path: String, _ address: String, _ name: [UInt8], _ strength: UInt8) {
    self.path = path
    self.address = address
    self.name = name
    self.strength = strength
  }

  private static let table = BusInterface(
    "\(PlayedNetworkManager.name).AccessPoint",
    properties: [
      BusProperty("HwAddress", "s") { (point: PlayedAccessPoint) in .string(point.address) },
      BusProperty("Ssid", "ay") { (point: PlayedAccessPoint) in
        .array(of: "y", point.name.map(BusValue.byte))
      },
      BusProperty("Frequency", "u") { (_: PlayedAccessPoint) in .uint32(2437) },
      BusProperty("Strength", "y") { (point: PlayedAccessPoint) in .byte(point.strength) },
      BusProperty("LastSeen", "i") { (point: PlayedAccessPoint) in .int32(point.seen) },
    ])
}
