import Foundation
import LocationModel

// Deliveries become calls of the delegate.
extension CLLocationManager {
  /// On the thread of the callbacks.
  func handle(_ deliveries: [NumberedDelivery]) {
    var locations: [CLLocation] = []
    func flush() {
      guard !locations.isEmpty else { return }
      let all = locations
      locations = []
      // The app may have stopped in the callback before this one.
      if isUpdating { update(all) }
    }
    for delivery in deliveries {
      if case .updated(let location, .standard) = delivery.content {
        locations.append(CLLocation(location))
      } else {
        flush()
        if let receipt = delivery.receipt, delegate == nil {
          daemon.giveBack(receipt)
          continue
        }
        handle(delivery.content)
        if let receipt = delivery.receipt { daemon.acknowledge(receipt) }
      }
    }
    flush()
  }

  private func update(_ locations: [CLLocation]) {
    locationBefore = lastLocation
    lastLocation = locations.last
    delegate?.locationManager(self, didUpdateLocations: locations)
  }

  private func handle(_ delivery: Delivery) {
    switch delivery {
    case .authorizationChanged:
      // The app reads the newest when it is called: an older one need not be told any more.
      let standing = daemon.standing()
      guard toldStanding != standing else { return }
      toldStanding = standing
      delegate?.locationManagerDidChangeAuthorization(self)
    case .updated(let location, _): if wantsChanges { update([CLLocation(location)]) }
    case .heading(let heading):
      guard isUpdatingHeading else { return }
      let heading = CLHeading(heading, from: headingOrientation)
      lastHeading = heading
      delegate?.locationManager(self, didUpdateHeading: heading)
    case .visited(let visit): delegate?.locationManager(self, didVisit: CLVisit(visit))
    case .entered(let region):
      delegate?.locationManager(self, didEnterRegion: CLRegion.region(region))
    case .exited(let region):
      delegate?.locationManager(self, didExitRegion: CLRegion.region(region))
    case .determined(let region, let state):
      delegate?.locationManager(
        self, didDetermineState: CLRegionState(state), for: CLRegion.region(region))
    case .started(let region):
      delegate?.locationManager(self, didStartMonitoringFor: CLRegion.region(region))
    case .monitoringFailed(let region, let error):
      delegate?.locationManager(
        self, monitoringDidFailFor: region, withError: error)
    case .ranged(let constraint, let beacons): tellBeacons(constraint, .success(beacons))
    case .rangingFailed(let constraint, let error): tellBeacons(constraint, .failure(error))
    case .deferralFailed:
      delegate?.locationManager(
        self,
        didFinishDeferredUpdatesWithError: CLError(.deferredFailed, "Updates are not deferred."))
    case .failed(let error): delegate?.locationManager(self, didFailWithError: error)
    case .paused: if isUpdating { delegate?.locationManagerDidPauseLocationUpdates(self) }
    case .resumed: if isUpdating { delegate?.locationManagerDidResumeLocationUpdates(self) }
    case .single(let id, let result): end(id, result)
    case .completion(let call): call()
    }
  }

  private func end(_ id: Int, _ result: Result<Location, CLError>) {
    guard single == id else { return }
    single = nil
    switch result {
    case .success(let location): update([CLLocation(location)])
    case .failure(let error): delegate?.locationManager(self, didFailWithError: error)
    }
  }

  /// Calls the app back as the daemon would.
  func tell(_ delivery: Delivery) {
    daemon.tell(delivery, to: number)
  }
}

extension Double {
  /// A wish for accuracy that the daemon takes, whatever the app has set.
  var wish: Double { self == kCLLocationAccuracyBestForNavigation ? self : filter }

  /// None for what is no number or negative.
  var filter: Double { self >= 0 ? min(self, 1e9) : -1 }
}
