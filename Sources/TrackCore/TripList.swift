import Geodesy
package import LocationModel

/// The track as a person tells it: trips, and the stays between them.
package struct TripList: Sendable {
  package enum Stretch: Equatable, Sendable {
    case trip(Trip)
    case stay(Stay)
  }

  package struct Trip: Equatable, Sendable {
    package var start: TrackEntry
    package var end: TrackEntry
    package var distance = 0.0
    package var topSpeed = 0.0
    package var climb = Climb()
    package var entries = 1
  }

  package struct Stay: Equatable, Sendable {
    package var coordinate: Coordinate
    package var arrival: Timestamp
    package var departure: Timestamp
  }

  private let visits: Visits
  /// The number of visits that have begun.
  private var begun = 0
  /// The visit that lasts.
  private var visit: Visits.Visit?
  private var stretches: [Stretch] = []
  private var trip: Trip?

  /// A device that was in one place for so long stayed there.
  private static let pause: Duration = .seconds(300)
  static let place = 200.0
  /// A track that says nothing for so long begins anew.
  static let gap: Duration = .seconds(1800)
  /// A shorter stop, as for another bus, is a part of the trip.
  private static let stop: Duration = .seconds(900)
  /// A shorter way is a stay's noise.
  private static let shortest = 200.0

  /// `visits`: those of the same time. A stay is told late, after places that it cuts in two.
  package init(_ visits: Visits) { self.visits = visits }

  /// In the order of the track.
  package mutating func handle(_ entry: TrackEntry) {
    guard [.place, .enter, .leave].contains(entry.kind) else { return }
    begin(visitsUntil: entry.timestamp)
    if let visit {
      guard entry.timestamp > visit.departure else { return }
      leave(visit)
    }
    move(to: entry)
  }

  /// All of it.
  package mutating func finish() -> [Stretch] {
    begin(visitsUntil: nil)
    endTrip()
    return stretches
  }

  /// A trip ends where a visit begins, and the next one begins where it ends.
  private mutating func begin(visitsUntil date: Timestamp?) {
    while begun < visits.all.count {
      let visit = visits.all[begun]
      if let date, visit.arrival > date { return }
      begun += 1
      if let before = self.visit { leave(before) }
      if let trip, (.zero..<Self.gap).contains(visit.arrival - trip.end.timestamp) {
        move(to: visit.edge(at: visit.arrival))
      }
      endTrip()
      if visit.departure > visit.arrival { stay(visit.stay) }
      self.visit = visit
    }
  }

  private mutating func leave(_ visit: Visits.Visit) {
    self.visit = nil
    begin(visit.edge(at: visit.departure))
  }

  private mutating func move(to entry: TrackEntry) {
    guard var trip else { return begin(entry) }
    let last = trip.end
    let pause = entry.timestamp - last.timestamp
    let way = last.coordinate.distance(to: entry.coordinate)
    if pause < .zero || pause >= Self.pause && way < Self.place || pause >= Self.gap {
      endTrip()
      if pause >= Self.pause, way < Self.place {
        stay(
          Stay(coordinate: last.coordinate, arrival: last.timestamp, departure: entry.timestamp))
      }
      return begin(entry)
    }
    trip.end = entry
    trip.distance += way
    trip.topSpeed = max(trip.topSpeed, entry.speed ?? 0)
    trip.climb.handle(entry)
    trip.entries += 1
    self.trip = trip
  }

  private mutating func begin(_ entry: TrackEntry) {
    var trip = Trip(start: entry, end: entry, topSpeed: entry.speed ?? 0)
    trip.climb.handle(entry)
    self.trip = trip
  }

  private mutating func endTrip() {
    if let trip, trip.distance >= Self.shortest { stretches.append(.trip(joined(trip))) }
    trip = nil
  }

  /// With the trip before, where only stops lie between.
  private mutating func joined(_ trip: Trip) -> Trip {
    let place = stretches.lastIndex { stretch in
      guard case .stay(let stay) = stretch else { return true }
      return stay.departure - stay.arrival >= Self.stop
    }
    guard let place, place < stretches.count - 1, case .trip(var whole) = stretches[place],
      trip.start.timestamp >= whole.end.timestamp
    else { return trip }
    stretches.removeSubrange(place...)
    whole.distance += whole.end.coordinate.distance(to: trip.start.coordinate) + trip.distance
    whole.topSpeed = max(whole.topSpeed, trip.topSpeed)
    whole.climb.add(trip.climb)
    whole.entries += trip.entries
    whole.end = trip.end
    return whole
  }

  /// Stays in one place, one after the other, are one.
  private mutating func stay(_ stay: Stay) {
    guard case .stay(var before) = stretches.last,
      before.coordinate.distance(to: stay.coordinate) < Self.place
    else {
      stretches.append(.stay(stay))
      return
    }
    before.departure = max(before.departure, stay.departure)
    stretches[stretches.count - 1] = .stay(before)
  }
}

/// The stays that the track tells of itself, in the order of their dates.
package struct Visits: Sendable {
  struct Visit: Sendable {
    /// The visit's beginning or end, as it was told.
    var entry: TrackEntry
    var arrival: Timestamp
    /// The departure; the arrival where it is not known.
    var departure: Timestamp

    var stay: TripList.Stay {
      .init(coordinate: entry.coordinate, arrival: arrival, departure: departure)
    }

    func edge(at date: Timestamp) -> TrackEntry {
      var edge = entry
      edge.timestamp = date
      return edge
    }
  }

  private(set) var all: [Visit] = []

  package init() {}

  package mutating func handle(_ entry: TrackEntry) {
    let arrival = entry.arrivalDate ?? entry.timestamp
    switch entry.kind {
    case .place, .enter, .leave: return
    // Its end takes its place, where that is told.
    case .arrival: insert(Visit(entry: entry, arrival: arrival, departure: arrival))
    case .departure: insert(Visit(entry: entry, arrival: arrival, departure: entry.timestamp))
    }
  }

  private mutating func insert(_ visit: Visit) {
    let place = all.partitioningIndex { $0.arrival >= visit.arrival }
    if place < all.count, all[place].arrival == visit.arrival {
      all[place] = visit
    } else {
      all.insert(visit, at: place)
    }
  }
}
