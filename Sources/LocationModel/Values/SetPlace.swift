/// The place where a person, or a file of the administrator, says that the machine stands.
package struct SetPlace: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Radius of 68 %, in metres.
  package var horizontalAccuracy: Double

  package init(_ coordinate: Coordinate, horizontalAccuracy: Double = usualAccuracy) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
  }

  /// A house.
  package static let usualAccuracy = 50.0
}
