public import CoreLocation

/// An area on a map, and the holes in it.
open class MKPolygon: MKMultiPoint, MKOverlay {
  open internal(set) var interiorPolygons: [MKPolygon]?

  public override init() {
    interiorPolygons = nil
  }

  public init(points: UnsafePointer<MKMapPoint>, count: Int) {
    interiorPolygons = nil
    super.init()
    fill(points, count)
  }

  public init(points: UnsafePointer<MKMapPoint>, count: Int, interiorPolygons: [MKPolygon]?) {
    self.interiorPolygons = interiorPolygons
    super.init()
    fill(points, count)
  }

  public init(coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    interiorPolygons = nil
    super.init()
    fill(coordinates, count)
  }

  public init(
    coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int, interiorPolygons: [MKPolygon]?
  ) {
    self.interiorPolygons = interiorPolygons
    super.init()
    fill(coordinates, count)
  }

  open var boundingMapRect: MKMapRect { rect }

  /// The center of the area, without regard to holes.
  open override var coordinate: CLLocationCoordinate2D {
    guard let first = all.first else { return kCLLocationCoordinate2DInvalid }
    var (area, x, y) = (0.0, 0.0, 0.0)
    var before = MKMapPoint()
    for i in 1...all.count {
      let next = all[i % all.count]
      let point = MKMapPoint(x: next.x - first.x, y: next.y - first.y)
      let part = before.x * point.y - point.x * before.y
      area += part
      x += (before.x + point.x) * part
      y += (before.y + point.y) * part
      before = point
    }
    guard area.magnitude > 1e-6 else { return rect.middle }
    return place(MKMapPoint(x: first.x + x / (3 * area), y: first.y + y / (3 * area)))
  }
}

/// Several areas as one thing.
open class MKMultiPolygon: MKShape, MKOverlay, MKGeoJSONObject {
  open internal(set) var polygons: [MKPolygon]

  public init(_ polygons: [MKPolygon]) {
    self.polygons = polygons
  }

  open var boundingMapRect: MKMapRect { polygons.reduce(.null) { $0.union($1.boundingMapRect) } }

  /// The middle of all.
  open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
}
