import Console
import Geodesy
import LocationModel
import TrackCore

/// The tracker's days on the map: lines, the trips and stays that `track list` knows, and the gaps between them. A class: with each page
/// of the tracker's answer a copy would take a second.
final class MapTrack {
  private let from: Timestamp
  private let to: Timestamp
  private var last: Int64 = 0
  private var entries: [TrackEntry] = []
  private var visits = Visits()
  private var isCut = false

  /// More are not drawn.
  private static let most = 150_000

  init(from: Timestamp, to: Timestamp) { (self.from, self.to) = (from, to) }

  /// The first day and the last, as this machine's clock has them; nil for what is none.
  convenience init?(days: JSON) {
    guard let first = days["first"]?.string.flatMap(LocalTime.day),
      let last = days["last"]?.string.flatMap(LocalTime.day)
    else { return nil }
    self.init(from: first.start, to: last.end)
  }

  var call: TrackCall { .entries(from: from, to: to, after: last, limit: 1000) }

  /// True where there is more to be read.
  func hasRest(after page: TrackPage) -> Bool {
    let before = last
    for entry in page.entries { visits.handle(entry) }
    entries += page.entries
    last = max(last, page.last)
    guard entries.count < Self.most else {
      isCut = true
      return false
    }
    return page.hasMore && last > before
  }

  /// The page's answer.
  func append(to buffer: inout TextBuffer) {
    var list = TripList(visits)
    for entry in entries { list.handle(entry) }
    let stretches = list.finish()
    let places = entries.lazy.filter { $0.kind == .place }
    let gaps = TrackGap.all(between: stretches, from: places.first, to: places.last)
    buffer.append("{\"result\":{\"lines\":[[")
    append(linesBetween: gaps, to: &buffer)
    buffer.append("]],\"stretches\":")
    buffer.append(.array(stretches.map(\.json)))
    buffer.append(",\"gaps\":")
    buffer.append(.array(gaps.map { JSON(kind: "gap", $0.start, $0.end) }))
    buffer.append(isCut ? ",\"cut\":true}}" : ",\"cut\":false}}")
  }

  /// A point is a latitude, a longitude, seconds, and metres a second since the point before.
  private func append(linesBetween gaps: [TrackGap], to buffer: inout TextBuffer) {
    var before: TrackEntry?
    var gaps = gaps[...]
    for entry in entries where entry.kind == .place {
      var speed = 0.0
      if let before {
        while let gap = gaps.first, gap.end.date <= before.timestamp { gaps.removeFirst() }
        let isGap = gaps.first?.lies(between: before, and: entry) == true
        let seconds = entry.timestamp.seconds(since: before.timestamp)
        if seconds > 0, !isGap {
          speed = before.coordinate.distance(to: entry.coordinate) / seconds
        }
        buffer.append(isGap ? "],[" : ",")
      }
      buffer.append("[")
      buffer.append(decimal: entry.coordinate.latitude, places: 6)
      buffer.append(",")
      buffer.append(decimal: entry.coordinate.longitude, places: 6)
      buffer.append(",")
      buffer.append(integer: entry.timestamp.microseconds / 1_000_000)
      buffer.append(",")
      buffer.append(decimal: min(speed, 1e4), places: 1)
      buffer.append("]")
      before = entry
    }
  }
}

extension JSON {
  fileprivate init(
    kind: String, _ start: TrackGap.Edge, _ end: TrackGap.Edge, _ more: [Member] = []
  ) {
    func place(_ edge: TrackGap.Edge) -> JSON {
      .array([.number(edge.coordinate.latitude), .number(edge.coordinate.longitude)])
    }
    self = .object(
      [
        .init(key: "kind", value: .string(kind)), .init(key: "start", value: place(start)),
        .init(key: "end", value: place(end)),
        .init(key: "from", value: .integer(start.date.microseconds / 1_000_000)),
        .init(key: "to", value: .integer(end.date.microseconds / 1_000_000)),
      ] + more)
  }
}

extension TripList.Stretch {
  fileprivate var json: JSON {
    guard case .trip(let trip) = self else { return JSON(kind: "stay", start, end) }
    var more: [JSON.Member] = [
      .init(key: "distance", value: .number(trip.distance)),
      .init(key: "topSpeed", value: .number(trip.topSpeed)),
    ]
    if let metres = trip.climb.metres { more.append(.init(key: "climb", value: .number(metres))) }
    return JSON(kind: "trip", start, end, more)
  }
}
