import LocationModel

/// The sightings since the device was last near the middle of its stay: the way out, if it is one.
///
/// `progress` and `lasting` are fixed by departures on recorded days.
struct WayOut: Sendable {
  /// Sightings that may still have been there.
  private(set) var near: [Sighting] = []
  /// Sightings surely elsewhere, without a break.
  private(set) var away: [Sighting] = []

  private static let longest = 48
  /// A device that gets no further in this time is not on its way.
  private static let rest = 180.0
  /// Longer than who stays is left unwatched: he may have gone meanwhile, while an error would have
  /// had to begin just then.
  private static let silence = 90.0
  /// A place repeated to the last digit for so long is no longer taken for an error.
  private static let repeated = 900.0
  /// Errors last less: so many seconds, and some for each metre that a fix may be off.
  private static let enduring = 120.0
  private static let enduringPerMetre = 1.5
  /// Fixes that are vaguer say no more, in metres.
  private static let vague = 100.0
  /// Moments, and seconds, that a departure is seen for at least.
  private static let fewest = 3
  private static let shortest = 20.0
  /// The first step away: metres, and metres per second since the device was last seen inside.
  private static let stride = 60.0
  private static let fastest = 45.0
  /// A device goes on by so many metres, and by what its newest fix may be off.
  private static let progress = 28.0
  /// Seconds away that make up for no progress, where the leaving was not seen.
  private static let lasting = 24.0
  /// A way that was seen: no step is a greater part of it, and it is longer than what fixes may be off.
  private static let longestStep = 0.5
  private static let walked = 60.0
  private static let walkedPerAccuracy = 2.5

  var isEmpty: Bool { near.isEmpty && away.isEmpty }

  mutating func append(near moment: Sighting) {
    away.removeAll()
    near.append(moment)
  }

  mutating func append(away moment: Sighting) {
    away.append(moment)
    if away.count > Self.longest { away.remove(at: 1) }
  }

  /// Takes a coarse one that may have been there: what is no better says as little of being elsewhere.
  mutating func doubt(_ moment: Sighting) {
    if let newest = away.last, newest.accuracy >= moment.accuracy { away.removeAll() }
  }

  /// All of them, where it has led back to the middle.
  mutating func returned() -> [Sighting] {
    defer { near.removeAll() }
    return near
  }

  /// The sightings from so long ago that they led nowhere.
  mutating func rested(at time: Double) -> [Sighting] {
    let rested = near.prefix { time - $0.time > Self.rest }
    near.removeFirst(rested.count)
    return Array(rested)
  }

  mutating func shift(by step: Duration) {
    for i in near.indices { near[i].date = near[i].date + step }
    for i in away.indices { away[i].date = away[i].date + step }
  }

  /// Whether someone who was inside then has left.
  ///
  /// A wrong place comes at a leap and stands still, and not for long: what was seen to go there step
  /// by step, what goes on from there, and what lasts is no error.
  func isSure(from inside: Sighting) -> Bool {
    guard away.count >= 2, let first = away.first, let newest = away.last else { return false }
    let lasted = newest.time - first.time
    // One reading may be one error, however often it is said.
    guard away.contains(where: { $0.point != first.point }) else { return lasted >= Self.repeated }
    guard lasted < Self.enduring + Self.enduringPerMetre * min(newest.accuracy, Self.vague) else {
      return true
    }
    if isWalked(from: inside) { return true }
    let before = near.last ?? inside
    let gap = first.time - before.time
    guard lasted >= Self.shortest,
      first.point.chord(to: before.point) <= Self.stride + Self.fastest * gap
    else { return false }
    // A device that comes nearer is not on its way out.
    let isNearer = newest.point.chord(to: inside.point) < first.point.chord(to: inside.point)
    let progress = isNearer ? 0 : newest.point.chord(to: first.point)
    let goesOn = progress >= Self.progress + newest.accuracy
    guard gap > Self.silence else { return away.count >= Self.fewest && goesOn }
    return goesOn
      || lasted >= Self.lasting && away.count >= Self.fewest && newest.accuracy <= Self.vague
  }

  /// Whether the way was seen, step by step.
  private func isWalked(from inside: Sighting) -> Bool {
    guard let newest = away.last else { return false }
    var last = inside.point
    var longest = 0.0
    for moment in near + away {
      longest = max(longest, moment.point.chord(to: last))
      last = moment.point
    }
    let way = newest.point.chord(to: inside.point)
    return longest <= Self.longestStep * way
      && way >= Self.walked + Self.walkedPerAccuracy * newest.accuracy
  }
}
