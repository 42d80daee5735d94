public import CoreLocation
public import Foundation
import Geodesy
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
open class MKMultiPoint: MKShape, MKGeoJSONObject {
  // Without a point there is an address, too.
  private final var first = UnsafeMutablePointer<MKMapPoint>.allocate(capacity: 1)
  private final var count = 0
  /// Where the points lie on the map; a line over the date line goes on beyond its edge.
  private(set) final var rect = MKMapRect.null

  /// Without points.
  public override init() {}

  /// Called once, by who makes the object.
  final func fill(_ points: [MKMapPoint]) {
    guard !points.isEmpty else { return }
    first.deallocate()
    count = points.count
    first = .allocate(capacity: count)
    _ = UnsafeMutableBufferPointer(start: first, count: count).initialize(fromContentsOf: points)
    rect = Self.rect(around: points)
  }

  final func fill(_ points: UnsafePointer<MKMapPoint>, _ count: Int) {
    fill(Array(UnsafeBufferPointer(start: points, count: max(count, 0))))
  }

  final func fill(_ places: UnsafePointer<CLLocationCoordinate2D>, _ count: Int) {
    fill(
      Self.unrolled(UnsafeBufferPointer(start: places, count: max(count, 0)).map { MKMapPoint($0) })
    )
  }

  convenience init(_ points: [MKMapPoint]) {
    self.init()
    fill(points)
  }

  deinit { first.deallocate() }

  final var all: UnsafeMutableBufferPointer<MKMapPoint> {
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

  /// The part of the length that lies before a point, from 0 to 1.
  open func location(atPointIndex index: Int) -> CGFloat {
    (0..<count).contains(index) ? locations(at: IndexSet(integer: index)).first ?? 0 : 0
  }

  open func locations(at indexes: IndexSet) -> [CGFloat] {
    var lengths = [0.0]
    for (a, b) in zip(all, all.dropFirst()) {
      lengths.append(
        (lengths.last ?? 0) + ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot())
    }
    let whole = lengths.last ?? 0
    return indexes.filter { $0 < count }.map { whole > 0 ? CGFloat(lengths[$0] / whole) : 0 }
  }

  /// Half of the way along the line, by its points.
  open override var coordinate: CLLocationCoordinate2D {
    count == 0 ? kCLLocationCoordinate2DInvalid : place(all[count / 2])
  }

  private static func rect(around points: [MKMapPoint]) -> MKMapRect {
    guard let first = points.first else { return .null }
    var (west, east, north, south) = (first.x, first.x, first.y, first.y)
    for point in points.dropFirst() {
      (west, east) = (min(west, point.x), max(east, point.x))
      (north, south) = (min(north, point.y), max(south, point.y))
    }
    return MKMapRect(x: west, y: north, width: east - west, height: south - north)
  }

  final func place(_ point: MKMapPoint) -> CLLocationCoordinate2D { point.onWorld.coordinate }

  /// Each point on that side of the date line that is nearer to the point before.
  static func unrolled(_ points: [MKMapPoint]) -> [MKMapPoint] {
    let world = MKMapSize.world.width
    var line = points
    for i in line.indices.dropFirst() {
      let way = line[i].x - line[i - 1].x
      if way.magnitude > world / 2 { line[i].x -= world * (way / world).rounded() }
    }
    return line
  }
}

/// A line on a map, from point to point.
open class MKPolyline: MKMultiPoint, MKOverlay {
  public override init() {}

  public init(points: UnsafePointer<MKMapPoint>, count: Int) {
    super.init()
    fill(points, count)
  }

  public init(coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    super.init()
    fill(coordinates, count)
  }

  convenience init(_ line: [Coordinate]) {
    self.init()
    fill(line)
  }

  final func fill(_ line: [Coordinate]) {
    fill(
      Self.unrolled(
        line.map {
          MKMapPoint(CLLocationCoordinate2D(latitude: $0.latitude, longitude: $0.longitude))
        }))
  }

  open var boundingMapRect: MKMapRect { rect }

  /// The line that the page is told.
  var drawn: MKPolyline { self }
}

/// A line along the shortest way over the Earth, which is bent on a flat map.
open class MKGeodesicPolyline: MKPolyline {
  private var places: [Coordinate] = []

  public override init() { super.init() }

  public override init(points: UnsafePointer<MKMapPoint>, count: Int) {
    super.init()
    let points = UnsafeBufferPointer(start: points, count: max(count, 0))
    bend(points.map { $0.onWorld.coordinate })
  }

  public override init(coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    super.init()
    bend(Array(UnsafeBufferPointer(start: coordinates, count: max(count, 0))))
  }

  /// The metres of its straight pieces are Apple's: apps go along the points in even steps.
  private func bend(_ places: [CLLocationCoordinate2D]) {
    self.places = places.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
      .filter(\.isValid)
    fill(bent(by: 1000))
  }

  /// The flat map shows no bend in such a piece.
  override var drawn: MKPolyline { MKPolyline(bent(by: 50_000)) }

  private func bent(by piece: Double) -> [Coordinate] {
    var line = Array(places.prefix(1))
    for (from, to) in zip(places, places.dropFirst()) {
      let count = max(1, (from.distance(to: to) / piece).rounded(.up))
      let (a, b) = (from.geocentric, to.geocentric)
      for i in 1..<max(Int(count), 1) {
        // The chord's points, put up to the surface: on the great ellipse, metres beside the shortest way.
        let part = Double(i) / count
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        line.append(Coordinate(geocentric: mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)))
      }
      line.append(to)
    }
    return line
  }
}

/// Several lines as one thing.
open class MKMultiPolyline: MKShape, MKOverlay, MKGeoJSONObject {
  open internal(set) var polylines: [MKPolyline]

  public init(_ polylines: [MKPolyline]) {
    self.polylines = polylines
  }

  open var boundingMapRect: MKMapRect {
    polylines.reduce(.null) { $0.union($1.boundingMapRect) }
  }

  /// The middle of all.
  open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
}
