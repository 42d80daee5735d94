import DBus
import LocationCore
import LocationModel
import Platform

/// A source as people write it.
enum SourceURL: Equatable {
  case tty(Line)
  case stream(Link.Target)
  case datagrams(Listening)
  case gpsd(Gpsd)
  case replay(Recording)
  case fixed(Place)
  /// ModemManager's modem of that name, or its first.
  case modem(name: String?)
  /// The radio of an interface, or all.
  case wifi(String?)
  /// Nobody writes it: it is there where a bus is.
  case compass(BusPlace)
  /// The beacons that Bluetooth hears. Nobody writes it either.
  case beacons

  /// A tty, or a device like one.
  struct Line: Equatable {
    /// Its path; or, of any, patterns of their names.
    var patterns: [String]
    var isAny = false
    /// Only devices that say that they are receivers: nobody has named a pattern.
    var mustBeKnown = false
    /// Nil where it is to be found.
    var speed: Int?
  }

  struct Listening: Equatable {
    var address: String
    var port: Int
  }

  struct Gpsd: Equatable {
    var host: String
    var port = usualPort
    /// The only receiver of its that is listened to.
    var device: String?
    /// Only if root or the user gpsd listens there: nobody has named it.
    var mustBeSystems = false

    static let usualPort = 2947
  }

  struct Recording: Equatable {
    var path: String
    /// How much faster than it was recorded.
    var rate = 1.0
    var loops = false
  }

  struct Place: Equatable {
    var coordinate: Coordinate
    var altitude: Double?
    var accuracy = 10.0
  }

  init(_ text: String) throws(Unusable) {
    if let rest = text.dropping(prefix: "nmea://") {
      self = .tty(try Line(rest))
    } else if let rest = text.dropping(prefix: "nmea:auto") {
      self = .tty(try Line(any: rest))
    } else if let rest = text.dropping(prefix: "gpsd://") {
      self = .gpsd(try Gpsd(rest))
    } else if let rest = text.dropping(prefix: "nmea+tcp://") {
      self = .stream(try Link.Target(tcp: rest))
    } else if let rest = text.dropping(prefix: "nmea+udp://") {
      self = .datagrams(try Listening(rest))
    } else if let rest = text.dropping(prefix: "nmea+unix://") {
      self = .stream(try Link.Target(unix: rest))
    } else if let rest = text.dropping(prefix: "replay://") {
      self = .replay(try Recording(rest))
    } else if let rest = text.dropping(prefix: "wifi:") {
      self = .wifi(try Self.interface(rest))
    } else if let rest = text.dropping(prefix: "static:") {
      self = .fixed(try Place(rest))
    } else if let rest = text.dropping(prefix: "modem:") {
      self = .modem(name: try rest.modemName)
    } else {
      throw Unusable(
        what: "'\(text)' is no source: it begins with gpsd://, nmea://, nmea:auto, nmea+tcp://,"
          + " nmea+udp://, nmea+unix://, modem:, wifi:, replay:// or static:, as in nmea:///dev/ttyUSB0 or"
          + " static:37.5665,126.978"
      )
    }
  }

  /// The name that clients see: not where on the disk a file is.
  var name: String {
    switch self {
    case .tty(let line): line.isAny ? "nmea:auto" : "nmea:\(line.patterns[0])"
    case .stream(.tcp(let host, let port)): "nmea+tcp:\(host):\(port)"
    case .stream(.unix(let path)): "nmea+unix:\(path)"
    case .datagrams(let place): "nmea+udp:\(place.address):\(place.port)"
    case .gpsd(let gpsd): "gpsd:\(gpsd.device ?? "\(gpsd.host):\(gpsd.port)")"
    case .replay(let recording): "replay:\(recording.path.split(separator: "/").last ?? "")"
    case .wifi(let interface): PlaceKind.wifi.source(interface ?? "")
    case .fixed: "static"
    case .modem(let name): "modem:\(name ?? "")"
    case .compass: Self.compassName
    case .beacons: Self.beaconsName
    }
  }

  static let compassName = "compass"
  static let beaconsName = "beacons"

