import Console
import DBus
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The tracker's configuration, by files and flags together.
struct Configuration: Equatable {
  /// The fixes that are asked of the daemon.
  enum Mode: String, CaseIterable {
    /// Each fix while the device moves; significant changes; none but what is asked for.
    case move, significant, manual
  }

  var mode = Mode.move
  var rule = LineKeeper.Rule()
  var followsVisits = true
  var retention = Retention()
  var regions: [Region] = []
  var zones: [Zone] = []
  /// When places are kept; always where there are none.
  var hours: [Hours] = []
  var actions: [String: RegionActions.Plan] = [:]
  var uplinks: [UplinkPlan] = []
  var socket = "/run/locationd/tracker.sock"
  var state: String?
  /// The bus that tells of battery and network; nil for none.
  var bus: BusPlace? = .system
  var logLevel = Log.Level.info
}

extension Configuration {
  /// The folder of the track.
  var stateFolder: String { state ?? Process.stateFolder ?? "/var/lib/locationd-tracker" }
}

extension Configuration: Configurable {
  private typealias Key = ConfigurationKey<Configuration>

  static var keys: [ConfigurationKey<Configuration>] { record + region + zone + uplink + tracker }

  private static var record: [Key] {
    [
      Key("Record", "Mode", \.mode, .word),
      Key("Record", "Distance", \.rule.distance, .number(1...1e6)),
      Key("Record", "Interval", \.rule.interval, .duration(1...86_400)),
      Key("Record", "Turn", \.rule.turn, .number(1...360)),
      Key("Record", "Error", \.rule.error, .number(1...1e4)),
      Key("Record", "Accuracy", \.rule.accuracy, .number(1...1e5)),
      Key("Record", "Visits", \.followsVisits, .truth),
      Key("Record", "Keep", \.retention.age, .duration(3600...36_500 * 86_400)),
      Key("Record", "KeepAtMost", \.retention.greatestAge, .duration(3600...36_500 * 86_400)),
      Key("Record", "Budget", \.retention.bytes, .bytes(1 << 20...1 << 40)),
      Key("Record", "Hours") { (text, _, configuration) throws(Unusable) in
        guard !text.isEmpty else {
          configuration.hours = []
          return
        }
        guard let hours = Hours(text: text) else {
          throw Unusable(what: "Hours= wants times of days such as 07:00-19:00 Mon-Fri")
        }
        configuration.hours.append(hours)
      },
    ]
  }

  private static var tracker: [Key] {
    [
      Key("Tracker", "Socket", \.socket, .socketPath),
      Key("Tracker", "State", \.state, .wholePath),
      Key("Tracker", "Bus", \.bus, .init(BusPlace.named)),
      Key("Tracker", "LogLevel", \.logLevel, .logLevel),
    ]
  }

  func missing(in section: String, _ name: String) -> String? {
    switch section {
    case "Region" where !regions.contains { $0.identifier == name }:
      "[Region \(name)] wants Circle=LATITUDE,LONGITUDE,METRES or GeoJSON=FILE"
    case "Zone" where !zones.contains { $0.name == name }:
      "[Zone \(name)] wants Circle=LATITUDE,LONGITUDE,METRES"
    case "Uplink" where !uplinks.contains { $0.name == name && !$0.isReplaced }:
      "[Uplink \(name)] wants URL="
    default: nil
    }
  }
}

// MARK: - Regions

extension Configuration {
  private static var region: [Key] {
    let plan: [ConfigurationKey<RegionActions.Plan>] = [
      .init("Region", "OnEnter", \.onEnter, template),
      .init("Region", "OnExit", \.onExit, template),
    ]
    return [
      Key("Region", isNamed: true, "Circle") { (text, name, configuration) throws(Unusable) in
        configuration.place(try circle(name, text))
      },
      Key("Region", isNamed: true, "GeoJSON") { (text, name, configuration) throws(Unusable) in
        let path = try ConfigurationValue<String>.wholePath.parse("GeoJSON=", text)
        configuration.place(try shape(name, in: path))
      },
    ]
      + plan.map { key in
        Key("Region", isNamed: true, key.name) { (text, name, configuration) throws(Unusable) in
          try key.assign(text, name, &configuration.actions[name, default: .init()])
        }
      }
  }

