import LocationModel

/// The detectors that apps share, and the track they follow.
struct Monitors: ~Copyable {
  /// What is to follow when something is on the disk.
  enum Followup {
    case started(App, [String], Recipient)
    case happened([(app: App, number: UInt64)])
  }

  var clock = TrackClock()
  var gate = TrackGate()
  var board = RegionBoard()
  var visits = VisitDetector()
  /// Whose region is in which slot of the board.
  var owners: [Int32: (app: App, identifier: String)] = [:]
  /// The services that some app has asked for and may have.
  var needed: Set<Service> = []
  var followups: [CommitID: Followup] = [:]
  /// What a fix or a silence has made worth writing.
  var changes: [Change] = []
  var happened: [(app: App, number: UInt64)] = []
  /// When the stay was last written.
  var keptAt = 0.0

  var isNeeded: Bool { !needed.isEmpty }

  /// The fix as a sighting, if it is possible after those before it.
  mutating func sight(_ location: Location, _ point: Point, at now: Instant) -> Sighting? {
    let step = clock.turn(to: location, at: now)
    if step != 0 { visits.shift(by: step) }
    let sighting = Sighting(
      time: clock.time, date: location.timestamp, point: point,
      accuracy: max(location.horizontalAccuracy, 1), speed: location.speed)
    return gate.admits(sighting) ? sighting : nil
  }
}
