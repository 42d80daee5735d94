import Geodesy
import LocationModel

/// A place in two numbers of 32 bits, of which a circle takes all: to a centimetre, and without a
/// date line.
struct PackedPlace: Equatable, Sendable {
  var latitude: Int32
  var longitude: Int32

  fileprivate static let perDegree = 0x1p32 / 360

  init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// A valid coordinate.
  init(_ coordinate: Coordinate) {
    func packed(_ degrees: Double) -> Int32 {
      Int32(truncatingIfNeeded: Int64((degrees * Self.perDegree).rounded()))
    }
    self.init(latitude: packed(coordinate.latitude), longitude: packed(coordinate.longitude))
  }

  var coordinate: Coordinate {
    Coordinate(
      latitude: Double(latitude) / Self.perDegree, longitude: Double(longitude) / Self.perDegree)
  }

  func distance(to other: PackedPlace) -> Double {
    PackedPlane(around: self).spot(other).distance(to: PackedPlane.Spot())
  }

  /// The place at a share of the way to another.
  func moved(by share: Double, towards other: PackedPlace) -> PackedPlace {
    func moved(_ a: Int32, _ b: Int32) -> Int32 { a &+ Int32(Double(b &- a) * share) }
    return PackedPlace(
      latitude: moved(latitude, other.latitude), longitude: moved(longitude, other.longitude))
  }
}

/// The Earth around a packed place as a plane, in metres to the east and to the north.
struct PackedPlane {
  struct Spot: Equatable {
    var x = 0.0
    var y = 0.0

    func distance(to other: Spot) -> Double {
      let (dx, dy) = (x - other.x, y - other.y)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  private let middle: PackedPlace
  private let east: Double
  private static let north = LocalPlane.perDegree / PackedPlace.perDegree

  init(around middle: PackedPlace) {
    self.middle = middle
    east = Self.north * max(LocalPlane.cosine(middle.coordinate.latitude), 1e-6)
  }

  func spot(_ place: PackedPlace) -> Spot {
    Spot(
      x: Double(place.longitude &- middle.longitude) * east,
      y: Double(place.latitude &- middle.latitude) * Self.north)
  }

  func place(_ spot: Spot) -> PackedPlace {
    PackedPlace(
      latitude: middle.latitude &+ Int32(truncatingIfNeeded: Int64(spot.y / Self.north)),
      longitude: middle.longitude &+ Int32(truncatingIfNeeded: Int64(spot.x / east)))
  }
}
