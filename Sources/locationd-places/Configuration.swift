import Console
import DBus
import LocationModel
import PlaceCore
import Platform

/// The configuration of the service, by files and flags together.
struct Configuration: Equatable {
  var data = ["/usr/share/locationd/places", "/var/lib/locationd-places"]
  /// Where answers of servers lie between two runs; nil: they are forgotten.
  var cache: String?
  /// Nil: as long as suits the socket.
  var idle: Duration?
  var socket = "/run/locationd/places.sock"
  /// Addresses of HTTP, where the service manager gives none.
  var http: [HostPort] = []
  /// Names of this machine by which HTTP is asked, beside loopback's.
  var httpHosts: [String] = []
  /// Servers are asked for the clients of HTTP, too.
  var httpServers = false
  /// The bus to serve; nil for none.
  var bus: BusPlace? = .system
  var logLevel = Log.Level.info
  var limits = ConnectionLimits()
  var geocoder: GeocodingServer?
  /// In the order in which they are asked for directions.
  var routers: [RoutingServer] = []
  static let mostRouters = 8
  /// The server that is asked where the networks and cells around are, for the daemon alone.
  var locator: LocatingServer?
  /// Told to public servers, so that they can reach somebody.
  var contact: String?
  /// The file of the authorities to trust; nil for the system's.
  var authority: String?
  /// The disk answers where a server does not in this time.
  var timeout: Duration = .seconds(3)
  /// Requests a minute that an app may cause.
  var budget = 60
}

extension Configuration: Configurable {
  private typealias Key = ConfigurationKey<Configuration>

  /// Addresses in numbers, apart by spaces.
  static func web(_ text: String) -> [HostPort]? {
    let places = text.split(separator: " ").map { try? HostPort($0) }
    let whole = places.compactMap { $0?.port == nil ? nil : $0 }
    return whole.count == places.count ? whole : nil
  }

  static var keys: [ConfigurationKey<Configuration>] {
    let bytes = 1 << 17...1 << 30
    return [
      Key(
        "Places", "Data", \.data,
        .init("wants a whole path") {
          let folders = $0.split(separator: " ").map(String.init)
          return folders.allSatisfy { $0.hasPrefix("/") } ? folders : nil
        }),
      Key("Places", "Idle", \.idle, .duration(0...86_400)),
      Key("Places", "Socket", \.socket, .socketPath),
      Key("Places", "HTTP", \.http, .init("wants addresses with a port, as 127.0.0.1:2322", web)),
      Key(
        "Places", "HTTPHosts", \.httpHosts,
        .init("wants names of hosts, without a port") {
          let hosts = $0.lowercased().split(separator: " ").map { try? HostPort($0) }
          let names = hosts.compactMap { $0?.port == nil ? $0?.host : nil }
          return names.count == hosts.count ? names : nil
        }),
      Key("Places", "HTTPServers", \.httpServers, .truth),
      Key("Places", "Bus", \.bus, .init(BusPlace.named)),
      Key("Places", "LogLevel", \.logLevel, .logLevel),
      Key(
        "Servers", "Geocoder", \.geocoder,
        .init { (_, text) throws(Unusable) in
          try GeocodingServer(text)
        }),
      Key("Servers", "Router") { (text, _, configuration) throws(Unusable) in
        guard configuration.routers.count < mostRouters || text.isEmpty else {
          throw Unusable(what: "Router= is written \(mostRouters) times at most")
        }
        configuration.routers =
          text.isEmpty ? [] : configuration.routers + [try RoutingServer(text)]
      },
      Key(
        "Servers", "Locator", \.locator,
        .init { (_, text) throws(Unusable) in
          try LocatingServer(text)
        }),
      Key(
        "Servers", "Contact", \.contact,
        .text("is an address of at most 200 plain letters") {
          $0.utf8.count <= 200 && $0.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        }),
      Key("Servers", "CA", \.authority, .wholePath),
      Key("Servers", "Timeout", \.timeout, .duration(0.1...60)),
      Key("Servers", "Budget", \.budget, .count(1...100_000)),
      Key("Limits", "ConnectionsPerUser", \.limits.connectionsPerUser, .count(1...1_000_000)),
      Key("Limits", "BytesPerConnection", \.limits.bytesPerConnection, .bytes(bytes)),
      Key("Limits", "BytesPerUser", \.limits.bytesPerUser, .bytes(bytes)),
    ]
  }
}
