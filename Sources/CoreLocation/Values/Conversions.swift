import Foundation
import Geodesy
import LocationModel

// Between the daemon's words and Core Location's: only here is the unknown -1, the distant past or the
// distant future.

extension Coordinate {
  init(_ coordinate: CLLocationCoordinate2D) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension CLLocationCoordinate2D {
  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}

extension Date {
  init(_ timestamp: Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.microseconds) / 1e6)
  }
}

extension CLLocation {
  convenience init(_ location: Location) {
    self.init(
      Fields(
        coordinate: CLLocationCoordinate2D(location.coordinate),
        altitude: location.altitude ?? 0,
        ellipsoidalAltitude: location.ellipsoidalAltitude ?? 0,
        horizontalAccuracy: location.horizontalAccuracy,
        verticalAccuracy: location.altitude == nil ? -1 : location.verticalAccuracy ?? -1,
        course: location.course ?? -1, courseAccuracy: location.courseAccuracy ?? -1,
        speed: location.speed ?? -1, speedAccuracy: location.speedAccuracy ?? -1,
        timestamp: Date(location.timestamp),
        source: CLLocationSourceInformation(
          softwareSimulationState: location.simulated,
          andExternalAccessoryState: !location.simulated)))
  }
}

extension CLHeading {
  convenience init(_ heading: Heading, from orientation: CLDeviceOrientation) {
    /// The direction of the edge that the app measures from.
    func turned(_ direction: Double?) -> Double {
      direction.map { ($0 + orientation.turn).truncatingRemainder(dividingBy: 360) } ?? -1
    }
    self.init(
      magnetic: turned(heading.magneticHeading), true: turned(heading.trueHeading),
      accuracy: heading.accuracy ?? -1, at: Date(heading.timestamp))
  }
}

extension CLDeviceOrientation {
  /// Degrees, clockwise, from the device's top to the edge that is up.
  fileprivate var turn: Double {
    switch self {
    case .portraitUpsideDown: 180
    case .landscapeLeft: 90
    case .landscapeRight: 270
    default: 0
    }
  }
}

extension CLVisit {
  convenience init(_ visit: Visit) {
    self.init(
      arrival: visit.arrivalDate.map { Date($0) } ?? .distantPast,
      departure: visit.departureDate.map { Date($0) } ?? .distantFuture,
      CLLocationCoordinate2D(visit.coordinate), radius: visit.horizontalAccuracy)
  }
}

extension CLRegion {
  /// The region as the daemon knows it; a polygon, which only other clients register, has no more than
  /// its identifier.
  static func region(_ region: Region) -> CLRegion {
    let result: CLRegion =
      switch region.shape {
      case .circle(let center, let radius):
        CLCircularRegion(
          center: CLLocationCoordinate2D(center), radius: radius, identifier: region.identifier)
      case .polygon: CLRegion(identifier: region.identifier)
      case .beacon(let constraint):
        CLBeaconRegion(
          beaconIdentityConstraint: CLBeaconIdentityConstraint(constraint),
          identifier: region.identifier)
      }
    result.notifyOnEntry = region.notifyOnEntry
    result.notifyOnExit = region.notifyOnExit
    return result
  }
}

extension CLAuthorizationStatus {
  init(_ authorization: Authorization) {
    switch authorization {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .authorizedAlways: self = .authorizedAlways
    case .authorizedWhenInUse: self = .authorizedWhenInUse
    }
  }

  var isAuthorized: Bool { self == .authorizedAlways || self == .authorizedWhenInUse }
}

extension CLRegionState {
  init(_ state: RegionState) {
    switch state {
    case .inside: self = .inside
    case .outside: self = .outside
    case .unknown: self = .unknown
    }
  }
}

extension CLActivityType {
  var activity: ActivityType {
    switch self {
    case .other: .other
    case .automotiveNavigation: .automotiveNavigation
    case .fitness: .fitness
    case .otherNavigation: .otherNavigation
    case .airborne: .airborne
    }
  }
}

extension CLError {
  init(_ code: Code, _ message: String) {
    self.init(code, userInfo: [NSLocalizedDescriptionKey: message])
  }

  /// The daemon's refusal of a service; `other` stands for the codes that Core Location has no word for.
  init(_ refusal: Refusal, other: Code) {
    let code: Code =
      switch refusal.code {
      case .locationUnknown: .locationUnknown
      case .denied: .denied
      case .network: .network
      case .geocodeFoundNoResult: .geocodeFoundNoResult
      case .geocodeFoundPartialResult: .geocodeFoundPartialResult
      case .regionMonitoringDenied: .regionMonitoringDenied
      case .regionMonitoringFailure: .regionMonitoringFailure
      case .rangingUnavailable: .rangingUnavailable
      default: other
      }
    self.init(code, refusal.message)
  }
}

extension Region {
  /// Nil for a region of no kind that is monitored.
  init?(_ region: CLRegion) {
    let shape: Shape
    if let circle = region as? CLCircularRegion {
      shape = .circle(Coordinate(circle.center), radius: circle.radius)
    } else if let beacon = region as? CLBeaconRegion {
      shape = .beacon(BeaconConstraint(beacon.beaconIdentityConstraint))
    } else {
      return nil
    }
    self.init(
      identifier: region.identifier, shape, notifyOnEntry: region.notifyOnEntry,
      notifyOnExit: region.notifyOnExit)
  }

  /// A circle has a place on the Earth and a radius.
  var isPossible: Bool {
    guard case .circle(let center, let radius) = shape else { return true }
    return CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(center)) && radius > 0
      && radius <= Self.longestRadius
  }

  /// Unknown where the location is not accurate enough to say.
  func state(at location: Location) -> RegionState {
    guard case .circle(let center, let radius) = shape else { return .unknown }
    let depth = radius - center.distance(to: location.coordinate)
    guard depth.magnitude >= location.horizontalAccuracy else { return .unknown }
    return depth > 0 ? .inside : .outside
  }
}
