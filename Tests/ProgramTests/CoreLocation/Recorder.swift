import CoreLocation
import Foundation

/// A delegate that keeps what it is told, in order. Used on one thread.
final class Recorder: NSObject, CLLocationManagerDelegate {
  private(set) var calls: [String] = []
  private(set) var locations: [CLLocation] = []
  private(set) var batches: [Int] = []
  private(set) var visits: [CLVisit] = []
  private(set) var errors: [CLError] = []
  private(set) var headings: [CLHeading] = []
  var heard: (CLLocationManager, String) -> Void = { _, _ in }

  private func note(_ manager: CLLocationManager, _ call: String) {
    calls.append(call)
    heard(manager, call)
  }

  func forget() { calls = [] }

  func count(_ call: String) -> Int { calls.count { $0.hasPrefix(call) } }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    self.locations += locations
    batches.append(locations.count)
    note(manager, "locations")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    if let error = error as? CLError { errors.append(error) }
    note(manager, "error \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    headings.append(newHeading)
    note(manager, "heading")
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    note(manager, "state \(region.identifier) \(state)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note(manager, "enter \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note(manager, "exit \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note(manager, "started \(region.identifier)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {
    note(
      manager,
      "failed \(region?.identifier ?? "-") \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    let names = [
      "notDetermined", "restricted", "denied", "authorizedAlways", "authorizedWhenInUse",
    ]
    note(manager, "authorization \(names[Int(manager.authorizationStatus.rawValue)])")
  }

  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {
    note(manager, "paused")
  }

  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {
    note(manager, "resumed")
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    visits.append(visit)
    note(manager, "visit")
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    note(manager, "ranging \((error as? CLError)?.code.rawValue ?? -1)")
  }
}
