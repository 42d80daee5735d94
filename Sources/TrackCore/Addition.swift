import LocationModel

extension TrackRecorder {
  /// Entries, an event and a crossing that are written as one.
  package struct Addition: Equatable, Sendable {
    package var entries: [TrackEntry]
    /// The number of the daemon's event that it is about.
    package var event: UInt64?
    package var crossing: Crossing?
  }

  package struct Crossing: Equatable, Sendable {
    package var identifier: String
    package var isInside: Bool
    var waypoint: Waypoint?
    /// The start of the action where a zone hides the crossing: it is no entry of the track.
    var hidden: TrackEntry?
  }
}
