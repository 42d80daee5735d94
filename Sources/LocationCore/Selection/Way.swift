import LocationModel

/// A way over several fixes: as it was made, and as long as the speeds said along it make it.
struct Way {
  let start: TrackPoint
  private(set) var end: TrackPoint
  /// Metres from fix to fix, and as many as these are at least.
  private var path = 0.0
  private var leastPath = 0.0
  /// Metres by the speeds, up to the last fix that said one; what that was, and when.
  private var said = 0.0
  private var last: (speed: Double, timestamp: Timestamp)?
  /// By how many metres, squared, speeds that change between two fixes may mislead.
  private var slack = 0.0

  init(from point: TrackPoint) {
    start = point
    end = point
    last = point.said.map { ($0, point.timestamp) }
  }

  mutating func add(_ next: TrackPoint) {
    let step = end.point.chord(to: next.point)
    path += step
    leastPath += max(0, step - TrackPoint.spread * (end.known + next.known))
    end = next
    guard let speed = next.said else { return }
    // Where the first fix says none, the first speed that is said holds from there.
    let (before, since) = last ?? (speed, start.timestamp)
    let seconds = next.timestamp.seconds(since: since)
    said += (before + speed) / 2 * seconds
    let change = Self.push / 4 * seconds * seconds
    slack += change * change
    last = (speed, next.timestamp)
  }

  var seconds: Double { start.seconds(to: end) }
  /// As the crow flies.
  var length: Double { start.point.chord(to: end.point) }
  /// Metres that the two ends may be off.
  var noise: Double { TrackPoint.spread * (start.accuracy + end.accuracy) }
  var isSaid: Bool { last != nil }

  /// Whether the speeds that were said cannot make this way of its ends, by their accuracies.
  var contradictsSpeed: Bool { contradictsSpeed(beyond: noise) }
  /// Whether they cannot, by more than receivers wobble.
  var refutesSpeed: Bool {
    contradictsSpeed(beyond: max(noise, 2 * TrackPoint.spread * TrackPoint.least))
  }

  private func contradictsSpeed(beyond noise: Double) -> Bool {
    guard let last else { return false }
    // Nothing says how the speed changed since.
    let unsaid = max(0, end.timestamp.seconds(since: last.timestamp))
    let all = said + last.speed * unsaid
    let slack = slack.squareRoot() + Self.push / 2 * unsaid * unsaid
    let apart = max(length - noise - all, leastPath - all, all - path - noise)
    return apart > Self.rounding * all + slack
  }

  /// How vehicles change their speed, in m/s².
  private static let push = 2.0
  /// Part of a speed that is lost in rounding, or in turns.
  private static let rounding = 0.1
}
