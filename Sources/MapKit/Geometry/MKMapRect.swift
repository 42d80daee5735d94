public import CoreLocation
import Foundation
import Geodesy
import LocationModel

/// A place on the flat map: Mercator's, 2^28 points wide, from the north-west corner.
public struct MKMapPoint: Sendable {
  public var x = 0.0
  public var y = 0.0

  public init() {}

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public init(_ coordinate: CLLocationCoordinate2D) {
    guard CLLocationCoordinate2DIsValid(coordinate) else {
      (x, y) = (-1, -1)
      return
    }
    let world = MKMapSize.world.width
    let angle = coordinate.latitude * .pi / 180
    x = (coordinate.longitude + 180) / 360 * world
    y = min(max((0.5 - asinh(tan(angle)) / (2 * .pi)) * world, 0), world)
  }

  public var coordinate: CLLocationCoordinate2D {
    let world = MKMapSize.world.width
    guard x >= 0, x <= world, y >= 0, y <= world else { return kCLLocationCoordinate2DInvalid }
    return CLLocationCoordinate2D(
      latitude: atan(sinh((0.5 - y / world) * 2 * .pi)) * 180 / .pi,
      longitude: x / world * 360 - 180)
  }

  /// The same place within the edges of the map.
  var onWorld: MKMapPoint {
    let world = MKMapSize.world.width
    guard x < 0 || x > world, x.isFinite else { return self }
    return MKMapPoint(x: x - (x / world).rounded(.down) * world, y: y)
  }

  /// Metres along the Earth.
  public func distance(to other: MKMapPoint) -> CLLocationDistance {
    let (a, b) = (coordinate, other.coordinate)
    return Coordinate(latitude: a.latitude, longitude: a.longitude)
      .distance(to: Coordinate(latitude: b.latitude, longitude: b.longitude))
  }
}

public struct MKMapSize: Sendable {
  public var width = 0.0
  public var height = 0.0

  public init() {}

  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  public static let world = MKMapSize(width: 268_435_456, height: 268_435_456)
}

/// A rectangle of the flat map.
public struct MKMapRect: Sendable {
  public var origin = MKMapPoint()
  public var size = MKMapSize()

  public init() {}

  public init(origin: MKMapPoint, size: MKMapSize) {
    self.origin = origin
    self.size = size
  }

  public init(x: Double, y: Double, width: Double, height: Double) {
    origin = MKMapPoint(x: x, y: y)
    size = MKMapSize(width: width, height: height)
  }

  public static let null = MKMapRect(x: .infinity, y: .infinity, width: 0, height: 0)
  public static let world = MKMapRect(origin: MKMapPoint(), size: .world)

  public var minX: Double { origin.x }
  public var minY: Double { origin.y }
  public var midX: Double { origin.x + size.width / 2 }
  public var midY: Double { origin.y + size.height / 2 }
  public var maxX: Double { origin.x + size.width }
  public var maxY: Double { origin.y + size.height }
  public var width: Double { size.width }
  public var height: Double { size.height }

  var middle: CLLocationCoordinate2D { MKMapPoint(x: midX, y: midY).onWorld.coordinate }

  public var isNull: Bool { origin.x.isInfinite || origin.y.isInfinite }
  public var isEmpty: Bool { isNull || size.width == 0 && size.height == 0 }

  public func union(_ other: MKMapRect) -> MKMapRect {
    if isNull { return other }
    if other.isNull { return self }
    let (x, y) = (min(minX, other.minX), min(minY, other.minY))
    return MKMapRect(
      x: x, y: y, width: max(maxX, other.maxX) - x, height: max(maxY, other.maxY) - y)
  }

  public func intersection(_ other: MKMapRect) -> MKMapRect {
    guard !isNull, !other.isNull else { return .null }
    let (x, y) = (max(minX, other.minX), max(minY, other.minY))
    let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
    guard x <= right, y <= bottom else { return .null }
    return MKMapRect(x: x, y: y, width: right - x, height: bottom - y)
  }

  public func intersects(_ other: MKMapRect) -> Bool { !intersection(other).isNull }

  public func insetBy(dx: Double, dy: Double) -> MKMapRect {
    guard !isNull, size.width - 2 * dx >= 0, size.height - 2 * dy >= 0 else { return .null }
    return MKMapRect(
      x: minX + dx, y: minY + dy, width: size.width - 2 * dx, height: size.height - 2 * dy)
  }

  public func offsetBy(dx: Double, dy: Double) -> MKMapRect {
    MKMapRect(x: minX + dx, y: minY + dy, width: size.width, height: size.height)
  }

  public func contains(_ point: MKMapPoint) -> Bool {
    point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
  }

  public func contains(_ rect: MKMapRect) -> Bool {
    !isNull && !rect.isNull && minX <= rect.minX && minY <= rect.minY && maxX >= rect.maxX
      && maxY >= rect.maxY
  }

  /// Whether it goes on beyond an edge of the map: there is the other edge's side.
  public var spans180thMeridian: Bool {
    !isNull && (minX < 0 || maxX > MKMapSize.world.width)
  }

  /// This part of the map, a world to the east or west where that is nearer to another.
  func nearest(to other: MKMapRect) -> MKMapRect {
    let world = MKMapSize.world.width
    let worlds = ((other.midX - midX) / world).rounded()
    return isNull || !worlds.isFinite ? self : offsetBy(dx: worlds * world, dy: 0)
  }

  /// The part beyond an edge of the map, where it lies on the map; null without one.
  public var remainder: MKMapRect {
    guard spans180thMeridian else { return .null }
    let world = MKMapSize.world.width
    let isWest = minX < 0
    let width = min(isWest ? -minX : maxX - world, size.width)
    return MKMapRect(
      x: isWest ? world + minX : max(minX, world) - world, y: minY, width: width,
      height: size.height)
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMapPointEqualToPoint(_ point1: MKMapPoint, _ point2: MKMapPoint) -> Bool {
  point1.x == point2.x && point1.y == point2.y
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMapSizeEqualToSize(_ size1: MKMapSize, _ size2: MKMapSize) -> Bool {
  size1.width == size2.width && size1.height == size2.height
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMapRectEqualToRect(_ rect1: MKMapRect, _ rect2: MKMapRect) -> Bool {
  MKMapPointEqualToPoint(rect1.origin, rect2.origin) && MKMapSizeEqualToSize(rect1.size, rect2.size)
}

/// Metres that a point of the map is high there, along the meridian of the ellipsoid.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMetersPerMapPointAtLatitude(_ latitude: CLLocationDegrees) -> CLLocationDistance {
  let (axis, eccentricity) = (6_378_137.0, 0.006_694_379_990_14)
  let angle = latitude * .pi / 180
  let curved = 1 - eccentricity * sin(angle) * sin(angle)
  let radius = axis * (1 - eccentricity) / (curved * curved.squareRoot())
  return cos(angle) * 2 * .pi * radius / MKMapSize.world.width
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func MKMapPointsPerMeterAtLatitude(_ latitude: CLLocationDegrees) -> Double {
  1 / MKMetersPerMapPointAtLatitude(latitude)
}
