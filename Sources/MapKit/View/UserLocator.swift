import CoreLocation
import Foundation

/// Follows the device for a map, with the app's own permission.
@MainActor final class UserLocator: NSObject, @preconcurrency CLLocationManagerDelegate {
  private let manager: CLLocationManager
  private weak var map: MKMapView?

  init(_ map: MKMapView) {
    manager = CLLocationManager()
    self.map = map
    super.init()
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func end() {
    manager.stopUpdatingLocation()
    manager.stopUpdatingHeading()
    manager.delegate = nil
  }

  func turn(isNeeded: Bool) {
    if isNeeded { manager.startUpdatingHeading() } else { manager.stopUpdatingHeading() }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    locations.last.map { map?.found($0) }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    map?.turned(newHeading)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    map?.notFound(error)
  }

  /// A person may allow it later.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: manager.startUpdatingLocation()
    default: break
    }
  }
}

extension MKMapView {
  func locate(_ isWanted: Bool) {
    guard isWanted != (locator != nil) else { return }
    if isWanted {
      delegate?.mapViewWillStartLocatingUser(self)
      userLocation.isUpdating = true
      locator = UserLocator(self)
    } else {
      locator?.end()
      locator = nil
      userLocation.isUpdating = false
      (userLocation.location, userLocation.heading) = (nil, nil)
      setUserTrackingMode(.none, animated: false)
      delegate?.mapViewDidStopLocatingUser(self)
    }
    news.isUserNew = true
    takeTurn()
  }

  /// Whether the part that is shown has the device in it.
  public var isUserLocationVisible: Bool {
    guard isUserLocationKnown else { return false }
    let point = MKMapPoint(userLocation.coordinate)
    return shown.rect.contains(point) || shown.rect.remainder.contains(point)
  }

  var isUserLocationKnown: Bool { showsUserLocation && userLocation.location != nil }

  func track(_ mode: MKUserTrackingMode, _ animated: Bool) {
    guard mode != tracking else { return }
    tracking = mode
    if mode != .none { showsUserLocation = true }
    locator?.turn(isNeeded: mode == .followWithHeading)
    news.isTrackingNew = true
    follow()
    takeTurn()
    delegate?.mapView(self, didChange: mode, animated: animated)
  }

  fileprivate func found(_ location: CLLocation) {
    userLocation.location = location
    news.isUserNew = true
    follow()
    takeTurn()
    delegate?.mapView(self, didUpdate: userLocation)
  }

  fileprivate func turned(_ heading: CLHeading) {
    userLocation.heading = heading
    news.isUserNew = true
    takeTurn()
    guard userLocation.location != nil else { return }
    delegate?.mapView(self, didUpdate: userLocation)
  }

  fileprivate func notFound(_ error: any Error) {
    news.problem = error.localizedDescription
    news.isUserNew = true
    takeTurn()
    delegate?.mapView(self, didFailToLocateUserWithError: error)
  }

  /// The page follows by itself.
  private func follow() {
    guard tracking != .none, let place = userLocation.location?.coordinate,
      CLLocationCoordinate2DIsValid(place)
    else { return }
    delegate?.mapView(self, regionWillChangeAnimated: true)
    shown.center = place
    if page == nil {
      lastView += 1
      news.view = PageView(number: lastView, rect: shown.rect, isAnimated: false)
    }
    changesToTell.append(true)
  }
}
