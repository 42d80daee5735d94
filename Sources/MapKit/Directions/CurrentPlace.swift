import CoreLocation
import Dispatch
import Foundation
import LocationModel

/// Where the device is, once, as Core Location tells this app; it needs the app's permission.
final class CurrentPlace: NSObject, CLLocationManagerDelegate {
  private let manager: CLLocationManager
  private var then: ((Result<Coordinate, MKError>) -> Void)?
  /// It lives until it has told.
  private var own: CurrentPlace?

  private init(
    _ manager: CLLocationManager, _ then: @escaping (Result<Coordinate, MKError>) -> Void
  ) {
    self.manager = manager
    self.then = then
    super.init()
    own = self
    manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    manager.delegate = self
  }

  /// Tells on the main queue.
  static func find(
    by managers: ManagerMaker,
    _ then: @escaping @Sendable (Result<Coordinate, MKError>) -> Void
  ) {
    // A manager calls back where it was made.
    DispatchQueue.main.async {
      CurrentPlace(managers.make(), then).manager.requestLocation()
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let newest = locations.last?.coordinate else { return }
    tell(.success(Coordinate(latitude: newest.latitude, longitude: newest.longitude)))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    let reason = "Where the device is cannot be told: \(error.localizedDescription)"
    tell(
      .failure(
        MKError(
          .placemarkNotFound,
          userInfo: [NSLocalizedDescriptionKey: reason, NSUnderlyingErrorKey: error])))
  }

  private func tell(_ result: Result<Coordinate, MKError>) {
    manager.delegate = nil
    then?(result)
    (then, own) = (nil, nil)
  }
}