  private static var zone: [Key] {
    [
      Key("Zone", isNamed: true, "Circle") { (text, name, configuration) throws(Unusable) in
        guard case .circle(let place, let radius) = try circle(name, text).shape,
          radius <= Zone.longestRadius
        else {
          throw Unusable(what: "a zone has at most \(Int(Zone.longestRadius)) metres")
        }
        let keep = configuration.zones.first { $0.name == name }?.keep ?? .no
        configuration.zones.removeAll { $0.name == name }
        configuration.zones.append(Zone(name: name, place, radius: radius, keep: keep))
      },
      Key("Zone", isNamed: true, "Keep") { (text, name, configuration) throws(Unusable) in
        guard let i = configuration.zones.firstIndex(where: { $0.name == name }) else {
          throw Unusable(what: "Circle= comes first in [Zone \(name)]")
        }
        guard let keep = text.isEmpty ? .no : Zone.Keep(rawValue: text) else {
          throw Unusable(what: "Keep= is no or inside")
        }
        configuration.zones[i].keep = keep
      },
    ]
  }

  private mutating func place(_ region: Region) {
    regions.removeAll { $0.identifier == region.identifier }
    regions.append(region)
  }

  private static func circle(_ name: String, _ text: String) throws(Unusable) -> Region {
    let numbers = text.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
    guard numbers.count == 3, numbers[2] > 0, numbers[2] <= Region.longestRadius else {
      throw Unusable(what: "Circle= wants LATITUDE,LONGITUDE,METRES")
    }
    let place = Coordinate(latitude: numbers[0], longitude: numbers[1])
    guard place.isValid else { throw Unusable(what: "Circle= lies nowhere on the Earth") }
    return Region(identifier: name, .circle(place, radius: numbers[2]))
  }

  private static let longestGeoJSON = 1 << 20

  private static func shape(_ name: String, in path: String) throws(Unusable) -> Region {
    let text: [UInt8]
    do throws(SystemError) {
      text = try File.bytes(of: path, atMost: longestGeoJSON + 1)
    } catch {
      throw Unusable(what: "\(error)")
    }
    guard text.count <= longestGeoJSON else { throw Unusable(what: "\(path) is longer than 1 MiB") }
    do throws(GeoJSONError) {
      return try Region(geoJSON: text, identifier: name)
    } catch {
      throw Unusable(what: "\(path): \(error.reason)")
    }
  }

  /// The name of a template unit, without `@` and what follows.
  private static var template: ConfigurationValue<String> {
    .text("wants the NAME of a template NAME@.service") { text in
      text.utf8.count <= 200
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "_.-".contains($0) }
    }
  }
}

// MARK: - Uplinks

