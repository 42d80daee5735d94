import Geodesy
import LocationModel

/// The plane that touches the Earth at a place: places nearby have coordinates in metres.
struct Plane {
  private let origin: (x: Double, y: Double, z: Double)
  private let east: (x: Double, y: Double, z: Double)
  private let north: (x: Double, y: Double, z: Double)

  init(at place: Coordinate) {
    let (x, y, z) = place.geocentric
    origin = (x, y, z)
    let across = (x * x + y * y).squareRoot()
    // At a pole every direction is as good.
    east = across > 0 ? (-y / across, x / across, 0) : (0, 1, 0)
    // Across the surface of the ellipsoid, whose axes are to each other as `flatness`.
    let flatness = 1 - 0.006_694_379_990_14
    let up = (x: x * flatness, y: y * flatness, z: z)
    let length = (up.x * up.x + up.y * up.y + up.z * up.z).squareRoot()
    north = (
      (up.y * east.z - up.z * east.y) / length, (up.z * east.x - up.x * east.z) / length,
      (up.x * east.y - up.y * east.x) / length
    )
  }

  func vector(to place: Coordinate) -> Vector {
    let (x, y, z) = place.geocentric
    let way = (x: x - origin.x, y: y - origin.y, z: z - origin.z)
    return Vector(
      east: way.x * east.x + way.y * east.y + way.z * east.z,
      north: way.x * north.x + way.y * north.y + way.z * north.z)
  }
}

/// Metres on the plane.
struct Vector: Equatable {
  var east: Double
  var north: Double

  var length: Double { (east * east + north * north).squareRoot() }

  /// From here to the nearest place of the line between the plane's origin and another place.
  func distance(toLineTo end: Vector) -> Double {
    let whole = end.east * end.east + end.north * end.north
    guard whole > 0 else { return length }
    let share = min(max((east * end.east + north * end.north) / whole, 0), 1)
    return Vector(east: east - share * end.east, north: north - share * end.north).length
  }
}
