import Geodesy
import LocationModel

/// One source as it competes with the others: what is believed of it, and how fresh that is by the
/// clock of this machine, whatever its own clock says.
struct Contender {
  private(set) var track = Track()
  private let kind: SourceKind
  /// Whether it claims to know what a receiver of its kind cannot.
  private var isBoasting = false
  private var speed: Double?
  private var point = Point(x: 0, y: 0, z: 0)
  /// When its newest believed fix came.
  private(set) var arrival: Boottime = .start
  /// Nanoseconds between its fixes, smoothed.
  private(set) var period: Duration = .zero
  /// As said, smoothed, and not better than a receiver of its kind can know.
  private var accuracy = 0.0
  private var count = 0
  private var isDoubted = false
  /// No receiver measured it.
  private var isSaid = false
  /// It was given up for another that says something else.
  private var hasLost = false
  /// Since when it is the better one of two that say something else.
  private var betterSince: Boottime?
  /// Since when it goes on from the place that is told, by its own fixes: the track that is told is its own.
  private var ofTrackSince: Boottime?
  /// Since when it says another place than the source that is believed.
  private var contradictsSince: Boottime?

  init(_ kind: SourceKind) { self.kind = kind }

  mutating func accept(
    _ location: Location, _ point: Point, _ kind: Fix.Kind, at arrival: Boottime, filtered: Bool
  ) -> Track.Verdict {
    let verdict = track.accept(location, point, at: arrival, filtered: filtered)
    isDoubted = verdict == .doubted
    guard verdict == .believed else { return verdict }
    if track.hasJumped { ofTrackSince = nil }
    let gap = arrival - self.arrival
    let known = max(location.horizontalAccuracy, kind.bestAccuracy)
    if count == 0 || isSilent(at: arrival) {
      count = 0
      accuracy = known
    } else {
      // One long gap does not make the next one normal.
      period = period == .zero ? gap : period + (min(gap, period * 4) - period) / 4
      accuracy += (known - accuracy) * Self.smoothing
    }
    count = min(count + 1, Self.proven)
    self.arrival = arrival
    isBoasting = location.horizontalAccuracy < kind.bestAccuracy * Self.boast
    speed = track.isSpeedWrong ? track.pace : location.speed
    self.point = point
    isSaid = location.simulated
    return verdict
  }

  /// Another receiver perhaps: but for what was said before, nothing is known of it.
  mutating func beginAgain() {
    let before = track
    self = Contender(kind)
    track = Track(after: before)
  }

  /// Left alone for some of its own periods.
  func isSilent(at now: Boottime) -> Bool { isSilent(at: now, patience: 1) }

  private func isSilent(at now: Boottime, patience: Int) -> Bool {
    count == 0 || now - arrival > max(period * 3, Self.shortestSilence) * patience
  }

  private func isLate(at now: Boottime) -> Bool {
    period > .zero && now - arrival > period + period / 2
  }

  /// Whether this one, of which a fix has just come, is believed instead of the one so far. `isGone`: that one
  /// cannot be read.
  mutating func supersedes(
    _ other: Contender, support: Int, isGone: Bool, at now: Boottime
  ) -> Bool {
    let isSilent = other.isSilent(at: now)
    let agrees = agrees(with: other, at: now)
    if !isSilent { compare(with: other, agrees, at: now) }
    // That a source pauses is no sign that the machine is where another one has said all along.
    let isLeft =
      isSilent
      && (isGone || contradictsSince == nil
        || other.isSilent(at: now, patience: Self.reluctance))
    if !agrees, !isLeft { return wins(against: other, support: support, at: now) }
    hasLost = false
    betterSince = nil
    // A receiver that pauses is still better than what networks say, for as long as it takes to get that far.
    if isSilent { return isGone || kind != .radio || accuracy <= other.grown(until: now) }
    if other.isDoubted || other.track.isFrozen || other.isLate(at: now),
      accuracy <= other.grown(until: now)
    {
      return true
    }
    return (count >= Self.proven || other.count < Self.proven)
      && track.consistency.strikes <= other.track.consistency.strikes
      && accuracy < other.accuracy * Self.clearlyBetter
  }

  /// Whether both can be true.
  func agrees(with other: Contender, at now: Boottime) -> Bool {
    let pace = max(speed ?? 0, other.speed ?? 0, TrackPoint.walk)
    let moved = pace * ((now - arrival).magnitude + (now - other.arrival).magnitude).seconds
    // A source that stands to the last digit does not wander either.
    if track.isStill != other.track.isStill {
      return point.chord(to: other.point) <= accuracy + other.accuracy
    }
    let noise = (accuracy * accuracy + other.accuracy * other.accuracy).squareRoot()
    return point.chord(to: other.point) <= Self.spread * noise + moved
  }

