internal import Geodesy
package import LocationModel

/// The time zone of a machine as it follows its place.
///
/// * A zone is set when the machine has been in it for a while, and surely in no part of its own any more.
/// * A place that is remembered, set or guessed says nothing.
/// * A zone that another has set stays until the machine is in a further one.
/// * A place that has been told before is no second look: an app of reduced accuracy is told another only once in a
///   quarter of an hour, so that long it takes there.
package struct ZoneFollower: Sendable {
  package struct Rule: Sendable {
    /// The pause between two looks at the place.
    package var interval: Duration = .seconds(1800)
    /// The time in another zone until it is set.
    package var settling: Duration = .seconds(600)

    package init() {}
  }

  package enum Input: Sendable {
    /// Something may have carried the machine elsewhere: the start, sleep, another network.
    case moved
    case timer
    /// The answer to `locate`; nil where no place came.
    case located(Location?)
    /// The answer to `lookUp`: the zones of the places in their order, and the machine's own.
    case found([String?], machine: String?)
    /// The zone could not be set.
    case refused
    /// A desktop sets the zone; or none does.
    case yields(Bool)
  }

  package enum Step: Equatable, Sendable {
    case locate(desiredAccuracy: Double)
    case lookUp([Coordinate])
    /// The machine's zone until now comes second.
    case set(String, insteadOf: String)
    case wake(Boottime?)
  }

  private enum Work {
    case nothing, lookingUp
    case locating(isExact: Bool)
  }

  private let rule: Rule
  private var work = Work.nothing
  private var hasMoved = false
  /// When something happened since which no place is known.
  private var movedAt: Boottime?
  private var yields = false
  private var askedAt: Boottime?
  private var next: Boottime?
  private var candidate: (zone: String, since: Boottime)?
  /// The newest place's.
  private var newest: Timestamp?
  /// The machine's zone as it was last seen.
  private var zone: String?
  /// The place's zone when another set a different one.
  private var overruled: String?

  /// Networks that come and go are one reason to look.
  private static let leastPause: Duration = .seconds(10)
  /// The number of looks at a new zone until it has settled.
  private static let looks = 5
  /// Metres: a vaguer place lies in too many zones.
  private static let vaguest = 200_000.0
  /// Around a place, so many points at its accuracy tell whether a border is near.
  private static let directions = 8

  package init(_ rule: Rule = Rule()) { self.rule = rule }
}

extension ZoneFollower {
  package mutating func handle(_ input: Input, at now: Boottime) -> [Step] {
    switch input {
    case .moved: return move(at: now)
    case .timer:
      guard let next, next <= now else { return [] }
      return locate(at: now)
    case .located(let location): return located(location, at: now)
    case .found(let zones, let machine):
      guard case .lookingUp = work else { return [] }
      return compare(zones, machine, at: now)
    case .refused:
      // Another program may have changed the machine's zone until the next look.
      zone = nil
      return []
    case .yields(let yields):
      guard yields != self.yields else { return [] }
      self.yields = yields
      candidate = nil
      guard yields else { return move(at: now) }
      return rest(until: nil)
    }
  }

  private mutating func move(at now: Boottime) -> [Step] {
    guard !yields else { return [] }
    movedAt = now
    guard case .nothing = work else {
      hasMoved = true
      return []
    }
    let earliest = askedAt.map { $0 + Self.leastPause } ?? now
    return earliest <= now ? locate(at: now) : rest(until: min(next ?? earliest, earliest))
  }

  private mutating func locate(at now: Boottime) -> [Step] {
    (askedAt, work) = (now, .locating(isExact: false))
    return rest(until: nil) + [.locate(desiredAccuracy: AccuracyAuthorization.reducedRadius)]
  }

  private mutating func rest(until next: Boottime?) -> [Step] {
    self.next = next
    return [.wake(next)]
  }

  private mutating func located(_ location: Location?, at now: Boottime) -> [Step] {
    guard case .locating(let isExact) = work else { return [] }
    if let location, location.kind == .set, !isExact {
      // A set place answers at once: receivers are heard only by a wish that it does not meet.
      work = .locating(isExact: true)
      return [.locate(desiredAccuracy: -1)]
    }
    guard !yields, let location, location.kind.isCurrent,
      location.horizontalAccuracy <= Self.vaguest
    else { return end(in: rule.interval, at: now) }
    guard location.timestamp != newest else {
      let isSoon = candidate != nil || movedAt.map { now - $0 < rule.settling * 2 } ?? false
      return end(in: isSoon ? pace : rule.interval, at: now)
    }
    (newest, movedAt) = (location.timestamp, nil)
    work = .lookingUp
    let place = location.coordinate
    return [
      .lookUp(
        [place]
          + (0..<Self.directions).map {
            place.moved(
              location.horizontalAccuracy, towards: Double($0) * 360 / Double(Self.directions))
          })
    ]
  }

  private var pace: Duration { rule.settling / Self.looks }

  private mutating func end(in pause: Duration, at now: Boottime) -> [Step] {
    work = .nothing
    guard !yields else { return rest(until: nil) }
    let isSoon = hasMoved
    hasMoved = false
    return rest(until: now + (isSoon ? min(pause, Self.leastPause) : pause))
  }

  private mutating func compare(
    _ zones: [String?], _ machine: String?, at now: Boottime
  ) -> [Step] {
    let around = Set(zones.compactMap { $0 })
    guard !yields, let here = zones.first ?? nil, let machine else {
      return end(in: rule.interval, at: now)
    }
    if let zone, zone != machine { overruled = here }
    zone = machine
    if let overruled, !around.contains(overruled) { self.overruled = nil }
    guard !around.contains(machine), overruled == nil else {
      candidate = nil
      return end(in: rule.interval, at: now)
    }
    guard let candidate, candidate.zone == here else {
      candidate = (here, now)
      return end(in: pace, at: now)
    }
    let settled = candidate.since + rule.settling
    guard settled <= now else {
      return end(in: min(settled - now, pace), at: now)
    }
    self.candidate = nil
    zone = here
    return [.set(here, insteadOf: machine)] + end(in: rule.interval, at: now)
  }
}
