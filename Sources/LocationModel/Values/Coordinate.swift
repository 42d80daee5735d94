/// A place on the WGS 84 ellipsoid, in degrees.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  // Other modules call the compiler's own functions by way of tables.
  @inlinable package static func == (a: Self, b: Self) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }

  /// Whether both are numbers and lie on the Earth.
  package var isValid: Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension Coordinate {
  package var pair: JSON { .array([.number(latitude), .number(longitude)]) }

  /// `[latitude, longitude]`; nil for what lies nowhere on the Earth.
  package init?(pair json: JSON) {
    guard let numbers = json.array, numbers.count == 2, let latitude = numbers[0].double,
      let longitude = numbers[1].double
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }
}
