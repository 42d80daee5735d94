import Foundation
import LocationModel

/// The beacons that a manager ranges, by constraints and in Apple's older way by regions.
struct RangedBeacons {
  var constraints: Set<CLBeaconIdentityConstraint> = []
  var regions: Set<CLRegion> = []

  /// Asked of the daemon.
  fileprivate var wanted: Set<BeaconConstraint> {
    Set(constraints.map { BeaconConstraint($0) })
      .union(regions(where: { _ in true }).map { BeaconConstraint($0.beaconIdentityConstraint) })
  }

  fileprivate func regions(where isMeant: (CLBeaconRegion) -> Bool) -> [CLBeaconRegion] {
    regions.compactMap { $0 as? CLBeaconRegion }.filter(isMeant)
      .sorted { $0.identifier < $1.identifier }
  }
}

extension CLLocationManager {
  func range(_ change: (inout RangedBeacons) -> Void) {
    change(&ranged)
    daemon.setRanging(ranged.wanted, of: number)
  }

  /// Tells the delegate in each way in which it was asked for.
  func tellBeacons(_ constraint: BeaconConstraint, _ result: Result<[Beacon], CLError>) {
    let asked = CLBeaconIdentityConstraint(constraint)
    let regions = ranged.regions { $0.beaconIdentityConstraint == asked }
    if ranged.constraints.contains(asked) {
      switch result {
      case .success(let beacons):
        delegate?.locationManager(self, didRange: beacons.map { CLBeacon($0) }, satisfying: asked)
      case .failure(let error):
        delegate?.locationManager(self, didFailRangingFor: asked, error: error)
      }
    }
    for region in regions {
      switch result {
      case .success(let beacons):
        delegate?.locationManager(self, didRangeBeacons: beacons.map { CLBeacon($0) }, in: region)
      case .failure(let error):
        delegate?.locationManager(self, rangingBeaconsDidFailFor: region, withError: error)
      }
    }
  }
}

// MARK: - Values

extension BeaconUUID {
  init(_ uuid: UUID) {
    self = withUnsafeBytes(of: uuid.uuid) {
      BeaconUUID(
        UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

extension UUID {
  init(_ beacon: BeaconUUID) {
    self = withUnsafeBytes(of: (beacon.high.bigEndian, beacon.low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}

extension BeaconConstraint {
  init(_ constraint: CLBeaconIdentityConstraint) {
    self.init(BeaconUUID(constraint.uuid), major: constraint.major, minor: constraint.minor)
  }
}

extension CLBeaconIdentityConstraint {
  convenience init(_ constraint: BeaconConstraint) {
    self.init(uuid: UUID(constraint.uuid))
    (major, minor) = (constraint.major, constraint.minor)
  }
}

extension CLBeacon {
  convenience init(_ beacon: Beacon) {
    let proximity: CLProximity =
      switch beacon.proximity {
      case .immediate: .immediate
      case .near: .near
      case .far: .far
      case .unknown: .unknown
      }
    self.init(
      (UUID(beacon.identity.uuid), beacon.identity.major, beacon.identity.minor),
      (proximity, beacon.accuracy ?? -1, beacon.rssi ?? 0, Date(beacon.timestamp)))
  }
}
