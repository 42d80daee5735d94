// One location: by a view controller that goes on, by a publisher, and by an async function. Combine's
// publishers are not on Linux; as much of them as the code uses stands below.

import CoreLocation
import Foundation

package final class LinesController: NSObject {
  private let locationManager: CLLocationManager = CLLocationManager()
  package private(set) var lines: [String] = []
}

extension LinesController: CLLocationManagerDelegate {
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
    guard let location = locations.last else { return }
    lines.append("\(location.coordinate.latitude), \(location.coordinate.longitude)")
  }
}

package final class LocationService: NSObject, CLLocationManagerDelegate {
  private var locationManager: CLLocationManager
  private var subject = PassthroughSubject<CLLocationCoordinate2D, Error>()

  package init(locationManager: CLLocationManager = CLLocationManager()) {
    self.locationManager = locationManager
    super.init()

    self.locationManager.delegate = self
    self.locationManager.desiredAccuracy = kCLLocationAccuracyBest
    self.locationManager.requestWhenInUseAuthorization()
  }

  package func locationPublisher() -> AnyPublisher<CLLocationCoordinate2D, Error> {
    locationManager.requestLocation()
    return subject.eraseToAnyPublisher()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didUpdateLocations locations: [CLLocation]
  ) {
    guard let coordinate = locations.last?.coordinate else { return }
    subject.send(coordinate)
    locationManager.stopUpdatingLocation()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didFailWithError error: Error
  ) {
    subject.send(completion: .failure(error))
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
