import DBus
import Foundation
import LocationModel
import Platform
import Testing

/// bluetoothd with one adapter, as far as beacons go. It counts what it is asked.
final class PlayedBlueZ {
  static let name = "org.bluez"
  static let adapterPath = "/org/bluez/hci0"
  static let manager = "org.freedesktop.DBus.ObjectManager"
  /// The policy that BlueZ ships: everybody may call it, and it calls others' monitors and advertisements.
  static let policy = """
    <busconfig><policy context="default">
      <allow own="\(name)"/><allow send_destination="\(name)"/>
      <allow send_interface="org.bluez.AdvertisementMonitor1"/>
      <allow send_interface="org.bluez.LEAdvertisement1"/>
      <allow send_interface="org.freedesktop.DBus.ObjectManager"/>
      <allow send_interface="org.freedesktop.DBus.Properties"/>
    </policy></busconfig>
    """
  static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  let client: BusClient
  private var owned: BusName?
  private lazy var root = BusObject("/", target: self, [Self.managerTable])
  private lazy var adapter = BusObject(
    PlayedBlueZ.adapterPath, target: self,
    [PlayedBlueZ.adapterTable, PlayedBlueZ.advertisingTable]
      + (hasMonitors ? [PlayedBlueZ.monitorTable] : []))
  private let hasMonitors: Bool
  var calls: [String] = []
  fileprivate(set) var filter: [String: BusValue] = [:]
  /// Clients that have it discover.
  fileprivate(set) var discoverers: Set<String> = []
  /// Clients whose start or stop is under way: it refuses them another.
  fileprivate var pending: [String: EventLoop.Timer] = [:]
  /// By their clients.
  var monitors: [String: PlayedMonitor] = [:]
  /// By their paths.
  var advertisements: [String: BusValue] = [:]
  var devices: [PlayedDevice] = []
  var questions: [BusCall] = []
  /// The next list of its objects is refused.
  var refusesList = false
  fileprivate(set) var isPlugged = true
  fileprivate(set) var isPowered: Bool
  fileprivate var isBlocked = false

  init(_ bus: PrivateBus, isPowered: Bool = true, hasMonitors: Bool = false) throws {
    self.isPowered = isPowered
    self.hasMonitors = hasMonitors
    client = try BusClient(bus.address)
    try client.connection.export(root)
    try client.connection.export(adapter)
    owned = try client.connection.own(Self.name) { _ in }
    try client.wait("the name") { owned?.state == .owned }
  }

  /// As after kill -9.
  func leave() throws {
    client.connection.remove(root)
    client.connection.remove(adapter)
    owned = nil
    try client.wait("the bus to be told") { try !client.isThere(Self.name) }
  }

  private static let managerTable = BusInterface(
    manager,
    methods: [
      BusMethod("GetManagedObjects", out: [.init("objects", "a{oa{sa{sv}}}")]) {
        (bluez: PlayedBlueZ, _) throws(BusError) in
        guard !bluez.refusesList else {
          bluez.refusesList = false
          throw BusError("org.bluez.Error.Failed", "no list now")
        }
        return [bluez.objects]
      }
    ])

  private static let adapterTable = BusInterface(
    "org.bluez.Adapter1",
    methods: [
      BusMethod("SetDiscoveryFilter", in: [.init("filter", "a{sv}")]) {
        (bluez: PlayedBlueZ, call) in
        bluez.calls.append("SetDiscoveryFilter")
        bluez.filter = call.arguments[0].asDictionary ?? [:]
        return []
      },
      BusMethod("StartDiscovery") { (bluez: PlayedBlueZ, call) throws(BusError) in
        bluez.calls.append("StartDiscovery")
        guard bluez.isPowered else { throw BusError("org.bluez.Error.NotReady", "Not Ready") }
        guard !bluez.discoverers.contains(call.sender) else { throw PlayedBlueZ.busy }
        return try bluez.finish(call) { bluez.discoverers.insert(call.sender) }
      },
      BusMethod("StopDiscovery") { (bluez: PlayedBlueZ, call) throws(BusError) in
        bluez.calls.append("StopDiscovery")
        guard bluez.discoverers.contains(call.sender) || bluez.pending[call.sender] != nil else {
          throw BusError("org.bluez.Error.Failed", "No discovery started")
        }
        return try bluez.finish(call) { bluez.discoverers.remove(call.sender) }
      },
    ])

  private static let busy = BusError("org.bluez.Error.InProgress", "Operation already in progress")

  /// How long the controller takes.
  var delay: Duration = .milliseconds(50)

  /// Answers once the controller has done it, and refuses what the client asks meanwhile.
  private func finish(
    _ call: BusInvocation, _ change: @escaping () -> Void
  ) throws(BusError) -> [BusValue]? {
    let sender = call.sender
    guard pending[sender] == nil else { throw Self.busy }
    let timer = try? EventLoop.Timer(slack: .zero, on: client.loop) { [unowned self] in
      pending[sender] = nil
      change()
      try? tellAdapter()
      call.answer([])
    }
    timer?.set(Clock.boottime + delay)
    pending[sender] = timer
    return nil
  }

