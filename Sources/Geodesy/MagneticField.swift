import CGeographic
package import LocationModel

/// The Earth's magnetic field at a place, by the World Magnetic Model 2025.
package struct MagneticField: Equatable, Sendable {
  /// Nanotesla.
  package var east = 0.0
  package var north = 0.0
  package var up = 0.0
  private var direction = 0.0

  /// The years it was made for end with 2029; before and after, its nearest is better than nothing.
  package init(at coordinate: Coordinate, height: Double = 0, year: Double) {
    let year = min(max(year, 2025), 2030)
    direction = cgeographic_declination(
      coordinate.latitude, coordinate.longitude, height, year, &east, &north, &up)
  }

  package var horizontal: Double { (east * east + north * north).squareRoot() }

  /// Degrees from true to magnetic north, positive towards the east; nil near the magnetic poles,
  /// where a compass shows nothing.
  package var declination: Double? { horizontal >= Self.blackout ? direction : nil }

  /// How far that may be off, 68 %, by the model's own estimate.
  package var declinationAccuracy: Double {
    let weak = 5417 / horizontal
    return (0.26 * 0.26 + weak * weak).squareRoot()
  }

  private static let blackout = 2000.0
}

extension Timestamp {
  /// As the model counts time.
  package var year: Double {
    let year = date.year
    let days =
      Timestamp.days(year: year + 1, month: 1, day: 1)
      - Timestamp.days(year: year, month: 1, day: 1)
    let start = Timestamp(year: year, month: 1, day: 1, microsecondsOfDay: 0)
    return Double(year) + self.seconds(since: start) / 86_400 / Double(days)
  }
}
