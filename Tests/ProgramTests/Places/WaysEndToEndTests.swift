import CoreLocation
import DBus
import Foundation
import LocationClient
import LocationModel
import MapKit
import TestSupport
import Testing

/// Apps and people ask for ways; the service finds them by Monaco's roads.
@Suite("Ways, as apps and people ask for them", .timeLimit(.minutes(60))) struct WaysEndToEndTests {
  private func run(
    _ words: [String], at places: RunningPlaces, language: String = "C.UTF-8"
  ) throws -> (text: String, exit: Int32) {
    try Program(
      [Program.path("locationctl"), "route"] + words,
      environment: [
        "LOCATIOND_PLACES_SOCKET": places.socket, "LOCATIOND_SOCKET": "/tmp/nobody-\(UUID())",
        "LC_ALL": language,
      ]
    ).text()
  }

  private static let ends = ["43.7315,7.4197", "43.74,7.429"]

  @Test("locationctl route says each step in 80 columns, how far and how long, by car and on foot")
  func text() throws {
    let places = try RunningPlaces.ofMonaco()
    var times: [Int] = []
    for way in [[], ["--walking"], ["--cycling"], ["--via", "43.7275,7.412"], ["--alternates"]] {
      for locale in ["en", "ko", "de", "fr", "es", "ja"] {
        let (said, exit) = try run(Self.ends + way + ["--locale", locale], at: places)
        #expect(exit == 0 && said.contains("© OpenStreetMap contributors, ODbL"), "\(said)")
        let lines = said.split(separator: "\n")
        #expect(lines.count > 5 && lines.allSatisfy { $0.count <= 80 }, "\(said)")
        #expect(said.contains("Avenue d'Ostende"))
        if locale == "en", way.count < 2, way.first != "--alternates" {
          let minutes = lines[0].split(separator: " ").prefix { $0 != "min" }.last
          times.append(minutes.flatMap { Int($0) } ?? 0)
        }
      }
    }
    // By car, on foot, by bicycle.
    #expect(times.count == 3 && times[0] < times[2] && times[2] < times[1] && times[1] < 40)
  }

  @Test("JSON, GeoJSON and GPX hold the same line")
  func formats() throws {
    let places = try RunningPlaces.ofMonaco()
    let (json, exit) = try run(Self.ends + ["--json"], at: places)
    let route = try #require(
      try JSON(parsing: json)["routes"]?.array?.first.flatMap { Route($0) }, "\(json)")
    #expect(exit == 0 && route.engine == "locationd" && route.steps.count > 3)
    let feature = try JSON(parsing: run(Self.ends + ["--geojson"], at: places).text)
    let line = feature["geometry"]?["coordinates"]?.array ?? []
    #expect(line.count == route.polyline.count)
    #expect(line.first?.array?.first?.double == route.polyline.first?.longitude)
    let (gpx, _) = try run(Self.ends + ["--gpx"], at: places)
    let file = places.folder.appending(path: "way.gpx")
    try gpx.write(to: file, atomically: true, encoding: .utf8)
    // Read by another's reader of XML.
    let count = """
      import sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      print(*(len(root.findall(".//{*}" + name)) for name in ("trkpt", "rtept")))
      """
    let (counts, read) = try Program(["python3", "-c", count, file.path]).text()
    #expect(read == 0 && counts == "\(route.polyline.count) \(route.steps.count)\n", "\(counts)")
  }

  @Test("no way is an error with a sentence, and exit status 1")
  func errors() throws {
    let places = try RunningPlaces.ofMonaco()
    let (said, exit) = try run(["43.7315,7.4197", "43.6,7.6"], at: places)
    #expect(exit == 1 && said.contains("No extract on this disk covers the destination"), "\(said)")
    let (status, _) = try Program(
      [Program.path("locationctl"), "places", "status"],
      environment: ["LOCATIOND_PLACES_SOCKET": places.socket]
    ).text()
    #expect(status.contains("locationd, on the roads of monaco"), "\(status)")
  }

  @Test("the bus answers with the same ways")
  func bus() throws {
    let bus = try PrivateBus(policies: ["org.locationd.Places.conf"])
    let places = try RunningPlaces.ofMonaco(bus: bus)
    let client = try BusClient(bus.address)
    let name = "org.locationd.Places"
    try client.waitForDaemon(name)
    func pair(_ place: Coordinate) -> BusValue {
      .structure([.double(place.latitude), .double(place.longitude)])
    }
    let answer = try client.ask(
      "/org/locationd/Places", "org.locationd.Places1", "Directions",
      [
        .dictionary([
          "from": pair(RoadsTests.rocher), "to": pair(RoadsTests.casino),
          "transport": .string("walking"),
        ])
      ], of: name)
    let route = answer.first?.asArray?.first?.asDictionary
    #expect(route?["engine"]?.asString == "locationd" && route?["transport"]?.asString == "walking")
    withExtendedLifetime(places) {}
  }

  @Test("MKDirections answers an app with ways, times and MapKit's errors")
  @MainActor func library() async throws {
    let places = try RunningPlaces.ofMonaco()
    let client = PlacesClient(path: places.socket, patience: patience)
    func item(_ latitude: Double, _ longitude: Double) -> MKMapItem {
      MKMapItem(
        placemark: MKPlacemark(
          coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude)))
    }
    func directions(to: MKMapItem, _ transport: MKDirectionsTransportType) -> MKDirections {
      let request = MKDirections.Request()
      (request.source, request.destination) = (item(43.7315, 7.4197), to)
      request.transportType = transport
      request.requestsAlternateRoutes = true
      return PlacesClient.$current.withValue(client) { MKDirections(request: request) }
    }
    let casino = item(43.74, 7.429)
    let response = try await directions(to: casino, .automobile).calculate()
    let route = try #require(response.routes.first)
    #expect(!route.name.isEmpty && route.steps.count > 3 && route.transportType == .automobile)
    #expect(route.polyline.pointCount > 20 && route.polyline.boundingMapRect.size.width > 0)
    let length = route.steps.map(\.distance).reduce(0, +)
    #expect(abs(length - route.distance) < 1)
    let walk = try await directions(to: casino, .walking).calculateETA()
    #expect(walk.expectedTravelTime > 2 * route.expectedTravelTime)
    #expect(walk.expectedTravelTime < 3600 && walk.distance > 1000)
    let sea = await #expect(throws: MKError.self) {
      try await directions(to: item(43.6, 7.6), .automobile).calculate()
    }
    #expect(sea?.code == .placemarkNotFound)
  }
}
