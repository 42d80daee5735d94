package import LocationModel

/// When one app is told that it is somewhere else: half a kilometre and five minutes after the last
/// time, and only if that is sure.
package struct SignificantChange: Sendable {
  package private(set) var last: Location?
  private var point = Point(x: 0, y: 0, z: 0)
  private var time = 0.0
  /// Where that was as far as is known now: a vague one may become clearer at once.
  private var truth = Point(x: 0, y: 0, z: 0)
  private var vagueness = 0.0
  /// Since when all that came was elsewhere.
  private var since: Double?
  private var count = 0

  package static let distance = 500.0
  package static let seconds = 300.0
  /// How far away someone is at least, if the wish is to be believed.
  private static let sure = 350.0

  /// A new one, or one that goes on after a restart.
  package init(after last: Location? = nil) {
    guard let last else { return }
    self.last = last
    point = Point(last.coordinate)
    truth = point
    vagueness = last.horizontalAccuracy
    // Long enough ago: nobody restarts to be told more often.
    time = -Self.seconds
  }

  /// Whether this one is to be told, which it then counts as.
  package mutating func takes(_ location: Location, _ sighting: Sighting) -> Bool {
    guard let last else {
      tell(location, sighting)
      return true
    }
    if sighting.time - time < 15, sighting.accuracy < vagueness / 3 {
      truth = sighting.point
      vagueness = sighting.accuracy
    }
    let gone = sighting.point.chord(to: truth) - 1.5 * sighting.accuracy - vagueness
    guard gone >= Self.sure else {
      // What is vague says neither that one is back nor that one is gone.
      if sighting.point.chord(to: truth) < Self.distance || sighting.accuracy < 100 {
        since = nil
        count = 0
      }
      return false
    }
    count += 1
    let began = since ?? sighting.time
    since = began
    guard sighting.time - time >= Self.seconds,
      count >= 3 || count == 2 && sighting.time - began > 8,
      sighting.time - began >= 6,
      isApart(
        (last.coordinate, point), (location.coordinate, sighting.point), by: Self.distance)
    else { return false }
    tell(location, sighting)
    return true
  }

  private mutating func tell(_ location: Location, _ sighting: Sighting) {
    last = location
    point = sighting.point
    time = sighting.time
    truth = sighting.point
    vagueness = sighting.accuracy
    since = nil
    count = 0
  }
}
