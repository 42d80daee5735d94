import CoreLocation
import Foundation

/// An app that stays: it prints each place that it is told, and each change of what it may know.
@main final class TryApp: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  static func main() {
    let app = TryApp()
    app.manager.delegate = app
    app.manager.startMonitoringVisits()
    app.manager.startUpdatingLocation()
    withExtendedLifetime(app) { RunLoop.main.run() }
  }

  private func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    say("authorization \(manager.authorizationStatus)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations { say("place \(location.coordinate.latitude)") }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    say("failed \(error)")
  }
}
