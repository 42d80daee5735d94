import LocationModel

/// A source as people write it.
enum SourceURL: Equatable {
  case replay(Recording)
  case fixed(Place)

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
    if let rest = text.dropping(prefix: "replay://") {
      self = .replay(try Recording(rest))
    } else if let rest = text.dropping(prefix: "static:") {
      self = .fixed(try Place(rest))
    } else {
      throw Unusable(
        message: "'\(text)' is no source: it begins with replay:// or static:, as in"
          + " replay:///home/me/walk.nmea?loop=1 or static:37.5665,126.978")
    }
  }

  /// What clients see of it: not where on the disk a file is.
  var name: String {
    switch self {
    case .replay(let recording): "replay:\(recording.path.split(separator: "/").last ?? "")"
    case .fixed: "static"
    }
  }

  /// Whether no receiver is behind it.
  var isSimulated: Bool {
    switch self {
    case .replay, .fixed: true
    }
  }
}

extension SourceURL.Recording {
  fileprivate init(_ text: Substring) throws(SourceURL.Unusable) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].hasPrefix("/"), parts[0].count > 1, let path = parts[0].percentDecoded else {
      throw SourceURL.Unusable(
        message: "replay:// wants the whole path of a file, as in replay:///home/me/walk.nmea")
    }
    self.path = path
    guard parts.count == 2 else { return }
    for option in parts[1].split(separator: "&") {
      let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch (pair[0], pair.count == 2 ? pair[1] : "1") {
      case ("rate", let value):
        guard let rate = Double(value), (0.001...10_000).contains(rate) else {
          throw SourceURL.Unusable(message: "rate is a number from 0.001 to 10000, not '\(value)'")
        }
        self.rate = rate
      case ("loop", "1"): loops = true
      case ("loop", "0"): loops = false
      default:
        throw SourceURL.Unusable(message: "replay:// knows rate=R and loop=1, not '\(option)'")
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
