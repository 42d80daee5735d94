/// A stay at a place, told when it has begun and again when it has ended.
package struct Visit: Equatable, Sendable {
  /// The middle of the place, and the radius within which it lies.
  package var coordinate: Coordinate
  package var horizontalAccuracy: Double
  /// Nil where it began before anybody watched.
  package var arrivalDate: Timestamp?
  /// Nil while it lasts.
  package var departureDate: Timestamp?

  package init(
    coordinate: Coordinate, horizontalAccuracy: Double, arrivalDate: Timestamp? = nil,
    departureDate: Timestamp? = nil
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.arrivalDate = arrivalDate
    self.departureDate = departureDate
  }
}
