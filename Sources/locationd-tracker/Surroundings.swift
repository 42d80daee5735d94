import DBus
import TrackCore

/// The battery by UPower and the network by NetworkManager, where they run. Neither is started.
final class Surroundings {
  private(set) var circumstances = Circumstances()
  /// The network that leads to the world; nil where NetworkManager is not there, or names none.
  private(set) var network: NetworkConnection?
  private let networkIsBack: () -> Void
  private var battery: PropertyWatch?
  private var manager: PropertyWatch?
  private var active: PropertyWatch?
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
    battery = PropertyWatch(
      of: "org.freedesktop.UPower.Device", at: "/org/freedesktop/UPower/devices/DisplayDevice",
      by: "org.freedesktop.UPower", on: bus
    ) { [unowned self] in readBattery($0) }
    manager = PropertyWatch(
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
    active = PropertyWatch(
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

/// The properties of one object, as they are and as they become.
private final class PropertyWatch {
  private let (name, path, interface): (String, String, String)
  private let bus: BusConnection
  private let changed: ([String: BusValue]) -> Void
  private var subscription: BusSubscription?
  private var call: BusCall?
  private var properties: [String: BusValue] = [:]

  private static let standard = "org.freedesktop.DBus.Properties"

  init(
    of interface: String, at path: String, by name: String, on bus: BusConnection,
    changed: @escaping ([String: BusValue]) -> Void
  ) {
    (self.name, self.path, self.interface) = (name, path, interface)
    self.bus = bus
    self.changed = changed
    let filter = BusSubscription.Filter(
      interface: Self.standard, path: path, member: "PropertiesChanged")
    subscription = try? bus.listen(to: name, filter) { [unowned self] in heed($0) }
  }

  private func heed(_ event: BusSubscription.Event) {
    switch event {
    case .owner(nil): replace([:])
    case .owner: askForAll()
    case .signal(let signal):
      guard let arguments = try? signal.arguments(), arguments.count > 1,
        arguments[0].asString == interface, let news = arguments[1].asDictionary
      else { return }
      properties.merge(news) { $1 }
      changed(properties)
    }
  }

  private func askForAll() {
    let message = try? BusMessage(
      to: name, path, Self.standard, "GetAll", [.string(interface)])
    guard let message else { return }
    message.forgoStart()
    call = bus.call(message) { [unowned self] answer in
      replace((try? answer.get().arguments().first?.asDictionary) ?? [:])
    }
  }

  private func replace(_ all: [String: BusValue]) {
    properties = all
    changed(all)
  }
}
