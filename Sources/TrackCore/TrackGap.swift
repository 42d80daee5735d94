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
  private init?(_ start: Edge, _ end: Edge) {
    guard end.date - start.date >= TripList.gap,
      start.coordinate.distance(to: end.coordinate) >= TripList.place
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  /// The gaps between stretches, and between them and the first and last place, which may belong to none.
  package static func all(
    between stretches: [TripList.Stretch], from first: TrackEntry?, to last: TrackEntry?
  ) -> [TrackGap] {
    let starts = stretches.map(\.start) + (last.map { [Edge($0)] } ?? [])
    let ends = (first.map { [Edge($0)] } ?? []) + stretches.map(\.end)
    return zip(ends, first == nil ? starts.dropFirst() : starts[...])
      .compactMap { TrackGap($0, $1) }
  }

  /// A line from the one entry to the next would cross the gap.
  package func lies(between entry: TrackEntry, and next: TrackEntry) -> Bool {
    start.date < next.timestamp && end.date > entry.timestamp
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
