import Geodesy
package import LocationModel

/// A place as metres from the Earth's centre, where a distance costs a few nanoseconds.
package struct Point: Equatable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double
}

extension Point {
  package init(_ coordinate: Coordinate) {
    let (x, y, z) = coordinate.geocentric
    self.init(x: x, y: y, z: z)
  }

  package var coordinate: Coordinate { Coordinate(geocentric: x, y, z) }
}

extension Point {
  static let zero = Point(x: 0, y: 0, z: 0)

  static func + (a: Self, b: Self) -> Self { Self(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func - (a: Self, b: Self) -> Self { Self(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
  static func * (a: Self, factor: Double) -> Self {
    Self(x: a.x * factor, y: a.y * factor, z: a.z * factor)
  }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Self) -> Self {
    Self(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  /// Metres along the chord: never more than along the geodesic, and a millimetre less at 10 km.
  func chord(to other: Self) -> Double { (self - other).length }
}

/// Two places' distance against a threshold: chords decide, the geodesic only where they cannot.
func isApart(
  _ a: (coordinate: Coordinate, point: Point), _ b: (coordinate: Coordinate, point: Point),
  by metres: Double
) -> Bool {
  let chord = a.point.chord(to: b.point)
  if chord >= metres { return true }
  // Nowhere is the Earth curved more than a ball of this radius.
  let bend = chord / (2 * 6_335_000)
  if bend < 0.1, chord * (1 + bend * bend / 5) < metres { return false }
  return a.coordinate.distance(to: b.coordinate) >= metres
}
