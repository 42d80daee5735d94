// A screen with a map, in the manner of the tutorials for iPhones: it checks that services are on, then
// what it may do, then follows the device. Each step is noted; nothing is drawn.

import CoreLocation
import Foundation

package final class MapScreen: NSObject, CLLocationManagerDelegate {
  package let locationManager = CLLocationManager()
  package private(set) var steps: [String] = []
  package private(set) var shown: [CLLocationCoordinate2D] = []
  package private(set) var address: String?

  /// Is location on for this machine?
  package func checkLocationServices() {
    if CLLocationManager.locationServicesEnabled() {
      locationManager.delegate = self
      locationManager.desiredAccuracy = kCLLocationAccuracyBest
      checkAuthorization()
    } else {
      steps.append("disabled")
    }
  }

  /// May this app know it?
  func checkAuthorization() {
    switch CLLocationManager.authorizationStatus() {
    case .notDetermined:
      steps.append("ask")
      locationManager.requestWhenInUseAuthorization()
      break
    case .restricted:
      steps.append("restricted")
      break
    case .denied:
      steps.append("denied")
      break
    case .authorizedAlways, .authorizedWhenInUse:
      steps.append("authorized")
      if let here = locationManager.location?.coordinate {
        show(here)
      }
      locationManager.startUpdatingLocation()
      break
    @unknown default:
      break
    }
  }

  func show(_ coordinate: CLLocationCoordinate2D) {
    shown.append(coordinate)
    let place = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let geocoder: CLGeocoder = CLGeocoder()
    geocoder.reverseGeocodeLocation(place, preferredLocale: Locale(identifier: "ko-KR")) {
      (placemarks, error) in
      if let all: [CLPlacemark] = placemarks, let country = all.last?.country,
        let city = all.last?.locality, let name = all.last?.name
      {
        self.address = [country, city, name].joined(separator: " ")
      }
    }
  }

  /// Far enough from the device to be worth a way.
  package func isWorthAWay(_ coordinate: CLLocationCoordinate2D) -> Bool? {
    guard let here = locationManager.location?.coordinate else { return nil }
    switch coordinate.isFar(from: here) {
    case true: return true
    case false: return false
    }
  }

  package func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let newest = locations.last else { return }
    steps.append("update")
    show(
      CLLocationCoordinate2D(
        latitude: newest.coordinate.latitude, longitude: newest.coordinate.longitude))
  }

  package func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    steps.append("changed")
    if manager.authorizationStatus != .notDetermined { checkAuthorization() }
  }
}

extension CLLocationCoordinate2D {
  fileprivate func isFar(from other: CLLocationCoordinate2D) -> Bool {
    let a = CLLocation(latitude: other.latitude, longitude: other.longitude)
    let b = CLLocation(latitude: self.latitude, longitude: self.longitude)
    return a.distance(from: b) > 100 ? true : false
  }
}
