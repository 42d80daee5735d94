// The code of a lecture on Core Location, written for iPhones: both authorizations, availability, the
// standard service, distances, geocoding, visits, regions and headings.

import CoreLocation
import Foundation

package final class Lecture: NSObject, CLLocationManagerDelegate {
  package let locationManager = CLLocationManager()
  package private(set) var steps: [String] = []
  package private(set) var distances: [CLLocationDistance] = []

  package override init() {
    super.init()
    locationManager.delegate = self
  }

  package func requestBoth() {
    locationManager.requestWhenInUseAuthorization()
    locationManager.requestAlwaysAuthorization()
  }

  package func checkAuthorizationStatus() {
    switch CLLocationManager.authorizationStatus() {
    case .notDetermined:
      locationManager.requestWhenInUseAuthorization()
    case .restricted, .denied:
      // Disable location features
      steps.append("disable")
    case .authorizedWhenInUse:
      // Enable basic location features
      steps.append("when in use")
    case .authorizedAlways:
      // Enable any of your app's location features
      steps.append("always")
    }
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didChangeAuthorization status: CLAuthorizationStatus
  ) {

    switch status {
    case .authorizedWhenInUse, .authorizedAlways:
      steps.append("Authorized")
    default:
      steps.append("Unauthorized")
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
      CLLocationManager.locationServicesEnabled()  // location 서비스가 가능한지 확인
    else { return }
    // 사용 조건 설정
    locationManager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    locationManager.distanceFilter = 10.0
    locationManager.startUpdatingLocation()  // 업데이트 실행되고 delegate로 정보가 들어오기 시작
  }

  package func locationManager(
    _ manager: CLLocationManager,
    didUpdateLocations locations: [CLLocation]
  ) {
    let lastLocation = locations.last!
    let location = CLLocation(
      latitude: lastLocation.coordinate.latitude,
      longitude: lastLocation.coordinate.longitude)
    let distance = lastLocation.distance(from: location)
    distances.append(distance)
  }

  package func startEverything() {
    locationManager.startMonitoringSignificantLocationChanges()
    locationManager.startMonitoringVisits()
    locationManager.startUpdatingHeading()
    let center = CLLocationCoordinate2DMake(37.5663528, 126.9779564)
    locationManager.startMonitoring(
      for: CLCircularRegion(center: center, radius: 100, identifier: "서울 시청"))
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

  package func lookUpCurrentLocation(
    completionHandler: @escaping (CLPlacemark?) -> Void
  ) {
    guard let lastLocation = locationManager.location else {
      return completionHandler(nil)
    }
    let geocoder = CLGeocoder()
    geocoder.reverseGeocodeLocation(lastLocation) {
      (placemarks, error) in
      let firstLocation = placemarks?.first
      completionHandler(firstLocation)
    }
  }

  package func getCoordinate(
    addressString: String,
    completionHandler: @escaping (CLLocationCoordinate2D, Error?) -> Void
  ) {
    let geocoder = CLGeocoder()
    geocoder.geocodeAddressString(addressString) {
      (placemarks, error) in
      guard error == nil else {
        return completionHandler(kCLLocationCoordinate2DInvalid, error)
      }
      if let placemark = placemarks?.first {
        completionHandler(placemark.location!.coordinate, nil)
      }
    }
  }
}
