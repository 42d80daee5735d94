import LocationModel

/// How good a fix somebody needs, and how often: what receivers are on for.
package struct Need: Equatable, Sendable {
  /// Metres that will do; 0 for the best there is.
  package var accuracy: Double
  /// Seconds between two fixes that will do; 0 for all of them, nil for as long as who moves on
  /// takes to get that far.
  package var every: Double?

  package init(accuracy: Double, every: Double? = nil) {
    self.accuracy = accuracy
    self.every = every
  }

  /// Everything, as it comes.
  package static let all = Need(accuracy: 0, every: 0)

  /// What is told of a place that is only told coarsely, and seldom.
  package static let coarsePlace = Need(accuracy: 3000, every: Double(CoarsePlace.interval) / 1e9)

  /// How long a fix will do, in seconds, at a pace in metres per second.
  func pause(at pace: Double) -> Double {
    if let every { return every }
    return accuracy < Self.coarse ? 0 : accuracy / max(pace, TrackPoint.walk)
  }

  /// What is asked for with less than this is wanted at once whenever it changes.
  private static let coarse = 100.0
}

extension LocationService {
  /// Opens what is needed now, and closes what is not.
  mutating func settle(at now: Instant, into outputs: inout [Output]) {
    let isNeeded =
      sessions.contains { $0.isActive } || !oneShots.isEmpty || monitors.isNeeded
    if isNeeded {
      let (accuracy, pause) = needed()
      duty.heed(accuracy, pause, since: newest, at: now.boottime, settings.duty)
    } else {
      duty.end()
    }
    sources.settle(
      fixes: isNeeded ? (duty.restsUntil == nil ? .now : .later) : .never,
      headings: !headings.isEmpty, at: now, into: &outputs)
  }

  private mutating func needed() -> (accuracy: Double, pause: Double) {
    guard oneShots.isEmpty else { return (0, 0) }
    let pace = newest?.location.speed ?? 0
    var accuracy = Double.infinity
    var pause = Double.infinity
    for session in sessions where session.isActive {
      accuracy = min(accuracy, session.need.accuracy)
      pause = min(pause, session.need.pause(at: pace))
      if pause == 0 { break }
    }
    if let need = monitors.need {
      accuracy = min(accuracy, need.accuracy)
      pause = min(pause, need.pause(at: pace))
    }
    return (accuracy, pause)
  }
}

extension StandardSession {
  var need: Need {
    if isCoarse { return .coarsePlace }
    // Whether someone moves on shows every minute, too.
    if isResting { return Need(accuracy: 100, every: 60) }
    return request.desiredAccuracy <= 0 ? .all : Need(accuracy: request.desiredAccuracy)
  }
}
