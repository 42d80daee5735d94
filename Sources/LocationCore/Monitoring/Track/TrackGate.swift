/// Keeps from the detectors what cannot be true: a place too far off to have been reached.
///
/// Someone who jumped is believed once he has stayed there for two minutes, or goes on from there. At 0.7
/// and 1.4 of its size, no number moves a score on simulated and recorded days, but for a `memory` of 840 s,
/// which loses visits.
struct TrackGate: Sendable {
  private var trusted: Sighting?
  /// Metres per second, lately.
  private var speed = 0.0
  /// Where it was before the last leap: coming back from a wrong place needs no proof.
  private var left: Sighting?
  /// The first and the last of those that are doubted.
  private var doubted: (first: Sighting, last: Sighting)?

  /// Anything on the ground or in the air is slower than that, or changes its speed less.
  private static let fastest = 340.0
  private static let pull = 1.2
  private static let patience = 120.0
  private static let leap = 150.0
  /// A place this vague says nothing against one that was known this many seconds ago.
  private static let vague = 500.0
  private static let memory = 600.0
  /// Times the known speed that a device goes, times their accuracy that fixes are off, and metres.
  private static let faster = 1.3
  private static let spread = 1.5
  private static let slack = 10.0
  /// Seconds, and metres beside the accuracies, by which what jumped goes on from there.
  private static let lasting = 20.0
  private static let progress = 100.0
  /// Seconds over which speed is smoothed.
  private static let smoothing = 10.0

  mutating func admits(_ sighting: Sighting) -> Bool {
    guard sighting.accuracy <= Self.vague else {
      return trusted.map { sighting.time - $0.time > Self.memory } ?? true
    }
    guard let trusted else {
      trust(sighting)
      return true
    }
    if let doubted {
      let goesOn = strain(sighting, after: doubted.last) < strain(sighting, after: trusted)
      if goesOn {
        self.doubted?.last = sighting
        guard isConfirmed(doubted.first, sighting) else { return false }
        trust(sighting)
        return true
      }
    }
    guard
      strain(sighting, after: trusted) <= 1
        || left.map({ strain(sighting, after: $0) <= 1 }) == true
    else {
      doubted = (sighting, sighting)
      return false
    }
    trust(sighting)
    return true
  }

  /// How far apart they are, as a share of how far they can be.
  private func strain(_ sighting: Sighting, after earlier: Sighting) -> Double {
    let seconds = max(0, sighting.time - earlier.time)
    let known = max(speed, sighting.speed ?? 0)
    let travelled = min(
      Self.faster * known * seconds + Self.pull / 2 * seconds * seconds, Self.fastest * seconds)
    let slack = Self.slack + Self.spread * (sighting.accuracy + earlier.accuracy)
    return sighting.point.chord(to: earlier.point) / (slack + travelled)
  }

  private func isConfirmed(_ first: Sighting, _ newest: Sighting) -> Bool {
    let lasted = newest.time - first.time
    let progress = newest.point.chord(to: first.point)
    return lasted >= Self.patience
      || lasted >= Self.lasting
        && progress >= Self.progress + 2 * (first.accuracy + newest.accuracy)
  }

  private mutating func trust(_ sighting: Sighting) {
    if let trusted {
      let leap = sighting.point.chord(to: trusted.point)
      if leap > Self.leap + trusted.accuracy + sighting.accuracy { left = trusted }
      if let left, sighting.time - left.time > Self.patience { self.left = nil }
    }
    if let trusted, sighting.time > trusted.time {
      let seconds = sighting.time - trusted.time
      let pace = doubted == nil ? sighting.point.chord(to: trusted.point) / seconds : 0
      let share = min(1, seconds / Self.smoothing)
      speed += (min(pace, Self.fastest) - speed) * share
    }
    trusted = sighting
    doubted = nil
  }
}
