import DBus
import LocationCore
import LocationModel
import Platform

/// A key of the configuration files: where it stands, and what it sets.
struct ConfigurationKey: Sendable {

  let section: String
  let name: String
  /// An empty value brings back what is set without any file.
  let set: @Sendable (String, inout Configuration) throws(Unusable) -> Void

  static let all = [
    ConfigurationKey(section: "Sources", name: "Source") {
      (value, configuration) throws(Unusable) in
      if value.isEmpty {
        configuration.sources = nil
        return
      }
      if value == "none" {
        configuration.sources = []
        return
      }
      do throws(Unusable) {
        configuration.sources = (configuration.sources ?? []) + [try SourceURL(value)]
      } catch {
        throw Unusable(what: error.what)
      }
    },
    number("Sources", "LingerSec", \.linger, 0...3600, units: ["s": 1, "min": 60]),
    number("Power", "LongestPauseSec", \.longestPause, 0...86400, units: ["s": 1, "min": 60]),
    number("Power", "SearchSec", \.search, 10...3600, units: ["s": 1, "min": 60]),
    ConfigurationKey(section: "Daemon", name: "Socket") { (value, configuration) throws(Unusable) in
      if value.isEmpty {
        configuration.socket = Configuration().socket
        return
      }
      // The kernel takes no longer one.
      guard value.hasPrefix("/"), value.utf8.count < 108 else {
        throw Unusable(what: "Socket= wants a whole path of at most 107 bytes")
      }
      configuration.socket = value
    },
    ConfigurationKey(section: "Daemon", name: "State") { (value, configuration) throws(Unusable) in
      guard value.isEmpty || value == "none" || value.hasPrefix("/") else {
        throw Unusable(what: "State= wants a whole path, or none")
      }
      configuration.state = value.isEmpty ? nil : value
    },
    ConfigurationKey(section: "Daemon", name: "LogLevel") {
      (value, configuration) throws(Unusable) in
      let standard = value.isEmpty ? Configuration().logLevel : nil
      guard let level = standard ?? Log.Level(name: value) else {
        throw Unusable(what: "LogLevel= is one of error, warning, notice, info, debug")
      }
      configuration.logLevel = level
    },
    ConfigurationKey(section: "DBus", name: "Bus") { (value, configuration) throws(Unusable) in
      do throws(BusError) {
        configuration.bus = value.isEmpty ? Configuration().bus : try BusPlace.named(value)
      } catch {
        throw Unusable(what: "Bus= is system, session, none or an address: \(error.message)")
      }
    },
    ConfigurationKey(section: "DBus", name: "GeoClue") {
      (value, configuration) throws(Unusable) in
      switch value {
      case "yes", "true", "on", "1": configuration.geoclue = true
      case "no", "false", "off", "0", "": configuration.geoclue = false
      default: throw Unusable(what: "GeoClue= is yes or no")
      }
    },
    ConfigurationKey(section: "Permissions", name: "InUse") {
      (value, configuration) throws(Unusable) in
      let rule = UseRule(rawValue: value)
      guard value.isEmpty || rule != nil else {
        throw Unusable(what: "InUse= is logind or connected")
      }
      configuration.useRule = rule
    },
    number(
      "Permissions", "KeepInUseSec", \.longestHold, 0...604_800,
      units: ["s": 1, "min": 60, "h": 3600]),
    number("Limits", "ConnectionsPerUser", \.door.connectionsPerUser, 1...65536),
    number(
      "Limits", "BytesPerConnection", \.door.bytesPerConnection, 1 << 16...1 << 30, units: bytes),
    number("Limits", "BytesPerUser", \.door.bytesPerUser, 1 << 16...1 << 30, units: bytes),
    number("Limits", "ManagersPerUser", \.service.managersPerUser, 1...1_000_000),
    number("Limits", "WaitingPerUser", \.service.waitingPerUser, 1...1_000_000),
    number("Limits", "RegionsPerApp", \.service.regionsPerApp, 0...1_000_000),
    number("Limits", "RegionsPerUser", \.service.regionsPerUser, 0...1_000_000),
    number("Limits", "CornersPerUser", \.service.cornersPerUser, 0...1_000_000_000),
    number("Limits", "RegionBytesPerUser", \.service.regionBytesPerUser, 0...1 << 40, units: bytes),
    number("Limits", "EventBytesPerUser", \.service.eventBytesPerUser, 0...1 << 40, units: bytes),
    number("Limits", "AppsPerUser", \.service.appsPerUser, 0...1_000_000),
    number("Limits", "QuestionsPerUser", \.service.questionsPerUser, 1...1000),
  ]

  private static let bytes = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

  private static func number(
    _ section: String, _ name: String, _ place: any WritableKeyPath<Configuration, Int> & Sendable,
    _ range: ClosedRange<Int>, units: [String: Int] = [:]
  ) -> ConfigurationKey {
    ConfigurationKey(section: section, name: name) { (value, configuration) throws(Unusable) in
      if value.isEmpty {
        configuration[keyPath: place] = Configuration()[keyPath: place]
        return
      }
      let digits = value.prefix { $0.isASCII && $0.isNumber }
      let unit = String(value[digits.endIndex...].drop { $0 == " " })
      guard let count = Int(digits), let factor = unit.isEmpty ? 1 : units[unit],
        case (let number, let overflow) = count.multipliedReportingOverflow(by: factor),
        !overflow, range.contains(number)
      else {
        let hint = units.isEmpty ? "" : " (or with \(units.keys.sorted().joined(separator: ", ")))"
        throw Unusable(
          what: "\(name)= wants a number from \(range.lowerBound) to \(range.upperBound)\(hint)")
      }
      configuration[keyPath: place] = number
    }
  }
}
