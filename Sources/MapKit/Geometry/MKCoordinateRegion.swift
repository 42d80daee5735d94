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

  public init(_ rect: MKMapRect) {
    guard !rect.isNull else { return }
    func latitude(_ y: Double) -> Double {
      MKMapPoint(x: 0, y: min(max(y, 0), MKMapSize.world.height)).coordinate.latitude
    }
    let (top, bottom) = (latitude(rect.minY), latitude(rect.maxY))
    center = CLLocationCoordinate2D(
      latitude: (top + bottom) / 2,
      longitude: MKMapPoint(x: rect.midX, y: 0).onWorld.coordinate.longitude)
    span = MKCoordinateSpan(
      latitudeDelta: top - bottom,
      longitudeDelta: min(rect.size.width / MKMapSize.world.width, 1) * 360)
  }

  /// The smallest that has all of the places, across the date line where that is shorter.
  init(around places: [Coordinate]) {
    let places = places.filter(\.isValid)
    guard let south = places.map(\.latitude).min(), let north = places.map(\.latitude).max() else {
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
    center = CLLocationCoordinate2D(
      latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle)
    // A single place has some room around it.
    span = MKCoordinateSpan(
      latitudeDelta: max(north - south, 0.01), longitudeDelta: max(width, 0.01))
  }

  /// Its part of the flat map, which may go on beyond an edge.
  var rect: MKMapRect {
    func point(_ latitude: Double) -> MKMapPoint {
      MKMapPoint(
        CLLocationCoordinate2D(
          latitude: min(max(latitude, -90), 90), longitude: center.longitude))
    }
    guard circle != nil else { return .null }
    let (north, south) = (
      point(center.latitude + span.latitudeDelta / 2),
      point(center.latitude - span.latitudeDelta / 2)
    )
    let width = min(span.longitudeDelta / 360, 1) * MKMapSize.world.width
    return MKMapRect(x: north.x - width / 2, y: north.y, width: width, height: south.y - north.y)
  }

  /// A circle around the center that has the corners.
  var circle: (center: Coordinate, radius: Double)? {
    let middle = Coordinate(latitude: center.latitude, longitude: center.longitude)
    guard middle.isValid, span.latitudeDelta >= 0, span.longitudeDelta >= 0 else { return nil }
    let corner = Coordinate(
      latitude: max(-90, middle.latitude - span.latitudeDelta / 2),
      longitude: middle.longitude - min(span.longitudeDelta / 2, 180))
    return (middle, max(1, middle.distance(to: corner)))
  }
}
