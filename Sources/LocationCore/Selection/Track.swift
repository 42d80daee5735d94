import LocationModel

/// One source's fixes, which decide whether the next one can be true: it is in order, and physically
/// possible after them. A source that truly jumped is believed again after a few fixes, and so is one
/// whose fixes agree with each other, though not with the speed that it says.
struct Track {
  enum Verdict: Equatable {
    case believed
    /// Said before.
    case repeated
    /// Older than what was said before, or from a future.
    case untimely
    /// Nothing moves like that, or so coarse that it says nothing new.
    case doubted
  }

  private var newest: TrackPoint?
  private var jump: Jump?
  /// Where it was before it jumped: coming back from a wrong place needs no proof.
  private var left: TrackPoint?
  private var order = FixOrder()
  /// The time from the source's time to one that goes on where the source sets its clock.
  private var shift: Duration = .zero
  private var stillness = Stillness()
  private(set) var consistency = Consistency()
  /// How sure it is that its fixes say their speed, up to `surelySpeaks`.
  private var speedsSaid = 0

  init() {}

  /// One that may be somewhere else, but says nothing again.
  init(after before: Track) { order = before.order }

  /// Whether it has not moved by the last digit for some fixes.
  var isStill: Bool { stillness.isLong }
  /// Whether it says that it moves, from where it stays.
  private(set) var isFrozen = false
  /// Whether its newest believed fix does not go on from those before.
  private(set) var hasJumped = false
  /// Whether the speed that it says is not the one that it moves at.
  var isSpeedWrong: Bool { consistency.isSpeedWrong }
  /// Metres per second, as said, or else as measured.
  var pace: Double? { newest?.pace }

  mutating func accept(
    _ location: Location, _ point: Point, at arrival: Boottime, filtered: Bool
  ) -> Verdict {
    switch order.place(location, at: arrival) {
    case .next: break
    case .again: return .repeated
    case .astray: return .untimely
    // Another clock: only the time that has passed here still counts.
    case .anew:
      if let newest {
        shift = newest.timestamp + (arrival - newest.arrival) - location.timestamp
      }
    }
    var next = TrackPoint(
      location, point, of: location.timestamp + shift, at: arrival, believingSpeed: !isSpeedWrong)
    guard let newest else {
      speedsSaid = location.speed == nil ? 0 : 1
      consistency.begin(at: next)
      self.newest = next
      return .believed
    }
    isFrozen = stillness.isBroken(by: location)
    // A source that stays where it jumped to has to prove that, though by and by one might have come there.
    if filtered, newest.strain(to: next) > 1 || jump?.holds(next, against: newest) == true {
      return doubt(&next, after: newest)
    }
    speak(location.speed != nil)
    consistency.weigh(next)
    hasJumped = false
    jump = nil
    next.follow(newest)
    // A coarse one that fits changes nothing of what is known better.
    if !filtered || next.accuracy <= max(newest.grown(until: next), TrackPoint.good) {
      self.newest = next
    }
    return .believed
  }

  private mutating func speak(_ hasSpeed: Bool) {
    speedsSaid = hasSpeed ? min(speedsSaid + 1, Self.longMemory) : max(0, speedsSaid - 1)
  }

  private mutating func doubt(_ next: inout TrackPoint, after newest: TrackPoint) -> Verdict {
    if let left, left.strain(to: next, within: Self.longestReach) <= 1 {
      begin(at: next)
      return .believed
    }
    if jump == nil { jump = Jump(to: next) } else { jump?.add(&next) }
    consistency.strike()
    let proof = jump?.proof(
      spoken: speedsSaid >= Self.surelySpeaks, isCoarse: isNoNews(next, after: newest))
    switch proof {
    case nil: return .doubted
    case .bySpeed?:
      begin(at: next)
      left = newest
    case .byMovement(let way)?:
      if way.refutesSpeed { consistency.refuteSpeed() }
      next.end(way, believingSpeed: !isSpeedWrong)
      begin(at: next)
    }
    return .believed
  }

