// The code of a diary on CLLocationManager, written for iPhones: a view controller's manager, and a
// service that gives one location. Its publisher is Combine's, which Linux has not: as much of that as
// the code uses stands below.

import CoreLocation
import Foundation

package final class LocationViewController: NSObject {
  private let locationManager: CLLocationManager = CLLocationManager()
  package private(set) var lines: [String] = []
}

extension LocationViewController: CLLocationManagerDelegate {

  package func setupLocationManager() {
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyBest
    locationManager.requestWhenInUseAuthorization()
    locationManager.startUpdatingLocation()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didUpdateLocations locations: [CLLocation]
  ) {

    guard let location = locations.last else {
      return
    }

    lines.append(
      "Current location: lat\(location.coordinate.latitude), lon\(location.coordinate.longitude)")
  }
}

package final class LocationManagerService: NSObject, CLLocationManagerDelegate {

  private var locationManager: CLLocationManager
  private var locationSubject = PassthroughSubject<CLLocationCoordinate2D, Error>()

  package init(locationManager: CLLocationManager = CLLocationManager()) {
    self.locationManager = locationManager
    super.init()

    self.locationManager.delegate = self
    self.locationManager.desiredAccuracy = kCLLocationAccuracyBest
    self.locationManager.requestWhenInUseAuthorization()
  }

  package func requestLocationPublisher() -> AnyPublisher<CLLocationCoordinate2D, Error> {
    locationManager.requestLocation()
    return locationSubject.eraseToAnyPublisher()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didUpdateLocations locations: [CLLocation]
  ) {
    guard let location = locations.last?.coordinate
    else { return }

    locationSubject.send(location)
    locationManager.stopUpdatingLocation()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didFailWithError error: Error
  ) {
    locationSubject.send(completion: .failure(error))
  }
}

/// The same as an async function.
package final class OneLocation: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var continuation: CheckedContinuation<CLLocation, Error>?

  @MainActor package func current() async throws -> CLLocation {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.delegate = self
      manager.requestWhenInUseAuthorization()
      manager.requestLocation()
    }
  }

  package func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    continuation?.resume(returning: locations[0])
    continuation = nil
  }

  package func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    continuation?.resume(throwing: error)
    continuation = nil
  }
}

// MARK: - Combine, as far as the code above uses it

package final class PassthroughSubject<Output, Failure: Error> {
  package enum Completion {
    case finished
    case failure(Failure)
  }

  fileprivate var values: (Output) -> Void = { _ in }
  fileprivate var ends: (Completion) -> Void = { _ in }

  func send(_ value: Output) { values(value) }
  func send(completion: Completion) { ends(completion) }
  func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(subject: self) }
}

package struct AnyPublisher<Output, Failure: Error> {
  fileprivate let subject: PassthroughSubject<Output, Failure>

  package func sink(
    receiveCompletion: @escaping (PassthroughSubject<Output, Failure>.Completion) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) {
    subject.values = receiveValue
    subject.ends = receiveCompletion
  }
}
