import CoreLocation
import Foundation

/// An app that stays: it prints each place and event that it is told, and each change of what it may know. An
/// argument such as yard,48.1374,11.5755,150 is a region that it monitors.
@main final class TryApp: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  static func main() {
    let app = TryApp()
    app.manager.delegate = app
    for argument in CommandLine.arguments.dropFirst() {
      let words = argument.split(separator: ",")
      let numbers = words.dropFirst().compactMap { Double($0) }
      guard numbers.count == 3 else { continue }
      app.manager.startMonitoring(
        for: CLCircularRegion(
          center: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]),
          radius: numbers[2], identifier: String(words[0])))
    }
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

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    say("enter \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    say("exit \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    let word = visit.departureDate == .distantFuture ? "arrival" : "departure"
    say("\(word) \(visit.arrivalDate.timeIntervalSince1970)")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    say("failed \(error)")
  }
}
