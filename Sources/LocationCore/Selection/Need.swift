import LocationModel

/// How good a fix somebody needs, and how often: what receivers are on for.
package struct Need: Equatable, Sendable {
  /// Metres that will do; 0 for the best there is.
  package var accuracy: Double
  /// Seconds between two fixes that will do; 0 for all of them, nil for as long as a moving device
  /// takes to get that far.
  package var every: Double?

  package init(accuracy: Double, every: Double? = nil) {
    self.accuracy = accuracy
    self.every = every
  }

  /// Everything, as it comes.
  package static let all = Need(accuracy: 0, every: 0)

  /// A coarse place is told seldom.
  static let coarsePlace = Need(accuracy: 3000, every: CoarsePlace.interval.seconds)

  /// How long a fix will do, in seconds, at a pace in metres per second.
  func pause(at pace: Double) -> Double {
    if let every { return every }
    return accuracy < Self.coarse ? 0 : accuracy / max(pace, TrackPoint.walk)
  }

  /// A client that asks for less than this wants each change at once.
  private static let coarse = 100.0
}

/// The sum of all needs: the best of the accuracies, the shortest of the pauses.
struct Demand {
  private(set) var accuracy = Double.infinity
  private(set) var pause = Double.infinity
  /// Metres per second.
  private let pace: Double

  init(pace: Double) { self.pace = pace }

  mutating func add(_ need: Need) {
    accuracy = min(accuracy, need.accuracy)
    pause = min(pause, need.pause(at: pace))
  }
}
