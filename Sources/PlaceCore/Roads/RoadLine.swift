import Geodesy
import LocationModel

extension [Coordinate] {
  /// The part of a line between two places on it, each with its share of the length that lies before it.
  func cut(from: (share: Double, place: Coordinate)?, to: (share: Double, place: Coordinate)?)
    -> [Coordinate]
  {
    guard from != nil || to != nil else { return self }
    var (along, whole) = ([0.0], 0.0)
    for (a, b) in zip(self, dropFirst()) {
      whole += LocalPlane.distance(a, b)
      along.append(whole)
    }
    let (low, high) = ((from?.share ?? -1) * whole, (to?.share ?? 2) * whole)
    let inner = indices.filter { along[$0] > low && along[$0] < high }.map { self[$0] }
    return [from?.place].compactMap(\.self) + inner + [to?.place].compactMap(\.self)
  }

  /// The side of the line's end on which a place lies; nil where it is ahead, or hardly aside.
  func side(of place: Coordinate) -> Move.Side? {
    guard let end = last, let before = last(where: { $0 != end }) else { return nil }
    let plane = LocalPlane(around: end)
    let (a, b) = (
      plane.point(before.latitude, before.longitude), plane.point(place.latitude, place.longitude)
    )
    let (length, distance) = ((a.x * a.x + a.y * a.y).squareRoot(), plane.distance(to: place))
    // Positive to the left of one who comes from there.
    let aside = (a.y * b.x - a.x * b.y) / length
    guard distance >= Self.leastAside, abs(aside) >= distance / 2 else { return nil }
    return aside > 0 ? .left : .right
  }

  /// Metres: nearer places lie on the road.
  private static var leastAside: Double { 5 }
}

extension ArraySlice<Coordinate> {
  /// The direction of its first metres, of the eight that sentences know, in degrees from north; nil for one place.
  var compass: Double? {
    guard let first else { return nil }
    let plane = LocalPlane(around: first)
    let next = dropFirst().first { plane.distance(to: $0) >= 5 } ?? last
    guard let next, next != first else { return nil }
    let (x, y) = plane.point(next.latitude, next.longitude)
    let slope = 0.414_213_56  // The tangent of 22.5 degrees.
    if abs(x) <= abs(y) * slope { return y > 0 ? 0 : 180 }
    if abs(y) <= abs(x) * slope { return x > 0 ? 90 : 270 }
    return x > 0 ? (y > 0 ? 45 : 135) : (y > 0 ? 315 : 225)
  }
}
