import Foundation
import Glibc
import LocationModel
import Testing

/// The question for a way, as the socket takes it.
func way(
  _ from: Coordinate, _ to: Coordinate, _ more: [(key: String, value: JSON)] = []
) -> JSON {
  .object(
    [.init(key: "from", value: from.pair), .init(key: "to", value: to.pair)]
      + more.map { JSON.Member(key: $0.key, value: $0.value) })
}

extension Coordinate {
  var pair: JSON { .array([.number(latitude), .number(longitude)]) }

  func metres(_ other: Coordinate) -> Double {
    hypot(
      (latitude - other.latitude) * 111_195,
      (longitude - other.longitude) * 111_195 * cos(latitude * .pi / 180))
  }
}

extension RunningPlaces {
  func ways(
    _ from: Coordinate, _ to: Coordinate, _ more: (key: String, value: JSON)...
  ) throws -> [Route] {
    let answer = try ask("directions", way(from, to, more))
    return try #require(answer["result"]?["routes"]?.array, "\(answer.text)").compactMap {
      Route($0)
    }
  }
}

@Suite("Ways by the roads of this disk", .timeLimit(.minutes(60))) struct RoadsTests {
  static let rocher = Coordinate(latitude: 43.7315, longitude: 7.4197)
  static let casino = Coordinate(latitude: 43.74, longitude: 7.429)

  @Test("an import brings roads, the status names them, and they go with it")
  func imported() throws {
    let places = try RunningPlaces()
    #expect(
      try places.ask("directions", way(Self.rocher, Self.casino))["error"]?["code"] == .integer(5))
    let monaco = PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path
    // Twice: one import takes the place of another.
    for _ in 0..<2 {
      let said = try places.importing(monaco)
      #expect(said.contains(#""phase":"roads""#), "\(said)")
      #expect(try places.ways(Self.rocher, Self.casino).first?.engine == "locationd")
    }
    let engine = try places.ask("status")["result"]?["engines"]?.array?.first
    #expect(engine?["name"] == "locationd" && engine?["roads"]?.array == ["monaco"])
    #expect(engine?["answered"] == .integer(2) && engine?["waiting"] == .integer(0))
    let removal = try Program([
      Program.path("locationd-places"), "--remove", "monaco", "--data", places.folder.path,
    ])
    #expect(try removal.exit() == 0)
    #expect(
      try places.ask("directions", way(Self.rocher, Self.casino))["error"]?["code"] == .integer(5))
    let left = try FileManager.default.contentsOfDirectory(atPath: places.folder.path)
    #expect(Set(left) == ["places.conf", "s"], "\(left)")
  }

  @Test(
    "a way begins and ends where it was asked, and its steps are all of it",
    arguments: Transport.allCases)
  func whole(transport: Transport) throws {
    let places = try RunningPlaces.ofMonaco()
    let route = try #require(
      try places.ways(
        Self.rocher, Self.casino, (key: "transport", value: .string(transport.rawValue))
      ).first)
    #expect(route.transport == transport && route.steps.count > 3)
    #expect(route.name.contains("Boulevard Albert 1er"), "\(route.name)")
    let ends = try (#require(route.polyline.first), #require(route.polyline.last))
    #expect(ends.0.metres(Self.rocher) < 50 && ends.1.metres(Self.casino) < 50)
    let length = zip(route.polyline, route.polyline.dropFirst()).map { $0.metres($1) }
      .reduce(0, +)
    #expect(abs(length - route.distance) < 0.01 * length)
    #expect(abs(route.steps.map(\.distance).reduce(0, +) - route.distance) < 1)
    let speed = route.distance / route.expectedTravelTime * 3.6
    let honest: ClosedRange<Double> =
      switch transport {
      case .automobile: 15...45
      case .walking: 4.5...5.05
      case .cycling: 10...16
      }
    #expect(honest.contains(speed), "\(speed) km/h")
  }

  @Test("stops are passed in their order, others are found where wanted, in the language asked for")
  func more() throws {
    let places = try RunningPlaces.ofMonaco()
    let stop = Coordinate(latitude: 43.7275, longitude: 7.412)
    let longer = try places.ways(
      Self.rocher, Self.casino, (key: "via", value: .array([stop.pair])),
      (key: "locale", value: "ko_KR"))
    #expect(longer[0].polyline.contains { $0.metres(stop) < 60 })
    #expect(longer[0].steps.contains { $0.instructions == "경유지 도착" })
    #expect(longer[0].steps[0].instructions.contains("출발"))
    let far = Coordinate(latitude: 43.7446, longitude: 7.3944)
    #expect(try places.ways(Self.rocher, far).count == 1)
    let others = try places.ways(Self.rocher, far, (key: "alternates", value: .bool(true)))
    #expect((2...3).contains(others.count))
    for other in others.dropFirst() {
      #expect(other.polyline != others[0].polyline)
      #expect(other.distance < 1.3 * others[0].distance)
    }
  }

  @Test("a place off every road is told with the distance to the nearest, a nearer one in the way")
  func offRoad() throws {
    let places = try RunningPlaces.ofMonaco()
    let sea = Coordinate(latitude: 43.71, longitude: 7.46)
    for (place, hint) in [
      (sea, "km away"), (Coordinate(latitude: 37.5, longitude: 127), "places import"),
    ] {
      let error = try places.ask("directions", way(Self.rocher, place))["error"]
      #expect(error?["code"] == .integer(4) && error?["data"]?["domain"] == "MKErrorDomain")
      let message = error?["message"]?.string ?? ""
      #expect(message.contains("the destination") && message.contains(hint), "\(message)")
    }
    let start = try places.ask("directions", way(sea, Self.rocher))["error"]?["message"]?.string
    #expect(start?.contains("the start") == true)
    let shore = Coordinate(latitude: 43.7255, longitude: 7.43)
    let route = try #require(try places.ways(Self.rocher, shore).first)
    #expect(route.advisories.contains { $0.contains("ends") && $0.contains("m from") })
  }

  @Test("who is there already goes nowhere, and a stop that is the start is no way round the block")
  func there() throws {
    let places = try RunningPlaces.ofMonaco()
    let route = try #require(try places.ways(Self.rocher, Self.rocher).first)
    #expect(route.distance == 0 && route.expectedTravelTime == 0 && route.steps.count == 1)
    let plain = try places.ways(Self.rocher, Self.casino)
    let stops = JSON.array([Self.rocher.pair, Self.rocher.pair, Self.casino.pair])
    #expect(try places.ways(Self.rocher, Self.casino, (key: "via", value: stops)) == plain)
    let sea = Coordinate(latitude: 43.71, longitude: 7.46)
    #expect(try places.ask("directions", way(sea, sea))["error"]?["code"] == .integer(4))
    let stop = try places.ask(
      "directions", way(Self.rocher, Self.casino, [(key: "via", value: .array([sea.pair]))]))
    #expect(stop["error"]?["message"]?.string?.contains("stop 1") == true, "\(stop.text)")
  }

  @Test("islands have no way between them unless a ferry goes; what is on the way is told")
  func islands() throws {
    let places = try RunningPlaces.ofMonaco()
    let file = places.folder.appending(path: "islands.osm.pbf").path
    let script = PrivateBus.house.appending(path: "Tests/Servers/islands.py").path
    #expect(try Program(["python3", script, file]).exit() == 0)
    try places.importing(file)
    let home = Coordinate(latitude: 50, longitude: 10.001)
    func advisories(_ latitude: Double, _ longitude: Double, _ how: Transport = .automobile) throws
      -> [String]
    {
      try places.ways(
        home, Coordinate(latitude: latitude, longitude: longitude),
        (key: "transport", value: .string(how.rawValue)))[0].advisories
    }
    for (to, code) in [
      (Coordinate(latitude: 50, longitude: 10.2), JSON.integer(5)), (Self.casino, .integer(5)),
    ] {
      // The second lies in another extract, which has no road in common with this one.
      let error = try places.ask("directions", way(home, to))["error"]
      #expect(error?["code"] == code && error?["data"]?["domain"] == "MKErrorDomain")
    }
    // On the rock is a path, and no road.
    let rock = try places.ask(
      "directions", way(home, Coordinate(latitude: 50.03, longitude: 10.1)))["error"]
    #expect(rock?["code"] == .integer(5))
    #expect(rock?["message"]?.string?.contains("not for cars") == true, "\(rock?.text ?? "")")
    #expect(try advisories(50, 10.03) == [])
    #expect(try advisories(50.05, 10.03) == ["This route has a ferry."])
    #expect(try advisories(50.01, 10.03) == ["This route has tolls."])
    #expect(try advisories(49.995, 10.035) == ["This route has unpaved roads."])
    #expect(try advisories(50.001, 10.035, .walking) == ["This route has stairs."])
    // The same places on foot: no toll for those.
    let steps = try places.ways(home, Coordinate(latitude: 50.05, longitude: 10.03))[0].steps
    #expect(steps.contains { $0.instructions.hasPrefix("Board the ferry Island Ferry") })
  }
}
