import LocationModel

extension TrackRecorder {
  /// Entries, an event and a crossing that are written as one.
  package struct Addition: Equatable, Sendable {
    package var entries: [TrackEntry]
    /// The number of the daemon's event that it is about.
    package var event: EventNumber?
    package var crossing: Crossing?
  }

  /// The number of an event of the daemon's, in the ledger of that name; nil where the daemon names none.
  package struct EventNumber: Equatable, Sendable {
    package var number: UInt64
    package var ledger: Int64?

    package init(_ number: UInt64, in ledger: Int64? = nil) {
      (self.number, self.ledger) = (number, ledger)
    }
  }

  package struct Crossing: Equatable, Sendable {
    package var identifier: String
    package var isInside: Bool
    var waypoint: Waypoint?
    /// The start of the action where a zone hides the crossing: it is no entry of the track.
    var hidden: TrackEntry?
  }
}
