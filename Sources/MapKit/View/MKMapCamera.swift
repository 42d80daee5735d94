public import CoreLocation
public import Foundation
import LocationClient

/// The place from which a map is looked at. The page looks straight down, with north above: pitch and heading are kept
/// and not shown.
open class MKMapCamera: NSObject, NSCopying, NSSecureCoding {
  open var centerCoordinate = CLLocationCoordinate2D() { didSet { changed() } }
  /// In metres, from the middle of the map to the eye.
  open var centerCoordinateDistance: CLLocationDistance = 0 { didSet { changed() } }
  open var pitch: CGFloat = 0 { didSet { changed() } }
  open var heading: CLLocationDirection = 0 { didSet { changed() } }
  /// Told of changes, where a map has handed the camera out.
  var watch: CameraWatch?

  /// A view has half of this angle above its middle, in radians.
  static let halfAngle = 15.0 * Double.pi / 180

  public override init() {}

  public convenience init(
    lookingAtCenter centerCoordinate: CLLocationCoordinate2D,
    fromDistance distance: CLLocationDistance, pitch: CGFloat, heading: CLLocationDirection
  ) {
    self.init()
    self.centerCoordinate = centerCoordinate
    centerCoordinateDistance = distance
    self.pitch = pitch
    self.heading = heading
  }

  public convenience init(
    lookingAtCenter centerCoordinate: CLLocationCoordinate2D,
    fromEyeCoordinate eyeCoordinate: CLLocationCoordinate2D, eyeAltitude: CLLocationDistance
  ) {
    let middle = CLLocation(
      latitude: centerCoordinate.latitude, longitude: centerCoordinate.longitude)
    let away = middle.distance(
      from: CLLocation(latitude: eyeCoordinate.latitude, longitude: eyeCoordinate.longitude))
    self.init(
      lookingAtCenter: centerCoordinate,
      fromDistance: (away * away + eyeAltitude * eyeAltitude).squareRoot(),
      pitch: CGFloat(atan2(away, eyeAltitude) * 180 / .pi), heading: 0)
  }

  /// So far away that the whole place is seen, a street's length at least.
  public convenience init(
    lookingAt mapItem: MKMapItem, forViewSize viewSize: CGSize, allowPitch: Bool
  ) {
    let radius = (mapItem.placemark.region as? CLCircularRegion)?.radius ?? 0
    self.init(
      lookingAtCenter: mapItem.placemark.coordinate,
      fromDistance: max(radius, 250) / tan(Self.halfAngle), pitch: 0, heading: 0)
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(centerCoordinate.latitude, forKey: "latitude")
    coder.encode(centerCoordinate.longitude, forKey: "longitude")
    coder.encode(centerCoordinateDistance, forKey: "distance")
    coder.encode(Double(pitch), forKey: "pitch")
    coder.encode(heading, forKey: "heading")
  }

  public required init?(coder: NSCoder) {
    super.init()
    centerCoordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    centerCoordinateDistance = coder.decodeDouble(forKey: "distance")
    pitch = CGFloat(coder.decodeDouble(forKey: "pitch"))
    heading = coder.decodeDouble(forKey: "heading")
  }

  /// Above the ground, in metres.
  open var altitude: CLLocationDistance {
    get { centerCoordinateDistance * cos(Double(pitch) * .pi / 180) }
    set {
      let cosine = cos(Double(pitch) * .pi / 180)
      centerCoordinateDistance = cosine > 0.01 ? newValue / cosine : newValue
    }
  }

  private func changed() {
    watch?.tell(
      CameraLook(
        center: centerCoordinate, distance: centerCoordinateDistance, pitch: pitch,
        heading: heading))
  }

  /// A copy moves no map.
  open func copy(with zone: NSZone? = nil) -> Any {
    MKMapCamera(
      lookingAtCenter: centerCoordinate, fromDistance: centerCoordinateDistance, pitch: pitch,
      heading: heading)
  }

  /// The region that is as high as what it sees, and no wider than a map of this size shows; nil for any size.
  func region(in size: CGSize?) -> MKCoordinateRegion? {
    let height = 2 * centerCoordinateDistance * tan(Self.halfAngle)
    guard CLLocationCoordinate2DIsValid(centerCoordinate), height > 0, height < 4e7 else {
      return nil
    }
    let part = size.map { min(Double($0.width / $0.height), 1) } ?? 1
    return MKCoordinateRegion(
      center: centerCoordinate, latitudinalMeters: height, longitudinalMeters: height * part)
  }

