// A delegate of the older style that uses every service of a manager, in the manner of lectures on Core
// Location: both permissions, availability, updates, distances, visits, regions, headings, geocoding.

import CoreLocation
import Foundation

package final class Services: NSObject, CLLocationManagerDelegate {
  package let locationManager = CLLocationManager()
  package private(set) var steps: [String] = []
  package private(set) var distances: [CLLocationDistance] = []

  package override init() {
    super.init()
    locationManager.delegate = self
  }

  package func askForBoth() {
    locationManager.requestWhenInUseAuthorization()
    locationManager.requestAlwaysAuthorization()
  }

  // Without `@unknown default`, as code before Swift 5 has it.
  package func checkAuthorizationStatus() {
    switch CLLocationManager.authorizationStatus() {
    case .notDetermined: locationManager.requestWhenInUseAuthorization()
    case .restricted, .denied: steps.append("nothing")
    case .authorizedWhenInUse: steps.append("some features")
    case .authorizedAlways: steps.append("all features")
    }
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didChangeAuthorization status: CLAuthorizationStatus
  ) {
    switch status {
    case .authorizedWhenInUse, .authorizedAlways:
      steps.append("authorized")
    default:
      steps.append("not authorized")
    }
  }

  package static func availability() -> [Bool] {
    [
      CLLocationManager.locationServicesEnabled(),
      CLLocationManager.headingAvailable(),
      CLLocationManager.significantLocationChangeMonitoringAvailable(),
      CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self),
      CLLocationManager.isRangingAvailable(),
    ]
  }

  package func startUpdatingLocation() {
    let status = CLLocationManager.authorizationStatus()
    guard status == .authorizedAlways || status == .authorizedWhenInUse,
      CLLocationManager.locationServicesEnabled()
    else { return }
    locationManager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    locationManager.distanceFilter = 10.0
    locationManager.startUpdatingLocation()
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didUpdateLocations locations: [CLLocation]
  ) {
    let last = locations.last!
    let same = CLLocation(
      latitude: last.coordinate.latitude, longitude: last.coordinate.longitude)
    distances.append(last.distance(from: same))
  }

  package func startTheOthers() {
    locationManager.startMonitoringSignificantLocationChanges()
    locationManager.startMonitoringVisits()
    locationManager.startUpdatingHeading()
    let square = CLLocationCoordinate2DMake(50.0875, 14.4213)
    locationManager.startMonitoring(
      for: CLCircularRegion(center: square, radius: 100, identifier: "náměstí"))
  }

  package func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) {
    steps.append("monitors \(region.identifier)")
  }

  package func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    steps.append("error \((error as? CLError)?.code.rawValue ?? -1)")
  }

  package func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    steps.append("no \(region?.identifier ?? "-")")
  }

  package func nameHere(_ done: @escaping (CLPlacemark?) -> Void) {
    guard let here = locationManager.location else { return done(nil) }
    CLGeocoder().reverseGeocodeLocation(here) { (placemarks, error) in
      done(placemarks?.first)
    }
  }

  package func find(_ address: String, _ done: @escaping (CLLocationCoordinate2D, Error?) -> Void) {
    let geocoder = CLGeocoder()
    geocoder.geocodeAddressString(address) { (placemarks, error) in
      guard error == nil else { return done(kCLLocationCoordinate2DInvalid, error) }
      if let first = placemarks?.first { done(first.location!.coordinate, nil) }
    }
  }
}
