package import LocationModel

/// The Earth around a place as a plane, for some kilometres: metres to the east and to the north. A geodesic is
/// more exact, and takes a hundred times as long.
package struct LocalPlane {
  /// Metres of a degree of latitude, on a sphere as large as the Earth.
  package static let perDegree = 111_195.0

  package typealias Point = (x: Double, y: Double)

  private let middle: Coordinate
  private let perLongitude: Double

  package init(around middle: Coordinate) {
    self.middle = middle
    perLongitude = Self.perDegree * max(Self.cosine(middle.latitude), 1e-6)
  }

  /// The cosine of degrees, by its series: exact to 1e-6 up to the poles.
  package static func cosine(_ degrees: Double) -> Double {
    let x = degrees * .pi / 180
    let square = x * x
    return 1 - square / 2
      * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
  }

  /// South, north, west and east in degrees times ten million.
  package func box(_ metres: Double) -> (Int64, Int64, Int64, Int64) {
    let up = min(metres / Self.perDegree, 180)
    let aside = min(metres / perLongitude, 180)
    func scaled(_ degrees: Double) -> Int64 { Int64(degrees * 1e7) }
    return (
      scaled(middle.latitude - up), scaled(middle.latitude + up), scaled(middle.longitude - aside),
      scaled(middle.longitude + aside)
    )
  }

  package func point(_ latitude: Double, _ longitude: Double) -> Point {
    ((longitude - middle.longitude) * perLongitude, (latitude - middle.latitude) * Self.perDegree)
  }

  package func place(_ x: Double, _ y: Double) -> Coordinate {
    let longitude = middle.longitude + x / perLongitude
    return Coordinate(
      latitude: min(max(middle.latitude + y / Self.perDegree, -90), 90),
      longitude: abs(longitude) <= 180 ? longitude : longitude - (longitude < 0 ? -360 : 360))
  }

  package func distance(to place: Coordinate) -> Double {
    let spot = point(place.latitude, place.longitude)
    return (spot.x * spot.x + spot.y * spot.y).squareRoot()
  }

  /// Between two places, on the plane of their middle latitude: half a per cent too long or short at 1,000 km.
  package static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let scale = cosine((a.latitude + b.latitude) / 2)
    var dx = abs(a.longitude - b.longitude)
    if dx > 180 { dx = 360 - dx }
    let dy = a.latitude - b.latitude
    return perDegree * (dx * dx * scale * scale + dy * dy).squareRoot()
  }

  /// Metres from a point to the nearest of a line between two.
  package static func distance(from p: Point, toLine a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let part = length > 0 ? min(max(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0), 1) : 0
    let (x, y) = (a.x + part * dx - p.x, a.y + part * dy - p.y)
    return (x * x + y * y).squareRoot()
  }
}
