import DBus
import TrackCore

/// The battery by UPower and the network by NetworkManager, where they run. Neither is started.
final class Surroundings {
  private(set) var circumstances = Circumstances()
  /// The network that leads to the world; nil where NetworkManager is not there, or names none.
  private(set) var network: NetworkConnection?
  private let networkIsBack: () -> Void
  private var battery: BusPropertyWatch?
  private var manager: BusPropertyWatch?
  private var active: BusPropertyWatch?
  private let bus: BusConnection
  private let networkIsAnother: () -> Void
  private var isOnline = true
  private var connection: String?

  init(
    on bus: BusConnection, networkIsBack: @escaping () -> Void,
    networkIsAnother: @escaping () -> Void
  ) {
    self.bus = bus
    self.networkIsBack = networkIsBack
    self.networkIsAnother = networkIsAnother
    battery = BusPropertyWatch(
      of: "org.freedesktop.UPower.Device", at: "/org/freedesktop/UPower/devices/DisplayDevice",
      by: "org.freedesktop.UPower", on: bus
    ) { [unowned self] in readBattery($0) }
    manager = BusPropertyWatch(
      of: "org.freedesktop.NetworkManager", at: "/org/freedesktop/NetworkManager",
      by: "org.freedesktop.NetworkManager", on: bus
    ) { [unowned self] in readNetwork($0) }
  }

  private func readBattery(_ properties: [String: BusValue]) {
    let percentage = properties["Percentage"]?.asDouble
    guard properties["IsPresent"]?.asBool == true, let percentage, (0...100).contains(percentage)
    else {
      circumstances.battery = nil
      circumstances.power = nil
      return
    }
    circumstances.battery = Int(percentage.rounded())
    circumstances.power =
      switch properties["State"]?.asUInt32 {
      case 1, 5: .charging
      case 2, 3, 6: .unplugged
      case 4: .full
      default: nil
      }
  }

  private func readNetwork(_ properties: [String: BusValue]) {
    guard let state = properties["State"]?.asUInt32 else {
      circumstances.network = nil
      follow(nil)
      return
    }
    let wasOnline = isOnline
    let before = connection
    // Connected to the site, or to the world: the server may be on either.
    isOnline = state >= 60
    connection = properties["PrimaryConnection"]?.asString
    circumstances.network = isOnline ? Self.network(properties) : Circumstances.Network.none
    if before != connection || active == nil { follow(connection) }
    if isOnline, !wasOnline || before != nil && before != connection { networkIsBack() }
  }

  /// The names of the connection at a path; `/` is none.
  private func follow(_ path: String?) {
    active = nil
    name(nil)
    guard let path, path.count > 1 else { return }
    active = BusPropertyWatch(
      of: "org.freedesktop.NetworkManager.Connection.Active", at: path,
      by: "org.freedesktop.NetworkManager", on: bus
    ) { [unowned self] properties in
      name(
        properties["Id"]?.asString.map {
          NetworkConnection(
            id: $0, uuid: properties["Uuid"]?.asString ?? "",
            type: properties["Type"]?.asString ?? "")
        })
    }
  }

  private func name(_ connection: NetworkConnection?) {
    guard network != connection else { return }
    network = connection
    networkIsAnother()
  }

  private static func network(_ properties: [String: BusValue]) -> Circumstances.Network? {
    switch properties["PrimaryConnectionType"]?.asString {
    case "802-11-wireless": .wifi
    case "802-3-ethernet": .wired
    case "gsm", "cdma", "bluetooth": .mobile
    default: nil
    }
  }
}