  /// Where nobody has named any: this machine's gpsd, receivers that say what they are, and the networks
  /// around.
  static let usual: [SourceURL] = [
    .gpsd(Gpsd(host: "127.0.0.1", mustBeSystems: true)),
    .tty(Line(patterns: Receivers.patterns, isAny: true, mustBeKnown: true)),
    .wifi(nil),
  ]

  /// Nil where none is named.
  private static func interface(_ text: Substring) throws(Unusable) -> String? {
    guard !text.isEmpty else { return nil }
    guard text.utf8.count < 16, !text.contains(where: { $0 == "/" || $0.isWhitespace }) else {
      throw Unusable(what: "wifi: wants the name of an interface, as in wifi:wlan0, or none")
    }
    return String(text)
  }

  var kind: SourceKind {
    switch self {
    case .compass: .compass
    case .beacons: .beacons
    case .wifi: .radio
    case .fixed: .fixed
    case .modem: .modem
    default: .gnss
    }
  }

  /// Whether it may be closed between two fixes: a recording would stand still then.
  var mayRest: Bool { if case .replay = self { false } else { true } }

  /// Whether no receiver is behind it.
  var isSimulated: Bool {
    switch self {
    case .tty, .stream, .datagrams, .gpsd, .compass, .modem, .wifi, .beacons: false
    case .replay, .fixed: true
    }
  }
}

extension SourceURL.Line {
  fileprivate init(_ text: Substring) throws(Unusable) {
    let (path, options) = try text.pathAndOptions(
      orElse: "nmea:// wants the whole path of a device, as in nmea:///dev/ttyUSB0?baud=9600")
    self.init(patterns: [path])
    for (name, value) in options { try add(name, value) }
  }

  /// Reads what follows `nmea:auto`.
  fileprivate init(any text: Substring) throws(Unusable) {
    self.init(patterns: Receivers.patterns, isAny: true, mustBeKnown: true)
    guard text.isEmpty || text.first == "?" else {
      throw Unusable(what: "after nmea:auto come only options, as ?baud=9600")
    }
    var patterns: [String] = []
    for (name, value) in text.dropFirst().options {
      guard name == "match" else {
        try add(name, value)
        continue
      }
      guard let pattern = Substring(value).percentDecoded, pattern.hasPrefix("/") else {
        throw Unusable(what: "match is a whole path, as in match=/dev/ttyAMA*")
      }
      patterns.append(pattern)
    }
    guard !patterns.isEmpty else { return }
    self.patterns = patterns
    mustBeKnown = false
  }

  private mutating func add(_ name: String, _ value: String) throws(Unusable) {
    guard name == "baud", value == "auto" || Int(value).map(Tty.canRun) == true else {
      throw Unusable(
        what: "nmea: knows baud=auto and baud=N, from 1200 to 921600, not '\(name)=\(value)'")
    }
    speed = Int(value)
  }
}

extension Link.Target {
  fileprivate init(tcp text: Substring) throws(Unusable) {
    guard case (let host?, let port?)? = text.hostAndPort else {
      throw Unusable(
        what: "nmea+tcp:// wants a host and a port, as in nmea+tcp://192.0.2.7:10110")
    }
    self = .tcp(host: host, port: port)
  }

  fileprivate init(unix text: Substring) throws(Unusable) {
    let wish = "nmea+unix:// wants the whole path of a socket, as in nmea+unix:///run/nmea.sock"
    let (path, options) = try text.pathAndOptions(orElse: wish)
    guard options.isEmpty else { throw Unusable(what: wish) }
    self = .unix(path: path)
  }
}

extension SourceURL.Listening {
  fileprivate init(_ text: Substring) throws(Unusable) {
    guard case (let address?, let port?)? = text.hostAndPort, DatagramListener.isAddress(address)
    else {
      throw Unusable(
        what:
          "nmea+udp:// wants an address of this machine, in numbers, and a port to listen at,"
          + " as in nmea+udp://192.0.2.7:10110, or 0.0.0.0 for all")
    }
    self.init(address: address, port: port)
  }
}

