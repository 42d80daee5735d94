import LocationModel

/// A stay under way: its place, and what has been seen elsewhere since.
struct Stay: Sendable {
  private(set) var arrival: Timestamp?
  private(set) var centre: Point
  private var weight = 0.0
  /// The weighted mean of squared distances from the centre.
  private var variance = 0.0
  private var last: Sighting
  /// The last moment near the middle.
  private(set) var lastInside: Sighting
  /// The last moment that may have been there.
  private var lastThere: Sighting
  /// What has been seen elsewhere since, without a break.
  private(set) var outside: [Sighting] = []

  private static let longest = 48

  init(_ moments: ArraySlice<Sighting>, around centre: Point, isFromTheBeginning: Bool) {
    let first = moments[moments.startIndex]
    arrival = isFromTheBeginning ? nil : first.date
    self.centre = centre
    lastInside = moments[moments.endIndex - 1]
    last = first
    lastThere = lastInside
    for moment in moments where moment.point.chord(to: centre) < 150 { settle(moment) }
    last = lastInside
  }

  /// One that was remembered, where `sighting` is the first thing seen since.
  init(_ stored: StoredStay, at sighting: Sighting) {
    arrival = stored.arrival
    centre = Point(stored.centre)
    weight = stored.weight
    variance = stored.spread * stored.spread
    // A clock that was set meanwhile says nothing about how long it was.
    let away = Double(sighting.date - stored.last) / 1e6
    lastInside = Sighting(
      time: sighting.time - (0...Self.longestAway ~= away ? away : 0), date: stored.last,
      point: centre, accuracy: max(stored.spread, 10))
    lastThere = lastInside
    last = lastInside
  }

  var stored: StoredStay {
    StoredStay(
      arrival: arrival, centre: centre.coordinate, weight: weight, spread: spread,
      last: lastInside.date)
  }

  mutating func shift(by microseconds: Int64) {
    arrival = arrival.map { $0 + microseconds }
    lastInside.date = lastInside.date + microseconds
    lastThere.date = lastThere.date + microseconds
    for i in outside.indices { outside[i].date = outside[i].date + microseconds }
  }

  private static let longestAway = 90 * 86_400.0

  private mutating func settle(_ moment: Sighting) {
    let seconds = (moment.time - last.time).clamped(to: 5...60)
    let share = seconds / max(moment.accuracy, 10)
    weight += share
    let offset = moment.point - centre
    centre = centre + offset * (share / weight)
    variance += (offset.dot(offset) - variance) * (share / weight)
    // A place is learned from the last hours.
    weight = min(weight, 600)
  }

  private var spread: Double { variance.squareRoot() }

  /// How far away someone is surely no longer there.
  private var reach: Double { 115 + 1.6 * min(spread, 100) }

  mutating func take(_ moment: Sighting) {
    defer { last = moment }
    let distance = moment.point.chord(to: centre)
    guard distance - moment.accuracy > reach || (moment.accuracy < 60 && distance > reach + 20)
    else {
      // What is coarse may be anywhere.
      guard moment.accuracy <= 150 else { return }
      if distance <= reach {
        outside.removeAll()
        settle(moment)
        lastThere = moment
        if distance <= 60 + spread { lastInside = moment }
      }
      return
    }
    outside.append(moment)
    if outside.count > Self.longest { outside.remove(at: 1) }
  }

  func steadied(_ sighting: Sighting) -> Sighting {
    let error = min(spread, 0.8 * sighting.accuracy)
    guard outside.isEmpty, sighting.point.chord(to: centre) <= max(20, 2 * error) else {
      return sighting
    }
    var steadied = sighting
    steadied.point = centre
    steadied.accuracy = min(sighting.accuracy, max(8, 0.5 * error))
    return steadied
  }

  var hasEnded: Bool {
    guard outside.count >= 2, let first = outside.first, let newest = outside.last else {
      return false
    }
    let lasted = newest.time - first.time
    guard lasted < 120 + 1.5 * min(newest.accuracy, 100) else { return true }
    guard outside.count >= 3 else { return false }
    let step = first.point.chord(to: lastInside.point)
    let isReached = step <= 60 + 45 * (first.time - lastInside.time)
    let progress = newest.point.chord(to: first.point)
    return lasted >= 20 && isReached && progress >= 40 + newest.accuracy
  }

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
    guard let first = outside.first, first.time - lastThere.time > Self.silence else {
      return lastThere.time - lastInside.time > Self.silence ? lastThere.date : lastInside.date
    }
    let distance = first.point.chord(to: centre)
    let way = max(min(distance / 1.2, 300), distance / 15)
    let gap = first.time - lastThere.time
    return first.date + -Int64(min(way, gap) * 1e6)
  }

  private static let silence = 240.0
}
