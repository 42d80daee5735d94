import DBus
import LocationModel
import Platform

/// A monitor that a client has registered.
struct PlayedMonitor {
  let client: String
  let path: String
  let properties: [String: BusValue]
}

/// A device that is not heard by a discovery: what it says is to be asked for.
final class PlayedDevice {
  let minor: UInt16

  init(_ minor: UInt16) { self.minor = minor }

  static let table = BusInterface(
    "org.bluez.Device1",
    properties: [
      BusProperty("ManufacturerData", "a{qv}") { (device: PlayedDevice) in
        PlayedBlueZ.makers(PlayedBlueZ.frame(device.minor))
      }
    ])
}

/// Monitors, as a bluetoothd of newer kind keeps them, and advertisements.
extension PlayedBlueZ {
  static let monitoring = "org.bluez.AdvertisementMonitorManager1"
  static let advertising = "org.bluez.LEAdvertisingManager1"

  static let monitorTable = BusInterface(
    monitoring,
    methods: [
      BusMethod("RegisterMonitor", in: [.init("application", "o")]) {
        (bluez: PlayedBlueZ, call) in
        bluez.calls.append("RegisterMonitor")
        bluez.register(call.arguments[0].asString ?? "", of: call.sender)
        return []
      },
      BusMethod("UnregisterMonitor", in: [.init("application", "o")]) {
        (bluez: PlayedBlueZ, call) in
        bluez.calls.append("UnregisterMonitor")
        bluez.monitors[call.sender] = nil
        return []
      },
    ])

  static let advertisingTable = BusInterface(
    advertising,
    methods: [
      BusMethod(
        "RegisterAdvertisement", in: [.init("advertisement", "o"), .init("options", "a{sv}")]
      ) { (bluez: PlayedBlueZ, call) throws(BusError) in
        bluez.calls.append("RegisterAdvertisement")
        guard bluez.isPowered else { throw BusError("org.bluez.Error.NotReady", "Not Ready") }
        bluez.register(call)
        return nil
      },
      BusMethod("UnregisterAdvertisement", in: [.init("advertisement", "o")]) {
        (bluez: PlayedBlueZ, call) in
        bluez.calls.append("UnregisterAdvertisement")
        bluez.advertisements[call.arguments[0].asString ?? ""] = nil
        return []
      },
    ])

  /// Asks for the client's monitors, as the real one does after its answer.
  private func register(_ path: String, of client: String) {
    ask(client, path, Self.manager, "GetManagedObjects") { [unowned self] values in
      let objects = values.first?.asArray ?? []
      guard case .entry(.path(let monitor), let interfaces)? = objects.first,
        case .entry(_, let properties)? = interfaces.asArray?.first
      else { return }
      monitors[client] = PlayedMonitor(
        client: client, path: monitor, properties: properties.asDictionary ?? [:])
    }
  }

  private func register(_ call: BusInvocation) {
    let path = call.arguments[0].asString ?? ""
    ask(
      call.sender, path, "org.freedesktop.DBus.Properties", "GetAll",
      [.string("org.bluez.LEAdvertisement1")]
    ) { [unowned self] values in
      if let value = values.first { advertisements[path] = value }
      call.answer([])
    }
  }

  private func ask(
    _ client: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = [], _ body: @escaping ([BusValue]) -> Void = { _ in }
  ) {
    let call = self.client.connection.call(client, path, interface, member, arguments) {
      body((try? $0.get()) ?? [])
    }
    questions.append(call)
  }

  /// A monitor's word that the device of this minor comes or goes.
  func tell(_ member: String, _ minor: UInt16) throws {
    if !devices.contains(where: { $0.minor == minor }) {
      let device = PlayedDevice(minor)
      devices.append(device)
      try client.connection.export(
        BusObject(Self.device(minor), target: device, [PlayedDevice.table]))
    }
    for monitor in monitors.values {
      ask(
        monitor.client, monitor.path, "org.bluez.AdvertisementMonitor1", member,
        [.path(Self.device(minor))])
    }
  }

  func releaseMonitors() {
    for monitor in monitors.values {
      ask(monitor.client, monitor.path, "org.bluez.AdvertisementMonitor1", "Release")
    }
    monitors = [:]
  }
}
