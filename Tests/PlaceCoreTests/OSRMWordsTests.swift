import LocationModel
import Testing

@testable import PlaceCore

@Suite("OSRM's words over HTTP") struct OSRMWordsTests {
  private func ask(_ path: String, _ query: String = "") throws(WebRefusal) -> any WebQuestion {
    try NominatimWordsTests.ask("/route/v1/" + path, query)
  }

  private static let places = [
    Coordinate(latitude: 38.5, longitude: -120.2), Coordinate(latitude: 40.7, longitude: -120.95),
    Coordinate(latitude: 43.252, longitude: -126.453),
  ]
  private static let line = "driving/-120.2,38.5;-126.453,43.252"

  private var way: Way {
    Way(
      polyline: Self.places,
      moves: [
        Move(.depart(bearing: 0), street: "A", start: 0),
        Move(.turn(.left), street: "B", start: 1), Move(.arrive(.right), start: 2),
      ], duration: 100, engine: "locationd")
  }

  private func json(_ question: any WebQuestion, _ ways: [Way]) throws -> JSON {
    guard case .directions(let request)? = question.requests.first else { return .null }
    let answer = question.answer([.success(.ways(ways, request))], [])
    return try JSON(parsing: answer.body)
  }

  @Test("an address says the places, the way to travel and what to do without")
  func question() throws {
    let question = try ask("bike/7.1,43.1;7.2,43.2;7.3,43.3.json", "exclude=ferry&alternatives=2")
    guard case .directions(let request)? = question.requests.first else {
      Issue.record("no directions")
      return
    }
    #expect(request.transport == .cycling && request.alternates && request.avoid == [.ferries])
    #expect(request.from == Coordinate(latitude: 43.1, longitude: 7.1))
    #expect(request.via == [Coordinate(latitude: 43.2, longitude: 7.2)])
    #expect(request.to == Coordinate(latitude: 43.3, longitude: 7.3))
  }

  @Test("a line is written as Google's text, with five decimals or six, or as GeoJSON")
  func line() throws {
    let text = "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
    let route = try json(try ask(Self.line, "overview=full"), [way])["routes"]?.array?.first
    #expect(route?["geometry"]?.string == text)
    let six = try json(
      try ask(Self.line, "overview=full&geometries=polyline6"), [way])["routes"]?.array?.first
    #expect(six?["geometry"]?.string == "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI")
    let points = try json(
      try ask(Self.line, "overview=full&geometries=geojson"), [way])["routes"]?.array?.first?[
        "geometry"]
    #expect(points?["type"]?.string == "LineString")
    #expect(points?["coordinates"]?.array?.first?.array?.map(\.double) == [-120.2, 38.5])
    let none = try json(try ask(Self.line, "overview=false"), [way])["routes"]?.array?.first
    #expect(none != nil && none?["geometry"] == nil)
  }

  @Test("a route has its length, its time, its steps and the roads that stand for its ends")
  func route() throws {
    let json = try json(try ask(Self.line, "steps=true"), [way])
    #expect(json["code"]?.string == "Ok")
    let route = try #require(json["routes"]?.array?.first)
    #expect(route["duration"]?.double == 100)
    let leg = try #require(route["legs"]?.array?.first)
    #expect(leg["duration"]?.double == 100 && leg["distance"] == route["distance"])
    let steps = try #require(leg["steps"]?.array)
    #expect(steps.map { $0["maneuver"]?["type"]?.string } == ["depart", "turn", "arrive"])
    #expect(steps[1]["maneuver"]?["modifier"]?.string == "left")
    #expect(steps[1]["name"]?.string == "B" && steps[2]["distance"]?.double == 0)
    #expect(leg["summary"]?.string == "A, B")
    let ends = try #require(json["waypoints"]?.array)
    #expect(ends.count == 2 && ends[0]["name"]?.string == "A" && ends[1]["name"]?.string == "B")
    #expect(ends[0]["distance"]?.double == 0)
  }

  @Test("each stop ends a leg, with an arrival there and a departure")
  func legs() throws {
    var way = way
    way.moves[1] = Move(.via, street: "B", start: 1)
    let question = try ask("foot/-120.2,38.5;-120.95,40.7;-126.453,43.252", "steps=true")
    let json = try json(question, [way])
    let legs = try #require(json["routes"]?.array?.first?["legs"]?.array)
    let types = legs.map { leg in
      (leg["steps"]?.array ?? []).map { $0["maneuver"]?["type"]?.string }
    }
    #expect(types == [["depart", "arrive"], ["depart", "arrive"]])
    let times = legs.compactMap { $0["duration"]?.double }
    #expect(abs(times.reduce(0, +) - 100) < 0.2)
    #expect(json["waypoints"]?.array?.count == 3)
  }

