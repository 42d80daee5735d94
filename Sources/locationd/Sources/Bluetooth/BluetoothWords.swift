import DBus
import LocationModel
import ReceiverCore

/// bluetoothd's words.
enum BluetoothWords {
  static let name = "org.bluez"
  static let adapter: StaticString = "org.bluez.Adapter1"
  static let device: StaticString = "org.bluez.Device1"
  static let manager = "org.freedesktop.DBus.ObjectManager"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let monitors: StaticString = "org.bluez.AdvertisementMonitorManager1"

  static let advertisements = "org.bluez.LEAdvertisingManager1"
  static let advertisement = "org.bluez.LEAdvertisement1"

  /// An adapter comes, changes or goes.
  static func isAboutAdapter(_ signal: BusMessage) -> Bool {
    var isSo = false
    signal.read { first in
      var interfaces = first
      if signal.interface != manager {
        isSo = first.isText(adapter)
      } else if interfaces.advance() {
        if signal.member == "InterfacesRemoved" {
          isSo = interfaces.holdsText(adapter)
        } else {
          interfaces.forEachEntry { interface, _ in if interface.isText(adapter) { isSo = true } }
        }
      }
    }
    return isSo
  }

  /// The adapters among all its objects, in the order of their paths.
  static func adapters(in reply: BusMessage) -> [BluetoothMachine.Adapter] {
    var adapters: [BluetoothMachine.Adapter] = []
    reply.read { objects in
      objects.forEachEntry { path, interfaces in
        var found: BluetoothMachine.Adapter?
        var hasMonitors = false
        interfaces.forEachEntry { interface, properties in
          if interface.isText(monitors) { hasMonitors = true }
          guard interface.isText(adapter), let path = path.string else { return }
          found = BluetoothMachine.Adapter(path, properties)
        }
        found?.hasMonitors = hasMonitors
        if let found { adapters.append(found) }
      }
    }
    return adapters.sorted { $0.path < $1.path }
  }

  /// bluetoothd refuses what comes before the answer to the last as in progress.
  static func answer(_ result: Result<[BusValue], BusError>) -> BluetoothMachine.Answer {
    guard case .failure(let error) = result else { return .done }
    switch error.name {
    case "org.bluez.Error.AlreadyExists": return .done
    case "org.bluez.Error.InProgress", "org.freedesktop.DBus.Error.NoReply":
      return .busy(error.message)
    default: return .failed(error.message)
    }
  }

  /// A report, as far as a device's properties say one.
  struct Said {
    var frame: BeaconFrame?
    var rssi: Int?
    /// The device says something that is no beacon's.
    var isOther = false
  }
}

extension BluetoothWords.Said {
  init(_ properties: BusCursor) {
    properties.forEachEntry { key, value in
      if key.isText("RSSI") {
        rssi = value.int16.map(Int.init)
      } else if key.isText("ManufacturerData") {
        value.forEachEntry { company, data in
          guard company.uint16 == BeaconFrame.company else { return }
          frame = data.withBytes { BeaconFrame($0) }
        }
        isOther = frame == nil
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
