package import LocationModel

/// A reading of a receiver, a radio or a recording.
package enum Reading: Equatable, Sendable {
  case fix(Fix)
  case heading(Heading)
  case scan(NetworkScan)
  case beacons(BeaconScan)
  /// It says only how late it is, as a recording may.
  case clock(Timestamp)
}
