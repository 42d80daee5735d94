package import LocationModel

/// The questions and answers of an OSRM server: http://project-osrm.org/docs/v26.10/api/.
package enum OSRM {
  /// What follows the server's address.
  package static func path(_ request: DirectionsRequest) -> String {
    let places = request.places.map { "\($0.longitude.degrees),\($0.latitude.degrees)" }
    let profile =
      switch request.transport {
      case .automobile: "driving"
      case .walking: "walking"
      case .cycling: "cycling"
      }
    let excluded = request.avoid.compactMap { classes[$0] }.sorted()
    // Whether the road is near enough is ours to say: the server tells how far it is.
    return "/route/v1/\(profile)/\(places.joined(separator: ";"))?overview=false&steps=true"
      + "&geometries=geojson&alternatives=\(request.alternates ? "2" : "false")"
      + (excluded.isEmpty ? "" : "&exclude=\(excluded.joined(separator: ","))")
  }

  /// Its names of the roads that it can do without. It has none for unpaved ones.
  static let classes: [Avoidance: String] = [
    .tolls: "toll", .ferries: "ferry", .motorways: "motorway",
  ]

  /// The server was not made to do without these roads.
  static func cannotAvoid(_ json: JSON) -> Bool { json["code"]?.string == "InvalidValue" }

  package static func answer(_ json: JSON) -> EngineAnswer {
    switch json["code"]?.string {
    case "Ok": break
    case "NoSegment":
      let number = json["message"]?.string?.split(separator: " ").last.flatMap { Int($0) }
      return .noRoad(place: number)
    case "NoRoute": return .noWay
    case let code: return .failed(reason: "OSRM answers \((code ?? "no code").plain(atMost: 40))")
    }
    for (i, place) in (json["waypoints"]?.array ?? []).enumerated() {
      if let distance = place["distance"]?.double, distance > EngineAnswer.farthestRoad {
        return .noRoad(place: i, distance: distance)
      }
    }
    let ways = (json["routes"]?.array ?? []).compactMap(way)
    return ways.isEmpty ? .failed(reason: "OSRM answers without a way") : .ways(ways)
  }

  private static func way(_ json: JSON) -> Way? {
    guard let duration = json["duration"]?.double, let legs = json["legs"]?.array else {
      return nil
    }
    var way = Way(polyline: [], moves: [], duration: duration, engine: "osrm")
    for (i, leg) in legs.enumerated() {
      for step in leg["steps"]?.array ?? [] {
        guard let places = step["geometry"]?["coordinates"]?.array else { return nil }
        let points = places.compactMap(place)
        guard points.count == places.count, let first = points.first else { return nil }
        let start = way.polyline.last == first ? way.polyline.count - 1 : way.polyline.count
        for point in points where point != way.polyline.last { way.polyline.append(point) }
        if step["mode"]?.string == "ferry" { way.advisories.insert(.ferry) }
        guard let kind = kind(step, isLast: i == legs.count - 1) else { continue }
        way.moves.append(Move(kind, street: street(step), start: start))
      }
    }
    return way
  }

  private static func place(_ json: JSON) -> Coordinate? {
    guard let numbers = json.array, numbers.count >= 2, let longitude = numbers[0].double,
      let latitude = numbers[1].double
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func street(_ step: JSON) -> String? {
    let names = [step["name"]?.string, step["ref"]?.string]
    return names.compactMap { $0 }.first { !$0.isEmpty }?.plain(atMost: 200)
  }

  /// Nil where the traveller does nothing.
  private static func kind(_ step: JSON, isLast: Bool) -> Move.Kind? {
    let maneuver = step["maneuver"] ?? [:]
    let modifier = maneuver["modifier"]?.string ?? ""
    let side: Move.Side? =
      modifier.hasSuffix("left") ? .left : modifier.hasSuffix("right") ? .right : nil
    if step["mode"]?.string == "ferry" { return .board }
    switch maneuver["type"]?.string {
    case "depart": return .depart(bearing: maneuver["bearing_after"]?.double ?? 0)
    case "arrive": return isLast ? .arrive(side) : .via
    case "merge": return .merge(side)
    case "on ramp", "off ramp": return .ramp(side)
    case "fork": return side.map { .keep($0) } ?? .goOn
    case "roundabout", "rotary":
      return .roundabout(
        exit: maneuver["exit"]?.integer.flatMap { (1...20).contains($0) ? Int($0) : nil })
    case "exit roundabout", "exit rotary", "notification": return nil
    case "new name": return .goOn
    default:
      let turn = turns[modifier] ?? .straight
      return turn == .straight ? .goOn : .turn(turn)
    }
  }

  private static let turns: [String: Turn] = [
    "uturn": .back, "sharp right": .sharpRight, "right": .right, "slight right": .slightRight,
    "sharp left": .sharpLeft, "left": .left, "slight left": .slightLeft,
  ]
}

extension Double {
  /// Seven decimals at most, never with an exponent.
  var degrees: String {
    let scaled = Int64((self * 1e7).rounded())
    let digits = String(scaled.magnitude % 10_000_000)
    return (scaled < 0 ? "-" : "") + "\(scaled.magnitude / 10_000_000)."
      + String(repeating: "0", count: 7 - digits.utf8.count) + digits
  }
}
