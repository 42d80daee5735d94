import LocationModel

/// A stay under way: its place, and what may be the way out of it.
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
    for moment in moments where moment.point.chord(to: centre) < 150 { learn(moment) }
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

  private mutating func learn(_ moment: Sighting) {
    let seconds = (moment.time - learned).clamped(to: 5...60)
    learned = moment.time
    let share = seconds / max(moment.accuracy, 10)
    weight += share
    let offset = moment.point - centre
    centre = centre + offset * (share / weight)
    variance += (offset.dot(offset) - variance) * (share / weight)
    // A place is learned from the last hours.
    weight = min(weight, 600)
  }

  private var spread: Double { variance.squareRoot() }

  /// How far away someone is surely no longer there: three times as far as usual, within reason.
  private var reach: Double { 100 + 3 * min(spread, 60) }

  mutating func observe(_ moment: Sighting) {
    let distance = moment.point.chord(to: centre)
    if distance > reach + Self.doubt(moment) {
      wayOut.append(away: moment)
    } else if moment.isCoarse {
      wayOut.doubt(moment)
    } else if distance <= reach || wayOut.away.isEmpty {
      wayOut.append(near: moment)
      // The way out does not belong to the place, unless it has come back or come to rest.
      let isInside = distance <= 60 + spread
      for there in isInside ? wayOut.returned() : wayOut.rested(at: moment.time) {
        learn(there)
        lastInside = there
      }
    }
  }

  /// Metres that a moment may be off.
  private static func doubt(_ moment: Sighting) -> Double {
    let beyond = max(0, moment.accuracy - Sighting.coarse)
    return max(min(moment.accuracy, 20), moment.accuracy - 20)
      + (Sighting.coarseDoubt - 1) * beyond
  }

  func steadied(_ sighting: Sighting) -> Sighting {
    let error = min(spread, 0.8 * sighting.accuracy)
    guard wayOut.away.isEmpty, sighting.point.chord(to: centre) <= max(20, 2 * error) else {
      return sighting
    }
    var steadied = sighting
    steadied.point = centre
    steadied.accuracy = min(sighting.accuracy, max(8, 0.5 * error))
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
    let way = max(min(distance / 1.2, 300), distance / 15)
    let gap = first.time - lastThere.time
    return first.date - Duration(clamping: min(way, gap))
  }

  private static let silence = 240.0
}
