public import CoreLocation
public import Foundation
import LocationModel

/// A thing that lies on a part of a map.
public protocol MKOverlay: MKAnnotation {
  var boundingMapRect: MKMapRect { get }
  func intersects(_ mapRect: MKMapRect) -> Bool
  func canReplaceMapContent() -> Bool
}

extension MKOverlay {
  public func intersects(_ mapRect: MKMapRect) -> Bool { boundingMapRect.intersects(mapRect) }
  public func canReplaceMapContent() -> Bool { false }
}

/// Several points of the flat map, in order. They stay where they are as long as the object lives.
open class MKMultiPoint: MKShape {
  private let first: UnsafeMutablePointer<MKMapPoint>
  private let count: Int

  init(_ points: [MKMapPoint]) {
    count = points.count
    // Without a point there is an address, too.
    first = .allocate(capacity: max(count, 1))
    _ = UnsafeMutableBufferPointer(start: first, count: count).initialize(fromContentsOf: points)
    super.init()
  }

  deinit { first.deallocate() }

  private var all: UnsafeMutableBufferPointer<MKMapPoint> {
    UnsafeMutableBufferPointer(start: first, count: count)
  }

  open var pointCount: Int { count }

  /// The first of `pointCount` points.
  open func points() -> UnsafeMutablePointer<MKMapPoint> { first }

  /// Writes the places of a range, as far as there are any.
  open func getCoordinates(
    _ coords: UnsafeMutablePointer<CLLocationCoordinate2D>, range: NSRange
  ) {
    guard range.location >= 0, range.length > 0, range.location < all.count else { return }
    let end = min(range.length, all.count - range.location)
    for i in 0..<end { coords[i] = place(all[range.location + i]) }
  }

  /// Half of the way along the line, by its points.
  open override var coordinate: CLLocationCoordinate2D {
    count == 0 ? kCLLocationCoordinate2DInvalid : place(all[count / 2])
  }

  /// Where the points lie on the map; a line over the date line goes on beyond its edge.
  var rect: MKMapRect {
    guard let first = all.first else { return .null }
    var (west, east, north, south) = (first.x, first.x, first.y, first.y)
    for point in all.dropFirst() {
      (west, east) = (min(west, point.x), max(east, point.x))
      (north, south) = (min(north, point.y), max(south, point.y))
    }
    return MKMapRect(x: west, y: north, width: east - west, height: south - north)
  }

  private func place(_ point: MKMapPoint) -> CLLocationCoordinate2D {
    let world = MKMapSize.world.width
    var x = point.x
    if x > world { x -= world } else if x < 0 { x += world }
    return MKMapPoint(x: x, y: point.y).coordinate
  }
}

/// A line on a map, from point to point.
open class MKPolyline: MKMultiPoint, MKOverlay {
  public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
    self.init(Array(UnsafeBufferPointer(start: points, count: max(count, 0))))
  }

  public convenience init(coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    let places = UnsafeBufferPointer(start: coordinates, count: max(count, 0))
    self.init(Self.unrolled(places.map { MKMapPoint($0) }))
  }

  convenience init(_ line: [Coordinate]) {
    self.init(
      Self.unrolled(
        line.map {
          MKMapPoint(CLLocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude))
        }))
  }

  open var boundingMapRect: MKMapRect { rect }

  /// Each point on that side of the date line that is nearer to the point before.
  private static func unrolled(_ points: [MKMapPoint]) -> [MKMapPoint] {
    let world = MKMapSize.world.width
    var line = points
    for i in line.indices.dropFirst() {
      let way = line[i].x - line[i - 1].x
      if way.magnitude > world / 2 { line[i].x -= world * (way / world).rounded() }
    }
    return line
  }
}
