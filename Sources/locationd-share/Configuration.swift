import Console
import LocationModel
import Platform

/// The share's configuration, by files and flags together.
struct Configuration: Equatable {
  struct Address: Equatable {
    var host: String
    var port: Int
    var name: String { host.hasText(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  enum NMEAPlace: Equatable {
    case tcp(Address)
    case unix(String)
    case pty(String)
    case udp(Address)
  }

  /// Where gpsd's clients are listened for, if that is wanted and the service manager gives no socket.
  var gpsd = [Address(host: "127.0.0.1", port: 2947), Address(host: "::1", port: 2947)]
  var hasGpsd = false
  var nmea: [NMEAPlace] = []
  /// The permissions of serial lines and Unix sockets.
  var mode: UInt32 = 0o660
  var chrony: String?
  /// Other machines that are told.
  var allowed: [NetworkRange] = []
  var daemon = "/run/locationd/locationd.sock"
  var logLevel = Log.Level.info
}

extension Configuration: Configurable {
  private typealias Key = ConfigurationKey<Configuration>

  static var keys: [ConfigurationKey<Configuration>] {
    [
      Key("Share", "Gpsd", \.hasGpsd, .truth),
      list("NMEA", \.nmea, .nmea),
      Key("Share", "Mode", \.mode, .mode),
      Key("Share", "Chrony", \.chrony, .socketPath),
      list("Allow", \.allowed, .network),
      Key("Share", "LogLevel", \.logLevel, .logLevel),
    ]
  }

  /// Words between spaces, line after line; an empty text is none.
  private static func list<Value>(
    _ name: String, _ place: WritableKeyPath<Configuration, [Value]>,
    _ value: ConfigurationValue<Value>
  ) -> Key {
    Key("Share", name) { (text, _, configuration) throws(Unusable) in
      if text.isEmpty { configuration[keyPath: place] = [] }
      for word in text.split(separator: " ") {
        configuration[keyPath: place].append(try value.parse("\(name)=", String(word)))
      }
    }
  }
}

extension ConfigurationValue<Configuration.Address> {
  static var address: Self {
    Self("wants an address in numbers and a port: 127.0.0.1:2947") { text in
      guard let place = try? HostPort(text[...]), let port = place.port,
        DatagramListener.isAddress(place.host)
      else { return nil }
      return Configuration.Address(host: place.host, port: port)
    }
  }
}

extension ConfigurationValue<Configuration.NMEAPlace> {
  static var nmea: Self {
    Self("is tcp:PORT, tcp:ADDRESS:PORT, unix:PATH, pty:PATH or udp:ADDRESS:PORT") { text in
      let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      let rest = parts[1]
      let address = try? ConfigurationValue<Configuration.Address>.address.parse("", rest)
      let path = try? ConfigurationValue<String>.socketPath.parse("", rest)
      switch parts[0] {
      case "tcp":
        let port = Int(rest).flatMap { (1...65535).contains($0) ? $0 : nil }
        return (address ?? port.map { .init(host: "127.0.0.1", port: $0) }).map { .tcp($0) }
      case "udp": return address.map { .udp($0) }
      case "unix": return path.map { .unix($0) }
      case "pty": return path.map { .pty($0) }
      default: return nil
      }
    }
  }
}

extension ConfigurationValue<NetworkRange> {
  fileprivate static var network: Self {
    Self("wants networks such as 192.168.1.0/24 or fd00::/8") { NetworkRange($0) }
  }
}

extension ConfigurationValue<UInt32> {
  fileprivate static var mode: Self {
    Self("wants permissions such as 0660") { text in
      UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
    }
  }
}
