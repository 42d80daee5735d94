package import LocationModel

extension LocationService {
  /// The places that files of the machine say.
  package struct FixedPlaces: Equatable, Sendable {
    /// The administrator's word of where the machine stands, and its file.
    package var set: SetPlace?
    package var file: String
    package var city: ZoneCity?

    package init(set: SetPlace? = nil, file: String = "", city: ZoneCity? = nil) {
      (self.set, self.file, self.city) = (set, file, city)
    }
  }
}

/// The city that a time zone is named after.
package struct ZoneCity: Equatable, Sendable {
  package var zone: String
  package var coordinate: Coordinate

  /// By a table of tzdata's: country codes, ±DDMM[SS]±DDDMM[SS] and the zone's name between tabs. Nil for
  /// UTC and other zones that are no city's.
  package init?(of zone: String, in table: String) {
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t")
      guard fields.count >= 3, fields[2] == zone else { continue }
      guard let coordinate = Coordinate(iso6709: fields[1]) else { return nil }
      self.zone = zone
      self.coordinate = coordinate
      return
    }
    return nil
  }
}

extension Coordinate {
  fileprivate init?(iso6709 text: Substring) {
    guard let second = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
      let latitude = Self.degrees(text[..<second], digits: 2),
      let longitude = Self.degrees(text[second...], digits: 3)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }

  /// A sign, so many digits of degrees, two of minutes, and two of seconds or none.
  private static func degrees(_ text: Substring, digits: Int) -> Double? {
    let (sign, number) = (text.first == "-" ? -1.0 : 1.0, text.dropFirst())
    guard number.count == digits + 2 || number.count == digits + 4,
      let degrees = Int(number.prefix(digits)),
      let minutes = Int(number.dropFirst(digits).prefix(2)),
      let seconds = Int("0" + number.dropFirst(digits + 2))
    else { return nil }
    return sign * (Double(degrees) + Double(minutes) / 60 + Double(seconds) / 3600)
  }
}

/// A set place as GeoClue writes it: latitude, longitude, altitude and accuracy, a line each.
extension SetPlace {
  package init?(geolocation text: String) {
    let values = text.split(separator: "\n").compactMap { line in
      line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).first
    }
    guard values.count >= 4, let latitude = Double(values[0]), let longitude = Double(values[1]),
      let accuracy = Double(values[3]), accuracy.isFinite, accuracy >= 0
    else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    // Files that nobody filled in say that; no machine stands there.
    guard coordinate.isValid, coordinate != Coordinate(latitude: 0, longitude: 0) else {
      return nil
    }
    self.init(coordinate, horizontalAccuracy: max(accuracy, 1))
  }

  package var geolocation: String {
    """
    \(coordinate.latitude)  # latitude
    \(coordinate.longitude)  # longitude
    0  # altitude, which is not known
    \(horizontalAccuracy)  # accuracy

    """
  }
}
