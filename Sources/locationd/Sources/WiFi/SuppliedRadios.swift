import DBus
import LocationModel
import Platform

/// wpa_supplicant's radios, where nobody manages them.
final class SuppliedRadios: RadioService {
  static let name = "fi.w1.wpa_supplicant1"
  private static let path = "/fi/w1/wpa_supplicant1"

  let language = "wpa_supplicant"
  let radios: RadioList
  private let bus: BusConnection
  private var manager: BusSubscription?
  private var question: BusCall?

  init(_ radios: RadioList, on bus: BusConnection) {
    self.radios = radios
    self.bus = bus
  }

  func begin() {
    manager = try? bus.listen(to: Self.name, .init(interface: Self.name, path: Self.path)) {
      [unowned self] in
      switch $0 {
      case .owner(let owner):
        radios.clear()
        question = nil
        if owner != nil { return askForAll() }
        radios.report(.none("neither NetworkManager nor wpa_supplicant is on the bus"))
      case .signal(let signal): radios.follow(signal, of: "Interface", radio)
      }
    }
  }

  private func askForAll() {
    question = bus.properties(of: Self.name, at: Self.path, by: Self.name, starts: false) {
      [unowned self] in
      question = nil
      switch $0 {
      case .failure(let error): radios.report(.none("wpa_supplicant: \(error.message)"))
      case .success(let properties): radios.fill(properties["Interfaces"]?.asArray, radio)
      }
    }
  }

  private func radio(_ path: String) -> any RadioDevice { SuppliedRadio(path, on: bus, in: radios) }
}

/// An interface of wpa_supplicant's, if it is a radio's.
final class SuppliedRadio: RadioDevice {
  private static let radio = SuppliedRadios.name + ".Interface"
  private static let network = SuppliedRadios.name + ".BSS"
  /// The drivers of radios; the others are those of wires.
  private static let drivers = ["nl80211", "wext"]

  private let path: String
  private let bus: BusConnection
  private unowned let radios: RadioList
  private var scans: BusSubscription?
  private var properties: BusPropertyWatch?
  private var question: BusCall?
  private var networks: BusGathering?
  private(set) var isKnown = false
  private(set) var isRadio = false
  private(set) var interface = ""
  private(set) var whyDeaf: String?

  init(_ path: String, on bus: BusConnection, in radios: RadioList) {
    self.path = path
    self.bus = bus
    self.radios = radios
    // The one signal of its own: there is another for each network that comes or goes.
    let filter = BusSubscription.Filter(interface: Self.radio, path: path, member: "ScanDone")
    scans = try? bus.listen(to: SuppliedRadios.name, filter) { [unowned self] in
      guard case .signal(let signal) = $0, (try? signal.arguments())?.first?.asBool == true else {
        return
      }
      ask()
    }
    properties = BusPropertyWatch(of: Self.radio, at: path, by: SuppliedRadios.name, on: bus) {
      [unowned self] in become($0)
    }
  }

  private func become(_ properties: [String: BusValue]) {
    interface = properties["Ifname"]?.asString ?? "?"
    isRadio = Self.drivers.contains(properties["Driver"]?.asString ?? "")
    whyDeaf =
      properties["State"]?.asString == "interface_disabled" ? "the Wi-Fi radio is off" : nil
    if !isRadio {
      isKnown = true
    } else if networks == nil {
      gather(properties, scanned: nil)
    }
    radios.review()
  }

  /// Reads the list after a scan.
  private func ask() {
    let asked = Clock.boottime
    question = bus.properties(of: Self.radio, at: path, by: SuppliedRadios.name, starts: false) {
      [unowned self] in
      question = nil
      if let properties = try? $0.get() { gather(properties, scanned: asked) }
    }
  }

  /// Reads the networks of a list, that of before any scan to begin with.
  private func gather(_ properties: [String: BusValue], scanned: Boottime?) {
    networks = BusGathering(
      Self.network, of: (properties["BSSs"]?.asArray ?? []).compactMap(\.asString),
      by: SuppliedRadios.name, on: bus
    ) { [unowned self] in tell($0, scanned: scanned) }
  }

  private func tell(_ stations: [[String: BusValue]], scanned: Boottime?) {
    let youngest = stations.compactMap { $0["Age"]?.asUInt32 }.min()
    let age = scanned.map { Clock.boottime - $0 } ?? youngest.map { .seconds(Int($0)) }
    if let age {
      radios.report(
        .scan(
          NetworkScan(
            stations.compactMap(HeardNetwork.init(station:)), timestamp: Clock.utc - age)))
    }
    guard !isKnown else { return }
    isKnown = true
    radios.review()
  }

  func scan(_ completion: @escaping (Result<[BusValue], BusError>) -> Void) -> BusCall {
    bus.call(
      SuppliedRadios.name, path, Self.radio, "Scan",
      [.dictionary(["Type": .string("active")])], starts: false, completion: completion)
  }
}

extension HeardNetwork {
  /// A network by the properties of wpa_supplicant's BSS. Nil for one that stands for no place.
  init?(station properties: [String: BusValue]) {
    guard let bytes = properties["BSSID"]?.asBytes, bytes.count == 6,
      let name = properties["SSID"]?.asBytes, case .int16(let signal)? = properties["Signal"],
      let age = properties["Age"]?.asUInt32
    else { return nil }
    var frequency: Int?
    if case .uint16(let megahertz)? = properties["Frequency"] { frequency = Int(megahertz) }
    self.init(
      address: bytes.reduce(0) { $0 << 8 | UInt64($1) }, name: name, signal: Double(signal),
      frequency: frequency, age: .seconds(Int(age)))
  }
}
