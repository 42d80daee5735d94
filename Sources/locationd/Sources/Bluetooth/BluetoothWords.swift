import DBus
import LocationModel
import ReceiverCore

/// bluetoothd's words.
enum BluetoothWords {
  static let name = "org.bluez"
  static let adapter: StaticString = "org.bluez.Adapter1"
  static let device: StaticString = "org.bluez.Device1"

  /// The adapters among all its objects, in the order of their paths.
  static func adapters(in reply: BusMessage) -> [BluetoothMachine.Adapter] {
    var adapters: [BluetoothMachine.Adapter] = []
    reply.read { objects in
      objects.forEachEntry { path, interfaces in
        interfaces.forEachEntry { interface, properties in
          guard interface.isText(adapter), let path = path.string else { return }
          adapters.append(BluetoothMachine.Adapter(path, properties))
        }
      }
    }
    return adapters.sorted { $0.path < $1.path }
  }

  /// A report, as far as a device's properties say one.
  struct Said {
    var frame: BeaconFrame?
    var rssi: Int?

    init(_ properties: BusCursor) {
      properties.forEachEntry { key, value in
        if key.isText("RSSI") {
          rssi = value.int16.map(Int.init)
        } else if key.isText("ManufacturerData") {
          value.forEachEntry { company, data in
            guard company.uint16 == BeaconFrame.company else { return }
            frame = data.withBytes { BeaconFrame($0) }
          }
        }
      }
    }
  }
}

extension BluetoothMachine.Adapter {
  fileprivate init(_ path: String, _ properties: BusCursor) {
    self.init(path, isPowered: false)
    properties.forEachEntry { key, value in
      if key.isText("Powered") { isPowered = value.bool == true }
      if key.isText("Discovering") { isDiscovering = value.bool == true }
      if key.isText("PowerState") { isBlocked = value.isText("off-blocked") }
    }
  }
}
