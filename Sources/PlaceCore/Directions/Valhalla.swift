package import LocationModel

/// The questions and answers of a Valhalla server: https://valhalla.github.io/valhalla/api/.
package enum Valhalla {
  /// The body that is posted to `/route`.
  package static func body(_ request: DirectionsRequest) -> JSON {
    let costing =
      switch request.transport {
      case .automobile: "auto"
      case .walking: "pedestrian"
      case .cycling: "bicycle"
      }
    let places = request.places.map { place -> JSON in
      ["lat": .number(place.latitude), "lon": .number(place.longitude)]
    }
    return [
      "locations": .array(places), "costing": .string(costing),
      "costing_options": request.avoid.isEmpty ? nil : [costing: options(request)],
      "units": "kilometers",
      "directions_type": "maneuvers",
      // It finds no others where the way has a stop.
      "alternates": request.alternates && request.via.isEmpty ? .integer(2) : nil,
    ]
  }

  /// Each is avoided as far as it can be. Roads that are not paved it only knows to exclude, and for bicycles to rate.
  private static func options(_ request: DirectionsRequest) -> JSON {
    let isCar = request.transport == .automobile
    return .object(
      Avoidance.allCases.filter(request.avoid.contains).map { avoidance in
        switch avoidance {
        case .tolls: .init(key: "use_tolls", value: .integer(0))
        case .ferries: .init(key: "use_ferry", value: .integer(0))
        case .motorways: .init(key: "use_highways", value: .integer(0))
        case .unpaved where isCar: .init(key: "exclude_unpaved", value: .bool(true))
        case .unpaved: .init(key: "avoid_bad_surfaces", value: .integer(1))
        }
      })
  }

  package static func answer(_ json: JSON) -> EngineAnswer {
    switch json["error_code"]?.integer {
    case nil: break
    case 170, 442: return .noWay
    case 171: return .noRoad(place: nil)
    case let code?: return .failed(reason: "Valhalla answers \(code)")
    }
    let others = (json["alternates"]?.array ?? []).compactMap { $0["trip"] }
    let ways = ([json["trip"]].compactMap { $0 } + others).compactMap(way)
    return ways.isEmpty ? .failed(reason: "Valhalla answers without a way") : .ways(ways)
  }

  private static func way(_ trip: JSON) -> Way? {
    guard let duration = trip["summary"]?["time"]?.double, let legs = trip["legs"]?.array else {
      return nil
    }
    var way = Way(polyline: [], moves: [], duration: duration, engine: "valhalla")
    for (i, leg) in legs.enumerated() {
      guard let shape = leg["shape"]?.string.flatMap(EncodedPolyline.line) else { return nil }
      let start =
        way.polyline.last == shape.first ? max(way.polyline.count - 1, 0) : way.polyline.count
      way.polyline +=
        way.polyline.isEmpty || start == way.polyline.count ? shape[...] : shape.dropFirst()
      for maneuver in leg["maneuvers"]?.array ?? [] {
        guard let offset = maneuver["begin_shape_index"]?.integer, offset >= 0,
          offset < shape.count
        else { return nil }
        if maneuver["toll"]?.bool == true { way.advisories.insert(.toll) }
        if maneuver["highway"]?.bool == true { way.hasMotorways = true }
        if maneuver["rough"]?.bool == true { way.advisories.insert(.unpaved) }
        guard let kind = kind(maneuver, isLast: i == legs.count - 1) else { continue }
        if kind == .board { way.advisories.insert(.ferry) }
        way.moves.append(Move(kind, street: street(maneuver), start: start + Int(offset)))
      }
    }
    return way
  }

  private static func street(_ maneuver: JSON) -> String? {
    maneuver["street_names"]?.array?.first?.string?.plain(atMost: 200)
  }

  /// Nil where the traveller does nothing.
  private static func kind(_ maneuver: JSON, isLast: Bool) -> Move.Kind? {
    switch maneuver["type"]?.integer {
    case 1, 2, 3: .depart(bearing: maneuver["bearing_after"]?.double ?? 0)
    case 4: isLast ? .arrive(nil) : .via
    case 5: isLast ? .arrive(.right) : .via
    case 6: isLast ? .arrive(.left) : .via
    case 9: .turn(.slightRight)
    case 10: .turn(.right)
    case 11: .turn(.sharpRight)
    case 12, 13: .turn(.back)
    case 14: .turn(.sharpLeft)
    case 15: .turn(.left)
    case 16: .turn(.slightLeft)
    case 17: .ramp(nil)
    case 18, 20: .ramp(.right)
    case 19, 21: .ramp(.left)
    case 23: .keep(.right)
    case 24: .keep(.left)
    case 25: .merge(nil)
    case 37: .merge(.right)
    case 38: .merge(.left)
    case 26:
      .roundabout(
        exit: maneuver["roundabout_exit_count"]?.integer.flatMap {
          (1...20).contains($0) ? Int($0) : nil
        })
    case 27, 29: nil
    case 28: .board
    default: .goOn
    }
  }
}
