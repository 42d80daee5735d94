import Geodesy
package import LocationModel

/// A region's shape, made ready to be measured against.
package struct RegionShape: Sendable {
  /// Everything of it lies within this chord of the middle.
  let middle: Point
  let extent: Double
  private let form: Form

  private enum Form {
    case circle(Coordinate, radius: Double)
    case polygon(Polygon)
  }

  /// Nil where it is none: no radius, fewer than three corners or all on one line, or more than the
  /// Earth's near half.
  package init?(_ shape: Region.Shape) {
    switch shape {
    case .circle(let centre, let radius):
      guard centre.isValid, radius > 0, radius <= Region.longestRadius else { return nil }
      middle = Point(centre)
      extent = radius
      form = .circle(centre, radius: radius)
    case .polygon(let points, let holes):
      guard let polygon = Polygon(points, holes: holes) else { return nil }
      middle = polygon.middle
      extent = polygon.extent
      form = .polygon(polygon)
    case .beacon: return nil
    }
  }

  /// Metres from the edge, positive inside; where it is far, at least so many.
  package func depth(of point: Point, at coordinate: @autoclosure () -> Coordinate) -> Double {
    switch form {
    case .circle(let centre, let radius):
      let chord = point.chord(to: middle)
      // Up to here a chord is the geodesic to within centimetres, and far off it decides as well.
      guard radius > 20_000, chord > radius * 0.6, chord < radius * 1.02 else {
        return radius - chord
      }
      return radius - coordinate().distance(to: centre)
    case .polygon(let polygon):
      let chord = point.chord(to: middle)
      return chord > 2 * extent + 1000 ? extent - chord : polygon.depth(of: point)
    }
  }
}

/// Rings of corners around a middle. Seen from the Earth's centre each edge is a straight line on a
/// plane before it, so that neither the date line nor a pole is anything special.
private final class Polygon: Sendable {
  let middle: Point
  let extent: Double
  private let east: Point
  private let north: Point
  private let rings: [[Corner]]

  private struct Corner {
    let point: Point
    /// Across the plane through it, the next corner and the Earth's centre.
    let normal: Point
    /// Where it is on the plane before the middle.
    let u: Double
    let v: Double

    init(_ point: Point, before next: Point, up: Point, east: Point, north: Point) {
      self.point = point
      let across = point.cross(next)
      normal = across * (1 / max(across.length, 1e-9))
      u = point.dot(east) / point.dot(up)
      v = point.dot(north) / point.dot(up)
    }
  }

  /// Nothing reaches further around the Earth than this cosine says: 80°.
  private static let horizon = 0.17

  init?(_ points: [Coordinate], holes: [[Coordinate]]) {
    let outer = Self.ring(points)
    guard let outer, let holes = Self.all(holes.map { Self.ring($0) }) else { return nil }
    var sum = Point(x: 0, y: 0, z: 0)
    for point in outer { sum = sum + point }
    guard sum.length > outer[0].length * 0.01 else { return nil }
    let up = sum * (1 / sum.length)
    let rings = [outer] + holes
    guard rings.allSatisfy({ $0.allSatisfy { $0.dot(up) > Self.horizon * $0.length } }) else {
      return nil
    }
    guard Self.isWide(outer) else { return nil }
    let middle = up * outer[0].length
    let aside = up.z.magnitude < 0.9 ? Point(x: 0, y: 0, z: 1) : Point(x: 1, y: 0, z: 0)
    let across = aside.cross(up)
    let east = across * (1 / across.length)
    let north = up.cross(east)
    self.middle = middle
    self.east = east
    self.north = north
    extent = outer.lazy.map { $0.chord(to: middle) }.max() ?? 0
    self.rings = rings.map { ring in
      ring.indices.map { i in
        Corner(ring[i], before: ring[(i + 1) % ring.count], up: up, east: east, north: north)
      }
    }
  }

  /// Whether there is anything between its edges: its corners do not lie on one line.
  private static func isWide(_ ring: [Point]) -> Bool {
    let first = ring[0]
    guard let last = ring.max(by: { $0.chord(to: first) < $1.chord(to: first) }) else {
      return false
    }
    let across = first.cross(last)
    let thickness = 0.01 * across.length
    return ring.contains { $0.dot(across).magnitude > thickness }
  }

  private static func ring(_ corners: [Coordinate]) -> [Point]? {
    var ring: [Point] = []
    for corner in corners {
      guard corner.isValid else { return nil }
      let point = Point(corner)
      if ring.last.map({ $0.chord(to: point) > 0.001 }) ?? true { ring.append(point) }
    }
    // Closed rings name their first corner again.
    if let first = ring.first, let last = ring.last, ring.count > 1, first.chord(to: last) < 0.001 {
      ring.removeLast()
    }
    return ring.count >= 3 ? ring : nil
  }

  private static func all<Value>(_ values: [Value?]) -> [Value]? {
    let known = values.compactMap { $0 }
    return known.count == values.count ? known : nil
  }

  func depth(of point: Point) -> Double {
    let height = point.dot(middle) / middle.length
    guard height > 0 else { return extent - point.chord(to: middle) }
    let u = point.dot(east) / height
    let v = point.dot(north) / height
    var isInside = false
    var nearest = Double.infinity
    for ring in rings {
      guard var a = ring.last else { continue }
      for b in ring {
        if (a.v > v) != (b.v > v), u < a.u + (b.u - a.u) * (v - a.v) / (b.v - a.v) {
          isInside.toggle()
        }
        nearest = min(nearest, distance(point, a, b))
        a = b
      }
    }
    return isInside ? nearest : -nearest
  }

  /// From the edge between two corners.
  private func distance(_ point: Point, _ a: Corner, _ b: Corner) -> Double {
    let along = b.point - a.point
    if (point - a.point).dot(along) <= 0 { return point.chord(to: a.point) }
    if (point - b.point).dot(along) >= 0 { return point.chord(to: b.point) }
    return point.dot(a.normal).magnitude
  }
}
