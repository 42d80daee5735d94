import LocationModel

/// The last moments of someone who stays nowhere yet, and whether they have become a stay.
///
/// Its numbers are fixed by made-up days (`StayTrace`): arrivals told late against arrivals that are none.
struct Trail: Sendable {
  private var moments: [Sighting] = []
  /// Coarse ones, which say only where someone cannot be.
  private var coarse: [Sighting] = []
  /// When watching began, as long as that is not long ago.
  private var beginning: Double?

  /// When silence would be a stay.
  private(set) var silenceEnds: Double?

  private static let longest = 96
  /// Seconds: with 300, stops of five minutes on real train days are told as stays; with 400, arrivals
  /// by vague fixes are told after 409 s (p50) on made-up days (`StayTrace`).
  private static let longestLook = 310.0
  /// Seconds that good fixes are looked at for, and how many more for each metre beyond good ones.
  private static let shortestLook = 175.0
  private static let lookPerMetre = 15.0
  private static let good = 55.0
  /// Rare fixes want so many intervals, and no longer than that.
  private static let intervals = 9.0
  private static let longestRare = 300.0
  /// The newest moments say how often and how well the receiver speaks.
  private static let sample = 8
  /// Metres that a device that stays may seem to move, and parts of its fixes' accuracy.
  private static let straying = 20.0
  private static let strayingPerAccuracy = 0.7
  private static let vague = 50.0
  /// In doubt, it is looked at for so many times as long, and may stray so many metres.
  private static let longer = 1.3
  private static let strayingLonger = 30.0
  /// Metres around the middle in which the moments of a stay lie, beside their accuracy; one in eight
  /// may lie elsewhere, and one in three may say a speed.
  private static let around = 45.0
  private static let vaguestAround = 75.0
  private static let oneElsewhere = 8
  private static let oneMoving = 3
  /// Metres per second, above which a speed is one.
  private static let moving = 1.0
  /// Seconds without a fix, after which two moments are enough.
  private static let gap = 120.0
  /// A stay is told once so much of the time is sure.
  private static let surePart = 0.9
  /// A stay whose beginning nobody saw is told with less haste.
  private static let firstStay = 480.0
  /// A receiver's first fixes wander.
  private static let settling = 120.0

  init() {}

  init(after stay: Stay) {
    moments = stay.wayOut.away.filter { !$0.isCoarse }
    beginning = -.infinity
    silenceEnds = endOfSilence()
  }

  mutating func append(_ moment: Sighting) {
    guard !moment.isCoarse else {
      coarse.append(moment)
      if coarse.count > Self.longest { coarse.removeFirst(Self.longest / 3) }
      return
    }
    if beginning == nil { beginning = moment.time }
    moments.append(moment)
    if moments.count > Self.longest {
      moments.removeFirst(Self.longest / 3)
    }
    silenceEnds = endOfSilence()
  }

  mutating func shift(by step: Duration) {
    for i in moments.indices { moments[i].date = moments[i].date + step }
  }

  /// The stay that the newest moments are, if they are one.
  func stay() -> Stay? {
    let recent = moments.suffix(Self.sample)
    guard let first = recent.first, let newest = recent.last else { return nil }
    let accuracy = median(of: recent) { $0.accuracy }
    let interval = (newest.time - first.time) / Double(max(recent.count - 1, 1))
    // Few or vague fixes want more time, and what is in doubt is looked at for longer.
    let lasting = max(
      (Self.shortestLook + Self.lookPerMetre * (accuracy - Self.good))
        .clamped(to: Self.shortestLook...Self.longestLook),
      min(Self.intervals * interval, Self.longestRare))
    let error = Self.strayingPerAccuracy * min(accuracy, Self.vague)
    return stay(
      lasting: lasting, every: interval, accuracy, straying: Self.straying + error)
      ?? stay(
        lasting: Self.longer * lasting, every: interval, accuracy,
        straying: Self.strayingLonger + error)
  }

