public import CoreLocation
import Geodesy
import LocationModel

public struct MKCoordinateSpan: Sendable {
  public var latitudeDelta: CLLocationDegrees = 0
  public var longitudeDelta: CLLocationDegrees = 0

  public init() {}

  public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
    self.latitudeDelta = latitudeDelta
    self.longitudeDelta = longitudeDelta
  }
}

/// A part of a map, in degrees.
public struct MKCoordinateRegion: Sendable {
  public var center = CLLocationCoordinate2D()
  public var span = MKCoordinateSpan()

  public init() {}

  public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
    self.center = center
    self.span = span
  }

  /// So many metres from south to north, and from west to east.
  public init(
    center: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance,
    longitudinalMeters: CLLocationDistance
  ) {
    self.center = center
    let middle = Coordinate(latitude: center.latitude, longitude: center.longitude)
    guard middle.isValid else { return }
    func half(_ metres: Double) -> Double {
      metres.isFinite ? min(max(metres, 0), 40_000_000) / 2 : 0
    }
    /// Beyond a quarter of the Earth's girth the way bends back.
    func degrees(_ metres: Double, towards direction: Double) -> Double {
      let near = min(metres, 1000)
      guard near > 0 else { return 0 }
      let moved = middle.moved(near, towards: direction)
      let turn =
        direction != 90
        ? (moved.latitude - middle.latitude).magnitude
        : (moved.longitude - middle.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
      return turn.magnitude * (metres / near)
    }
    let latitude = degrees(half(latitudinalMeters), towards: middle.latitude > 0 ? 180 : 0)
    let isBeside = middle.latitude.magnitude < 89.9
    let longitude = isBeside ? degrees(half(longitudinalMeters), towards: 90) : 180
    span = MKCoordinateSpan(
      latitudeDelta: min(latitude * 2, 180), longitudeDelta: min(longitude * 2, 360))
  }

  /// Its center is the middle of the rectangle, as the flat map has it.
  public init(_ rect: MKMapRect) {
    guard !rect.isNull else { return }
    let (width, height) = (MKMapSize.world.width, MKMapSize.world.height)
    let (top, bottom) = (min(max(rect.minY, 0), height), min(max(rect.maxY, 0), height))
    func latitude(_ y: Double) -> Double { MKMapPoint(x: 0, y: y).coordinate.latitude }
    center = CLLocationCoordinate2D(
      latitude: latitude((top + bottom) / 2),
      longitude: MKMapPoint(x: rect.midX, y: 0).onWorld.coordinate.longitude)
    span = MKCoordinateSpan(
      latitudeDelta: latitude(top) - latitude(bottom),
      longitudeDelta: min(rect.width.magnitude / width, 1) * 360)
  }

  /// From one parallel to another, with its center in their middle on the flat map.
  init(from south: Double, to north: Double, longitude: Double, width: Double) {
    func y(_ latitude: Double) -> Double {
      MKMapPoint(CLLocationCoordinate2D(latitude: latitude, longitude: 0)).y
    }
    let middle = MKMapPoint(x: 0, y: (y(south) + y(north)) / 2).coordinate.latitude
    center = CLLocationCoordinate2D(latitude: middle, longitude: longitude)
    span = MKCoordinateSpan(latitudeDelta: north - south, longitudeDelta: width)
  }

  /// The smallest that has all of the places, across the date line where that is shorter.
  init(around places: [Coordinate]) {
    let places = places.filter(\.isValid)
    guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max() else {
      self.init()
      return
    }
    let longitudes = places.map(\.longitude).sorted()
    // The widest gap is left out.
    var (west, width) = (longitudes[0], longitudes[longitudes.count - 1] - longitudes[0])
    for (before, after) in zip(longitudes, longitudes.dropFirst())
    where 360 - (after - before) < width {
      (west, width) = (after, 360 - (after - before))
    }
    let middle = west + width / 2
    self.init(
      from: south, to: north, longitude: middle > 180 ? middle - 360 : middle, width: width)
    // A single place has some room around it.
    span.latitudeDelta = max(span.latitudeDelta, 0.01)
    span.longitudeDelta = max(span.longitudeDelta, 0.01)
  }

  /// Its part of the flat map, with the center in the middle; it may go on beyond an edge to the east or west.
  var rect: MKMapRect {
    guard circle != nil else { return .null }
    let (world, middle) = (MKMapSize.world, MKMapPoint(center))
    let width = min(span.longitudeDelta / 360, 1) * world.width
    // Mercator's y of the center is t, and h farther lie both edges: tan(span / 2) = sinh(h) / cosh(t).
    let t = (0.5 - middle.y / world.height) * 2 * .pi
    let slope = tan(min(span.latitudeDelta, 179.999) / 2 * .pi / 180)
    let half = asinh(slope * cosh(t)) / (2 * .pi) * world.height
    let (top, bottom) = (max(middle.y - half, 0), min(middle.y + half, world.height))
    return MKMapRect(x: middle.x - width / 2, y: top, width: width, height: bottom - top)
  }

  /// A circle around the center that reaches the corners, which are half of the span away.
  var circle: (center: Coordinate, radius: Double)? {
    let middle = Coordinate(latitude: center.latitude, longitude: center.longitude)
    guard middle.isValid, span.latitudeDelta >= 0, span.longitudeDelta >= 0 else { return nil }
    let corner = Coordinate(
      latitude: max(-90, middle.latitude - span.latitudeDelta / 2),
      longitude: middle.longitude - min(span.longitudeDelta / 2, 180))
    return (middle, max(1, middle.distance(to: corner)))
  }
}
