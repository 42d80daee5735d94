import LocationModel

/// When one app is told that it is somewhere else: half a kilometre and five minutes after the last
/// time, and only if that is sure. `spread` is fixed by nights on made-up traces: at 0.7 of it they have
/// changes; the others move no score at 0.7 and 1.4 of their size.
struct SignificantChange: Sendable {
  private(set) var last: Location?
  private var point = Point(x: 0, y: 0, z: 0)
  private var time = 0.0
  /// Where that was as far as is known now: a vague one may become clearer at once.
  private var truth = Point(x: 0, y: 0, z: 0)
  private var vagueness = 0.0
  /// Since when all that came was elsewhere.
  private var since: Double?
  private var count = 0
  /// The newest place that is surely elsewhere: it is told when the wait is over.
  private var next: (location: Location, point: Point, time: Double)?
  /// The newest place, and its time, where the last one was told after nothing had come for long.
  private var silent: (point: Point, time: Double)?
  /// How long ago the last one was told, until there is a time to count from.
  private var toldBefore: ToldBefore?

  static let distance = 500.0
  static let seconds = 300.0
  /// How far away someone is at least, if the wish is to be believed.
  private static let sure = 350.0
  /// So long after the newest one it is not waited for a newer one.
  private static let silence = 60.0
  /// Within so many seconds, a fix so many times as good says where the last one was told.
  private static let soon = 15.0
  private static let clearer = 3.0
  /// Times its accuracy that a fix may be off.
  private static let spread = 1.5
  /// Metres: a vaguer fix says neither that the device is back nor that it is gone.
  private static let vague = 100.0
  /// Seconds elsewhere that are sure, and between two fixes that are as good as three.
  private static let lasting = 6.0
  private static let rare = 8.0
  /// A way that was not seen bends by so much of its length.
  private static let bend = 0.25

  init() {}

  /// One that goes on after a restart.
  init(after last: Location, _ told: ToldBefore) {
    self.last = last
    point = Point(last.coordinate)
    truth = point
    vagueness = last.horizontalAccuracy
    toldBefore = told
  }

  /// When the next one is told, though nothing more may come.
  var due: Double? {
    guard let seen = next?.time else { return nil }
    return max(time + Self.seconds, seen + Self.silence)
  }

  /// Whether a place is to be told, which is then the last one.
  mutating func admits(_ seen: Observation) -> Bool {
    let (location, sighting) = (seen.location, seen.sighting)
    guard let before = last?.coordinate else {
      report(location, sighting.point, at: sighting.time)
      return true
    }
    if let told = toldBefore {
      time = sighting.time - told.seconds(until: seen.now)
      toldBefore = nil
    }
    endSilence(sighting)
    if sighting.time - time < Self.soon, sighting.accuracy < vagueness / Self.clearer {
      truth = sighting.point
      vagueness = sighting.accuracy
    }
    let gone = sighting.point.chord(to: truth) - Self.spread * sighting.accuracy - vagueness
    guard gone >= Self.sure else {
      if sighting.point.chord(to: truth) < Self.distance || sighting.accuracy < Self.vague {
        stay()
      }
      return false
    }
    count += 1
    let began = since ?? sighting.time
    since = began
    let passed = sighting.time - began
    guard count >= 3 || count == 2 && passed > Self.rare, passed >= Self.lasting,
      isApart(
        (before, point), (location.coordinate, sighting.point), by: Self.distance)
    else { return false }
    next = (location, sighting.point, sighting.time)
    guard sighting.time - time >= Self.seconds else { return false }
    report(location, sighting.point, at: sighting.time)
    return true
  }

  /// Whether the wait of one who is surely elsewhere is over, though nothing more has come.
  mutating func wait(until time: Double) -> Bool {
    guard let next, let due, due <= time else { return false }
    report(next.location, next.point, at: time)
    silent = (next.point, next.time)
    return true
  }

  /// A device that was told of in silence had gone on by then, to somewhere on the way to where it is now.
  private mutating func endSilence(_ sighting: Sighting) {
    guard let (point, began) = silent else { return }
    silent = nil
    let way = sighting.point - point
    truth = point + way * ((time - began) / max(sighting.time - began, 1)).clamped(to: 0...1)
    vagueness = sighting.accuracy + way.length * Self.bend
  }

  private mutating func report(_ location: Location, _ point: Point, at time: Double) {
    last = location
    self.point = point
    self.time = time
    truth = point
    vagueness = location.horizontalAccuracy
    stay()
  }

  private mutating func stay() {
    since = nil
    count = 0
    next = nil
  }
}

/// When something was told, by both clocks, as it is remembered over a restart.
struct ToldBefore: Equatable, Sendable {
  var boottime: Boottime
  var utc: Timestamp

  /// How long ago that was: what the two clocks agree on. Of a machine that was started anew, or a
  /// clock that was set, it is the less, so that nobody is told too soon.
  func seconds(until now: Instant) -> Double {
    let boot = now.boottime.seconds(since: boottime)
    let date = now.utc.seconds(since: utc)
    if boot < 0 || date < 0 { return max(0, boot, date) }
    return min(boot, date)
  }
}