extension SourceURL.Gpsd {
  fileprivate init(_ text: Substring) throws(Unusable) {
    let unusable = Unusable(
      what: "gpsd:// wants a host, and may have a port and a device of gpsd's, as in"
        + " gpsd://localhost, gpsd://192.0.2.7:2947 or gpsd://localhost/dev/ttyUSB0")
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    guard case (let host?, let port)? = text[..<slash].hostAndPort,
      let path = text[slash...].percentDecoded
    else { throw unusable }
    self.host = host
    if let port { self.port = port }
    if path.count > 1 { device = path }
  }
}

extension SourceURL.Recording {
  fileprivate init(_ text: Substring) throws(Unusable) {
    let (path, options) = try text.pathAndOptions(
      orElse: "replay:// wants the whole path of a file, as in replay:///home/me/walk.nmea")
    self.path = path
    for (name, value) in options {
      switch (name, value) {
      case ("rate", _):
        guard let rate = Double(value), (0.001...10_000).contains(rate) else {
          throw Unusable(what: "rate is a number from 0.001 to 10000, not '\(value)'")
        }
        self.rate = rate
      case ("loop", "1"): loops = true
      case ("loop", "0"): loops = false
      default:
        throw Unusable(
          what: "replay:// knows rate=R and loop=1, not '\(name)=\(value)'")
      }
    }
  }
}

extension SourceURL.Place {
  fileprivate init(_ text: Substring) throws(Unusable) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let unusable = Unusable(
      what: "'static:\(text)' is no place: it is static:LATITUDE,LONGITUDE[,ALTITUDE[,ACCURACY]]"
        + " in degrees and metres")
    guard (2...4).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1]
    else { throw unusable }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if numbers.count > 2 {
      guard let altitude = numbers[2], altitude.isFinite else { throw unusable }
      self.altitude = altitude
    }
    if numbers.count > 3 {
      guard let accuracy = numbers[3], accuracy >= 0.001, accuracy.isFinite else { throw unusable }
      self.accuracy = accuracy
    }
    guard coordinate.isValid else { throw unusable }
  }
}

extension String {
  func dropping(prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}

extension Substring {
  /// The model, the port or the number of a modem; nil for none.
  fileprivate var modemName: String? {
    get throws(Unusable) {
      guard utf8.count <= 64, allSatisfy({ $0.isASCII && !$0.isNewline && $0 != "/" }) else {
        throw Unusable(
          what: "modem: may have the model, the port or the number of a modem, as 'mmcli -L' shows"
            + " it, as in modem:EM05 or modem:cdc-wdm0")
      }
      return isEmpty ? nil : String(self)
    }
  }

  /// `HOST[:PORT]`, where an IPv6 address stands in brackets; nil where it is neither.
  fileprivate var hostAndPort: (host: String?, port: Int?)? {
    var host = self
    var port: Int?
    let bracket = lastIndex(of: "]")
    if let colon = self[(bracket ?? startIndex)...].lastIndex(of: ":") {
      guard let number = Int(self[index(after: colon)...]), (1...65535).contains(number)
      else { return nil }
      port = number
      host = self[..<colon]
    }
    if bracket != nil {
      guard host.hasPrefix("["), host.hasSuffix("]") else { return nil }
      host = host.dropFirst().dropLast()
    } else if host.contains(":") {
      return nil
    }
    guard !host.isEmpty, host.utf8.count < 256, !host.contains("/") else { return nil }
    return (String(host), port)
  }

  /// `/PATH[?NAME=VALUE&…]`
  fileprivate func pathAndOptions(
    orElse wish: String
  ) throws(Unusable) -> (path: String, options: [(name: String, value: String)]) {
    let parts = split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first?.percentDecoded, path.hasPrefix("/"), path.count > 1 else {
      throw Unusable(what: wish)
    }
    return (path, parts.count > 1 ? parts[1].options : [])
  }

  /// `NAME=VALUE&…`
  fileprivate var options: [(name: String, value: String)] {
    split(separator: "&").map { option in
      let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(pair[0]), value: pair.count == 2 ? String(pair[1]) : "")
    }
  }

  /// Nil where a percent sign is followed by no two hexadecimal digits, or the result is no text.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = Substring(rest.prefix(2))
      guard digits.utf8.count == 2, let decoded = UInt8(digits, radix: 16), decoded != 0
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
