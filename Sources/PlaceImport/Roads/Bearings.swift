internal import Geodesy
internal import Glibc
internal import LocationModel

/// Where roads lead at their ends, in 256 directions clockwise from the north.
enum Bearings {
  /// So far from its end a road is looked at, in metres: nearer to it, it is drawn as it happens.
  private static let sight = 10.0

  static func ends(
    of nodes: UnsafeBufferPointer<RoadCollector.Node>
  ) -> (leaving: UInt8, reaching: UInt8) {
    let places = nodes.lazy.map(\.place)
    return (direction(along: places), direction(along: places.reversed()) &+ 128)
  }

  /// From the first place to that which lies so far along the road.
  private static func direction(along places: some Collection<Spot>) -> UInt8 {
    guard let start = places.first?.coordinate else { return 0 }
    let east = LocalPlane.cosine(start.latitude)
    var (x, y, metres) = (0.0, 0.0, 0.0)
    for place in places.dropFirst() {
      let other = place.coordinate
      var longitude = other.longitude - start.longitude
      if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
      let next = (
        x: longitude * east * LocalPlane.perDegree,
        y: (other.latitude - start.latitude) * LocalPlane.perDegree
      )
      let step = hypot(next.x - x, next.y - y)
      let part = metres + step > sight ? (sight - metres) / step : 1
      (x, y) = (x + (next.x - x) * part, y + (next.y - y) * part)
      metres += step
      if metres >= sight { break }
    }
    let turns = atan2(x, y) / (2 * .pi)
    return UInt8(truncatingIfNeeded: Int((turns * 256).rounded()))
  }
}
