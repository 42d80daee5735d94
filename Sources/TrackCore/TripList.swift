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
    package var entries = 1
  }

  package struct Stay: Equatable, Sendable {
    package var coordinate: Coordinate
    package var arrival: Timestamp
    package var departure: Timestamp
  }

  private var stretches: [Stretch] = []
  private var trip: Trip?

  /// A device that was in one place for so long stayed there.
  private static let pause: Duration = .seconds(300)
  private static let place = 200.0
  /// A track that says nothing for so long begins anew.
  private static let gap: Duration = .seconds(1800)
  /// A shorter way is a stay's noise.
  private static let shortest = 200.0

  package init() {}

  /// In the order of the track.
  package mutating func handle(_ entry: TrackEntry) {
    switch entry.kind {
    case .place, .enter, .leave: move(to: entry)
    case .arrival: endTrip()
    case .departure:
      endTrip()
      if let arrival = entry.arrivalDate {
        stay(Stay(coordinate: entry.coordinate, arrival: arrival, departure: entry.timestamp))
      }
    }
  }

  /// All of it.
  package mutating func finish() -> [Stretch] {
    endTrip()
    return stretches
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
    trip.entries += 1
    self.trip = trip
  }

  private mutating func begin(_ entry: TrackEntry) {
    trip = Trip(start: entry, end: entry, topSpeed: entry.speed ?? 0)
  }

  private mutating func endTrip() {
    if let trip, trip.distance >= Self.shortest { stretches.append(.trip(trip)) }
    trip = nil
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
