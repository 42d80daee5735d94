import AppleCode
import CoreLocation
import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import MapKit

private let casino = Coordinate(latitude: 43.7392, longitude: 7.4277)
private let port = Coordinate(latitude: 43.7347, longitude: 7.4206)

private let way = Route(
  name: "Avenue d'Ostende", distance: 905.2, expectedTravelTime: 120, transport: .walking,
  polyline: [casino, Coordinate(latitude: 43.737, longitude: 7.424), port],
  steps: [
    Route.Step(
      instructions: "Head southwest on Avenue d'Ostende", distance: 905.2,
      polyline: [casino, port]),
    Route.Step(instructions: "Arrive at the destination", distance: 0, polyline: [port, port]),
  ],
  advisories: ["The route has stairs."], engine: "locationd")

private func item(_ place: Coordinate) -> MKMapItem {
  MKMapItem(
    placemark: MKPlacemark(
      coordinate: CLLocationCoordinate2D(latitude: place.latitude, longitude: place.longitude)))
}

private func request(_ from: Coordinate = casino, _ to: Coordinate = port) -> MKDirections.Request {
  let request = MKDirections.Request()
  (request.source, request.destination) = (item(from), item(to))
  return request
}

/// A service that answers each question with the same words, as long as it is kept.
private final class Service: Sendable {
  let socket: AnsweringSocket
  var client: PlacesClient { PlacesClient(path: socket.path) }

  init(_ members: String) throws {
    socket = try #require(AnsweringSocket { _ in members })
  }
}

@MainActor @Suite("Directions") struct DirectionsTests {
  private let nobody = PlacesClient(path: "/tmp/nobody-\(UUID())")

  private func calculate(
    _ client: PlacesClient, _ request: MKDirections.Request
  ) async throws -> MKDirections.Response {
    try await PlacesClient.$current.withValue(client) { MKDirections(request: request) }
      .calculate()
  }

  private func code(
    of service: Service, _ request: MKDirections.Request
  ) async -> MKError.Code? {
    let found = await code(service.client, request)
    return withExtendedLifetime(service) { found }
  }

  private func code(_ client: PlacesClient, _ request: MKDirections.Request) async -> MKError.Code?
  {
    do {
      _ = try await calculate(client, request)
      return nil
    } catch {
      return (error as? MKError)?.code
    }
  }

