/// A way of travelling.
package enum Transport: String, CaseIterable, Sendable {
  case automobile, walking, cycling
}

/// Roads that a traveller may ask to do without.
package enum Avoidance: String, CaseIterable, Sendable {
  case tolls, ferries, motorways, unpaved

  /// All words, as a sentence lists them.
  package static let words = "tolls, ferries, motorways or unpaved"
}

/// The question for a way.
package struct DirectionsRequest: PlaceQuestion {
  package var from: Coordinate
  package var to: Coordinate
  package var via: [Coordinate] = []
  package var transport = Transport.automobile
  /// Other ways are wanted too.
  package var alternates = false
  /// Used only where no other way leads there.
  package var avoid: Set<Avoidance> = []
  package var options = PlaceOptions()

  package static let mostVia = 20

  package init(from: Coordinate, to: Coordinate) {
    self.from = from
    self.to = to
  }

  /// All places that the way passes, in order.
  package var places: [Coordinate] { [from] + via + [to] }
}

/// One way, in words.
package struct Route: Equatable, Sendable {
  /// The roads that it takes for the most part.
  package var name: String
  /// Metres, along the polyline.
  package var distance: Double
  /// Seconds.
  package var expectedTravelTime: Double
  package var transport: Transport
  package var polyline: [Coordinate]
  package var steps: [Step]
  package var advisories: [String]
  package var hasTolls = false
  package var hasMotorways = false
  /// The program that found it.
  package var engine: String

  package struct Step: Equatable, Sendable {
    package var instructions: String
    package var distance: Double
    package var polyline: [Coordinate]

    package init(instructions: String, distance: Double, polyline: [Coordinate]) {
      self.instructions = instructions
      self.distance = distance
      self.polyline = polyline
    }
  }

  package init(
    name: String, distance: Double, expectedTravelTime: Double, transport: Transport,
    polyline: [Coordinate], steps: [Step], advisories: [String], engine: String
  ) {
    self.name = name
    self.distance = distance
    self.expectedTravelTime = expectedTravelTime
    self.transport = transport
    self.polyline = polyline
    self.steps = steps
    self.advisories = advisories
    self.engine = engine
  }
}

extension Route {
  package var json: JSON {
    [
      "name": .string(name), "distance": .number(distance.rounded(toPlaces: 1)),
      "expectedTravelTime": .number(expectedTravelTime.rounded(toPlaces: 1)),
      "transport": .string(transport.rawValue), "polyline": polyline.json,
      "steps": .array(steps.map(\.json)), "advisories": .array(advisories.map(JSON.string)),
      "hasTolls": hasTolls ? .bool(true) : nil,
      "hasMotorways": hasMotorways ? .bool(true) : nil, "engine": .string(engine),
    ]
  }

  /// Nil for what is no route.
  package init?(_ json: JSON) {
    guard let distance = json["distance"]?.double, let time = json["expectedTravelTime"]?.double,
      let polyline = json["polyline"].flatMap([Coordinate].init(json:))
    else { return nil }
    self.init(
      name: json["name"]?.string ?? "", distance: distance, expectedTravelTime: time,
      transport: json["transport"]?.string.flatMap(Transport.init(rawValue:)) ?? .automobile,
      polyline: polyline, steps: (json["steps"]?.array ?? []).compactMap(Step.init),
      advisories: (json["advisories"]?.array ?? []).compactMap(\.string),
      engine: json["engine"]?.string ?? "")
    hasTolls = json["hasTolls"]?.bool == true
    hasMotorways = json["hasMotorways"]?.bool == true
  }
}

extension Route.Step {
  fileprivate var json: JSON {
    [
      "instructions": .string(instructions), "distance": .number(distance.rounded(toPlaces: 1)),
      "polyline": polyline.json,
    ]
  }

  fileprivate init?(_ json: JSON) {
    guard let instructions = json["instructions"]?.string,
      let distance = json["distance"]?.double,
      let polyline = json["polyline"].flatMap([Coordinate].init(json:))
    else { return nil }
    self.init(instructions: instructions, distance: distance, polyline: polyline)
  }
}

extension [Coordinate] {
  /// Pairs of latitude and longitude, to the decimetre.
  fileprivate var json: JSON {
    .array(
      map {
        .array([
          .number($0.latitude.rounded(toPlaces: 6)), .number($0.longitude.rounded(toPlaces: 6)),
        ])
      })
  }

  fileprivate init?(json: JSON) {
    guard let pairs = json.array else { return nil }
    self = pairs.compactMap { pair in
      guard let numbers = pair.array, numbers.count == 2, let latitude = numbers[0].double,
        let longitude = numbers[1].double
      else { return nil }
      let place = Coordinate(latitude: latitude, longitude: longitude)
      return place.isValid ? place : nil
    }
    guard count == pairs.count else { return nil }
  }
}
