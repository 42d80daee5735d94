import AppleCode5
import CoreLocation
import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import MapKit

@MainActor @Suite("MapKit") struct MapKitTests {
  private let nobody = PlacesClient(path: "/tmp/nobody-\(UUID())")

  @Test("metres become degrees of the Earth, wherever the center lies")
  func metres() {
    let seoul = MKCoordinateRegion(
      center: CLLocationCoordinate2D(latitude: 37.5, longitude: 127), latitudinalMeters: 1000,
      longitudinalMeters: 1000)
    #expect((seoul.span.latitudeDelta - 0.00901).magnitude < 0.0001)
    #expect((seoul.span.longitudeDelta - 0.01131).magnitude < 0.0001)
    for latitude in [-90.0, 0, 90, 100, .nan] {
      let region = MKCoordinateRegion(
        center: CLLocationCoordinate2D(latitude: latitude, longitude: 180),
        latitudinalMeters: 1e9, longitudinalMeters: .infinity)
      #expect(region.span.latitudeDelta <= 180 && region.span.longitudeDelta <= 360)
    }
  }

  @Test("points of the flat map are Mercator's")
  func points() {
    let middle = MKMapPoint(CLLocationCoordinate2D(latitude: 0, longitude: 0))
    #expect(middle.x == 134_217_728 && middle.y == 134_217_728)
    let back = MKMapPoint(CLLocationCoordinate2D(latitude: 37.5, longitude: 127)).coordinate
    #expect((back.latitude - 37.5).magnitude < 1e-9 && (back.longitude - 127).magnitude < 1e-9)
    let a = MKMapRect(x: 0, y: 0, width: 10, height: 10)
    let b = MKMapRect(x: 5, y: 5, width: 10, height: 10)
    #expect(a.union(b).maxX == 15 && a.intersection(b).width == 5 && a.intersects(b))
    #expect(a.union(.null).width == 10 && a.intersection(.null).isNull)
  }

  @Test("places on both sides of the date line are close together")
  func dateLine() {
    let region = MKCoordinateRegion(around: [
      Coordinate(latitude: -17, longitude: 179), Coordinate(latitude: -16, longitude: -179),
    ])
    #expect((region.span.longitudeDelta - 2).magnitude < 1e-9)
    #expect(region.center.longitude.magnitude == 180)
  }

  @Test("a completer that has no service says so, and empties with its text")
  func completer() async throws {
    let screen = PlacesClient.$current.withValue(nobody) { SearchScreen() }
    screen.textDidChange("Se")
    screen.textDidChange("Seoul")
    #expect(screen.searchCompleter.isSearching)
    #expect(await until { !screen.failures.isEmpty })
    #expect(screen.failures.count == 1)
    #expect((screen.failures.first as? MKError)?.code == .serverFailure)
    #expect(screen.failures.first?.localizedDescription.contains("locationd-places") == true)
    screen.textDidChange("")
    #expect(await until { screen.failures.count > 1 })
    #expect(screen.failures.count == 2 && !screen.searchCompleter.isSearching)
  }

  @Test("a search does one thing at a time, and a cancelled one ends once")
  func oneSearch() async throws {
    let silent = try #require(AnsweringSocket { _ in nil })
    let search = PlacesClient.$current.withValue(PlacesClient(path: silent.path)) {
      MKLocalSearch(request: MKLocalSearch.Request(naturalLanguageQuery: "Monaco"))
    }
    var codes: [MKError.Code?] = []
    let heard: MKLocalSearchCompletionHandler = { codes.append(($1 as? MKError)?.code) }
    search.start(completionHandler: heard)
    search.start { codes.append(($1 as? MKError)?.code) }
    search.cancel()
    #expect(await until { codes.count == 2 })
    #expect(codes == [.unknown, .unknown])
  }

  @Test("an app begins fifty searches a minute")
  func budget() {
    var budget = RequestBudget()
    let start = Boottime(nanoseconds: 0)
    let begun = (0..<50).map { _ in budget.spend(at: start) }
    let early = budget.spend(at: start + .seconds(59))
    let later = budget.spend(at: start + .seconds(60))
    #expect(begun.allSatisfy { $0 } && !early && later)
  }