  private func stay(
    lasting wanted: Double, every interval: Double, _ accuracy: Double, straying: Double
  ) -> Stay? {
    guard let newest = moments.last else { return nil }
    // He came between two moments, half an interval before the first seen there.
    let unseen = min(interval, 60) / 2
    guard let start = moments.lastIndex(where: { $0.time <= newest.time - wanted + unseen }) else {
      return nil
    }
    let window = moments[start...]
    guard window.count >= 3 || newest.time - moments[moments.count - 2].time > Self.gap else {
      return nil
    }
    let centre = Point.median(of: window)
    let reach = Self.around + min(accuracy, Self.vaguestAround)
    guard newest.point.chord(to: centre) <= reach,
      window.count(where: { $0.point.chord(to: centre) > reach }) * Self.oneElsewhere
        <= window.count,
      progress(in: window) <= straying,
      !isElsewhere(since: window[start].time, from: centre, reach),
      window.count(where: { ($0.speed ?? 0) > Self.moving }) * Self.oneMoving <= window.count
    else { return nil }
    return stay(
      around: centre, reach, from: start, until: newest.time,
      lasting: Self.surePart * wanted - unseen)
  }

  /// Whether a coarse moment since then lies too far from a place to have been there.
  private func isElsewhere(since time: Double, from place: Point, _ reach: Double) -> Bool {
    coarse.contains {
      $0.time >= time && $0.point.chord(to: place) > reach + Sighting.coarseDoubt * $0.accuracy
    }
  }

  /// How far someone has come, or has gone before he came back.
  private func progress(in window: ArraySlice<Sighting>) -> Double {
    let third = max(1, window.count / 3)
    let early = Point.median(of: window.prefix(third))
    let middle = Point.median(of: window.dropFirst(third).dropLast(third))
    let late = Point.median(of: window.suffix(third))
    return max(early.chord(to: late), early.chord(to: middle), middle.chord(to: late))
  }

  /// The stay that began before the silence since the newest moment, if someone who stood still
  /// then has not come far.
  func stay(silentUntil time: Double, seen later: Sighting? = nil) -> Stay? {
    guard let newest = moments.last, let start = standstill else { return nil }
    let way = later.map { $0.point.chord(to: newest.point) - $0.accuracy - newest.accuracy } ?? 0
    let reach = Self.reach(newest)
    guard newest.time - moments[start].time >= Self.standing,
      time - max(way, 0) / Self.slow >= silenceEnds ?? .infinity,
      moments[start...].compactMap(\.speed).last ?? 0 <= Self.moving,
      !isElsewhere(since: moments[start].time, from: newest.point, reach)
    else { return nil }
    return stay(
      around: Point.median(of: moments[start...]), reach, from: start, until: time, lasting: 0)
  }

  /// The first of the moments since which all lie where the newest does.
  private var standstill: Int? {
    guard let newest = moments.last else { return nil }
    let reach = Self.reach(newest)
    return moments.lastIndex { $0.point.chord(to: newest.point) > reach }.map { $0 + 1 }
      ?? moments.indices.first
  }

  private static func reach(_ newest: Sighting) -> Double {
    standingReach + min(newest.accuracy, vague)
  }

  /// When silence is a stay: the longer someone has stood still before, the sooner.
  private func endOfSilence() -> Double? {
    guard let newest = moments.last, let start = standstill else { return nil }
    let stood = newest.time - moments[start].time
    return newest.time + max(Self.silence - Self.stillness * stood, Self.shortestSilence)
  }

  private static let silence = 480.0
  private static let shortestSilence = 200.0
  /// Seconds of silence that a second of standing still makes up for: with 1.6 and 180 s, waits in
  /// stations are told as stays.
  private static let stillness = 1.3
  private static let standing = 30.0
  /// Metres.
  private static let standingReach = 30.0
  /// Metres per second, of someone who may have rested on his way.
  private static let slow = 0.5

  /// It began with the first moment of those that lie there without a pause.
  private func stay(
    around centre: Point, _ reach: Double, from start: Int, until time: Double,
    lasting needed: Double
  ) -> Stay? {
    var first = start
    while first > 0, moments[first - 1].point.chord(to: centre) <= reach { first -= 1 }
    while first < moments.count - 1, moments[first].point.chord(to: centre) > reach { first += 1 }
    guard time - moments[first].time >= needed else { return nil }
    let isFromTheBeginning = moments[first].time - (beginning ?? 0) < Self.settling
    guard !isFromTheBeginning || time - moments[first].time >= Self.firstStay else { return nil }
    return Stay(moments[first...], around: centre, isFromTheBeginning: isFromTheBeginning)
  }
}