  static func distance(of region: MKCoordinateRegion) -> CLLocationDistance {
    region.span.latitudeDelta * MKMapCamera.metresPerDegree / 2 / tan(halfAngle)
  }

  private static let metresPerDegree = 111_319.5
}

struct CameraLook: Sendable {
  var center: CLLocationCoordinate2D
  var distance: CLLocationDistance
  var pitch: CGFloat
  var heading: CLLocationDirection
}

/// Changes by the app of a camera that a map has handed out, on their way to the map.
final class CameraWatch: Sendable {
  private let newest = Guarded<CameraLook?>(nil)
  private let wake: @Sendable () -> Void

  init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func tell(_ look: CameraLook) {
    newest.withLock { $0 = look }
    wake()
  }

  func take() -> CameraLook? {
    newest.withLock { look in
      defer { look = nil }
      return look
    }
  }
}

/// How near and how far a camera may be; `MKMapCameraZoomDefault` for no bound.
open class MKMapCameraZoomRange: NSObject {
  open internal(set) var minCenterCoordinateDistance: CLLocationDistance
  open internal(set) var maxCenterCoordinateDistance: CLLocationDistance

  /// Nil for a range that is none.
  public init?(
    minCenterCoordinateDistance: CLLocationDistance = MKMapCameraZoomDefault,
    maxCenterCoordinateDistance: CLLocationDistance = MKMapCameraZoomDefault
  ) {
    let (least, most) = (minCenterCoordinateDistance, maxCenterCoordinateDistance)
    guard least.isFinite, most.isFinite, least < 0 || most < 0 || least <= most else { return nil }
    self.minCenterCoordinateDistance = least
    self.maxCenterCoordinateDistance = most
  }

  public convenience init?(minCenterCoordinateDistance least: CLLocationDistance) {
    self.init(
      minCenterCoordinateDistance: least, maxCenterCoordinateDistance: MKMapCameraZoomDefault)
  }

  public convenience init?(maxCenterCoordinateDistance most: CLLocationDistance) {
    self.init(
      minCenterCoordinateDistance: MKMapCameraZoomDefault, maxCenterCoordinateDistance: most)
  }

  func clamped(_ distance: CLLocationDistance) -> CLLocationDistance {
    var result = distance
    if maxCenterCoordinateDistance >= 0 { result = min(result, maxCenterCoordinateDistance) }
    if minCenterCoordinateDistance >= 0 { result = max(result, minCenterCoordinateDistance) }
    return result
  }
}

extension MKMapView {
  public typealias CameraZoomRange = MKMapCameraZoomRange
  public typealias CameraBoundary = MKMapCameraBoundary
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKMapCameraZoomDefault: CLLocationDistance = -1

/// The middle of the map stays in this region.
open class MKMapCameraBoundary: NSObject {
  open internal(set) var region: MKCoordinateRegion
  public var mapRect: MKMapRect { region.rect }

  public init?(coordinateRegion region: MKCoordinateRegion) {
    guard region.circle != nil else { return nil }
    self.region = region
  }

  public convenience init?(mapRect: MKMapRect) {
    guard !mapRect.isNull else { return nil }
    self.init(coordinateRegion: MKCoordinateRegion(mapRect))
  }

  func clamped(_ place: CLLocationCoordinate2D) -> CLLocationCoordinate2D {
    let (middle, span) = (region.center, region.span)
    func near(_ value: Double, _ middle: Double, _ span: Double) -> Double {
      min(max(value, middle - span / 2), middle + span / 2)
    }
    // The shorter way around the Earth.
    var longitude = place.longitude
    if longitude - middle.longitude > 180 { longitude -= 360 }
    if longitude - middle.longitude < -180 { longitude += 360 }
    let inside = near(longitude, middle.longitude, span.longitudeDelta)
    return CLLocationCoordinate2D(
      latitude: near(place.latitude, middle.latitude, span.latitudeDelta),
      longitude: inside > 180 ? inside - 360 : inside < -180 ? inside + 360 : inside)
  }
}
