import LocationModel

/// A stay under way: its place, and what may be the way out of it.
///
/// `leastReach` is fixed by departures on recorded days.
struct Stay: Sendable {
  private(set) var arrival: Timestamp?
  private(set) var centre: Point
  private var weight = 0.0
  /// The weighted mean of squared distances from the centre.
  private var variance = 0.0
  /// When the place was last learned from.
  private var learned: Double
  /// The last moment near the middle.
  private var lastInside: Sighting
  private(set) var wayOut = WayOut()

  init(_ moments: ArraySlice<Sighting>, around centre: Point, isFromTheBeginning: Bool) {
    let first = moments[moments.startIndex]
    arrival = isFromTheBeginning ? nil : first.date
    self.centre = centre
    lastInside = moments[moments.endIndex - 1]
    learned = first.time
    for moment in moments where moment.point.chord(to: centre) < Self.core { learn(moment) }
  }

  /// One that was remembered, where `sighting` is the first thing seen since.
  init(_ stored: StoredStay, at sighting: Sighting) {
    arrival = stored.arrival
    centre = Point(stored.centre)
    weight = stored.weight
    variance = stored.spread * stored.spread
    // A clock that was set meanwhile says nothing about how long it was.
    let away = sighting.date.seconds(since: stored.last)
    lastInside = Sighting(
      time: sighting.time - (0...Self.longestAway ~= away ? away : 0), date: stored.last,
      point: centre, accuracy: max(stored.spread, 10))
    learned = lastInside.time
  }

  var stored: StoredStay {
    StoredStay(
      arrival: arrival, centre: centre.coordinate, weight: weight, spread: spread,
      last: lastInside.date)
  }

  mutating func shift(by step: Duration) {
    arrival = arrival.map { $0 + step }
    lastInside.date = lastInside.date + step
    wayOut.shift(by: step)
  }

  private static let longestAway = 90 * 86_400.0
  /// A stay's first moments belong to it within so many metres of its middle.
  private static let core = 150.0
  /// A moment teaches for the seconds since the one before, within these bounds.
  private static let lesson = 5.0...60.0
  /// Seconds per metre: a place is learned from the last hours.
  private static let memory = 600.0
  /// Better fixes than this teach no more, in metres.
  private static let fine = 10.0
  /// Three times as far as usual is surely no longer there, within reason.
  private static let leastReach = 80.0
  private static let reachPerSpread = 3.0
  private static let widest = 60.0
  /// Metres from the middle, beside the usual, within which the device has come back.
  private static let middle = 60.0
  /// Metres of a fix's accuracy that are no doubt about where it lies.
  private static let sure = 20.0
  /// The middle of a stay is known better than a fix in it: by these parts of the two errors.
  private static let steadyPart = 0.8
  private static let steadiedPart = 0.5
  private static let steadied = 8.0
  /// Metres per second of the way out that nobody saw, first on foot, and for how long at most.
  private static let walk = 1.2
  private static let longestWalk = 300.0
  private static let drive = 15.0

  private mutating func learn(_ moment: Sighting) {
    let seconds = (moment.time - learned).clamped(to: Self.lesson)
    learned = moment.time
    let share = seconds / max(moment.accuracy, Self.fine)
    weight += share
    let offset = moment.point - centre
    centre = centre + offset * (share / weight)
    variance += (offset.dot(offset) - variance) * (share / weight)
    weight = min(weight, Self.memory)
  }

  private var spread: Double { variance.squareRoot() }

  /// How far away someone is surely no longer there.
  private var reach: Double { Self.leastReach + Self.reachPerSpread * min(spread, Self.widest) }

  mutating func observe(_ moment: Sighting) {
    let distance = moment.point.chord(to: centre)
    if distance > reach + Self.doubt(moment) {
      wayOut.append(away: moment)
    } else if moment.isCoarse {
      wayOut.doubt(moment)
    } else if distance <= reach || wayOut.away.isEmpty {
      wayOut.append(near: moment)
      // The way out does not belong to the place, unless it has come back or come to rest.
      let isInside = distance <= Self.middle + spread
      for there in isInside ? wayOut.returned() : wayOut.rested(at: moment.time) {
        learn(there)
        lastInside = there
      }
    }
  }

  /// Metres that a moment may be off.
  private static func doubt(_ moment: Sighting) -> Double {
    let beyond = max(0, moment.accuracy - Sighting.coarse)
    return max(min(moment.accuracy, sure), moment.accuracy - sure)
      + (Sighting.coarseDoubt - 1) * beyond
  }

  func steadied(_ sighting: Sighting) -> Sighting {
    let error = min(spread, Self.steadyPart * sighting.accuracy)
    guard wayOut.away.isEmpty, sighting.point.chord(to: centre) <= max(Self.sure, 2 * error) else {
      return sighting
    }
    var steadied = sighting
    steadied.point = centre
    steadied.accuracy = min(sighting.accuracy, max(Self.steadied, Self.steadiedPart * error))
    return steadied
  }

  var hasEnded: Bool { wayOut.isSure(from: lastInside) }

  var visit: Visit {
    Visit(
      coordinate: centre.coordinate, horizontalAccuracy: max(10, spread), arrivalDate: arrival)
  }

  var finishedVisit: Visit {
    var visit = visit
    visit.departureDate = departure
    return visit
  }

  /// After a silence nobody saw the leaving: a stay is taken to last, but for the way to where the
  /// silence ended.
  private var departure: Timestamp {
    let lastThere = wayOut.near.last ?? lastInside
    guard let first = wayOut.away.first, first.time - lastThere.time > Self.silence else {
      return lastThere.time - lastInside.time > Self.silence ? lastThere.date : lastInside.date
    }
    let distance = first.point.chord(to: centre)
    let way = max(min(distance / Self.walk, Self.longestWalk), distance / Self.drive)
    let gap = first.time - lastThere.time
    return first.date - Duration(clamping: min(way, gap))
  }

  private static let silence = 240.0
}
