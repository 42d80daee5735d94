internal import Geodesy
package import LocationModel

/// A time of which the track says nothing, though the device came to another place.
package struct TrackGap: Equatable, Sendable {
  package var start: Edge
  package var end: Edge

  /// The place and date of a beginning or an end.
  package struct Edge: Equatable, Sendable {
    package var coordinate: Coordinate
    package var date: Timestamp
  }

  /// Nil where the track goes on.
  init?(_ start: Edge, _ end: Edge) {
    guard end.date - start.date >= TripList.gap,
      start.coordinate.distance(to: end.coordinate) >= TripList.place
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// The gap between two entries that follow each other; a stay between them is none.
  package init?(_ entry: TrackEntry, _ next: TrackEntry, among stretches: [TripList.Stretch]) {
    self.init(TrackGap.Edge(entry), TrackGap.Edge(next))
    for case .stay(let stay) in stretches
    where stay.arrival < next.timestamp && stay.departure > entry.timestamp { return nil }
  }

  /// The gaps between stretches.
  package static func all(between stretches: [TripList.Stretch]) -> [TrackGap] {
    zip(stretches, stretches.dropFirst()).compactMap { TrackGap($0.end, $1.start) }
  }
}

extension TrackGap.Edge {
  fileprivate init(_ entry: TrackEntry) {
    self.init(coordinate: entry.coordinate, date: entry.timestamp)
  }
}

extension TripList.Stretch {
  package var start: TrackGap.Edge {
    switch self {
    case .trip(let trip): .init(trip.start)
    case .stay(let stay): .init(coordinate: stay.coordinate, date: stay.arrival)
    }
  }

  package var end: TrackGap.Edge {
    switch self {
    case .trip(let trip): .init(trip.end)
    case .stay(let stay): .init(coordinate: stay.coordinate, date: stay.departure)
    }
  }
}
