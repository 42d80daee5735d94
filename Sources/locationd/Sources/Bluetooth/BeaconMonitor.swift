import DBus
import LocationModel

/// A monitor that bluetoothd keeps for us: it says which beacons come and go, and needs no discovery for that.
final class BeaconMonitor {
  enum Event {
    case found(String)
    case lost(String)
    /// bluetoothd keeps it no longer.
    case released
  }

  static let root = "/org/locationd/beacons"
  private static let path = "\(root)/monitor"

  private let bus: BusConnection
  private let handler: (Event) -> Void
  private var objects: [BusObject] = []

  /// `owner`: bluetoothd's unique name, as nobody else may call it.
  init(
    on bus: BusConnection, for owner: String, handler: @escaping (Event) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.handler = handler
    objects = [
      BusObject(Self.root, owner: owner, target: self, [Self.manager]),
      BusObject(Self.path, owner: owner, target: self, [Self.monitor]),
    ]
    for object in objects { try bus.export(object) }
  }

  deinit { for object in objects { bus.remove(object) } }

  private static let manager = BusInterface(
    BluetoothWords.manager,
    methods: [
      BusMethod("GetManagedObjects", out: [.init("objects", "a{oa{sa{sv}}}")]) {
        (_: BeaconMonitor, _) in
        let interfaces = BusValue.array(
          of: "{sa{sv}}",
          [.entry(.string(BluetoothWords.monitor), .dictionary(BeaconMonitor.properties))])
        return [.array(of: "{oa{sa{sv}}}", [.entry(.path(BeaconMonitor.path), interfaces)])]
      }
    ])

  private static let monitor = BusInterface(
    BluetoothWords.monitor,
    methods: [
      BusMethod("Activate") { (_: BeaconMonitor, _) in [] },
      BusMethod("Release") { (monitor: BeaconMonitor, _) in
        monitor.handler(.released)
        return []
      },
      BusMethod("DeviceFound", in: [.init("device", "o")]) { (monitor: BeaconMonitor, call) in
        if let path = call.arguments[0].asString { monitor.handler(.found(path)) }
        return []
      },
      BusMethod("DeviceLost", in: [.init("device", "o")]) { (monitor: BeaconMonitor, call) in
        if let path = call.arguments[0].asString { monitor.handler(.lost(path)) }
        return []
      },
    ],
    properties: properties.keys.sorted().map { name in
      let value = properties[name] ?? .bool(false)
      return BusProperty(name, value.type, .constant) { (_: BeaconMonitor) in value }
    })

  /// A beacon is found after a second, however weak it is, and lost after 5 s of silence.
  private static let properties: [String: BusValue] = [
    "Type": .string("or_patterns"),
    "Patterns": .array(
      of: "(yyay)",
      [.structure([.byte(0), .byte(0xFF), .array(of: "y", BeaconFrame.start.map { .byte($0) })])]),
    "RSSIHighThreshold": .int16(-126), "RSSIHighTimeout": .uint16(1),
    "RSSILowThreshold": .int16(-127), "RSSILowTimeout": .uint16(5),
    "RSSISamplingPeriod": .uint16(0),
  ]
}
