import Geodesy
import LocationModel

/// How a way is written in OSRM's words.
struct OSRMForm: Equatable {
  private enum Geometry: String { case polyline, polyline6, geojson }
  private enum Overview: String { case simplified, full, `false` }

  private var geometry = Geometry.polyline
  private var overview = Overview.simplified
  private var hasSteps = false

  /// Options that change nothing here.
  private static let others: Set = [
    "approaches", "bearings", "continue_straight", "generate_hints", "hints", "radiuses",
    "skip_waypoints", "snapping", "waypoints",
  ]
  private static let known: Set = [
    "alternatives", "annotations", "exclude", "geometries", "overview", "steps",
  ]
  /// Places of a simplified line.
  private static let mostOfOverview = 200

  init(_ parameters: WebParameters) throws(WebRefusal) {
    guard
      parameters.names.allSatisfy({ Self.known.contains($0) || Self.others.contains($0) })
    else { throw .query }
    if let text = parameters["geometries"] {
      guard let geometry = Geometry(rawValue: text) else { throw .query }
      self.geometry = geometry
    }
    if let text = parameters["overview"] {
      guard let overview = Overview(rawValue: text) else { throw .query }
      self.overview = overview
    }
    if let text = parameters["steps"] {
      guard text == "true" || text == "false" else { throw .query }
      hasSteps = text == "true"
    }
    if let text = parameters["annotations"], text != "false" {
      throw WebRefusal("Annotations are not known here.", code: "NotImplemented")
    }
  }

  func route(_ way: Way, _ request: DirectionsRequest) -> JSON {
    let measured = MeasuredWay(way)
    let line = overview == .simplified ? way.thinned(to: Self.mostOfOverview) : way
    return [
      "geometry": overview == .false ? nil : json(line.polyline[...]),
      "legs": .array(measured.legs.map { leg($0, measured, request) }),
      "weight_name": "duration", "weight": .number(way.duration.rounded1),
      "duration": .number(way.duration.rounded1),
      "distance": .number(measured.metres(0..<way.polyline.count).rounded1),
    ]
  }

  /// The places on roads that stand for those that were asked for.
  func waypoints(_ way: Way, _ request: DirectionsRequest) -> [JSON] {
    let starts = MeasuredWay(way).legs.compactMap(\.first?.start)
    let at = starts + [way.polyline.count - 1]
    let streets = way.moves.filter { $0.kind == .via }.map(\.street)
    return zip(request.places, at).enumerated().compactMap { number, pair in
      guard way.polyline.indices.contains(pair.1) else { return nil }
      let place = way.polyline[pair.1]
      let before = way.moves.dropLast().last?.street
      let name =
        number == 0
        ? way.moves.first?.street
        : number <= streets.count ? streets[number - 1] : before
      return [
        "hint": "", "distance": .number(place.distance(to: pair.0)), "name": .string(name ?? ""),
        "location": place.position,
      ]
    }
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
    _ moves: ArraySlice<MeasuredWay.Step>, _ way: MeasuredWay, _ request: DirectionsRequest
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
    let words = step.words
    let mode =
      step.move.kind == .board
      ? "ferry"
      : transport == .automobile ? "driving" : transport == .walking ? "walking" : "cycling"
    // An arrival has the same place twice.
    let points = range.count > 1 ? line[range] : [place, place][...]
    let time = way.seconds(range)
    return [
      "geometry": json(points),
      "maneuver": [
        "location": place.position, "type": .string(words.type),
        "modifier": words.modifier.map(JSON.string), "exit": words.exit.map { .integer(Int64($0)) },
        "bearing_before": .integer(Int64(step.isDeparture ? 0 : before.rounded())),
        "bearing_after": .integer(Int64(after.rounded())),
      ],
      "name": .string(step.move.street ?? ""), "mode": .string(mode),
      "driving_side": "right", "intersections": .array([]),
      "weight": .number(time.rounded1), "duration": .number(time.rounded1),
      "distance": .number(way.metres(range).rounded1),
    ]
  }
}

extension Coordinate {
  /// GeoJSON's position of it.
  fileprivate var position: JSON {
    .array([.number(longitude.rounded6), .number(latitude.rounded6)])
  }
}

extension Double {
  fileprivate var rounded1: Double { (self * 10).rounded() / 10 }
  fileprivate var rounded6: Double { (self * 1e6).rounded() / 1e6 }
}
