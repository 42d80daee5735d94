// The code of an app that shows where you are, as its authors wrote it for iPhones: MapKit_Barebones by
// CodersHigh, https://github.com/CodersHigh/MapKit_BareBones. What shows a map is left out; each step
// says that it was taken.

import CoreLocation
import Foundation

package final class BarebonesMap: NSObject, CLLocationManagerDelegate {
  package let locationManager = CLLocationManager()
  package private(set) var steps: [String] = []
  package private(set) var presented: [CLLocationCoordinate2D] = []

  func present(at coordinate: CLLocationCoordinate2D) {
    presented.append(coordinate)
    // 해당 좌표의 주소 표시하기
    let geocoder: CLGeocoder = CLGeocoder()
    let location = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let locale = Locale(identifier: "Ko-kr")

    geocoder.reverseGeocodeLocation(location, preferredLocale: locale) { (placemarks, error) in
      if let address: [CLPlacemark] = placemarks {
        if let country = address.last?.country,
          let administrativeArea = address.last?.administrativeArea,
          let locality = address.last?.locality, let name = address.last?.name
        {
          let displayAddress = "\(country) \(administrativeArea) \(locality) \(name)"
          _ = displayAddress
        }
      }
    }
  }

  package func isFarEnough(_ coordinate: CLLocationCoordinate2D) -> Bool? {
    if let currentCoordinate = locationManager.location?.coordinate {
      switch coordinate.isEnoughDistance(from: currentCoordinate) {
      case true:
        return true
      case false:
        return false
      }
    }
    return nil
  }

  // 위치 서비스 제공 가능한지 확인
  package func checkLocationServices() {
    if CLLocationManager.locationServicesEnabled() {
      locationManager.delegate = self
      // desiredAccuracy : 위치 데이터의 정확성 / kCLLocationAccuracyBest : 최고의 정확도
      locationManager.desiredAccuracy = kCLLocationAccuracyBest
      checkAuthorization()
    } else {
      steps.append("disabled")
    }
  }

  // 위치 서비스 권한 부여 상태에 따른 처리
  func checkAuthorization() {
    switch CLLocationManager.authorizationStatus() {
    case .notDetermined:
      // 권한 부여 여부가 결정되지 않았을 경우 : 권한 요청
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
      // 권한이 허가된 경우, 사용자의 현위치 표시
      steps.append("authorized")
      if let coordinate = locationManager.location?.coordinate {
        present(at: coordinate)
      }
      locationManager.startUpdatingLocation()
      break
    @unknown default:
      break
    }
  }

  package func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let location = locations.last else { return }
    let coordinate = CLLocationCoordinate2D(
      latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
    steps.append("update")
    present(at: coordinate)
  }

  package func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    steps.append("changed")
    if manager.authorizationStatus != .notDetermined { checkAuthorization() }
  }
}

extension CLLocationCoordinate2D {
  // isEnoughDistance 함수를 통해 두 좌표 간의 거리가 적당한지 - 너무 짧지 않은지 - 판단
  func isEnoughDistance(from: CLLocationCoordinate2D) -> Bool {
    let from = CLLocation(latitude: from.latitude, longitude: from.longitude)
    let to = CLLocation(latitude: self.latitude, longitude: self.longitude)
    // 거리가 100미터를 넘으면 적당(true 반환), 100미터 미만이면 너무 짧음(false 반환)
    return from.distance(from: to) > 100 ? true : false
  }
}
