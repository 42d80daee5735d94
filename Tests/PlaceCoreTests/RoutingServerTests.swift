import LocationModel
import PlaceCore
import Testing

@Suite("Servers that find ways") struct RoutingServerTests {
  private static let request = DirectionsRequest(
    from: Coordinate(latitude: 43.7315, longitude: 7.4197),
    to: Coordinate(latitude: 43.74, longitude: 7.429))

  @Test("an OSRM server knows one way to travel, a Valhalla server all")
  func transports() throws {
    func takes(_ text: String) throws -> [Transport] {
      let server = try RoutingServer(text)
      return Transport.allCases.filter {
        var request = Self.request
        request.transport = $0
        return server.call(for: request) != nil
      }
    }
    #expect(try takes("osrm:http://h") == [.automobile])
    #expect(try takes("osrm-walking:http://h") == [.walking])
    #expect(try takes("OSRM-Cycling:http://h") == [.cycling])
    #expect(try takes("valhalla:http://h") == Transport.allCases)
  }

  @Test("OSRM is read from, and Valhalla is posted to")
  func questions() throws {
    let osrm = try #require(try RoutingServer("osrm:http://h/base/").call(for: Self.request))
    #expect(osrm.url.hasPrefix("http://h/base/route/v1/driving/7.4197000,43.7315000;"))
    #expect(osrm.body == nil)
    let valhalla = try #require(try RoutingServer("valhalla:http://h").call(for: Self.request))
    #expect(valhalla.url == "http://h/route" && valhalla.body?["costing"]?.string == "auto")
  }

  @Test("a question for this machine alone is put to no server")
  func offline() throws {
    var request = Self.request
    request.offline = true
    #expect(try RoutingServer("valhalla:http://h").call(for: request) == nil)
  }

  @Test("an answer holds as many ways as a client may be sent, and one unless more are wanted")
  func ways() {
    var request = Self.request
    let way = Way(
      polyline: Array(repeating: request.from, count: 10_000),
      moves: [Move(.arrive(nil), start: 0)], duration: 60, engine: "x")
    #expect(request.routes(of: [way, way, way]).count == 1)
    request.alternates = true
    let most = request.routes(of: Array(repeating: way, count: 9)).count
    #expect((1...9).contains(most) && most * way.size <= 800_000)
    #expect(request.routes(of: []).isEmpty)
  }

  @Test(
    "what is no server for directions is told",
    arguments: ["osrm", "nominatim:http://x", "osrm-flying:http://x", "valhalla:ftp://x"])
  func unusable(text: String) {
    #expect(throws: Unusable.self) { try RoutingServer(text) }
  }

  @Test("an answer that is no JSON is a failure, and a refusal names the place and the distance")
  func answers() throws {
    let server = try RoutingServer("osrm:http://h")
    guard case .failed = server.answer([0xFF, 0xFE], to: Self.request) else {
      return #expect(Bool(false))
    }
    #expect(server.answer(Array(#"{"code":"NoRoute"}"#.utf8), to: Self.request) == .noWay)
    #expect(EngineAnswer.noWay.refusal(Self.request)?.code == .directionsNotFound)
    let far = EngineAnswer.noRoad(place: 1, distance: 8200).refusal(Self.request)
    #expect(far?.code == .placemarkNotFound)
    #expect(far?.message == "No road is near the destination: the nearest is 8.2\u{A0}km away.")
    for place in [nil, -1, 9] {
      let vague = EngineAnswer.noRoad(place: place).refusal(Self.request)
      #expect(vague?.message == "No road is near one of the places.")
    }
  }
}
