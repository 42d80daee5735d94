import LocationModel

/// A fix as its source's track keeps it, and how far from it the next one can be.
struct TrackPoint {
  let point: Point
  /// On the source's clock; only differences count.
  let timestamp: Timestamp
  let arrival: Boottime
  let accuracy: Double
  /// Metres per second; nil where it was not said.
  let said: Double?
  /// As said and believed, or else as measured over some seconds up to here, of which `paceTime` is
  /// the middle.
  private(set) var pace: Double
  private var paceTime: Timestamp
  private var isMeasured: Bool
  private var start: (point: Point, timestamp: Timestamp)
  /// Metres per second that it can keep up.
  private var limit = Self.fastest

  init(
    _ location: Location, _ point: Point, of timestamp: Timestamp, at arrival: Boottime,
    believingSpeed: Bool
  ) {
    self.point = point
    self.timestamp = timestamp
    self.arrival = arrival
    accuracy = location.horizontalAccuracy
    said = location.speed
    let believed = believingSpeed ? location.speed : nil
    isMeasured = believed == nil
    pace = believed ?? Self.anyPace
    paceTime = timestamp
    start = (point, timestamp)
  }

  func seconds(to next: TrackPoint) -> Double { next.timestamp.seconds(since: timestamp) }

  /// How far it is to the next one, as a part of how far it can be, having moved for so many
  /// seconds at most: over 1 is impossible.
  func strain(to next: TrackPoint, within longest: Double = .infinity) -> Double {
    let seconds = min(max(0, seconds(to: next)), longest)
    let fastest = pace + Self.push * max(0, timestamp.seconds(since: paceTime))
    let moved = min(fastest * seconds + Self.push / 2 * seconds * seconds, limit * seconds)
    // A coarse fix is not let in by being coarse.
    let noise = known + max(min(next.accuracy, max(accuracy, Self.good)), Self.least)
    return point.chord(to: next.point) / (Self.spread * noise + moved)
  }

  /// Within how many metres of here it still is by then.
  func grown(until next: TrackPoint) -> Double {
    accuracy + max(pace, Self.walk) * max(0, seconds(to: next))
  }

  /// Takes the pace from the way here where none is said.
  mutating func follow(_ before: TrackPoint) {
    limit = before.limit
    guard isMeasured else { return }
    start = before.start
    let passed = timestamp - start.timestamp
    guard passed >= Self.window else {
      pace = before.pace
      paceTime = before.paceTime
      return
    }
    pace = point.chord(to: start.point) / passed.seconds
    paceTime = timestamp - passed / 2
    start = (point, timestamp)
  }

  /// Takes the pace of a way that it was seen to make, and believes that it can go on so.
  mutating func end(_ way: Way, believingSpeed: Bool) {
    let measured = way.length / way.seconds
    limit = max(limit, 2 * measured)
    if believingSpeed, said != nil { return }
    isMeasured = true
    pace = measured
    paceTime = way.start.timestamp + (timestamp - way.start.timestamp) / 2
    start = (point, timestamp)
  }

  /// Metres that a receiver's fix may be off without being called coarse.
  static let good = 25.0
  /// The pace of a device of which nothing is known, in metres per second.
  static let walk = 1.5
  /// Times the accuracy, which holds 68 %.
  static let spread = 1.5
  /// Receivers that claim to know better wobble by this much all the same.
  static let least = 8.0
  /// Metres that it may be off.
  var known: Double { max(accuracy, Self.least) }

  /// Until a pace is said or measured: that of a fast car.
  private static let anyPace = 60.0
  /// The acceleration of vehicles for more than a moment, in m/s²; nobody is faster than sound for long,
  /// unless seen to be.
  private static let push = 2.0
  private static let fastest = 340.0
  private static let window: Duration = .seconds(5)
}

/// How long a source has stood on the spot, to the last digit.
struct Stillness {
  private var coordinate: Coordinate?
  private var since = Timestamp(microseconds: 0)
  private var count = 0

  var isLong: Bool { count >= 2 }

  /// The fix repeats a place that, by its own speed, it has long left.
  mutating func isBroken(by location: Location) -> Bool {
    guard let coordinate, location.coordinate == coordinate else {
      self.coordinate = location.coordinate
      since = location.timestamp
      count = 0
      return false
    }
    count += 1
    let seconds = location.timestamp.seconds(since: since)
    let way = (location.speed ?? 0) * seconds
    return way > max(Self.wayOff, location.horizontalAccuracy / 2)
  }

  private static let wayOff = 5.0
}