  @Test("a stop that is asked for twice has a leg of no length, wherever it stands")
  func stays() throws {
    var way = way
    way.moves[1] = Move(.via, street: "B", start: 1)
    let (a, b, c) = ("-120.2,38.5", "-120.95,40.7", "-126.453,43.252")
    for (stops, lengths) in [
      ([a, a, b, c], [0, 1, 2]), ([a, b, b, c], [1, 0, 2]), ([a, b, c, c], [1, 2, 0]),
      ([a, a, a, b, b, c], [0, 0, 1, 0, 2]), ([a, b, c], [1, 2]),
    ] {
      let json = try json(
        try ask("foot/" + stops.joined(separator: ";"), "steps=true&overview=false"), [way])
      let legs = try #require(json["routes"]?.array?.first?["legs"]?.array)
      #expect(legs.map { $0["distance"]?.double == 0 } == lengths.map { $0 == 0 }, "\(stops)")
      let ends = legs.map { leg in
        let steps = leg["steps"]?.array ?? []
        return [steps.first, steps.last].map { $0?["maneuver"]?["type"]?.string }
      }
      #expect(ends.allSatisfy { $0 == ["depart", "arrive"] }, "\(stops)")
      #expect(json["waypoints"]?.array?.map { $0["distance"]?.double } == stops.map { _ in 0 })
    }
    // All are one place.
    let stay = Way(
      polyline: [Self.places[0], Self.places[0]], moves: [Move(.arrive(nil), start: 0)],
      duration: 0, engine: "locationd")
    let json = try json(try ask("foot/\(a);\(a);\(a)", "steps=true"), [stay])
    let legs = json["routes"]?.array?.first?["legs"]?.array
    #expect(legs?.map { $0["steps"]?.array?.count } == [2, 2])
    #expect(json["waypoints"]?.array?.count == 3)
  }

