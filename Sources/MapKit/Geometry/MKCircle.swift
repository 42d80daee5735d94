public import CoreLocation
import Foundation
import Geodesy
import LocationModel

/// A circle on the Earth.
open class MKCircle: MKShape, MKOverlay {
  private let center: CLLocationCoordinate2D
  /// Metres.
  open internal(set) var radius: CLLocationDistance

  /// A circle of a subclass that says where it lies itself.
  public override init() {
    center = kCLLocationCoordinate2DInvalid
    radius = 0
  }

  public init(center coord: CLLocationCoordinate2D, radius: CLLocationDistance) {
    center = coord
    self.radius = radius
  }

  /// The circle in the middle of a rectangle that touches its longer sides.
  public init(mapRect: MKMapRect) {
    center = mapRect.middle
    let points = max(mapRect.width, mapRect.height) / 2
    radius = points * MKMetersPerMapPointAtLatitude(center.latitude)
  }

  open override var coordinate: CLLocationCoordinate2D { center }

  /// With a pole in the circle the whole girth of the Earth.
  open var boundingMapRect: MKMapRect {
    let middle = Coordinate(latitude: center.latitude, longitude: center.longitude)
    guard middle.isValid, radius >= 0, radius.isFinite else { return .null }
    let angle = radius / 6_371_009
    let toPole = (90 - middle.latitude.magnitude) * .pi / 180
    let hasPole = angle >= toPole
    func y(towards direction: Double) -> Double {
      let isOver = hasPole && (direction == 0) == (middle.latitude >= 0) || angle >= .pi / 2
      let latitude =
        isOver
        ? (direction == 0 ? 90 : -90) : middle.moved(radius, towards: direction).latitude
      return MKMapPoint(CLLocationCoordinate2D(latitude: latitude, longitude: 0)).y
    }
    let world = MKMapSize.world.width
    let half = hasPole ? world / 2 : asin(min(1, sin(angle) / sin(toPole))) / (2 * .pi) * world
    let (x, north, south) = (MKMapPoint(center).x, y(towards: 0), y(towards: 180))
    return MKMapRect(x: x - half, y: north, width: 2 * half, height: south - north)
  }
}
