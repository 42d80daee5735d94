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
  private(set) var honesty = Honesty()
  /// How sure it is that its fixes say their speed, up to `surelySpeaks`.
  private var speedsSaid = 0

  init() {}

  /// One that may be somewhere else, but says nothing again.
  init(after before: Track) { order = before.order }

  /// Whether it has not moved by the last digit for some fixes.
  var isStill: Bool { stillness.isLong }
  /// Whether it says that it moves, from where it stays.
  private(set) var isFrozen = false
  /// Whether the speed that it says is not the one that it moves at.
  var isSpeedWrong: Bool { honesty.isSpeedWrong }
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
      honesty.begin(at: next)
      self.newest = next
      return .believed
    }
    isFrozen = stillness.isBroken(by: location)
    // A source that stays where it jumped to has to prove that, though by and by one might have come there.
    if filtered, newest.strain(to: next) > 1 || jump?.holds(next, against: newest) == true {
      return doubt(&next, after: newest)
    }
    speak(location.speed != nil)
    honesty.weigh(next)
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
    honesty.strike()
    let proof = jump?.proof(
      spoken: speedsSaid >= Self.surelySpeaks, isCoarse: isNoNews(next, after: newest))
    switch proof {
    case nil: return .doubted
    case .bySpeed?:
      begin(at: next)
      left = newest
    case .byMovement(let way)?:
      if way.refutesSpeed { honesty.refuteSpeed() }
      next.end(way, believingSpeed: !isSpeedWrong)
      begin(at: next)
    }
    return .believed
  }

  private mutating func begin(at point: TrackPoint) {
    newest = point
    left = nil
    jump = nil
    honesty.begin(at: point)
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
