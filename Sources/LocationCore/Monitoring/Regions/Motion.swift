import LocationModel

/// The way from one sighting to the next, and where it goes on to.
struct Motion: Sendable {
  /// Metres moved, as sightings lie apart.
  private(set) var way = 0.0
  /// Metres per second, smoothed over some seconds.
  private var velocity = Point(x: 0, y: 0, z: 0)
  private(set) var newest: Sighting?
  /// Seconds from the one before.
  private(set) var seconds = 0.0
  /// Where that was, where it is long enough ago that an edge may have been crossed anywhere between.
  private(set) var from: Point?

  mutating func go(to sighting: Sighting) {
    defer { newest = sighting }
    guard let newest else { return }
    seconds = sighting.time - newest.time
    from = seconds >= Self.longStep ? newest.point : nil
    let made = sighting.point - newest.point
    way += made.length
    guard seconds > 0 else { return }
    let share = seconds / (seconds + Self.smoothing)
    velocity = velocity + (made * (1 / seconds) - velocity) * share
  }

  /// Half way, where going straight can be told from having been anywhere.
  var middle: Point? {
    guard let from, let newest, Self.straight ~= seconds else { return nil }
    return (from + newest.point) * 0.5
  }

  /// Where it is after some seconds, going on like this.
  func ahead(_ seconds: Double) -> Point? { newest.map { $0.point + velocity * seconds } }

  private static let smoothing = 3.0
  private static let longStep = 3.0
  private static let straight = 10.0...300
}
