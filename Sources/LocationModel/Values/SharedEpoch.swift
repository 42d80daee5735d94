/// An accepted fix as locationd-share is told it, with what else its receiver says.
package struct SharedEpoch: Equatable, Sendable {
  /// The location is as other clients are told it.
  package var fix: Fix
  /// The satellites in view, where they have changed.
  package var satellites: [Satellite]?

  package init(_ fix: Fix, satellites: [Satellite]? = nil) {
    self.fix = fix
    self.satellites = satellites
  }
}

/// A door of locationd-share, by what is spoken there.
package enum ShareDoorKind: String, CaseIterable, Sendable {
  case gpsd, nmea, chrony
}
