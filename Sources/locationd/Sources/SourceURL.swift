import LocationModel
import Platform

/// A source as people write it.
enum SourceURL: Equatable {
  case receiver(Receiver)
  case replay(Recording)
  case fixed(Place)

  enum Receiver: Equatable {
    /// A tty, or a device like one; without a speed it keeps its own.
    case tty(path: String, speed: Int?)
    case tcp(host: String, port: Int)
    case unix(path: String)
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

  struct Unusable: Error {
    var message: String
  }

  init(_ text: String) throws(Unusable) {
    if let rest = text.dropping(prefix: "nmea://") {
      self = .receiver(try Receiver(tty: rest))
    } else if let rest = text.dropping(prefix: "nmea+tcp://") {
      self = .receiver(try Receiver(tcp: rest))
    } else if let rest = text.dropping(prefix: "nmea+unix://") {
      self = .receiver(try Receiver(unix: rest))
    } else if let rest = text.dropping(prefix: "replay://") {
      self = .replay(try Recording(rest))
    } else if let rest = text.dropping(prefix: "static:") {
      self = .fixed(try Place(rest))
    } else {
      throw Unusable(
        message: "'\(text)' is no source: it begins with nmea://, nmea+tcp://, nmea+unix://,"
          + " replay:// or static:, as in nmea:///dev/ttyUSB0 or static:37.5665,126.978")
    }
  }

  /// What clients see of it: not where on the disk a file is.
  var name: String {
    switch self {
    case .receiver(.tty(let path, _)): "nmea:\(path)"
    case .receiver(.tcp(let host, let port)): "nmea+tcp:\(host):\(port)"
    case .receiver(.unix(let path)): "nmea+unix:\(path)"
    case .replay(let recording): "replay:\(recording.path.split(separator: "/").last ?? "")"
    case .fixed: "static"
    }
  }

  /// Whether it may be closed between two fixes: a recording would stand still then.
  var mayRest: Bool { if case .replay = self { false } else { true } }

  /// Whether no receiver is behind it.
  var isSimulated: Bool {
    switch self {
    case .receiver: false
    case .replay, .fixed: true
    }
  }
}

extension SourceURL.Receiver {
  fileprivate init(tty text: Substring) throws(SourceURL.Unusable) {
    let (path, options) = try text.pathAndOptions(
      orElse: "nmea:// wants the whole path of a device, as in nmea:///dev/ttyUSB0?baud=9600")
    var speed: Int?
    for (name, value) in options {
      guard name == "baud", let number = Int(value), Tty.canRun(at: number) else {
        throw SourceURL.Unusable(
          message: "nmea:// knows baud=N, from 1200 to 921600, not '\(name)=\(value)'")
      }
      speed = number
    }
    self = .tty(path: path, speed: speed)
  }

  fileprivate init(tcp text: Substring) throws(SourceURL.Unusable) {
    let unusable = SourceURL.Unusable(
      message: "nmea+tcp:// wants a host and a port, as in nmea+tcp://192.0.2.7:10110")
    guard let colon = text.lastIndex(of: ":"),
      let port = Int(text[text.index(after: colon)...]), (1...65535).contains(port)
    else { throw unusable }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, host.utf8.count < 256, !host.contains("/") else { throw unusable }
    self = .tcp(host: String(host), port: port)
  }

  fileprivate init(unix text: Substring) throws(SourceURL.Unusable) {
    let wish = "nmea+unix:// wants the whole path of a socket, as in nmea+unix:///run/nmea.sock"
    let (path, options) = try text.pathAndOptions(orElse: wish)
    guard options.isEmpty else { throw SourceURL.Unusable(message: wish) }
    self = .unix(path: path)
  }
}

extension SourceURL.Recording {
  fileprivate init(_ text: Substring) throws(SourceURL.Unusable) {
    let (path, options) = try text.pathAndOptions(
      orElse: "replay:// wants the whole path of a file, as in replay:///home/me/walk.nmea")
    self.path = path
    for (name, value) in options {
      switch (name, value) {
      case ("rate", _):
        guard let rate = Double(value), (0.001...10_000).contains(rate) else {
          throw SourceURL.Unusable(message: "rate is a number from 0.001 to 10000, not '\(value)'")
        }
        self.rate = rate
      case ("loop", "1"): loops = true
      case ("loop", "0"): loops = false
      default:
        throw SourceURL.Unusable(
          message: "replay:// knows rate=R and loop=1, not '\(name)=\(value)'")
      }
    }
  }
}

extension SourceURL.Place {
  fileprivate init(_ text: Substring) throws(SourceURL.Unusable) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let unusable = SourceURL.Unusable(
      message: "'static:\(text)' is no place: it is static:LATITUDE,LONGITUDE[,ALTITUDE[,ACCURACY]]"
        + " in degrees and metres")
    guard (2...4).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1]
    else { throw unusable }
    coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if numbers.count > 2 {
      guard let altitude = numbers[2], altitude.isFinite else { throw unusable }
      self.altitude = altitude
    }
    if numbers.count > 3 {
      guard let accuracy = numbers[3], accuracy > 0, accuracy.isFinite else { throw unusable }
      self.accuracy = accuracy
    }
    guard coordinate.isValid else { throw unusable }
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}

extension Substring {
  /// `/PATH[?NAME=VALUE&…]`
  fileprivate func pathAndOptions(
    orElse wish: String
  ) throws(SourceURL.Unusable) -> (path: String, options: [(name: String, value: String)]) {
    let parts = split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first?.percentDecoded, path.hasPrefix("/"), path.count > 1 else {
      throw SourceURL.Unusable(message: wish)
    }
    let options = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { option in
      let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(pair[0]), value: pair.count == 2 ? String(pair[1]) : "")
    }
    return (path, options)
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
