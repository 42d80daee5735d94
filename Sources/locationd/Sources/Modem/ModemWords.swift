import DBus
import LocationModel
import ReceiverCore

/// ModemManager's words on the bus.
enum ModemWords {
  private static let modem = "org.freedesktop.ModemManager1.Modem"
  private static let location = modem + ".Location"
  private static let receiver: UInt32 = 5

  static let unauthorized =
    "ModemManager does not let locationd look: polkit's rules for the user locationd are missing"

  /// `a{oa{sa{sv}}}`: the modems that can tell a place.
  static func modems(_ objects: BusValue?) -> [Modem] {
    (objects?.asArray ?? []).compactMap { object in
      guard case .entry(let path, let interfaces) = object, let path = path.asString,
        let interfaces = interfaces.asDictionary, let about = interfaces[modem]?.asDictionary,
        let place = interfaces[location]?.asDictionary
      else { return nil }
      return Modem(path, about, place)
    }
  }

  /// `a{uv}`: the texts of a location, by its sources.
  static func location(_ value: BusValue?) -> [UInt32: String] {
    var texts: [UInt32: String] = [:]
    for case .entry(.uint32(let source), .variant(let value)) in value?.asArray ?? [] {
      texts[source] = value.asString
    }
    return texts
  }

  /// A signal tells something about a modem that counts; the quality of its radio does not.
  static func isNews(_ signal: BusMessage) -> Bool {
    func says(_ interface: String, _ names: [String]) -> Bool {
      let changed = signal.changedProperties(of: interface)
      return changed.map { changed in names.contains { changed[$0] != nil } } ?? false
    }
    return says(location, ["Enabled", "SignalsLocation", "Capabilities", "GpsRefreshRate"])
      || says(modem, ["Ports", "AccessTechnologies", "State"])
  }

  fileprivate static func port(_ value: BusValue) -> String? {
    guard case .structure(let fields) = value, fields.count == 2, fields[1].asUInt32 == receiver
    else { return nil }
    return fields[0].asString.map { "/dev/\($0)" }
  }
}

extension Modem {
  fileprivate init(
    _ path: String, _ about: [String: BusValue], _ place: [String: BusValue]
  ) {
    func text(_ name: String) -> String? { about[name]?.asString?.plain(atMost: 64) }
    self.init(
      path: path, identity: text("DeviceIdentifier") ?? text("EquipmentIdentifier") ?? path)
    names =
      ["Model", "PrimaryPort"].compactMap(text) + [String(path.split(separator: "/").last ?? "")]
    capabilities = Sources(rawValue: place["Capabilities"]?.asUInt32 ?? 0)
    enabled = Sources(rawValue: place["Enabled"]?.asUInt32 ?? 0)
    isShown = place["SignalsLocation"]?.asBool ?? false
    rate = place["GpsRefreshRate"]?.asUInt32 ?? 0
    receiverPort = about["Ports"]?.asArray?.lazy.compactMap(ModemWords.port).first
    radio = about["AccessTechnologies"]?.asUInt32.flatMap(CellTower.Radio.init)
  }
}
