import Console
import DBus
import LocationCore
import LocationModel
import Platform

/// The daemon's configuration, by files and flags together.
struct Configuration: Equatable {
  /// Nil where none is named: then it is the usual ones.
  var sources: [SourceURL]?
  /// How many seconds sources stay open after the last need.
  var linger = 5
  /// The last place is kept over a restart.
  var remembersPlace = true
  /// Networks are learnt, if the last place is kept.
  var learnsNetworks = true
  /// How many seconds receivers rest at most between fixes, and seek one.
  var longestPause = 300
  var search = 60
  var socket = "/run/locationd/locationd.sock"
  /// Nil is what the service manager says, or the system's own place; `none` is none.
  var state: String?
  /// Nil is logind where it is to be found, on the system bus; else connected.
  var useRule: UseRule?
  /// How many seconds an app may stay in use though nobody is there.
  var longestHold = 14_400
  /// The administrator's rules about apps.
  var policy = Policy()
  /// Nil for none.
  var bus: BusPlace? = .system
  /// Whether GeoClue's clients are served on the bus, too.
  var geoclue = false
  var logLevel = Log.Level.info
  var door = ConnectionLimits()
  var service = LocationService.Limits()

  var usedSources: [SourceURL] { sources ?? SourceURL.usual }

  var usedRule: UseRule { useRule ?? (bus == .system ? .logind : .connected) }
}

extension Configuration: Configurable {
  private typealias Key = ConfigurationKey<Configuration>

  static var keys: [ConfigurationKey<Configuration>] { settings + limits }

  private static var settings: [Key] {
    let seconds = ["s": 1, "min": 60]
    return [
      Key("Sources", "Source") { (text, _, configuration) throws(Unusable) in
        switch text {
        case "": configuration.sources = nil
        case "none": configuration.sources = []
        default: configuration.sources = (configuration.sources ?? []) + [try SourceURL(text)]
        }
      },
      Key("Sources", "LingerSec", \.linger, .count(0...3600, units: seconds)),
      Key("Sources", "RememberPlace", \.remembersPlace, .truth),
      Key("Sources", "LearnNetworks", \.learnsNetworks, .truth),
      Key("Power", "LongestPauseSec", \.longestPause, .count(0...86400, units: seconds)),
      Key("Power", "SearchSec", \.search, .count(10...3600, units: seconds)),
      Key("Daemon", "Socket", \.socket, .socketPath),
      Key(
        "Daemon", "State", \.state,
        .text("wants a whole path, or none") {
          $0 == "none" || $0.hasPrefix("/")
        }),
      Key("Daemon", "LogLevel", \.logLevel, .logLevel),
      Key("DBus", "Bus", \.bus, .init(BusPlace.named)),
      Key("DBus", "GeoClue", \.geoclue, .truth),
      Key("Permissions", "InUse", \.useRule, .word),
      Key(
        "Permissions", "KeepInUseSec", \.longestHold,
        .count(0...604_800, units: seconds.merging(["h": 3600]) { $1 })),
    ]
  }

  private static var limits: [Key] {
    let (bytes, all) = (1 << 16...1 << 30, 0...1 << 40)
    return [
      Key("Limits", "ConnectionsPerUser", \.door.connectionsPerUser, .count(1...65536)),
      Key("Limits", "BytesPerConnection", \.door.bytesPerConnection, .count(bytes, units: .bytes)),
      Key("Limits", "BytesPerUser", \.door.bytesPerUser, .count(bytes, units: .bytes)),
      Key("Limits", "ManagersPerUser", \.service.managersPerUser, .count(1...1_000_000)),
      Key("Limits", "WaitingPerUser", \.service.waitingPerUser, .count(1...1_000_000)),
      Key("Limits", "RegionsPerApp", \.service.regionsPerApp, .count(0...1_000_000)),
      Key("Limits", "RegionsPerUser", \.service.regionsPerUser, .count(0...1_000_000)),
      Key("Limits", "CornersPerUser", \.service.cornersPerUser, .count(0...1_000_000_000)),
      Key("Limits", "RegionBytesPerUser", \.service.regionBytesPerUser, .count(all, units: .bytes)),
      Key("Limits", "EventBytesPerUser", \.service.eventBytesPerUser, .count(all, units: .bytes)),
      Key("Limits", "AppsPerUser", \.service.appsPerUser, .count(0...1_000_000)),
      Key("Limits", "QuestionsPerUser", \.service.questionsPerUser, .count(1...1000)),
    ]
  }
}
