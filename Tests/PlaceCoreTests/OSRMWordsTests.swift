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
}
