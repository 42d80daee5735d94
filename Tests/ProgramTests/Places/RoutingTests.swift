import Foundation
import Glibc
import LocationModel
import Testing

/// OSRM or Valhalla itself, with the roads of Monaco.
private final class Engine {
  let program: Program
  let port: Int

  init(_ name: String) throws {
    let folder = PrivateBus.house.appending(path: ".build/engines")
    let isThere = FileManager.default.fileExists(atPath: folder.appending(path: "done").path)
    try #require(isThere, "'make .build/engines/done' makes it")
    let script = PrivateBus.house.appending(path: "Tests/Servers/engine.py").path
    program = try Program(["python3", script, folder.path, name])
    port = try #require(Int(try program.line()))
  }

  deinit { program.signal(SIGKILL) }
}

@Suite("Ways that servers find", .timeLimit(.minutes(60))) struct RoutingTests {
  private static let rocher = Coordinate(latitude: 43.7315, longitude: 7.4197)
  private static let casino = Coordinate(latitude: 43.74, longitude: 7.429)

  private static func question(
    to: Coordinate = casino, _ more: [JSON.Member] = []
  ) -> JSON {
    let ends: JSON = ["from": pair(rocher), "to": pair(to)]
    return .object((ends.members ?? []) + more)
  }

  private static func pair(_ place: Coordinate) -> JSON {
    .array([.number(place.latitude), .number(place.longitude)])
  }

  private static func configuration(_ routers: String...) -> String {
    "[Servers]\nTimeout=1\n" + routers.map { "Router=\($0)\n" }.joined()
  }

  @Test("the next server answers when one is killed, and an error within 5 s when all are")
  func killed() throws {
    let (valhalla, osrm) = (try Engine("valhalla"), try Engine("osrm"))
    let places = try RunningPlaces(
      Self.configuration(
        "valhalla:http://127.0.0.1:\(valhalla.port)", "osrm:http://127.0.0.1:\(osrm.port)"))
    let client = try places.connect()
    for engine in ["valhalla", "osrm"] {
      let answer = try client.ask("directions", Self.question())
      let route = try #require(
        answer["result"]?["routes"]?.array?.first.flatMap { Route($0) }, "\(answer.text)")
      #expect(route.engine == engine && route.transport == .automobile)
      #expect((1000...4000).contains(route.distance) && route.expectedTravelTime > 60)
      #expect(route.steps.count > 3 && !route.name.isEmpty)
      let length = route.steps.map(\.distance).reduce(0, +)
      #expect(abs(length - route.distance) < 1, "\(engine): \(length), \(route.distance)")
      let ends = [route.polyline.first, route.polyline.last].compactMap { $0 }
      for (end, asked) in zip(ends, [Self.rocher, Self.casino]) {
        #expect(abs(end.latitude - asked.latitude) < 0.0006)
        #expect(abs(end.longitude - asked.longitude) < 0.0006)
      }
      (engine == "valhalla" ? valhalla : osrm).program.signal(SIGKILL)
    }
    let effort = try Effort(of: places.program)
    #expect(try client.ask("directions", Self.question())["error"]?["code"] == .integer(2))
    #expect(try effort.seconds < 5)
  }

  @Test(
    "a server that fails is passed over within 5 s, and the status says why",
    arguments: ["slow", "reset", "500", "429", "garbage", "huge", "redirect"])
  func fails(how: String) throws {
    let (bad, osrm) = (try PlaceServer(how), try Engine("osrm"))
    let places = try RunningPlaces(
      Self.configuration("osrm:http://127.0.0.1:\(bad.port)", "osrm:http://127.0.0.1:\(osrm.port)"))
    let effort = try Effort(of: places.program)
    let answer = try places.ask("directions", Self.question())
    #expect(try effort.seconds < 5)
    #expect(answer["result"]?["routes"]?.array?.first?["engine"]?.string == "osrm")
    let servers = try places.ask("status")["result"]?["servers"]?.array
    #expect(servers?.first?["role"]?.string == "router")
    #expect(servers?.first?["trouble"]?.string != nil && servers?.last?["trouble"] == nil)
  }

  @Test(
    "a place off every road is told with the distance to one, and others are found only where wanted"
  )
  func truth() throws {
    let osrm = try Engine("osrm")
    let places = try RunningPlaces(Self.configuration("osrm:http://127.0.0.1:\(osrm.port)"))
    let sea = Coordinate(latitude: 43.6, longitude: 7.6)
    let error = try places.ask("directions", Self.question(to: sea))["error"]
    #expect(error?["code"] == .integer(4) && error?["data"]?["domain"]?.string == "MKErrorDomain")
    #expect(error?["message"]?.string?.contains("km away") == true)
    func routes(_ more: JSON.Member...) throws -> [JSON] {
      try places.ask("directions", Self.question(more))["result"]?["routes"]?.array ?? []
    }
    let one = try routes()
    #expect(one.count == 1)
    #expect(try routes(.init(key: "alternates", value: .bool(true))).count > 1)
    let stop: JSON = .array([Self.pair(Coordinate(latitude: 43.7275, longitude: 7.412))])
    let longer = try routes(.init(key: "via", value: stop))
    #expect((longer.first?["distance"]?.double ?? 0) > (one.first?["distance"]?.double ?? 0))
    let korean = try routes(.init(key: "locale", value: "ko_KR"))
    let step = korean.first?["steps"]?.array?.first?["instructions"]?.string
    #expect(step?.contains("출발") == true)
  }

  @Test("no server is asked by who wants none, or who travels as none knows")
  func offline() throws {
    let bad = try PlaceServer()
    let places = try RunningPlaces(Self.configuration("osrm:http://127.0.0.1:\(bad.port)"))
    let wishes: [(key: String, value: JSON)] = [
      ("offline", .bool(true)), ("transport", "walking"),
    ]
    for (key, value) in wishes {
      let answer = try places.ask("directions", Self.question([.init(key: key, value: value)]))
      #expect(answer["error"]?["code"] == .integer(5))
    }
    #expect(bad.listen().isEmpty)
  }

  @Test("an app over its budget is refused with error 2")
  func budget() throws {
    let osrm = try Engine("osrm")
    let places = try RunningPlaces(
      "[Servers]\nBudget=2\nRouter=osrm:http://127.0.0.1:\(osrm.port)\n")
    let client = try places.connect()
    for _ in 0..<2 { #expect(try client.ask("directions", Self.question())["result"] != nil) }
    #expect(try client.ask("directions", Self.question())["error"]?["code"] == .integer(2))
  }
}
