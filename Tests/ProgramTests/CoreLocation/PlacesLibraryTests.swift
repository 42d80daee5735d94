import AppleCode
import AppleCode5
import Foundation
import LocationClient
import LocationModel
import MapKit
import TestSupport
import Testing

@testable import CoreLocation

/// Apps' code about places, with the real service and the world's data.
@MainActor @Suite("Places in apps", .timeLimit(.minutes(60))) struct PlacesLibraryTests {
  private let seoul = CLLocation(latitude: 37.5636, longitude: 126.9834)

  private func client(_ places: RunningPlaces) -> PlacesClient {
    PlacesClient(path: places.socket, patience: patience)
  }

  @Test("a place in Seoul has its four names in Korean, as a map shows them")
  func reverse() async throws {
    let places = try RunningPlaces.ofWorld()
    let geocoder = PlacesClient.$current.withValue(client(places)) { CLGeocoder() }
    let found = try await geocoder.reverseGeocodeLocation(
      seoul, preferredLocale: Locale(identifier: "Ko-kr"))
    let place = try #require(found.last)
    let names = [place.country, place.administrativeArea, place.locality, place.name]
    #expect(names.allSatisfy { $0 != nil }, "\(place)")
    #expect(place.country == "대한민국" && place.administrativeArea == "서울특별시", "\(place)")
    #expect(place.isoCountryCode == "KR" && place.timeZone?.identifier == "Asia/Seoul")
    #expect(!geocoder.isGeocoding)
  }

  @Test("a name becomes places, near the region first, and one that nobody knows error 8")
  func forward() async throws {
    let places = try RunningPlaces.ofWorld()
    let geocoder = PlacesClient.$current.withValue(client(places)) { CLGeocoder() }
    let found = try await geocoder.geocodeAddressString(
      "Tokyo", in: nil, preferredLocale: Locale(identifier: "en"))
    let tokyo = try #require(found.first?.location)
    #expect(tokyo.distance(from: CLLocation(latitude: 35.68, longitude: 139.69)) < 50_000)
    var code: CLError.Code?
    do {
      _ = try await geocoder.geocodeAddressString("qqqqzzzzxxxx")
    } catch {
      code = (error as? CLError)?.code
    }
    #expect(code == .geocodeFoundNoResult)
  }

  @Test("an address whose street is not known gives its town, with error 9 and the town's circle")
  func partial() async throws {
    let places = try RunningPlaces.ofWorld()
    let geocoder = PlacesClient.$current.withValue(client(places)) { CLGeocoder() }
    var answers: [(places: [CLPlacemark]?, error: CLError?)] = []
    geocoder.geocodeAddressString(
      "Marienplatz 1, München", in: nil, preferredLocale: Locale(identifier: "de")
    ) { answers.append(($0, $1 as? CLError)) }
    try #require(await until { !answers.isEmpty })
    #expect(answers[0].error?.code == .geocodeFoundPartialResult)
    let town = try #require(answers[0].places?.first)
    #expect(town.locality == "München" && town.thoroughfare == nil && town.subThoroughfare == nil)
    let circle = try #require(town.region as? CLCircularRegion)
    #expect((3000...30_000).contains(circle.radius), "\(circle)")
    // An address that is known in full has no error, and an app that awaits gets the town.
    geocoder.geocodeAddressString("München") { answers.append(($0, $1 as? CLError)) }
    try #require(await until { answers.count == 2 })
    #expect(answers[1].error == nil && answers[1].places?.isEmpty == false)
    #expect(
      try await geocoder.geocodeAddressString("Marienplatz 1, München").first?.isoCountryCode
        == "DE")
  }

  @Test("what somebody types is completed, and the row that is chosen is found")
  func complete() async throws {
    let places = try RunningPlaces.ofWorld()
    let client = client(places)
    let screen = PlacesClient.$current.withValue(client) { SearchScreen() }
    for text in ["S", "Se", "Seou"] { screen.textDidChange(text) }
    try #require(await until { !screen.searchResults.isEmpty })
    #expect(screen.failures.isEmpty)
    let row = screen.searchResults[0]
    let length = row.title.utf16.count
    #expect(row.titleHighlightRanges.allSatisfy { NSMaxRange($0.rangeValue) <= length })
    let search = PlacesClient.$current.withValue(client) {
      MKLocalSearch(request: MKLocalSearch.Request(completion: row))
    }
    let response = try await search.start()
    let first = try #require(response.mapItems.first?.placemark.location)
    #expect(first.distance(from: seoul) < 50_000)
  }

  @Test("a search finds places near its region")
  func search() async throws {
    let places = try RunningPlaces.ofWorld()
    let request = MKLocalSearch.Request(naturalLanguageQuery: "Springfield")
    request.region = MKCoordinateRegion(
      center: CLLocationCoordinate2D(latitude: 39.8, longitude: -89.65),
      latitudinalMeters: 50_000, longitudinalMeters: 50_000)
    let search = PlacesClient.$current.withValue(client(places)) {
      MKLocalSearch(request: request)
    }
    let response = try await search.start()
    #expect(response.mapItems.first?.placemark.administrativeArea?.contains("Illinois") == true)
    let all = response.mapItems.map(\.placemark.coordinate)
    let region = response.boundingRegion
    for place in all {
      #expect((place.latitude - region.center.latitude).magnitude <= region.span.latitudeDelta)
    }
  }

  @Test("a search finds what its filter wants behind many towns of the name")
  func filtered() async throws {
    let places = try RunningPlaces.ofWorld()
    let request = MKLocalSearch.Request(naturalLanguageQuery: "Wellington")
    request.resultTypes = .pointOfInterest
    request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.airport, .cafe])
    let search = PlacesClient.$current.withValue(client(places)) {
      MKLocalSearch(request: request)
    }
    let found = try await search.start().mapItems
    #expect(found.map(\.name) == ["Wellington International Airport"])
    #expect(found.first?.pointOfInterestCategory == .airport)
  }

  @Test("a way from the current location begins where the device is, if the app may know that")
  func fromHere() async throws {
    let daemon = try RunningDaemon(["static:45,7,100,5"])
    let service = try #require(
      AnsweringSocket { _ in
        #""result":{"routes":[{"distance":100,"expectedTravelTime":120,"transport":"walking","#
          + #""polyline":[[45,7],[45.001,7]],"steps":[]}]}"#
      })
    let item = MKMapItem(
      placemark: MKPlacemark(coordinate: CLLocationCoordinate2D(latitude: 45.001, longitude: 7)))
    let client = PlacesClient(path: service.path, patience: patience)
    try daemon.connect().decide("denied")
    try await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      try await PlacesClient.$current.withValue(client) {
        let error = await #expect(throws: MKError.self) {
          try await WayScreen().minutes(to: item)
        }
        #expect(error?.code == .placemarkNotFound)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? CLError)?.code == .denied)
        #expect(service.lines.isEmpty)
        try daemon.connect().decide("authorizedWhenInUse")
        #expect(try await WayScreen().minutes(to: item) == 2)
      }
    }
    #expect(service.lines.count == 1)
    let from = try JSON(parsing: try #require(service.lines.first))["params"]?["from"]
    #expect(from?.array?.compactMap(\.double) == [45, 7])
  }
}