  @Test("a completion marks what matches, in UTF-16 units, and nothing beyond its title")
  func highlights() {
    let completion = MKLocalSearchCompletion(
      Completion(title: "서울역", subtitle: "", id: "1", titleHighlights: [0..<2, 2..<9]))
    #expect(completion.titleHighlightRanges.map(\.rangeValue) == [NSRange(location: 0, length: 2)])
  }

  @Test("kinds on the disk and of OpenStreetMap are categories, and questions have the disk's")
  func kinds() {
    let words: [(String, MKPointOfInterestCategory)] = [
      ("gasStation", .gasStation), ("evCharger", .evCharger), ("foodMarket", .foodMarket),
      ("nightlife", .nightlife), ("postOffice", .postOffice), ("movieTheater", .movieTheater),
      ("theater", .theater), ("restroom", .restroom), ("fireStation", .fireStation),
      ("fitnessCenter", .fitnessCenter), ("amusementPark", .amusementPark), ("store", .store),
      ("campground", .campground), ("carRental", .carRental), ("landmark", .landmark),
      ("amenity=veterinary", .animalService), ("historic=castle", .castle),
    ]
    for (word, category) in words {
      #expect(MKPointOfInterestCategory(kind: word) == category, "\(word)")
      #expect(category.kinds.first == word)
    }
    #expect(MKPointOfInterestCategory(kind: "publicTransport") == .publicTransport)
    #expect(MKPointOfInterestCategory(kind: "veterinary") == .animalService)
    #expect(MKPointOfInterestCategory(kind: "amenity=place_of_worship") == nil)
    #expect(MKPointOfInterestCategory(kind: "") == nil)
  }

  @Test("a map item has its kind and its geo address; here has none")
  func items() throws {
    var place = Placemark(Coordinate(latitude: -33.8688, longitude: 1e-7))
    place.category = "fast_food"
    place.formattedAddress = "1 Main Street"
    let item = MKMapItem(place)
    #expect(item.pointOfInterestCategory == .restaurant)
    #expect(item.geoAddress == "geo:-33.868800,0.000000")
    #expect(item.placemark.title == "1 Main Street")
    let here = MKMapItem.forCurrentLocation()
    #expect(here.isCurrentLocation && here.geoAddress == nil && !here.openInMaps())
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: item.placemark, requiringSecureCoding: true)
    let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: MKPlacemark.self, from: data)
    #expect(again?.title == "1 Main Street" && again?.coordinate.latitude == -33.8688)
  }

  @Test(
    "a filter that names kinds lets no street and nothing without a kind through",
    arguments: [
      ("cafe", true, true, true), ("station", false, true, true), ("road", false, true, false),
      (nil, false, true, true),
    ] as [(String?, Bool, Bool, Bool)])
  func kinds(kind: String?, isCafe: Bool, isAny: Bool, isPoint: Bool) {
    let all: MKLocalSearchCompleter.ResultType = [.address, .pointOfInterest]
    #expect(all.includes(kind, MKPointOfInterestFilter(including: [.cafe])) == isCafe)
    #expect(all.includes(kind, nil) == isAny)
    #expect(MKLocalSearchCompleter.ResultType.pointOfInterest.includes(kind, nil) == isPoint)
  }

  @Test("a filter has the categories that it names, or all others")
  func filters() {
    let cafes = MKPointOfInterestFilter(including: [.cafe])
    #expect(cafes.includes(.cafe) && cafes.excludes(.bank))
    #expect(MKPointOfInterestFilter.includingAll.includes(.zoo))
    #expect(MKPointOfInterestFilter.excludingAll.excludes(.zoo))
    let types: MKLocalSearchCompleter.ResultType = [.pointOfInterest]
    #expect(types.includes("cafe", cafes) && !types.includes("bank", cafes))
    #expect(!types.includes("city", nil) && !types.includes(nil, cafes))
  }

  @Test("a text for completion is cut at a character")
  func cut() {
    #expect("서울특별시".cut(toBytes: 7) == "서울" && "e\u{301}a".cut(toBytes: 2) == "")
    #expect("Seoul".cut(toBytes: 5) == "Seoul")
  }

  @Test("a question that the service does not understand is not one without a result")
  func notUnderstood() {
    #expect(MKError(Refusal(.invalidParameters, "")).code == .unknown)
    #expect(MKError(Refusal(.geocodeFoundNoResult, "")).code == .placemarkNotFound)
  }
}
