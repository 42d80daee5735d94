import Geodesy
package import LocationModel

extension Region {
  /// A place inside, and how far the region reaches from it, in metres; nil for beacons, which have no place of their
  /// own.
  package var middle: (Coordinate, reach: Double)? {
    switch shape {
    case .circle(let centre, let radius): return (centre, radius)
    case .beacon: return nil
    case .polygon(let outer, let holes):
      let middle =
        Self.inside([outer] + holes) ?? outer.first ?? Coordinate(latitude: 0, longitude: 0)
      return (middle, outer.map { middle.distance(to: $0) }.max() ?? 0)
    }
  }

  /// The middle of the widest stretch of some parallels that lies inside the rings.
  private static func inside(_ rings: [[Coordinate]]) -> Coordinate? {
    guard let first = rings.first?.first else { return nil }
    // No ring is cut by the date line.
    let rings = rings.map {
      $0.map { (x: ($0.longitude - first.longitude).turned, y: $0.latitude) }
    }
    let latitudes = rings[0].map(\.y)
    guard let south = latitudes.min(), let north = latitudes.max() else { return nil }
    var best: (width: Double, place: Coordinate)?
    for i in 0..<parallels {
      let y = south + (north - south) * (Double(i) + 0.5) / Double(parallels)
      let edges = rings.flatMap { crossings(of: $0, at: y) }.sorted()
      for j in stride(from: 0, to: edges.count - 1, by: 2) {
        let width = edges[j + 1] - edges[j]
        guard width > best?.width ?? 0 else { continue }
        let x = (first.longitude + edges[j] + width / 2).turned
        best = (width, Coordinate(latitude: y, longitude: x))
      }
    }
    return best?.place
  }

  private static let parallels = 15

  private static func crossings(of ring: [(x: Double, y: Double)], at y: Double) -> [Double] {
    ring.indices.compactMap { i in
      let (a, b) = (ring[i], ring[i + 1 < ring.count ? i + 1 : 0])
      guard (a.y > y) != (b.y > y) else { return nil }
      return a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
    }
  }
}

extension Double {
  /// The same angle between -180° and 180°.
  fileprivate var turned: Double { self - 360 * (self / 360).rounded() }
}
