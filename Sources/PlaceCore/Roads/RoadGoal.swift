internal import Geodesy
internal import LocationModel

/// Where a search leads. A way there is no shorter than the air line, and no faster than on the fastest road.
struct RoadGoal {
  private let latitude: Double
  private let longitude: Double
  /// Hundredths of a second a ten millionth of a degree to the north; to the east it is less.
  private let pace: Double
  /// How far the places are apart.
  private let spread: Double

  /// Kilometres of a degree, a little fewer than there are.
  private static let degree = 110.0
  /// Farther away, in degrees to the east, the air line bends too far to the pole.
  private static let farthest = 2e8

  /// `pace`: hundredths of a second a kilometre.
  init?(_ places: [Coordinate], pace: UInt32) {
    guard let first = places.first, pace > 0, pace < .max else { return nil }
    (latitude, longitude) = (first.latitude * 1e7, first.longitude * 1e7)
    self.pace = Double(pace) * Self.degree / 1e7
    spread = places.map { LocalPlane.distance(first, $0) / 1000 * Double(pace) }.max() ?? 0
  }

  /// Hundredths of a second from a junction.
  @inline(__always)
  func least(from junction: RoadJunction) -> UInt32 {
    let north = Double(junction.latitude) - latitude
    let away = (Double(junction.longitude) - longitude).magnitude
    // By the parallel that lies nearer to the pole.
    let parallel = max(abs(latitude), abs(Double(junction.latitude))) / 1e7 + 1
    let narrowing = max(LocalPlane.cosine(parallel) * 0.99, 0)
    let east = min(away, 3.6e9 - away, Self.farthest) * narrowing
    let cost = pace * (north * north + east * east).squareRoot() - spread
    return cost > 0 ? UInt32(min(cost, 4e8)) : 0
  }
}
