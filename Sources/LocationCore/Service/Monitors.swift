import LocationModel

/// The detectors that apps share, and the track they follow.
struct Monitors: ~Copyable {
  var clock = TrackClock()
  var gate = TrackGate()
  var board = RegionBoard()
  var visits = VisitDetector()
  /// Whose region is in which slot of the board.
  var owners: [Int32: (app: AppID, identifier: String)] = [:]

  /// The fix as a sighting, if it is possible after those before it.
  mutating func sight(_ location: Location, _ point: Point, at now: Instant) -> Sighting? {
    _ = clock.turn(to: location, at: now)
    let sighting = Sighting(
      time: clock.time, date: location.timestamp, point: point,
      accuracy: max(location.horizontalAccuracy, 1), speed: location.speed)
    return gate.admits(sighting) ? sighting : nil
  }
}