  private mutating func begin(at point: TrackPoint) {
    newest = point
    left = nil
    jump = nil
    hasJumped = true
    consistency.begin(at: point)
  }

  /// Coarser than what is known even after all that may have happened since. For a while.
  private func isNoNews(_ next: TrackPoint, after newest: TrackPoint) -> Bool {
    next.accuracy > newest.grown(until: next) && newest.seconds(to: next) < Self.longestHold
  }

  private static let longestHold = 600.0
  /// A wrong place may last for hours; who then comes back has not gone on from before meanwhile.
  private static let longestReach = 120.0
  private static let surelySpeaks = 5
  private static let longMemory = 30
}

/// Whether a fix comes after those before it, by the time that its source says.
struct FixOrder {
  enum Place {
    case next, again
    /// Before the last one, or so far ahead of it that its time was misread.
    case astray
    /// The source's clock was set: its new time has shown to go on.
    case anew
  }

  private struct Moment {
    var timestamp: Timestamp
    var arrival: Boottime

    /// By how much more than has passed here since.
    func leap(to next: Moment) -> Duration {
      next.timestamp - timestamp - (next.arrival - arrival)
    }
  }

  private var last: Moment?
  private var coordinate = Coordinate(latitude: 0, longitude: 0)
  /// So many are astray in a row and go on from each other, up to this one.
  private var astray: (count: Int, newest: Moment)?
  /// Whether the source's clock stands still while its fixes go on.
  private var isStanding = false

  mutating func place(_ location: Location, at arrival: Boottime) -> Place {
    let next = Moment(timestamp: location.timestamp, arrival: arrival)
    // A recording has its own time, and may be played faster.
    let leaps = !location.simulated
    guard let last, next.timestamp <= last.timestamp || leaps && last.leap(to: next) > Self.farthest
    else {
      keep(next, location.coordinate)
      isStanding = false
      return .next
    }
    let isSame = next.timestamp == last.timestamp
    if isSame, location.coordinate == coordinate { return .again }
    if isSame, isStanding {
      keep(next, location.coordinate)
      return .anew
    }
    // Fixes that run on, or a clock that stands still.
    if let (count, newest) = astray, next.timestamp >= newest.timestamp,
      !leaps || newest.leap(to: next) <= Self.farthest
    {
      astray = (count + 1, next)
    } else {
      astray = (1, next)
    }
    guard let astray, astray.count >= Self.enough else { return .astray }
    isStanding = isSame
    keep(next, location.coordinate)
    return .anew
  }

  private mutating func keep(_ moment: Moment, _ coordinate: Coordinate) {
    last = moment
    self.coordinate = coordinate
    astray = nil
  }

  private static let enough = 3
  /// Fixes come late and in bursts, but not by ten minutes.
  private static let farthest: Duration = .seconds(600)
}

/// How often a source has contradicted itself of late: fixes it could not have, and ways that are
/// not its speed's. It speaks against a source only where another says something else.
struct Consistency {
  private(set) var strikes = 0
  /// Whether the speeds that it says are not those of the ways that it makes.
  private(set) var isSpeedWrong = false
  private var way: Way?

  mutating func strike(_ count: Int = 1) { strikes = min(strikes + count, Self.most) }

  mutating func begin(at point: TrackPoint) { way = Way(from: point) }

  mutating func refuteSpeed() { isSpeedWrong = true }

  /// Each few seconds, the way that was made is held against the one that was said.
  mutating func weigh(_ point: TrackPoint) {
    guard var way else { return begin(at: point) }
    if isSpeedWrong {
      var step = Way(from: way.end)
      step.add(point)
      // It agrees again where it does so all along.
      if step.refutesSpeed {
        strike()
        return begin(at: point)
      }
    }
    way.add(point)
    self.way = way
    guard way.seconds >= Self.window else { return }
    if way.contradictsSpeed { strike(2) } else { strikes = max(0, strikes - 1) }
    if way.isSaid { isSpeedWrong = way.refutesSpeed }
    begin(at: point)
  }

  private static let most = 4
  private static let window = 15.0
}
