public import Foundation
import Geodesy
import LocationModel

/// The place of the device. A negative accuracy, course or speed means that it is unknown.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private final var fields = Fields(horizontalAccuracy: -1)

  /// All that it says; nothing of it changes.
  struct Fields: Sendable {
    var coordinate = CLLocationCoordinate2D()
    var altitude = 0.0
    var ellipsoidalAltitude = 0.0
    var horizontalAccuracy = 0.0
    var verticalAccuracy = -1.0
    var course = -1.0
    var courseAccuracy = -1.0
    var speed = -1.0
    var speedAccuracy = -1.0
    var timestamp = Date()
    var source: CLLocationSourceInformation?
  }

  // Each init is one that a subclass can call.
  public override init() {}

  convenience init(_ fields: Fields) {
    self.init()
    self.fields = fields
  }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    fields = Fields(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, timestamp: timestamp)
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, speed: speed, timestamp: timestamp)
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy,
      speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp)
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: courseAccuracy,
      speed: speed, speedAccuracy: speedAccuracy, timestamp: timestamp, source: sourceInfo)
  }

  open var coordinate: CLLocationCoordinate2D { fields.coordinate }
  /// Metres above mean sea level.
  open var altitude: CLLocationDistance { fields.altitude }
  /// Metres above the WGS 84 ellipsoid.
  open var ellipsoidalAltitude: CLLocationDistance { fields.ellipsoidalAltitude }
  open var horizontalAccuracy: CLLocationAccuracy { fields.horizontalAccuracy }
  open var verticalAccuracy: CLLocationAccuracy { fields.verticalAccuracy }
  open var course: CLLocationDirection { fields.course }
  open var courseAccuracy: CLLocationDirectionAccuracy { fields.courseAccuracy }
  open var speed: CLLocationSpeed { fields.speed }
  open var speedAccuracy: CLLocationSpeedAccuracy { fields.speedAccuracy }
  open var timestamp: Date { fields.timestamp }
  /// Always nil: no receiver on Linux says a floor.
  open var floor: CLFloor? { nil }
  open var sourceInformation: CLLocationSourceInformation? { fields.source }

  /// Metres along the WGS 84 ellipsoid; not a number where a coordinate is none.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    Coordinate(coordinate).distance(to: Coordinate(location.coordinate))
  }

  @available(*, deprecated, renamed: "distance(from:)")
  open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
    distance(from: location)
  }

  open override var description: String {
    let place = String(
      format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude,
      horizontalAccuracy)
    let way = String(format: "(speed %.2f mps / course %.2f)", speed, course)
    return "\(place) \(way) @ \(Self.date(timestamp))"
  }

  private static func date(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.dateStyle = .short
    formatter.timeStyle = .full
    return formatter.string(from: date)
  }

  // It never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    for (key, value) in Self.numbers { coder.encode(fields[keyPath: value], forKey: key) }
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    coder.encode(sourceInformation, forKey: "sourceInformation")
  }

  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "longitude") else {
      return nil
    }
    var fields = Fields()
    for (key, value) in Self.numbers { fields[keyPath: value] = coder.decodeDouble(forKey: key) }
    fields.coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    fields.timestamp = Date(
      timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    fields.source = coder.decodeObject(
      of: CLLocationSourceInformation.self, forKey: "sourceInformation")
    self.fields = fields
  }

  private static var numbers: [(String, WritableKeyPath<Fields, Double>)] {
    [
      ("altitude", \.altitude), ("ellipsoidalAltitude", \.ellipsoidalAltitude),
      ("horizontalAccuracy", \.horizontalAccuracy), ("verticalAccuracy", \.verticalAccuracy),
      ("course", \.course), ("courseAccuracy", \.courseAccuracy), ("speed", \.speed),
      ("speedAccuracy", \.speedAccuracy),
    ]
  }
}

/// The floor of a building; no receiver on Linux says one.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// 0 is the ground floor.
  open internal(set) var level = 0

  public override init() {}

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(level, forKey: "level")
  }

  public required init?(coder: NSCoder) {
    level = coder.decodeInteger(forKey: "level")
  }
}

/// The origin of a location.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// A recording or a fixed place, rather than a receiver.
  open internal(set) var isSimulatedBySoftware: Bool
  /// A receiver, which on Linux is always an accessory.
  open internal(set) var isProducedByAccessory: Bool

  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    isSimulatedBySoftware = isSoftware
    isProducedByAccessory = isAccessory
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: "simulated")
    coder.encode(isProducedByAccessory, forKey: "accessory")
  }

  public required init?(coder: NSCoder) {
    isSimulatedBySoftware = coder.decodeBool(forKey: "simulated")
    isProducedByAccessory = coder.decodeBool(forKey: "accessory")
  }
}
