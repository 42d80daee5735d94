import LocationModel

/// A fix as its source's track keeps it, and how far from it the next one can be.
struct TrackPoint {
  var point: Point
  /// What the receiver says, in microseconds; only differences count.
  var timestamp: Timestamp
  var arrival: Int64
  var accuracy: Double
  /// Metres per second, as said; nil where it was not.
  var speed: Double?
  /// As said, or else as measured over some seconds up to here, of which this is the middle.
  private(set) var pace: Double
  private var paceTime: Int64
  private var start: (point: Point, time: Int64)

  init(_ location: Location, _ point: Point, at arrival: Int64) {
    self.point = point
    timestamp = location.timestamp
    self.arrival = arrival
    accuracy = location.horizontalAccuracy
    speed = location.speed
    pace = location.speed ?? Self.anyPace
    paceTime = timestamp.microseconds
    start = (point, paceTime)
  }

  var time: Int64 { timestamp.microseconds }

  /// How far it is to the next one, as a part of how far it can be: over 1 is impossible.
  func strain(to next: TrackPoint) -> Double {
    let seconds = max(0, Double(next.timestamp - timestamp) / 1e6)
    let fastest = pace + Self.push * max(0, Double(time - paceTime) / 1e6)
    let moved = min(
      fastest * seconds + Self.push / 2 * seconds * seconds, Self.fastest * seconds)
    // A coarse fix is not let in by being coarse.
    let noise =
      max(accuracy, Self.least) + max(min(next.accuracy, max(accuracy, Self.good)), Self.least)
    return point.chord(to: next.point) / (Self.spread * noise + moved)
  }

  /// Within how many metres of here it still is by then.
  func grown(until next: TrackPoint) -> Double {
    accuracy + max(pace, Self.walk) * max(0, Double(next.timestamp - timestamp) / 1e6)
  }

  /// Takes the pace from the way here where none is said.
  mutating func follow(_ before: TrackPoint) {
    guard speed == nil else { return }
    start = before.start
    let passed = time - start.time
    guard passed >= Self.window else {
      pace = before.pace
      paceTime = before.paceTime
      return
    }
    pace = point.chord(to: start.point) / (Double(passed) / 1e6)
    paceTime = time - passed / 2
    start = (point, time)
  }

  /// Metres that a receiver's fix may be off without being called coarse.
  static let good = 25.0
  /// What a walker, of whom nothing is known, may do; metres per second.
  static let walk = 1.5
  /// Receivers that claim to know better wobble by this much all the same.
  private static let least = 8.0
  /// Until a pace is said or measured: that of a fast car.
  private static let anyPace = 60.0
  /// Of accuracies, which hold 68 %.
  private static let spread = 1.5
  /// What vehicles do for more than a moment, in m/s²; and nobody is faster than sound for long.
  private static let push = 2.0
  private static let fastest = 340.0
  private static let window: Int64 = 5_000_000
}
