import DBus
import LocationModel
import Platform

/// NetworkManager's radios.
final class ManagedRadios: RadioService {
  static let name = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"
  static let signals = BusSubscription.Filter(interface: name, path: path)

  let language = "NetworkManager"
  let radios: RadioList
  private let bus: BusConnection
  private var list: BusCall?

  init(_ radios: RadioList, on bus: BusConnection) {
    self.radios = radios
    self.bus = bus
  }

  func begin() {
    list = bus.call(Self.name, Self.path, Self.name, "GetDevices", starts: false) {
      [unowned self] in
      list = nil
      radios.fill((try? $0.get())?.first?.asArray, radio)
    }
  }

  func handle(_ signal: BusMessage) { radios.follow(signal, of: "Device", radio) }

  private func radio(_ path: String) -> any RadioDevice { ManagedRadio(path, on: bus, in: radios) }
}

/// A device of NetworkManager's, if it is a radio.
final class ManagedRadio: RadioDevice {
  private static let device = ManagedRadios.name + ".Device"
  private static let wireless = device + ".Wireless"
  private static let accessPoint = ManagedRadios.name + ".AccessPoint"
  /// NetworkManager's numbers: a kind of device, and states of one.
  private static let wifi: UInt32 = 2
  private static let unmanaged: UInt32 = 10
  private static let disconnected: UInt32 = 30

  private let path: String
  private let bus: BusConnection
  private unowned let radios: RadioList
  private var watches: [BusPropertyWatch] = []
  private var timer: EventLoop.Timer?
  private var list: BusCall?
  private var networks: BusGathering?
  private(set) var isKnown = false
  private(set) var isRadio = false
  private(set) var interface = ""
  private var state: UInt32 = 0
  /// Milliseconds of the boot clock.
  private var lastScan: Int64?

  /// The networks' own times come after the scan's.
  private static let settling: Duration = .milliseconds(300)

  init(_ path: String, on bus: BusConnection, in radios: RadioList) {
    self.path = path
    self.bus = bus
    self.radios = radios
    timer = try? EventLoop.Timer(slack: .milliseconds(20), on: bus.loop) { [unowned self] in
      ask()
    }
    watch(Self.device) { [unowned self] in become($0) }
  }

  private func watch(_ interface: String, changed: @escaping ([String: BusValue]) -> Void) {
    watches.append(
      BusPropertyWatch(of: interface, at: path, by: ManagedRadios.name, on: bus, changed: changed))
  }

  var whyDeaf: String? {
    state >= Self.disconnected
      ? nil
      : state == Self.unmanaged
        ? "NetworkManager leaves the Wi-Fi radio to others" : "the Wi-Fi radio is off"
  }

  private func become(_ properties: [String: BusValue]) {
    guard let type = properties["DeviceType"]?.asUInt32 else { return }
    let isNew = interface.isEmpty
    interface = properties["Interface"]?.asString ?? "?"
    state = properties["State"]?.asUInt32 ?? 0
    isRadio = type == Self.wifi
    if !isRadio {
      isKnown = true
    } else if isNew {
      watch(Self.wireless) { [unowned self] in noteScan($0["LastScan"]?.asInt64) }
    }
    radios.review()
  }

  private func noteScan(_ moment: Int64?) {
    guard let moment, moment != lastScan else { return }
    lastScan = moment
    // An earlier scan is read at once, as its age says whether another is needed.
    if !isKnown { return ask() }
    timer?.set(Clock.boottime + Self.settling)
  }

  private func ask() {
    list = bus.call(
      ManagedRadios.name, path, Self.wireless, "GetAllAccessPoints", starts: false
    ) { [unowned self] in
      list = nil
      let paths = ((try? $0.get())?.first?.asArray ?? []).compactMap(\.asString)
      networks = BusGathering(Self.accessPoint, of: paths, by: ManagedRadios.name, on: bus) {
        [unowned self] in tell($0)
      }
    }
  }

  private func tell(_ networks: [[String: BusValue]]) {
    let now = Clock.boottime
    if let lastScan, lastScan > 0 {
      radios.report(
        .scan(
          NetworkScan(
            networks.compactMap { HeardNetwork(accessPoint: $0, at: now) },
            timestamp: Clock.utc - max(now - (.start + .milliseconds(lastScan)), .zero))))
    }
    guard !isKnown else { return }
    isKnown = true
    radios.review()
  }

  func scan(_ completion: @escaping (Result<[BusValue], BusError>) -> Void) -> BusCall {
    bus.call(
      ManagedRadios.name, path, Self.wireless, "RequestScan", [.dictionary([:])], starts: false,
      completion: completion)
  }
}

extension HeardNetwork {
  /// A network by the properties of NetworkManager's access point. Nil for one that stands for no place.
  init?(accessPoint properties: [String: BusValue], at now: Boottime) {
    guard let address = properties["HwAddress"]?.asString.flatMap(Self.address),
      let name = properties["Ssid"]?.asBytes, case .byte(let strength)? = properties["Strength"],
      case .int32(let seen)? = properties["LastSeen"], seen >= 0
    else { return nil }
    self.init(
      address: address, name: name,
      // NetworkManager makes a percentage of -100 to -40 dBm.
      signal: -100 + 0.6 * Double(min(strength, 100)),
      frequency: properties["Frequency"]?.asUInt32.map(Int.init),
      age: max(now - (.start + .seconds(Int(seen))), .zero))
  }
}