  @Test("each step says the side of the road and the way's own roads at its crossing")
  func crossings() throws {
    let steps = try #require(
      try json(try ask(Self.line, "steps=true"), [way])["routes"]?.array?.first?["legs"]?.array?
        .first?["steps"]?.array)
    #expect(steps.allSatisfy { $0["driving_side"]?.string == "right" })
    let crossings = steps.map { $0["intersections"]?.array?.first ?? .null }
    let turn = steps[1]["maneuver"] ?? .null
    let (before, after) = (
      turn["bearing_before"]?.integer ?? 0, turn["bearing_after"]?.integer ?? 0
    )
    let bearings = crossings.map { $0["bearings"]?.array?.compactMap(\.integer) ?? [] }
    #expect(bearings.map(\.count) == [1, 2, 1])
    #expect(crossings.allSatisfy { $0["location"]?.array?.count == 2 })
    let (into, out) = (crossings[1]["in"]?.integer ?? -1, crossings[1]["out"]?.integer ?? -1)
    #expect(Set([into, out]) == [0, 1] && bearings[1] == bearings[1].sorted())
    #expect(bearings[1][Int(out)] == after && bearings[1][Int(into)] == (before + 180) % 360)
    #expect(crossings[0]["in"] == nil && crossings[0]["out"]?.integer == 0)
    #expect(crossings[2]["in"]?.integer == 0 && crossings[2]["out"] == nil)
    // Where traffic keeps to the left.
    let london = [(51.50, -0.12), (51.51, -0.11)].map {
      Coordinate(latitude: $0.0, longitude: $0.1)
    }
    let left = Way(
      polyline: london,
      moves: [
        Move(.depart(bearing: 0), start: 0), Move(.roundabout(exit: 2), start: 0),
        Move(.arrive(nil), start: 1),
      ], duration: 1, engine: "locationd")
    let there = try json(try ask("driving/-0.12,51.5;-0.11,51.51", "steps=true"), [left])
    let step = there["routes"]?.array?.first?["legs"]?.array?.first?["steps"]?.array?[1]
    #expect(step?["driving_side"]?.string == "left")
    #expect(step?["maneuver"]?["modifier"]?.string == "left")
  }

  @Test("an option is obeyed or refused, and never passed over in silence")
  func options() throws {
    for query in [
      "generate_hints=false", "hints=;", "bearings=;", "approaches=unrestricted;",
      "continue_straight=true", "continue_straight=default", "snapping=default", "waypoints=0;1",
      "radiuses=unlimited;", "annotations=false",
    ] {
      let json = try json(try ask(Self.line, query), [way])
      #expect(json["code"]?.string == "Ok", "\(query)")
      #expect((json["waypoints"]?.array?.first?["hint"] == nil) == query.hasPrefix("generate"))
    }
    #expect(try json(try ask(Self.line, "skip_waypoints=true"), [way])["waypoints"] == nil)
    for (query, code) in [
      ("bearings=0,20;", "NotImplemented"), ("approaches=curb;", "NotImplemented"),
      ("continue_straight=false", "NotImplemented"), ("snapping=any", "NotImplemented"),
      ("waypoints=0", "NotImplemented"), ("radiuses=1", "InvalidOptions"),
      ("hints=;;", "InvalidOptions"), ("radiuses=x;1", "InvalidQuery"),
      ("skip_waypoints=perhaps", "InvalidQuery"), ("generate_hints=1", "InvalidQuery"),
    ] {
      let refusal = #expect(throws: WebRefusal.self) { try ask(Self.line, query) }
      #expect(refusal?.code == code, "\(query)")
    }
    #expect(throws: WebRefusal.self) { try ask("foot/1,2;3,4", "continue_straight=true") }
  }

  @Test("a road that is farther away than its radius is none")
  func radiuses() throws {
    var far = way
    far.polyline[2].latitude += 0.01
    for (radiuses, code) in [
      ("10;unlimited", "Ok"), ("0;1200", "Ok"), ("unlimited;1000", "NoSegment"),
    ] {
      let json = try json(try ask(Self.line, "radiuses=" + radiuses), [far])
      #expect(json["code"]?.string == code, "\(radiuses)")
      if code != "Ok" { #expect(json["message"]?.string?.hasSuffix("coordinate 1") == true) }
    }
  }

  @Test("as many other ways are answered as are wanted")
  func alternatives() throws {
    for (text, count) in [("false", 1), ("true", 2), ("3", 3)] {
      let json = try json(try ask(Self.line, "alternatives=\(text)"), [way, way, way])
      #expect(json["routes"]?.array?.count == count)
    }
  }

  @Test(
    "what is wrong is said in OSRM's words",
    arguments: [
      ("driving/1,2", "", "InvalidOptions"), ("driving/1,2;x,3", "", "InvalidUrl"),
      ("driving/1,2;3,200", "", "InvalidUrl"), ("driving", "", "InvalidUrl"),
      ("plane/1,2;3,4", "", "InvalidUrl"), ("driving/1,2;3,4", "steps=perhaps", "InvalidQuery"),
      ("driving/1,2;3,4", "geometries=wkt", "InvalidQuery"),
      ("driving/1,2;3,4", "color=red", "InvalidQuery"),
      ("driving/1,2;3,4", "exclude=bridges", "InvalidValue"),
      ("driving/1,2;3,4", "annotations=true", "NotImplemented"),
      ("driving/" + Array(repeating: "1,2", count: 30).joined(separator: ";"), "", "TooBig"),
    ])
  func wrong(path: String, query: String, code: String) throws {
    let refusal = #expect(throws: WebRefusal.self) { try ask(path, query) }
    let answer = WebDialect.osrm.answer(try #require(refusal))
    #expect(answer.status == 400)
    #expect(try JSON(parsing: answer.body)["code"]?.string == code, "\(answer.body)")
  }

  @Test("a way that is not found, and a place without a road, have OSRM's codes")
  func nothing() throws {
    let question = try ask(Self.line)
    for (refusal, code) in [
      (Refusal(.directionsNotFound, "none"), "NoRoute"),
      (Refusal(.placemarkNotFound, "none"), "NoSegment"),
    ] {
      let answer = question.answer([.failure(refusal)], [])
      #expect(answer.status == 400)
      #expect(try JSON(parsing: answer.body)["code"]?.string == code)
    }
    #expect(question.answer([.failure(Refusal(.network, "much"))], []).status == 429)
  }

  @Test(
    "a road that bends where its name changes is a turn, and one that goes straight on a new name")
  func newNames() throws {
    func words(_ third: Coordinate) throws -> JSON? {
      let bent = Way(
        polyline: [
          Coordinate(latitude: 43.73, longitude: 7.42),
          Coordinate(latitude: 43.74, longitude: 7.42),
          third,
        ],
        moves: [
          Move(.depart(bearing: 0), street: "A", start: 0), Move(.goOn, street: "B", start: 1),
          Move(.arrive(nil), start: 2),
        ], duration: 100, engine: "locationd")
      let route = try json(try ask("driving/7.42,43.73;7.43,43.74", "steps=true"), [bent])
      return route["routes"]?.array?.first?["legs"]?.array?.first?["steps"]?.array?[1]["maneuver"]
    }
    for (y, x, type, modifier) in [
      (43.75, 7.42, "new name", "straight"), (43.74, 7.43, "turn", "right"),
      (43.74, 7.41, "turn", "left"), (43.75, 7.427, "new name", "slight right"),
    ] {
      let told = try words(Coordinate(latitude: y, longitude: x))
      #expect(told?["type"]?.string == type && told?["modifier"]?.string == modifier, "\(y) \(x)")
    }
  }

  @Test("a bicycle is pushed along a step of which it is pushed along the most")
  func pushing() throws {
    var pushed = way
    pushed.pushed = [1..<2]
    let steps = try json(
      try ask("bike/-120.2,38.5;-126.453,43.252", "steps=true"), [pushed])["routes"]?.array?.first?[
        "legs"]?.array?.first?["steps"]?.array
    #expect(steps?.map { $0["mode"]?.string } == ["cycling", "pushing bike", "cycling"])
  }
}
