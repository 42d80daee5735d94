import LocationModel

/// Fixes that are withheld one after the other: where a source may have jumped to.
struct Jump {
  private var newest: TrackPoint
  /// So many of the last agree by the speeds that they say.
  private var count = 1
  private var since: Timestamp
  private var movement: Movement
  private var saysSpeed: Bool

  init(to point: TrackPoint) {
    newest = point
    since = point.timestamp
    movement = Movement(from: point)
    saysSpeed = point.said != nil
  }

  /// Whether the next one goes on from here rather than from another place.
  func holds(_ next: TrackPoint, against other: TrackPoint) -> Bool {
    newest.strain(to: next) <= 1
      && newest.point.chord(to: next.point) < other.point.chord(to: next.point)
  }

  mutating func add(_ next: inout TrackPoint) {
    if newest.strain(to: next) <= 1 {
      next.follow(newest)
      count += 1
    } else {
      count = 1
      since = next.timestamp
      saysSpeed = false
    }
    newest = next
    movement.add(next)
    if next.said != nil { saysSpeed = true }
  }

  enum Proof {
    case bySpeed
    case byMovement(Way)
  }

  /// The proof: so many fixes that agree for so long. Fixes that lack the speed all before said
  /// were found by other means, such as radio cells: they have to last. `isCoarse`: they say less than
  /// what is known, unless they are seen to move.
  func proof(spoken: Bool, isCoarse: Bool) -> Proof? {
    let needed = spoken && !saysSpeed ? Self.longest : Self.shortest
    if !isCoarse, count >= Self.fixes, newest.timestamp - since >= needed { return .bySpeed }
    let way = movement.way
    guard movement.count >= Self.fixes, way.seconds >= needed.seconds,
      !isCoarse || way.length > way.noise
    else { return nil }
    return .byMovement(way)
  }

  private static let fixes = 5
  private static let shortest: Duration = .seconds(1)
  private static let longest: Duration = .seconds(90)
}

/// Fixes in a row each of which lies where those before were moving to, whatever speed they say.
struct Movement {
  private(set) var way: Way
  private(set) var count = 1
  /// The last ones before the newest.
  private var before: [TrackPoint] = []

  init(from point: TrackPoint) { way = Way(from: point) }

  mutating func add(_ next: TrackPoint) {
    let newest = way.end
    // Two can have moved anyhow.
    if !goesOn(to: next) { self = Movement(from: newest) }
    if before.count == Self.most { before.removeFirst() }
    before.append(newest)
    way.add(next)
    count += 1
  }

  private func goesOn(to next: TrackPoint) -> Bool {
    let newest = way.end
    let ahead = newest.seconds(to: next)
    // As far back as it is ahead: what is left of errors then stays small.
    guard
      let base = before.last(where: { $0.seconds(to: newest) >= Self.reach * ahead })
        ?? before.first
    else { return true }
    let passed = base.seconds(to: newest)
    guard ahead > 0, passed > 0 else { return false }
    let share = ahead / passed
    let expected = newest.point + (newest.point - base.point) * share
    let noise = next.known + newest.known * (1 + share) + base.known * share
    let bend = Self.push * ahead * (ahead + passed) / 2
    return expected.chord(to: next.point) <= TrackPoint.spread * noise + bend
  }

  private static let most = 8
  private static let reach = 0.75
  /// How vehicles brake and turn, in m/s².
  private static let push = 3.0
}
