import LocationModel

/// What one source has said, and whether its next fix can be true: it is in order, and physically
/// possible after those before it. One that truly jumped is believed again after a few fixes.
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
  private var stillness = Stillness()
  private(set) var honesty = Honesty()
  /// How sure it is that its fixes say their speed, up to `surelySpeaks`.
  private var speedsSaid = 0

  init() {}

  /// One that may be somewhere else, but says nothing again.
  init(after before: Track) { order = before.order }

  /// A place it may have jumped to, and the fixes that agree about it.
  private struct Jump {
    var count: Int
    var since: Int64
    var newest: TrackPoint

    func holds(_ next: TrackPoint, against other: TrackPoint) -> Bool {
      newest.strain(to: next) <= 1
        && newest.point.chord(to: next.point) < other.point.chord(to: next.point)
    }
  }

  /// Whether it has not moved by the last digit for some fixes.
  var isStill: Bool { stillness.isLong }
  /// Whether it says that it moves, from where it stays.
  private(set) var isFrozen = false

  mutating func take(
    _ location: Location, _ point: Point, at arrival: Int64, filtered: Bool
  ) -> Verdict {
    switch order.place(location, at: arrival) {
    case .next: break
    case .again: return .repeated
    case .astray: return .untimely
    // Another clock: only the time that has passed here still counts.
    case .anew:
      if let newest {
        self.newest?.timestamp = location.timestamp + (newest.arrival - arrival) / 1000
      }
    }
    var next = TrackPoint(location, point, at: arrival)
    guard let newest else {
      speedsSaid = location.speed == nil ? 0 : 1
      self.newest = next
      return .believed
    }
    isFrozen = stillness.isBroken(by: location)
    // What stays where it jumped to has to prove that, though by and by one might have come there.
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
    if var jump, jump.newest.strain(to: next) <= 1 {
      next.follow(jump.newest)
      jump.count += 1
      jump.newest = next
      self.jump = jump
    } else {
      jump = Jump(count: 1, since: next.time, newest: next)
    }
    honesty.strike()
    guard let jump, !isNoNews(next, after: newest) else { return .doubted }
    let needed = next.speed == nil && speedsSaid >= Self.surelySpeaks ? Self.longProof : Self.proof
    guard jump.count >= Self.fixesOfProof, next.time - jump.since >= needed else { return .doubted }
    begin(at: next)
    left = newest
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
    next.accuracy > newest.grown(until: next) && next.time - newest.time < Self.longestHold
  }

  /// A jump is true when so many fixes agree about it for so long. One whose fixes do not say their
  /// speed, as all before did, was found by other means, such as radio cells: it has to last.
  private static let fixesOfProof = 5
  private static let proof: Int64 = 3_000_000
  private static let longProof: Int64 = 90_000_000
  private static let longestHold: Int64 = 600_000_000
  /// A wrong place may last for hours; who then comes back has not gone on from before meanwhile.
  private static let longestReach = 120.0
  private static let surelySpeaks = 5
  private static let longMemory = 30
}
