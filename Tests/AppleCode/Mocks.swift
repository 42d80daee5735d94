// Code of the kinds that people write around Core Location on Apple's platforms: protocols that a
// manager conforms to, mocks that inherit it, conformances after the fact, delegates on the main actor,
// errors in all their ways.

import CoreLocation
import Foundation

package protocol LocationManaging: AnyObject {
  var delegate: CLLocationManagerDelegate? { get set }
  var location: CLLocation? { get }
  var authorizationStatus: CLAuthorizationStatus { get }
  var desiredAccuracy: CLLocationAccuracy { get set }
  func requestWhenInUseAuthorization()
  func requestLocation()
  func startUpdatingLocation()
  func stopUpdatingLocation()
  static func authorizationStatus() -> CLAuthorizationStatus
  static func locationServicesEnabled() -> Bool
}

extension CLLocationManager: LocationManaging {}

extension CLLocationCoordinate2D: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }
}

extension CLLocationCoordinate2D: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }
}

extension CLLocationCoordinate2D: Codable {
  private enum Key: String, CodingKey { case lat, lon }

  public init(from decoder: Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      latitude: try values.decode(Double.self, forKey: .lat),
      longitude: try values.decode(Double.self, forKey: .lon))
  }

  public func encode(to encoder: Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(latitude, forKey: .lat)
    try values.encode(longitude, forKey: .lon)
  }
}

extension CLAuthorizationStatus: CustomStringConvertible {
  public var description: String { "status \(rawValue)" }
}

package final class MockLocationManager: CLLocationManager {
  package var mockLocation: CLLocation?
  package private(set) var asked = 0
  nonisolated(unsafe) package static var mockStatus = CLAuthorizationStatus.denied

  package override var location: CLLocation? { mockLocation }
  package override var authorizationStatus: CLAuthorizationStatus { Self.mockStatus }
  package override class func authorizationStatus() -> CLAuthorizationStatus { mockStatus }
  package override class func locationServicesEnabled() -> Bool { true }
  package override var monitoredRegions: Set<CLRegion> {
    [CLCircularRegion(center: .init(latitude: 100, longitude: 200), radius: 1, identifier: "x")]
  }

  package override func requestWhenInUseAuthorization() { asked += 1 }

  package override func requestLocation() {
    guard let mockLocation else {
      delegate?.locationManager?(self, didFailWithError: CLError(.locationUnknown))
      return
    }
    delegate?.locationManager?(self, didUpdateLocations: [mockLocation])
  }

  package override func startUpdatingLocation() {
    delegate?.locationManager(self, didUpdateLocations: [CLLocation(latitude: 100, longitude: 200)])
  }

  package override func startMonitoring(for region: CLRegion) {
    delegate?.locationManager?(self, didStartMonitoringFor: region)
    delegate?.locationManagerDidChangeAuthorization?(self)
  }
}

@MainActor package final class ViewModel: NSObject, @preconcurrency CLLocationManagerDelegate {
  package private(set) var last: CLLocation?
  package private(set) var problem: CLError.Code?
  package private(set) var status = CLAuthorizationStatus.notDetermined
  package let locationManager: any LocationManaging

  package init(_ manager: any LocationManaging) {
    locationManager = manager
    super.init()
    locationManager.delegate = self
  }

  package func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    last = locations.last
  }

  package func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    switch error {
    case CLError.locationUnknown: problem = .locationUnknown
    case let error as CLError: problem = error.code
    default: break
    }
  }

  package func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    status = manager.authorizationStatus
  }
}

/// An async stream around a delegate, as many packages have it.
package final class LocationStream: NSObject, CLLocationManagerDelegate {
  private let manager: CLLocationManager
  package let locations: AsyncStream<CLLocation>
  private let continuation: AsyncStream<CLLocation>.Continuation

  package init(manager: CLLocationManager = CLLocationManager()) {
    self.manager = manager
    (locations, continuation) = AsyncStream.makeStream()
    super.init()
    manager.delegate = self
    manager.distanceFilter = kCLDistanceFilterNone
    manager.startUpdatingLocation()
  }

  package func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations { continuation.yield(location) }
  }
}
