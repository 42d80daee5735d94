package import LocationModel

/// The Earth around a place as a plane, for some kilometres: metres to the east and to the north.
package struct Plane {
  private let middle: Coordinate
  private let perLongitude: Double
  private static let perLatitude = 111_195.0

  package init(around middle: Coordinate) {
    self.middle = middle
    // The cosine by its series, exact to 1e-6 up to the poles.
    let x = middle.latitude * .pi / 180
    let square = x * x
    let cosine =
      1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
    perLongitude = Self.perLatitude * max(cosine, 1e-6)
  }

  /// South, north, west and east in degrees times ten million.
  package func box(_ metres: Double) -> (Int64, Int64, Int64, Int64) {
    let (up, aside) = (metres / Self.perLatitude, min(metres / perLongitude, 180))
    func scaled(_ degrees: Double) -> Int64 { Int64(degrees * 1e7) }
    return (
      scaled(middle.latitude - up), scaled(middle.latitude + up), scaled(middle.longitude - aside),
      scaled(middle.longitude + aside)
    )
  }

  private func point(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    (
      (longitude - middle.longitude) * perLongitude, (latitude - middle.latitude) * Self.perLatitude
    )
  }

  package func distance(to place: Coordinate) -> Double {
    let spot = point(place.latitude, place.longitude)
    return (spot.x * spot.x + spot.y * spot.y).squareRoot()
  }

  /// Metres to the line that a shape's bytes describe.
  package func distance(toShape shape: [UInt8]) -> Double {
    guard shape.count >= 16 else { return .infinity }
    func number(_ at: Int) -> Double { Self.degrees(shape, at) }
    var least = Double.infinity
    var last = point(number(0), number(4))
    for at in stride(from: 8, to: shape.count - 7, by: 8) {
      let next = point(number(at), number(at + 4))
      let (dx, dy) = (next.x - last.x, next.y - last.y)
      let length = dx * dx + dy * dy
      let part = length > 0 ? min(max(-(last.x * dx + last.y * dy) / length, 0), 1) : 0
      let (x, y) = (last.x + part * dx, last.y + part * dy)
      least = min(least, (x * x + y * y).squareRoot())
      last = next
    }
    return least
  }

  private static func degrees(_ shape: [UInt8], _ at: Int) -> Double {
    let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(shape[at + $1]) << UInt32(8 * $1) }
    return Double(Int32(bitPattern: bits)) / 1e7
  }

  /// The places that a shape's bytes describe.
  static func places(of shape: [UInt8]) -> [Coordinate] {
    stride(from: 0, to: shape.count - 7, by: 8).map {
      Coordinate(latitude: degrees(shape, $0), longitude: degrees(shape, $0 + 4))
    }
  }
}