extension Configuration {
  private static var uplink: [Key] {
    let plan: [ConfigurationKey<UplinkPlan>] = [
      .init("Uplink", "DeviceID", \.device, .text),
      .init("Uplink", "Password", \.password, secret),
      .init("Uplink", "Token", \.token, secret),
      .init("Uplink", "ClientID", \.clientID, clientID),
      .init("Uplink", "Retain", \.isRetained, .truth, standard: true),
      .init("Uplink", "Will", \.hasWill, .truth, standard: true),
      .init(
        "Uplink", "Session", \.session, .duration(60...46_000 * 86_400),
        standard: .seconds(7 * 86_400)),
      .init("Uplink", "CA", \.authority, .wholePath),
      .init("Uplink", "Certificate", \.certificate, .wholePath),
      .init("Uplink", "Key", \.key, .wholePath),
      .init("Uplink", "Batch", \.batch, .count(1...UplinkQueue.mostAtOnce)),
      .init("Uplink", "Heartbeat", \.heartbeat, .duration(10...604_800)),
      .init("Uplink", "OnlyOn", \.onlyOn, .networks, standard: []),
      .init(
        "Uplink", "Budget", \.budget,
        .init("wants a size and a time such as 100M/month or 2M/day") {
          DataBudget.Limit(text: $0)
        }),
      .init(
        "Uplink", "Rate", \.rate,
        .init("wants entries a second such as 5/s") { UplinkRate(text: $0) }),
      .init("Uplink", "Newest", \.isNewestFirst, .truth, standard: false),
      .init("Uplink", "Discovery") { (text, _, plan) throws(Unusable) in
        guard ["", "homeassistant"].contains(text) else {
          throw Unusable(what: "Discovery= wants homeassistant")
        }
        guard text.isEmpty || plan.address.words.areForBroker else {
          throw Unusable(what: "Discovery= is for a broker: mqtt:// or mqtts://")
        }
        plan.isFound = !text.isEmpty
      },
      .init("Uplink", "Commands") { (text, _, plan) throws(Unusable) in
        plan.takesSettings = text == "settings"
        plan.takesCommands = plan.takesSettings
        if !plan.takesSettings, !text.isEmpty {
          plan.takesCommands = try commands.parse("Commands=", text)
        }
      },
    ]
    let url = Key("Uplink", isNamed: true, "URL") { (text, name, configuration) throws(Unusable) in
      try configuration.add(try Specifiers.here.expand(text), to: name)
    }
    return [url]
      + plan.map { key in
        Key("Uplink", isNamed: true, key.name) { (text, name, configuration) throws(Unusable) in
          guard let i = configuration.uplinks.firstIndex(where: { $0.name == name }) else {
            throw Unusable(what: "URL= comes first in [Uplink \(name)]")
          }
          let text =
            switch key.name {
            case "DeviceID", "ClientID": try Specifiers.here.expand(text)
            case "Password", "Token", "CA", "Certificate", "Key":
              try Specifiers.here.expand(text, isFile: true)
            default: text
            }
          try key.assign(text, name, &configuration.uplinks[i])
        }
      }
  }
}

extension Configuration {
  private static let mostServers = 8

  /// Adds a server to the uplink; an empty text takes the earlier ones away.
  fileprivate mutating func add(_ text: String, to name: String) throws(Unusable) {
    let i = uplinks.firstIndex { $0.name == name }
    if text.isEmpty {
      if let i { uplinks[i].isReplaced = true }
      return
    }
    let address = try UplinkAddress(text)
    guard let i else { return uplinks.append(UplinkPlan(name: name, address)) }
    if uplinks[i].isReplaced {
      (uplinks[i].address, uplinks[i].others, uplinks[i].isReplaced) = (address, [], false)
      return
    }
    guard uplinks[i].address.words == address.words else {
      throw Unusable(what: "the servers of [Uplink \(name)] are sent the same words")
    }
    guard !uplinks[i].addresses.contains(address) else { return }
    guard uplinks[i].addresses.count < Self.mostServers else {
      throw Unusable(what: "[Uplink \(name)] has \(Self.mostServers) servers at most")
    }
    uplinks[i].others.append(address)
  }

  fileprivate static var commands: ConfigurationValue<Bool> {
    .init("wants yes, no or settings") { try? ConfigurationValue<Bool>.truth.parse("", $0) }
  }

  fileprivate static var secret: ConfigurationValue<String> {
    .init("wants the file that it stands in: @/PATH") {
      $0.hasPrefix("@/") ? String($0.dropFirst()) : nil
    }
  }

  fileprivate static var clientID: ConfigurationValue<String> {
    .text("wants up to 128 letters, digits, or . _ : -") { text in
      text.utf8.count <= 128
        && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._:-".contains($0) }
    }
  }
}

extension ConfigurationValue<[String]> {
  /// Words between spaces; one with spaces of its own stands in quotes.
  fileprivate static var networks: Self {
    Self("lacks a quote") { text in
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count % 2 == 1 else { return nil }
      return parts.enumerated().flatMap { i, part in
        i % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
    }
  }
}
