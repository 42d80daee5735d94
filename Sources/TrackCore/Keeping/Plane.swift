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

  /// Positive where the other lies to the left.
  func cross(_ other: Vector) -> Double { east * other.north - north * other.east }

  func dot(_ other: Vector) -> Double { east * other.east + north * other.north }
}

/// The directions between two that are less than half a turn apart.
struct Cone {
  private var right: Vector
  private var left: Vector

  /// The directions of lines that pass a place within `width` metres; nil for a place so near that all
  /// do.
  init?(around place: Vector, width: Double) {
    guard place.length > width else { return nil }
    let sine = width / place.length
    let cosine = (1 - sine * sine).squareRoot()
    left = Vector(
      east: place.east * cosine - place.north * sine,
      north: place.north * cosine + place.east * sine)
    right = Vector(
      east: place.east * cosine + place.north * sine,
      north: place.north * cosine - place.east * sine)
  }

  func contains(_ direction: Vector) -> Bool {
    // Ahead of it: behind it the sides have changed places.
    right.cross(direction) >= 0 && direction.cross(left) >= 0
      && right.dot(direction) + left.dot(direction) > 0
  }

  /// The directions of both: the cones share one at least.
  func intersection(_ other: Cone) -> Cone {
    var cone = self
    if right.cross(other.right) > 0 { cone.right = other.right }
    if left.cross(other.left) < 0 { cone.left = other.left }
    return cone
  }
}
