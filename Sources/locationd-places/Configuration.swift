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
  /// The bus to serve; nil for none.
  var bus: BusPlace? = .system
  var logLevel = Log.Level.info
  var limits = ConnectionLimits()
  var geocoder: GeocodingServer?
  /// In the order in which they are asked for directions.
  var routers: [RoutingServer] = []
  static let mostRouters = 8
  /// Told to public servers, so that they can reach somebody.
  var contact: String?
  /// The file of the authorities to trust; nil for the system's.
  var authority: String?
  /// The disk answers where a server does not in this time.
  var timeout: Duration = .seconds(3)
  /// Requests a minute that an app may cause.
  var budget = 60
}

// MARK: - Reading

extension Configuration {
  /// A file and the drop-ins beside it. All that is wrong is told; what is right is taken all the same.
  static func read(_ path: String, mustExist: Bool) -> (Configuration, [ConfigurationMistake]) {
    var configuration = Configuration()
    let (files, troubles) = File.withDropIns(
      path, mustExist: mustExist, atMost: ConfigurationText.largestFile + 1)
    var mistakes = troubles.map { ConfigurationMistake(file: $0.path, what: $0.reason) }
    for (file, bytes) in files {
      mistakes += configuration.apply(ConfigurationText(bytes), of: file)
    }
    return (configuration, mistakes)
  }

  mutating func apply(_ text: ConfigurationText, of file: String) -> [ConfigurationMistake] {
    var mistakes: [ConfigurationMistake] = []
    var section: String?
    for line in text.lines {
      do throws(Unusable) {
        switch line.item {
        case .mistake(let what): throw Unusable(what: what)
        case .section(let name):
          section = name.lowercased()
          guard ["places", "servers", "limits"].contains(section) else {
            section = ""
            throw Unusable(what: "there is no section [\(name.prefix(40))]")
          }
        case .assignment(let key, let value):
          switch section {
          case "places": try assignPlaces(key, value)
          case "servers": try assignServers(key, value)
          case "limits": try assignLimits(key, value)
          case nil: throw Unusable(what: "'\(key.prefix(40))=' stands before any section")
          // One mistake is enough for it.
          default: break
          }
        }
      } catch {
        mistakes.append(ConfigurationMistake(file: file, line: line.number, what: error.what))
      }
    }
    return mistakes
  }
}

// MARK: - Keys

extension Configuration {
  private mutating func assignPlaces(_ key: String, _ value: String) throws(Unusable) {
    let standard = Configuration()
    switch key.lowercased() {
    case "data":
      let folders = value.split(separator: " ").map(String.init)
      for folder in folders { _ = try folder.wholePath(key) }
      data = folders.isEmpty ? standard.data : folders
    case "idle": idle = value.isEmpty ? nil : try value.duration(key, 0...86_400, .zero)
    case "socket":
      // The kernel takes no longer one.
      guard value.isEmpty || value.hasPrefix("/") && value.utf8.count < 108 else {
        throw Unusable(what: "Socket= wants a whole path of at most 107 bytes")
      }
      socket = value.isEmpty ? standard.socket : value
    case "bus":
      do throws(BusError) {
        bus = value.isEmpty ? .system : try BusPlace.named(value)
      } catch {
        throw Unusable(what: "Bus= is system, session, none or an address: \(error.message)")
      }
    case "loglevel":
      guard let level = value.isEmpty ? .info : Log.Level(name: value) else {
        throw Unusable(what: "LogLevel= is one of error, warning, notice, info, debug")
      }
      logLevel = level
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Places]")
    }
  }

  private mutating func assignServers(_ key: String, _ value: String) throws(Unusable) {
    let standard = Configuration()
    switch key.lowercased() {
    case "geocoder":
      do throws(Unusable) {
        geocoder = value.isEmpty ? nil : try GeocodingServer(value)
      } catch {
        throw Unusable(what: error.what)
      }
    case "router":
      guard routers.count < Self.mostRouters || value.isEmpty else {
        throw Unusable(what: "Router= is written \(Self.mostRouters) times at most")
      }
      do throws(Unusable) {
        if value.isEmpty { routers = [] } else { routers.append(try RoutingServer(value)) }
      } catch {
        throw Unusable(what: error.what)
      }
    case "locator": try Self.check(key, value, ["ichnaea"])
    case "contact":
      guard value.utf8.count <= 200, value.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
        throw Unusable(what: "Contact= is an address of at most 200 plain letters")
      }
      contact = value.isEmpty ? nil : value
    case "ca": authority = value.isEmpty ? nil : try value.wholePath(key)
    case "timeout": timeout = try value.duration(key, 0.1...60, standard.timeout)
    case "budget": budget = Int(try value.number(key, 1...100_000, Double(standard.budget)))
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Servers]")
    }
  }

  /// A server of a kind that has no use yet is checked all the same.
  private static func check(
    _ key: String, _ value: String, _ kinds: [String]
  ) throws(Unusable) {
    guard !value.isEmpty else { return }
    let kind = value.prefix { $0 != ":" }
    guard kinds.contains(kind.lowercased()) else {
      throw Unusable(what: "\(key)= is \(kinds.map { "\($0):URL" }.joined(separator: " or "))")
    }
    do throws(Unusable) {
      _ = try ServerAddress(value.dropFirst(kind.count + 1))
    } catch {
      throw Unusable(what: error.what)
    }
  }

  private mutating func assignLimits(_ key: String, _ value: String) throws(Unusable) {
    let standard = ConnectionLimits()
    switch key.lowercased() {
    case "connectionsperuser":
      limits.connectionsPerUser = Int(
        try value.number(key, 1...1e6, Double(standard.connectionsPerUser)))
    case "bytesperconnection":
      limits.bytesPerConnection = try value.bytes(
        key, 1 << 17...1 << 30, standard.bytesPerConnection)
    case "bytesperuser":
      limits.bytesPerUser = try value.bytes(key, 1 << 17...1 << 30, standard.bytesPerUser)
    default: throw Unusable(what: "there is no key '\(key.prefix(40))' in [Limits]")
    }
  }
}
