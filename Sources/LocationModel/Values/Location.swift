/// Where the machine is, as clients are told it. What is unknown is nil.
package struct Location: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Metres above mean sea level.
  package var altitude: Double?
  /// Metres above the WGS 84 ellipsoid.
  package var ellipsoidalAltitude: Double?
  /// Radius of 68 %, in metres, as every accuracy here.
  package var horizontalAccuracy: Double
  package var verticalAccuracy: Double?
  /// Metres per second.
  package var speed: Double?
  package var speedAccuracy: Double?
  /// Degrees from true north, 0 up to 360.
  package var course: Double?
  package var courseAccuracy: Double?
  package var timestamp: Timestamp
  /// The source's name, as configured.
  package var source: String
  /// True where no receiver measured it: a recording, a fixed place.
  package var simulated: Bool

  package init(
    coordinate: Coordinate, horizontalAccuracy: Double, timestamp: Timestamp, source: String = "",
    simulated: Bool = false
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.timestamp = timestamp
    self.source = source
    self.simulated = simulated
  }

  /// Whether every number is one, and the place, its accuracy and its date are possible.
  package var isValid: Bool {
    coordinate.isValid && horizontalAccuracy > 0 && horizontalAccuracy.isFinite
      && timestamp.isPlausible
      && altitude.isNumber && ellipsoidalAltitude.isNumber && verticalAccuracy.isNumber
      && speed.isNumber && speedAccuracy.isNumber && course.isNumber && courseAccuracy.isNumber
  }
}

extension Double? {
  fileprivate var isNumber: Bool { self?.isFinite ?? true }
}