  /// One of the two is wrong. Two honest receivers far apart look better in turn: one that has lost
  /// comes back only for more than a passing look.
  private mutating func wins(against other: Contender, support: Int, at now: Boottime) -> Bool {
    guard count >= Self.proven, isBelieved(against: other, support: support, at: now) else {
      betterSince = nil
      return false
    }
    if !hasLost || support > 0 || other.track.isFrozen { return true }
    let since = betterSince ?? now
    betterSince = since
    return now - since >= Self.appeal
  }

  /// Another was believed instead.
  mutating func lose(to other: Contender, at now: Boottime) {
    hasLost = !isSilent(at: now) && !agrees(with: other, at: now)
    betterSince = nil
  }

  /// One of the two is wrong. `support`: how many more of the others agree with this one.
  private func isBelieved(against other: Contender, support: Int, at now: Boottime) -> Bool {
    if support != 0 { return support > 0 }
    if isSaid != other.isSaid { return other.isSaid }
    // Boxes move; satellites do not.
    if (kind == .radio) != (other.kind == .radio) { return other.kind == .radio }
    let (mine, theirs) = (track.consistency.strikes, other.track.consistency.strikes)
    if abs(mine - theirs) >= 2 { return mine < theirs }
    if track.isFrozen != other.track.isFrozen { return other.track.isFrozen }
    if isOfTrack(at: now) != other.isOfTrack(at: now), isBoasting == other.isBoasting {
      return isOfTrack(at: now)
    }
    if track.isStill != other.track.isStill { return other.track.isStill }
    return other.isBoasting && !isBoasting
  }

  private func grown(until now: Boottime) -> Double {
    accuracy + max(speed ?? 0, TrackPoint.walk) * now.seconds(since: arrival)
  }

  private static let proven = 3
  // At 0.7 and 1.4 of their size, two receivers far apart still change places at most once in five minutes.
  /// A source whose accuracy is less than this part of another's is better.
  private static let clearlyBetter = 0.7
  /// Less than this part of what its kind can reach is a boast.
  private static let boast = 0.9
  private static let smoothing = 0.3
  /// Times their accuracies that two sources lie apart which are both right.
  private static let spread = 2.5
  private static let shortestSilence: Duration = .milliseconds(2500)
  private static let appeal: Duration = .seconds(60)
  /// Times the silence after which another is believed that one is waited for where the other contradicts it.
  private static let reluctance = 4
  /// From so many seconds on what is told is a track. Until then the first one is only the first.
  private static let established: Duration = .seconds(10)
  /// A contradiction that lasts for less is none.
  private static let surely: Duration = .seconds(5)
}

// MARK: - The track that is told

extension Contender {
  /// Whether the place that is told has been its own, or one that it agreed with, and it has gone on from there.
  var followsTrack: Bool { ofTrackSince != nil }

  private func isOfTrack(at now: Boottime) -> Bool {
    ofTrackSince.map { now - $0 >= Self.established } ?? false
  }

  private mutating func compare(with believed: Contender, _ agrees: Bool, at now: Boottime) {
    if agrees {
      contradictsSince = nil
      if believed.followsTrack { ofTrackSince = ofTrackSince ?? now }
    } else {
      contradictsSince = contradictsSince ?? now
    }
  }

  /// Its place is told.
  mutating func leadTrack(at now: Boottime) {
    contradictsSince = nil
    ofTrackSince = ofTrackSince ?? now
  }

  /// The place that is told is another's, elsewhere.
  mutating func leaveTrack() { ofTrackSince = nil }

  /// Metres from the source that is believed, where it has contradicted that for some seconds.
  func contradiction(to believed: Contender, at now: Boottime) -> Double? {
    guard let since = contradictsSince, arrival - since >= Self.surely, !isSilent(at: now),
      !believed.isSilent(at: now)
    else { return nil }
    return point.coordinate.distance(to: believed.point.coordinate)
  }
}

extension Fix.Kind {
  /// Metres that a receiver can know at best, however sure it says it is.
  fileprivate var bestAccuracy: Double {
    switch self {
    case .autonomous, .estimated: 2
    case .differential, .precise: 0.5
    case .rtkFixed, .rtkFloat, .manual, .simulated: 0
    }
  }
}