  private var properties: [String: BusValue] {
    [
      "Powered": .bool(isPowered), "Discovering": .bool(!discoverers.isEmpty),
      "PowerState": .string(isPowered ? "on" : isBlocked ? "off-blocked" : "off"),
    ]
  }

  private var objects: BusValue {
    guard isPlugged else { return .array(of: "{oa{sa{sv}}}", []) }
    var entries = [
      BusValue.entry(.string("org.bluez.Adapter1"), .dictionary(properties)),
      .entry(.string(Self.advertising), .dictionary([:])),
    ]
    if hasMonitors { entries.append(.entry(.string(Self.monitoring), .dictionary([:]))) }
    let interfaces = BusValue.array(of: "{sa{sv}}", entries)
    return .array(of: "{oa{sa{sv}}}", [.entry(.path(Self.adapterPath), interfaces)])
  }
}

// MARK: - Adapters

extension PlayedBlueZ {
  private func send(
    _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
  ) throws {
    client.connection.send(
      try BusSignal(interface, member, values), to: try BusRecipient(nil, of: path))
  }

  fileprivate func tellAdapter() throws {
    try send(
      Self.adapterPath, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string("org.bluez.Adapter1"), .dictionary(properties), .strings([])])
  }

  /// Switched off, nobody discovers any more.
  func power(_ isOn: Bool, blocked: Bool = false) throws {
    (isPowered, isBlocked) = (isOn, blocked)
    if !isOn { (discoverers, advertisements) = ([], [:]) }
    try tellAdapter()
  }

  func plug(_ isIn: Bool) throws {
    isPlugged = isIn
    (discoverers, advertisements) = ([], [:])
    if isIn {
      let interfaces = BusValue.array(
        of: "{sa{sv}}", [.entry(.string("org.bluez.Adapter1"), .dictionary(properties))])
      try send("/", Self.manager, "InterfacesAdded", [.path(Self.adapterPath), interfaces])
    } else {
      try send(
        "/", Self.manager, "InterfacesRemoved",
        [.path(Self.adapterPath), .strings(["org.bluez.Adapter1"])])
    }
  }

  func waitUntilDiscovering(_ isSo: Bool = true) throws {
    try client.wait("discovery: \(isSo)") { discoverers.isEmpty != isSo }
  }
}

// MARK: - Beacons

extension PlayedBlueZ {
  /// A report, made once, of a beacon with this minor and the major 1; without a strength where that is nil.
  static func report(_ minor: UInt16, rssi: Int16?) throws -> (BusSignal, BusRecipient) {
    try report(minor, rssi: rssi, frame(minor))
  }

  /// The bytes that such a beacon sends under Apple's number.
  static func frame(_ minor: UInt16, power: Int8 = -59) -> [UInt8] {
    [
      0x02, 0x15, 0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7,
      0x10, 0x96, 0xE0, 0, 1, UInt8(minor >> 8), UInt8(minor & 0xFF), UInt8(bitPattern: power),
    ]
  }

  static func makers(_ data: [UInt8]) -> BusValue {
    .array(
      of: "{qv}", [.entry(.uint16(0x004C), .variant(.array(of: "y", data.map { .byte($0) })))])
  }

  static func device(_ minor: UInt16) -> String {
    adapterPath + "/dev_AA_BB_CC_DD_\(minor >> 8)_\(minor & 0xFF)"
  }

  /// A report of the device, whose maker's data are these now; only of its strength without any.
  static func report(
    _ minor: UInt16, rssi: Int16?, _ data: [UInt8]?
  ) throws -> (BusSignal, BusRecipient) {
    var properties: [String: BusValue] = [:]
    properties["ManufacturerData"] = data.map(makers)
    properties["RSSI"] = rssi.map { .int16($0) }
    let signal = try BusSignal(
      "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string("org.bluez.Device1"), .dictionary(properties), .strings([])])
    return (signal, try BusRecipient(nil, of: device(minor)))
  }

  func report(_ minor: UInt16, rssi: Int16? = -60, as data: [UInt8]?? = nil) throws {
    guard !discoverers.isEmpty else { return }
    let (signal, recipient) = try Self.report(minor, rssi: rssi, data ?? Self.frame(minor))
    client.connection.send(signal, to: recipient)
  }

  /// Reports these until that is so, some times a second.
  func report(_ minors: [UInt16], rssi: Int16? = -60, until isSo: () throws -> Bool) throws {
    var next = Clock.boottime
    try client.wait("what follows from reports") {
      if Clock.boottime >= next {
        next = Clock.boottime + .milliseconds(50)
        for minor in minors { try report(minor, rssi: rssi) }
      }
      return try isSo()
    }
  }
}
