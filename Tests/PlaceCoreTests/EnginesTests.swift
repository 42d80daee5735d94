import Glibc
import LocationModel
import Testing

@testable import PlaceCore

@Suite("Engines that find ways") struct EnginesTests {
  private let request = DirectionsRequest(
    from: Coordinate(latitude: 43.7315, longitude: 7.4197),
    to: Coordinate(latitude: 43.74, longitude: 7.429))

  private static func json(_ text: String) throws -> JSON {
    try Array(text.utf8).withUnsafeBytes { try JSON(parsing: $0) }
  }

  @Test("OSRM is asked with the longitude first")
  func osrmPath() {
    #expect(
      OSRM.path(request).hasPrefix("/route/v1/driving/7.4197000,43.7315000;7.4290000,43.7400000?"))
  }

  @Test("a server is asked to do without the roads to avoid, as far as it knows them")
  func avoiding() throws {
    var request = request
    request.avoid = [.tolls, .motorways]
    #expect(OSRM.path(request).hasSuffix("&exclude=motorway,toll"))
    let options = Valhalla.body(request)["costing_options"]?["auto"]
    #expect(options == ["use_tolls": .integer(0), "use_highways": .integer(0)])
    (request.avoid, request.transport) = ([.unpaved], .cycling)
    #expect(
      Valhalla.body(request)["costing_options"]?["bicycle"] == ["avoid_bad_surfaces": .integer(1)])
    let osrm = try RoutingServer("osrm-cycling:http://h")
    #expect(osrm.call(for: request) == nil)
    // The server knows none of them, or not together.
    request.avoid = [.ferries]
    #expect(osrm.call(for: request) != nil)
    let refusal = Array(#"{"code":"InvalidValue","message":"Exclude flag …"}"#.utf8)
    guard case .nothing(nil) = osrm.meaning(of: refusal, status: 400, to: request) else {
      return #expect(Bool(false))
    }
  }

  @Test("OSRM's answer becomes a way, and a place far from its roads is none")
  func osrm() throws {
    let text = """
      {"code":"Ok","waypoints":[{"distance":10.4},{"distance":24.5}],"routes":[{"duration":33.5,"legs":[{"steps":[
      {"maneuver":{"type":"depart","bearing_after":68},"name":"Tunnel Rocher","mode":"driving",
      "geometry":{"coordinates":[[7.419749,43.731413],[7.420766,43.731709]]}},
      {"maneuver":{"type":"rotary","exit":2},"name":"","ref":"D1","mode":"driving",
      "geometry":{"coordinates":[[7.420766,43.731709],[7.421,43.732]]}},
      {"maneuver":{"type":"arrive","modifier":"right"},"name":"","mode":"driving",
      "geometry":{"coordinates":[[7.421,43.732],[7.421,43.732]]}}]}]}]}
      """
    guard case .ways(let ways) = OSRM.answer(try Self.json(text)) else {
      return #expect(Bool(false))
    }
    #expect(ways[0].polyline.count == 3)
    #expect(
      ways[0].moves == [
        Move(.depart(bearing: 68), street: "Tunnel Rocher", start: 0),
        Move(.roundabout(exit: 2), street: "D1", start: 1), Move(.arrive(.right), start: 2),
      ])
    let far = text.replacingFirst("24.5", "8734000.1")
    #expect(OSRM.answer(try Self.json(far)) == .noRoad(place: 1, distance: 8_734_000.1))
  }

  @Test(
    "an engine's refusals are told apart",
    arguments: [
      (#"{"code":"NoRoute"}"#, EngineAnswer.noWay),
      (#"{"code":"NoSegment","message":"… for coordinate 1"}"#, .noRoad(place: 1)),
      (#"{"code":"Ok","routes":[]}"#, .failed(reason: "OSRM answers without a way")),
      ("[]", .failed(reason: "OSRM answers no code")),
    ])
  func refusals(text: String, answer: EngineAnswer) throws {
    #expect(OSRM.answer(try Self.json(text)) == answer)
  }

  @Test("Valhalla's answer becomes a way")
  func valhalla() throws {
    let text = """
      {"trip":{"summary":{"time":42.5},"legs":[{"shape":"_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI","maneuvers":[
      {"type":1,"begin_shape_index":0,"street_names":["Rue A"],"bearing_after":10},
      {"type":15,"begin_shape_index":1,"toll":true},{"type":4,"begin_shape_index":2}]}]}}
      """
    guard case .ways(let ways) = Valhalla.answer(try Self.json(text)) else {
      return #expect(Bool(false))
    }
    #expect(ways[0].polyline.first == Coordinate(latitude: 38.5, longitude: -120.2))
    #expect(ways[0].moves.map(\.kind) == [.depart(bearing: 10), .turn(.left), .arrive(nil)])
    #expect(ways[0].advisories == [.toll])
    #expect(Valhalla.answer(try Self.json(#"{"error_code":171}"#)) == .noRoad(place: nil))
    #expect(Valhalla.answer(try Self.json(#"{"error_code":442}"#)) == .noWay)
  }

  /// Seconds of this thread.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test("a long way is thinned: bends and turns stay, and nothing moves by more than some metres")
  func thinned() throws {
    // A wave of 400 km with a turn at an odd place.
    let places = (0..<40_000).map { i -> Coordinate in
      let bend = Double(abs(i % 400 - 200)) * 1e-5
      return Coordinate(latitude: 43.7 + bend, longitude: 2 + Double(i) * 1e-4)
    }
    let moves = [
      Move(.depart(bearing: 90), start: 0), Move(.turn(.left), start: 12_345),
      Move(.arrive(nil), start: 39_999),
    ]
    let way = Way(polyline: places, moves: moves, duration: 1, engine: "locationd")
    var request = DirectionsRequest(from: places[0], to: places[39_999])
    request.alternates = true
    let start = Self.processorTime
    guard case .ways(let ways) = EngineAnswer.ways([way]).checked(request) else {
      return #expect(Bool(false))
    }
    #expect(Self.processorTime - start < 10)
    let thin = ways[0].polyline
    #expect(thin.count <= Way.mostPlaces && thin.first == places[0] && thin.last == places[39_999])
    #expect(thin[ways[0].moves[1].start] == places[12_345])
    #expect(ways[0].moves[2].start == thin.count - 1)
    // The wave's tops.
    for top in stride(from: 400, to: 39_999, by: 400) { #expect(thin.contains(places[top])) }
    let route = ways[0].route(.automobile, in: nil)
    #expect(route.steps.count == 3 && route.distance > 320_000)
  }

  @Test("hostile answers are refused, and never trap")
  func hostile() throws {
    for shape in ["?", "~~~~~~~~~~~~~~~~~~~~~~~~~~~~", "\u{1}", "_izlhA~rlgdF_", ""] {
      let text =
        #"{"trip":{"summary":{"time":1e308},"legs":[{"shape":\#(JSON.string(shape).text),"maneuvers":[{"begin_shape_index":-1}]}]}}"#
      #expect(
        Valhalla.answer(try Self.json(text)) == .failed(reason: "Valhalla answers without a way"))
    }
    let routes =
      #"{"code":"Ok","routes":[{"duration":1,"legs":[{"steps":[{"geometry":{"coordinates":[[1e300,5]]},"maneuver":{"type":"depart","bearing_after":1e300}}]}]}]}"#
    let answer = OSRM.answer(try Self.json(routes)).checked(request)
    #expect(answer == .failed(reason: "an answer without a way"))
  }
}

extension String {
  fileprivate func replacingFirst(_ text: String, _ other: String) -> String {
    guard let range = firstRange(of: text) else { return self }
    return replacingCharacters(range, other)
  }

  private func replacingCharacters(_ range: Range<Index>, _ other: String) -> String {
    String(self[..<range.lowerBound]) + other + self[range.upperBound...]
  }
}