  @Test("a way comes with its steps, its line and its words")
  func route() async throws {
    let service = try Service(
      "\"result\":{\"routes\":\(JSON.array([way.json]).text)}")
    let question = request()
    question.transportType = .walking
    question.requestsAlternateRoutes = true
    question.tollPreference = .avoid
    question.highwayPreference = .avoid
    let response = try await calculate(service.client, question)
    let route = try #require(response.routes.first)
    #expect(response.source === question.source && response.destination === question.destination)
    #expect(route.name == "Avenue d'Ostende" && route.expectedTravelTime == 120)
    #expect(route.distance == 905.2 && route.transportType == .walking)
    #expect(route.advisoryNotices == ["The route has stairs."])
    #expect(route.steps.map(\.distance) == [905.2, 0])
    #expect(route.steps[0].instructions == "Head southwest on Avenue d'Ostende")
    #expect(route.polyline.pointCount == 3)
    let asked = try JSON(parsing: try #require(service.socket.lines.first))
    let words = try PlaceRequest(
      method: try #require(asked["method"]?.string),
      parameters: try Parameters(asked["params"] ?? .null))
    guard case .directions(let directions) = words else {
      Issue.record("\(words)")
      return
    }
    #expect(directions.from == casino && directions.to == port)
    #expect(directions.transport == .walking && directions.alternates)
    #expect(directions.avoid == [.tolls, .motorways])
    let copy = try #require(question.copy() as? MKDirections.Request)
    #expect(copy.tollPreference == .avoid && MKDirections.Request().highwayPreference == .any)
  }

  @Test("a way over a motorway, or with a toll, says so")
  func roads() async throws {
    var fast = way
    (fast.hasTolls, fast.hasMotorways) = (true, true)
    let service = try Service("\"result\":{\"routes\":\(JSON.array([fast.json, way.json]).text)}")
    let question = request()
    question.highwayPreference = MKDirections.RoutePreference.any
    var routes: [MKRoute] = []
    let heard: MKDirections.DirectionsHandler = { found, _ in routes = found?.routes ?? [] }
    var seconds: TimeInterval?
    let estimated: MKDirections.ETAHandler = { found, _ in seconds = found?.expectedTravelTime }
    PlacesClient.$current.withValue(service.client) {
      MKDirections(request: question).calculate(completionHandler: heard)
      MKDirections(request: question).calculateETA(completionHandler: estimated)
    }
    #expect(await until { routes.count == 2 && seconds != nil })
    #expect(routes.map(\.hasHighways) == [true, false] && seconds == 120)
    #expect(routes.map(\.hasTolls) == [true, false])
    withExtendedLifetime(service) {}
  }

  @Test("a screen puts the way on its map")
  func screen() async throws {
    let service = try Service(
      "\"result\":{\"routes\":\(JSON.array([way.json]).text)}")
    let screen = WayScreen()
    screen.selectedCoordinate = CLLocationCoordinate2D(latitude: 43.7347, longitude: 7.4206)
    screen.findPathButtonTapped(from: nil)
    #expect(screen.alert != nil)
    PlacesClient.$current.withValue(service.client) {
      screen.findPathButtonTapped(
        from: CLLocationCoordinate2D(latitude: 43.7392, longitude: 7.4277))
    }
    #expect(await until { !screen.steps.isEmpty })
    #expect(screen.steps.count == 2 && screen.mapView.overlays.count == 1)
    let line = try #require(screen.mapView.overlays.first)
    #expect(screen.mapView.visibleMapRect.contains(line.boundingMapRect))
    #expect(service.socket.lines.count == 1)
  }

  @Test(
    "the arrival is a travel time after the departure, and the departure one before the arrival")
  func estimate() async throws {
    let service = try Service("\"result\":{\"routes\":\(JSON.array([way.json]).text)}")
    let question = request()
    question.departureDate = Date(timeIntervalSince1970: 1_800_000_000)
    func eta() async throws -> MKDirections.ETAResponse {
      try await PlacesClient.$current.withValue(service.client) { MKDirections(request: question) }
        .calculateETA()
    }
    #expect(try await eta().expectedArrivalDate == Date(timeIntervalSince1970: 1_800_000_120))
    question.departureDate = nil
    question.arrivalDate = Date(timeIntervalSince1970: 1_800_000_000)
    let answer = try await eta()
    #expect(answer.expectedDepartureDate == Date(timeIntervalSince1970: 1_799_999_880))
    #expect(answer.distance == 905.2 && answer.transportType == .walking)
    #expect(service.socket.lines.count == 2)
  }

  @Test(
    "each refusal is the error of MapKit that Apple has for it",
    arguments: [
      (
        #"{"code":4,"message":"No road.","data":{"domain":"MKErrorDomain"}}"#,
        MKError.Code.placemarkNotFound
      ),
      (#"{"code":5,"message":"No way.","data":{"domain":"MKErrorDomain"}}"#, .directionsNotFound),
      (#"{"code":2,"message":"No server."}"#, .serverFailure),
      (#"{"code":-32602,"message":"from is wrong."}"#, .unknown),
      (#"{"code":-32001,"message":"Too many."}"#, .loadingThrottled),
    ])
  func refusals(error: String, expected: MKError.Code) async throws {
    let service = try Service("\"error\":\(error)")
    #expect(await code(of: service, request()) == expected)
  }

  @Test("what cannot be asked is told without asking")
  func impossible() async {
    let lost = request()
    lost.source = nil
    #expect(await code(nobody, lost) == .placemarkNotFound)
    #expect(
      await code(nobody, request(casino, Coordinate(latitude: 91, longitude: 0)))
        == .placemarkNotFound)
    let train = request()
    train.transportType = .transit
    #expect(await code(nobody, train) == .directionsNotFound)
    #expect(await code(nobody, request()) == .serverFailure)
  }

  @Test("an answer without a way, or with none that can be read, is an error")
  func answers() async throws {
    let none = try Service(#""result":{"routes":[]}"#)
    #expect(await code(of: none, request()) == .directionsNotFound)
    let odd = try Service(#""result":{"routes":[{"distance":"far"}]}"#)
    #expect(await code(of: odd, request()) == .decodingFailed)
  }

  @Test("an object does one calculation at a time; a cancelled one ends once, with unknown")
  func once() async throws {
    let socket = try #require(AnsweringSocket { _ in nil })
    let directions = PlacesClient.$current.withValue(PlacesClient(path: socket.path)) {
      MKDirections(request: request())
    }
    var codes: [MKError.Code?] = []
    directions.calculate { codes.append(($1 as? MKError)?.code) }
    #expect(directions.isCalculating)
    directions.calculateETA { codes.append(($1 as? MKError)?.code) }
    directions.cancel()
    #expect(!directions.isCalculating)
    #expect(await until { codes.count == 2 })
    #expect(codes == [.unknown, .unknown])
  }

  @Test("a request that changes after the object was made changes nothing")
  func copied() async throws {
    let service = try Service(
      "\"result\":{\"routes\":\(JSON.array([way.json]).text)}")
    let question = request()
    let directions = PlacesClient.$current.withValue(service.client) {
      MKDirections(request: question)
    }
    question.destination = item(casino)
    question.transportType = .cycling
    _ = try await directions.calculate()
    #expect(
      service.socket.lines[0].contains("43.7347") && service.socket.lines[0].contains("automobile"))
  }
}

@Suite("Lines on a map") struct PolylineTests {
  @Test("a line gives its points and places back, as far as there are any")
  func places() {
    let places = [(43.7, 7.4), (43.8, 7.5), (43.6, 7.6)].map {
      CLLocationCoordinate2D(latitude: $0.0, longitude: $0.1)
    }
    let line = MKPolyline(coordinates: places, count: places.count)
    #expect(line.pointCount == 3 && line.points()[1].x == MKMapPoint(places[1]).x)
    var back = [CLLocationCoordinate2D](repeating: CLLocationCoordinate2D(), count: 2)
    line.getCoordinates(&back, range: NSRange(location: 1, length: 9))
    #expect(
      (back[0].latitude - 43.8).magnitude < 1e-9 && (back[1].longitude - 7.6).magnitude < 1e-9)
    line.getCoordinates(&back, range: NSRange(location: 3, length: 1))
    let rect = line.boundingMapRect
    for place in places { #expect(rect.contains(MKMapPoint(place))) }
    #expect(line.intersects(rect) && !line.intersects(MKMapRect(x: 0, y: 0, width: 1, height: 1)))
    let again = MKPolyline(points: line.points(), count: 3)
    #expect(again.boundingMapRect.size.width == rect.size.width)
  }

  @Test("a line over the date line does not go around the Earth")
  func dateLine() {
    let line = MKPolyline([
      Coordinate(latitude: -17, longitude: 179), Coordinate(latitude: -17, longitude: -179),
    ])
    #expect((line.boundingMapRect.size.width / MKMapSize.world.width * 360 - 2).magnitude < 1e-6)
    var back = [CLLocationCoordinate2D](repeating: CLLocationCoordinate2D(), count: 2)
    line.getCoordinates(&back, range: NSRange(location: 0, length: 2))
    #expect((back[1].longitude + 179).magnitude < 1e-6)
  }

  @Test("a line without points lies nowhere")
  func empty() {
    let line = MKPolyline([Coordinate]())
    #expect(line.pointCount == 0 && line.boundingMapRect.isNull)
    #expect(!CLLocationCoordinate2DIsValid(line.coordinate))
  }
}

@Suite("Distances for people") struct DistanceFormatterTests {
  private func formatter(_ locale: String) -> MKDistanceFormatter {
    let formatter = MKDistanceFormatter()
    formatter.locale = Locale(identifier: locale)
    return formatter
  }

  @Test(
    "they are written as a country does",
    arguments: [
      ("en_US", 2000.0, "1.2\u{A0}mi"), ("en_GB", 100, "110\u{A0}yd"),
      ("de_DE", 1234, "1,2\u{A0}km"),
      ("ko_KR", 420, "400m"), ("fr_FR", 42, "40\u{A0}m"), ("en_US", 30, "100\u{A0}ft"),
    ])
  func written(locale: String, metres: Double, text: String) {
    #expect(formatter(locale).string(fromDistance: metres) == text)
  }

  @Test("units and whole words are as asked")
  func asked() {
    let formatter = formatter("en_US")
    formatter.units = .metric
    formatter.unitStyle = .full
    #expect(formatter.string(fromDistance: 1000) == "1 kilometer")
    #expect(formatter.string(fromDistance: 2000) == "2 kilometers")
    formatter.locale = Locale(identifier: "ko_KR")
    #expect(formatter.string(fromDistance: 2000) == "2킬로미터")
    #expect(formatter.string(for: 2000) == "2킬로미터" && formatter.string(for: "far") == nil)
  }

  @Test(
    "they are read back",
    arguments: [
      ("en_US", "1.2 mi", 1931.2128), ("en_US", "500 feet", 152.4), ("de_DE", "1,2 km", 1200),
      ("de_DE", "1.200 m", 1200), ("ko_KR", "3킬로미터", 3000), ("fr_FR", "42", 42),
      ("en_US", "10", 3.048), ("en_US", "far", -1), ("en_US", "3 parsec", -1), ("en_US", "", -1),
    ])
  func read(locale: String, text: String, metres: Double) {
    #expect((formatter(locale).distance(from: text) - metres).magnitude < 1e-6)
  }

  @Test("what is no number is no text")
  func noNumber() {
    #expect(formatter("en_US").string(fromDistance: .nan).isEmpty)
    #expect(formatter("en_US").string(fromDistance: -5) == "0\u{A0}ft")
  }
}
