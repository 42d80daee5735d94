import Geodesy
import LocationModel

/// How a way is written in OSRM's words.
struct OSRMForm: Equatable {
  private enum Geometry: String { case polyline, polyline6, geojson }
  private enum Overview: String { case simplified, full, `false` }

  private var geometry = Geometry.polyline
  private var overview = Overview.simplified
  private var hasSteps = false
  private var hasHints = true
  private var hasWaypoints = true

  /// Places of a simplified line.
  private static let mostOfOverview = 200

  init(_ parameters: WebParameters) throws(WebRefusal) {
    if let text = parameters["geometries"] {
      guard let geometry = Geometry(rawValue: text) else { throw .query }
      self.geometry = geometry
    }
    if let text = parameters["overview"] {
      guard let overview = Overview(rawValue: text) else { throw .query }
      self.overview = overview
    }
    hasSteps = try parameters.flag("steps") ?? false
    hasHints = try parameters.flag("generate_hints") ?? true
    hasWaypoints = try parameters.flag("skip_waypoints") != true
  }

  func route(_ way: Way, _ request: DirectionsRequest) -> JSON {
    let measured = MeasuredWay(way, request.places)
    let line = overview == .simplified ? way.thinned(to: Self.mostOfOverview) : way
    return [
      "geometry": overview == .false ? nil : json(line.polyline[...]),
      "legs": .array(measured.legs.map { leg($0, measured, request) }),
      "weight_name": "duration", "weight": .number(way.duration.rounded1),
      "duration": .number(way.duration.rounded1),
      "distance": .number(measured.metres(0..<way.polyline.count).rounded1),
    ]
  }

  /// The places on roads that stand for those that were asked for; nil where they are not wanted.
  func waypoints(_ way: Way, _ request: DirectionsRequest) -> JSON? {
    guard hasWaypoints else { return nil }
    let measured = MeasuredWay(way, request.places)
    let last = way.moves.dropLast().last?.street
    let names = measured.legs.map { $0.first?.move.street } + [last]
    return .array(
      zip(measured.snapped(request.places), names).map { end, name in
        [
          "hint": hasHints ? "" : nil, "distance": .number(end.metres),
          "name": .string(name ?? ""), "location": end.place.position,
        ]
      })
  }

  private func json(_ line: ArraySlice<Coordinate>) -> JSON {
    switch geometry {
    case .geojson:
      ["type": "LineString", "coordinates": .array(line.map(\.position))]
    case .polyline: .string(EncodedPolyline.text(line, decimals: 5))
    case .polyline6: .string(EncodedPolyline.text(line, decimals: 6))
    }
  }
}

// MARK: - Legs

extension OSRMForm {
  private func leg(
    _ moves: [MeasuredWay.Step], _ way: MeasuredWay, _ request: DirectionsRequest
  ) -> JSON {
    let length = moves.map { way.metres($0.range) }.reduce(0, +)
    let time = moves.map { way.seconds($0.range) }.reduce(0, +)
    let roads = moves.compactMap(\.move.street).reduce(into: [String]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    return [
      "steps": .array(hasSteps ? moves.map { step($0, way, request.transport) } : []),
      "summary": .string(hasSteps ? roads.prefix(2).joined(separator: ", ") : ""),
      "weight": .number(time.rounded1), "duration": .number(time.rounded1),
      "distance": .number(length.rounded1),
    ]
  }

  private func step(
    _ step: MeasuredWay.Step, _ way: MeasuredWay, _ transport: Transport
  ) -> JSON {
    let range = step.range
    let line = way.line
    let place = line[min(step.start, line.count - 1)]
    let before = step.start > 0 ? line[step.start - 1].direction(to: place) : 0
    let after =
      range.count > 1 ? place.direction(to: line[min(step.start + 1, line.count - 1)]) : 0
    let isLeft = DrivingSide.isLeft(latitude: place.latitude, longitude: place.longitude)
    let words = step.words(isLeft: isLeft, from: before, to: after)
    let mode =
      step.isFerry
      ? "ferry"
      : transport == .automobile
        ? "driving"
        : transport == .walking ? "walking" : way.isPushed(range) ? "pushing bike" : "cycling"
    // An arrival has the same place twice.
    let points = range.count > 1 ? line[range] : [place, place][...]
    let time = way.seconds(range)
    let crossing = Crossing(
      before: words.type == "depart" ? nil : before, after: words.type == "arrive" ? nil : after)
    return [
      "geometry": json(points),
      "maneuver": [
        "location": place.position, "type": .string(words.type),
        "modifier": words.modifier.map(JSON.string), "exit": words.exit.map { .integer(Int64($0)) },
        "bearing_before": .integer(crossing.before ?? 0),
        "bearing_after": .integer(crossing.after ?? 0),
      ],
      "name": .string(step.move.street ?? ""), "mode": .string(mode),
      "driving_side": isLeft ? "left" : "right",
      "intersections": .array([crossing.json(at: place.position)]),
      "weight": .number(time.rounded1), "duration": .number(time.rounded1),
      "distance": .number(way.metres(range).rounded1),
    ]
  }
}

/// The roads of a way itself where a move begins, by their bearings: other roads are not told.
private struct Crossing {
  /// Nil at a departure.
  let before: Int64?
  /// Nil at an arrival.
  let after: Int64?

  init(before: Double?, after: Double?) {
    self.before = before.map(Self.whole)
    self.after = after.map(Self.whole)
  }

  private static func whole(_ bearing: Double) -> Int64 {
    (Int64(bearing.rounded()) % 360 + 360) % 360
  }

  func json(at position: JSON) -> JSON {
    // The road behind is told by the bearing to it.
    let behind = before.map { ($0 + 180) % 360 }
    let roads = [(behind, false), (after, true)].compactMap { bearing, isEntry in
      bearing.map { (bearing: $0, isEntry: isEntry) }
    }.sorted { $0.bearing < $1.bearing }
    func index(_ isEntry: Bool) -> JSON? {
      roads.firstIndex { $0.isEntry == isEntry }.map { .integer(Int64($0)) }
    }
    return [
      "location": position, "bearings": .array(roads.map { .integer($0.bearing) }),
      // The road behind is entered only where the way ends.
      "entry": .array(roads.map { .bool($0.isEntry || after == nil) }),
      "in": index(false), "out": index(true),
    ]
  }
}

extension Coordinate {
  /// GeoJSON's position of it.
  fileprivate var position: JSON {
    .array([.number(longitude.rounded(toPlaces: 6)), .number(latitude.rounded(toPlaces: 6))])
  }
}

extension Double {
  fileprivate var rounded1: Double { rounded(toPlaces: 1) }
}
