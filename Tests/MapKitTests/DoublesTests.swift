import AppleCode5
import Contacts
import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import MapKit

private let place = CLLocationCoordinate2D(latitude: 43.73, longitude: 7.42)

/// Notes what it is told.
@MainActor private final class Listener: NSObject, MKMapViewDelegate, MKLocalSearchCompleterDelegate
{
  var calls: [String] = []

  func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
    calls.append("view")
    return MKAnnotationView(annotation: annotation, reuseIdentifier: "own")
  }

  func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
    calls.append("will \(animated)")
  }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    calls.append("renderer")
    return MKPolylineRenderer(overlay: overlay)
  }

  func mapViewDidFinishLoadingMap(_ mapView: MKMapView) { calls.append("loaded") }

  func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {
    calls.append("rendered \(fullyRendered)")
  }

  nonisolated func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
    MainActor.assumeIsolated { calls.append("results") }
  }

  nonisolated func completer(
    _ completer: MKLocalSearchCompleter, didFailWithError error: any Error
  ) {
    MainActor.assumeIsolated { calls.append("failure") }
  }
}

/// The doubles are an app's in Swift 5.
@MainActor @Suite("Doubles of an app's tests in place of Apple's classes") struct DoublesTests {
  private let screen = OldScreen()

  @Test("a map's methods are overridden, and each does its work by the one it stands for")
  func map() {
    let map = SpyMap()
    let pins = [MKPointAnnotation(coordinate: place), MKPointAnnotation(coordinate: place)]
    map.addAnnotations(pins)
    #expect(map.added.count == 2 && map.annotations.count == 2)
    map.addOverlays([MKPolyline(), MKCircle()])
    #expect(map.drawn.count == 2 && map.overlays.count == 2)
    map.camera = MKMapCamera(lookingAtCenter: place, fromDistance: 900, pitch: 0, heading: 0)
    #expect(map.camerasSet == 1 && abs(map.centerCoordinate.latitude - 43.73) < 1e-6)
    map.removeAnnotations(pins)
    #expect(map.annotations.isEmpty)
  }

  @Test("what is awaited is asked of the double, by the method that it has")
  func services() async throws {
    let geocoder = FakeGeocoder()
    let here = CLLocation(latitude: 43.73, longitude: 7.42)
    #expect(try await geocoder.reverseGeocodeLocation(here).first?.locality == "Monaco")
    let any: any Geocoding = geocoder
    #expect(try await any.reverseGeocodeLocation(here).count == 1)
    #expect(try await any.geocodeAddressString("1 Rue Grimaldi").isEmpty)
    await #expect(throws: CLError.self) {
      try await geocoder.geocodePostalAddress(CNPostalAddress())
    }
    let ways = try await FakeWayfinder(request: MKDirections.Request()).calculate()
    #expect(ways.routes.first?.expectedTravelTime == 60)
    let manager = AskedManager()
    (manager as any AccuracyAsking).requestTemporaryFullAccuracyAuthorization(
      withPurposeKey: "Ride")
    #expect(manager.purposes == ["Ride"])
    #expect(try await streetPicture(at: place) == nil)
  }

  @Test("inits that subclasses call and override do the work of the class")
  func inits() {
    let placemark = AddressPlacemark(coordinate: place, addressDictionary: ["City": "Monaco"])
    #expect(placemark.locality == "Monaco" && placemark.title == "Monaco")
    #expect(placemark.postalAddress == nil && !AddressPlacemark.supportsSecureCoding)
    let shelf = Shelf(3)
    #expect(shelf.identifier == "shelf 3" && shelf.major == 7 && shelf.minor == 3)
    let item = Treasure()
    #expect(item.name == "gold" && !CLLocationCoordinate2DIsValid(item.placemark.coordinate))
    #expect(MKMapItem().name == "Unknown Location" && MKMapItem().address == nil)
  }

  @Test("a map's properties are overridden, and a view observes its first annotation")
  func properties() {
    let map = FollowingMap()
    map.userTrackingMode = .follow
    map.showsUserLocation = true
    map.isScrollEnabled = false
    #expect(map.modes == [.follow] && !map.showsUserLocation && map.isFixed)
    #expect(!map.settings.isScrollEnabled && map.userTrackingMode == .none)
    let pin = MKPointAnnotation(coordinate: place)
    pin.title = "harbour"
    map.addAnnotation(pin)
    map.selectedAnnotations = [pin]
    #expect(map.selectedAnnotations.first === pin)
    #expect(ObservingView(annotation: pin, reuseIdentifier: nil).titles == ["harbour"])
  }

  @Test("ways, completions, places and locations say what their subclasses say")
  func values() async throws {
    let route = StubRoute(coordinates: [place, place], time: 60)
    #expect(route.polyline.pointCount == 2 && route.distance == 600 && route.name.isEmpty)
    #expect(route.steps.first?.instructions == "Turn left")
    var found: MKDirections.Response?
    FakeDirections(request: MKDirections.Request()).calculate { response, _ in found = response }
    #expect(found?.routes.first?.expectedTravelTime == 60)
    let completion = FakeCompletion(title: "Café", subtitle: "Monaco")
    let request = MKLocalSearch.Request(completion: completion)
    #expect(request.naturalLanguageQuery == "Café, Monaco")
    #expect(FakeFound().mapItems.count == 1 && FakeFound().boundingRegion.span.latitudeDelta == 0)
    let game = GameItem(placemark: MKPlacemark(placemark: StubPlacemark()))
    game.gameID = 7
    #expect(StubPlacemark().locality == "Monaco" && game.placemark.coordinate.latitude == 43.73)
    #expect(NamedPlacemark(coordinate: place).note == "kept")
    #expect(!CLLocationCoordinate2DIsValid(MKMapItem().placemark.coordinate))
    let stub = StubLocation(label: "here", latitude: 1, longitude: 2)
    #expect(stub.coordinate.longitude == 2 && stub.description == "here")
    #expect(StubFix(latitude: 1, longitude: 2).speed == 9 && StubHeading().trueHeading == 90)
    #expect(StubVisit().arrivalDate.timeIntervalSince1970 == 0 && StubFloor().level == 3)
    let fence = Geofence(center: place, radius: 80, identifier: "x")
    #expect(fence.identifier == "fence" && fence.radius == 25)
    let line = MKPolyline()
    #expect(TrailRenderer(polyline: line).strokeColor == .cyan)
    #expect(TrailRenderer(overlay: line).strokeColor == .brown)
    #expect(ZoneRenderer(polygon: MKPolygon(), zone: 3).polygon.pointCount == 0)
  }

  @Test("what stands between a map and its delegate hands all on, by calls with a question mark")
  func coordinator() {
    let (coordinator, listener, map) = (Coordinator(), Listener(), MKMapView())
    #expect(coordinator.mapView(map, viewFor: MKPointAnnotation()) == nil, "nobody to ask")
    (coordinator.next, coordinator.searcher) = (listener, listener)
    #expect(
      coordinator.mapView(map, viewFor: MKPointAnnotation())?.reuseIdentifier == "own")
    #expect(coordinator.mapView(map, rendererFor: MKPolyline()) is MKPolylineRenderer)
    coordinator.mapView(map, regionWillChangeAnimated: true)
    coordinator.mapView(map, regionDidChangeAnimated: true)
    coordinator.mapView(map, didSelect: MKAnnotationView())
    coordinator.mapView(
      map, annotationView: MKAnnotationView(), didChange: .ending, fromOldState: .dragging)
    coordinator.mapViewDidChangeVisibleRegion(map)
    coordinator.mapViewDidFinishLoadingMap(map)
    coordinator.mapViewDidFinishRenderingMap(map, fullyRendered: true)
    let calls: (MKMapViewDelegateCalls?, MKLocalSearchCompleterDelegateCalls?) = (
      listener.mapView, listener.completer
    )
    calls.0?.callAsFunction(map, regionDidChangeAnimated: true)
    #expect(calls.1 != nil)
    let completer = MKLocalSearchCompleter()
    coordinator.completerDidUpdateResults(completer)
    coordinator.completer(completer, didFailWithError: MKError(.unknown))
    #expect(
      listener.calls == [
        "view", "renderer", "will true", "loaded", "rendered true", "results", "failure",
      ])
  }

  @Test("a title is unwrapped twice or once, as the app has it")
  func titles() {
    let view = MKAnnotationView(
      annotation: MKPointAnnotation(coordinate: place, title: "stop", subtitle: "!"),
      reuseIdentifier: nil)
    let bare = MKAnnotationView(
      annotation: MKPointAnnotation(coordinate: place), reuseIdentifier: nil)
    #expect(Titles.twice(view) == "stop" && Titles.twice(bare) == "none")
    #expect(Titles.nested(view) == 4 && Titles.nested(bare) == 0)
    #expect(Titles.coalesced(view) == "stop" && Titles.coalesced(bare) == "")
    guard let pin = view.annotation, let bare = bare.annotation else { return }
    #expect(Titles.forced(pin) == "stop!" && Titles.halfForced(pin) == "stop")
    #expect(Titles.halfForced(bare) == "none" && Titles.cast(bare) == "none")
    #expect(Titles.cast(pin) == "stop" && Titles.once(pin) == "stop" && Titles.once(bare) == nil)
  }

  @Test("places and spans are boxed, and rectangles have words and strips")
  func boxes() {
    let boxed = screen.boxed([place])
    #expect(boxed.first?.mkCoordinateValue.longitude == 7.42)
    let span = screen.options(place)[MKLaunchOptionsMapSpanKey] as? NSValue
    #expect(span?.mkCoordinateSpanValue.longitudeDelta == 2)
    let camera = screen.options(place)[MKLaunchOptionsCameraKey] as? MKMapCamera
    #expect(camera?.centerCoordinate.latitude == 43.73)
    #expect((900...1000).contains(camera?.centerCoordinateDistance ?? 0))
    let rect = MKMapRect(x: 1, y: 2, width: 30, height: 40)
    #expect(MKStringFromMapRect(rect) == "{{1.0, 2.0}, {30.0, 40.0}}")
    #expect(MKStringFromMapPoint(rect.origin) == "{1.0, 2.0}")
    #expect(MKStringFromMapSize(rect.size) == "{30.0, 40.0}")
    var (strip, rest) = (MKMapRect(), MKMapRect())
    MKMapRectDivide(rect, &strip, &rest, 10, .maxXEdge)
    #expect(strip.minX == 21 && strip.width == 10 && rest.minX == 1 && rest.width == 20)
    MKMapRectDivide(rect, &strip, &rest, 50, .minYEdge)
    #expect(strip.height == 40 && rest.height == 0 && rest.minY == 42)
  }

  @Test("a line says which part of it lies before each point")
  func parts() {
    let points = [MKMapPoint(x: 0, y: 0), MKMapPoint(x: 30, y: 40), MKMapPoint(x: 30, y: 190)]
    let line = MKPolyline(points: points, count: points.count)
    #expect(line.location(atPointIndex: 1) == 0.25 && line.location(atPointIndex: 2) == 1)
    #expect(line.locations(at: IndexSet([0, 2, 9])) == [0, 1])
    #expect(MKPolyline().location(atPointIndex: 0) == 0)
  }

  @Test("a gradient is drawn in pieces, from one colour to the other")
  func gradient() throws {
    let points = [MKMapPoint(x: 0, y: 0), MKMapPoint(x: 4800, y: 0)]
    let renderer = screen.gradient(MKPolyline(points: points, count: 2))
    #expect(renderer.colors == [.red, .blue] && renderer.locations == [0, 1])
    let drawings = renderer.drawings()
    #expect(drawings.count == 48 && drawings.allSatisfy { $0.width == 4 })
    let first = try #require(drawings.first?.stroke)
    #expect(first.hasPrefix("rgba(252,0,3"), "\(first)")
    #expect(drawings.last?.stroke?.hasPrefix("rgba(3,0,252") == true)
    guard case .lines(let lines) = drawings[1].shape else {
      Issue.record("no line")
      return
    }
    #expect(lines.first?.points()[0].x == 100 && lines.first?.points()[1].x == 200)
    renderer.setColors([.red], locations: [])
    #expect(renderer.colors.count == 2)
    (renderer.strokeStart, renderer.strokeEnd) = (0.9, 0.2)
    #expect(renderer.drawings().isEmpty)
  }

  @Test("older words of views do what the page can")
  func views() throws {
    screen.look()
    let view = try #require(
      screen.mapView(screen.mapView, viewFor: MKPointAnnotation(coordinate: place))
        as? MKPinAnnotationView)
    #expect(view.pinTintColor == MKPinAnnotationView.purplePinColor() && view.pinColor == .purple)
    #expect((view.rightCalloutAccessoryView as? UIControl)?.words == "🚗")
    #expect((view.detailCalloutAccessoryView as? UILabel)?.font.pointSize == 12)
    #expect(screen.mapView(screen.mapView, viewFor: MKUserLocation()) is MKUserLocationView)
    #expect(
      screen.fade(UIColor(red: 1, green: 0, blue: 0, alpha: 1))
        == UIColor(red: 1, green: 0, blue: 0, alpha: 0.5))
    // swift-format-ignore: NoPlaygroundLiterals
    let literal: UIColor = #colorLiteral(red: 0, green: 0, blue: 1, alpha: 1)
    #expect(literal == .blue && UIImage().size == CGSize())
    let configured = UIImage(
      systemName: "star", withConfiguration: UIImage.SymbolConfiguration(pointSize: 9))
    #expect(configured?.withRenderingMode(.alwaysTemplate) == UIImage(systemName: "star"))
    let badge = BadgeView(
      annotation: MKPointAnnotation(coordinate: place, title: "7", subtitle: nil),
      reuseIdentifier: nil)
    badge.layoutIfNeeded()
    badge.prepareForDisplay()
    #expect(badge.layouts == 1 && badge.label.text == "7" && badge.bounds.width == 20)
  }

  @Test("items, cameras and filters are kept in archives and copied")
  func archives() throws {
    let item = MKMapItem(placemark: MKPlacemark(coordinate: place))
    (item.name, item.phoneNumber) = ("Café", "+377")
    item.url = URL(string: "https://example.org")
    item.pointOfInterestCategory = .cafe
    let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
    let kept = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: MKMapItem.self, from: data))
    #expect(kept.name == "Café" && kept.phoneNumber == "+377" && kept.url == item.url)
    #expect(kept.pointOfInterestCategory == .cafe && kept.placemark.coordinate.latitude == 43.73)
    #expect(kept.alternateIdentifiers.isEmpty && MKMapItem.supportsSecureCoding)
    let camera = MKMapCamera(lookingAtCenter: place, fromDistance: 900, pitch: 10, heading: 20)
    let seen = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClass: MKMapCamera.self,
        from: NSKeyedArchiver.archivedData(withRootObject: camera, requiringSecureCoding: true)))
    #expect(seen.centerCoordinateDistance == 900 && seen.pitch == 10 && seen.heading == 20)
    let filter = MKPointOfInterestFilter(excluding: [.atm])
    #expect(filter.copy() as? MKPointOfInterestFilter == filter)
    #expect(filter != MKPointOfInterestFilter(including: [.atm]))
    let options = MKMapSnapshotter.Options()
    options.size = CGSize(width: 3, height: 4)
    let copy = options.copy() as? MKMapSnapshotter.Options
    #expect(copy?.size.height == 4 && copy?.camera !== options.camera)
    let muted = MKStandardMapConfiguration(emphasisStyle: .muted)
    let other = muted.copy() as? MKStandardMapConfiguration
    muted.emphasisStyle = .default
    #expect(other?.emphasisStyle == .muted)
    let found = try #require(MKMapItemAnnotation(mapItem: item))
    #expect(found.title == "Café" && found.coordinate.longitude == 7.42)
    #expect(MKMapItemAnnotation(mapItem: MKMapItem()) == nil)
    #expect(MKMapItem.Identifier(identifierString: "w1")?.rawValue == "w1")
    #expect(!MKDirections.Request.isDirectionsRequest(URL(filePath: "/x")))
  }

  /// A configuration with something of the app's.
  private final class Themed: MKStandardMapConfiguration {
    var theme = "day"
  }

  @Test("a configuration of the app's own class stays one, with what the app has added")
  func themed() {
    let themed = Themed()
    themed.theme = "night"
    themed.emphasisStyle = .muted
    #expect((themed.copy() as? Themed)?.theme == "night")
    let map = MKMapView()
    map.preferredConfiguration = themed
    #expect((map.preferredConfiguration as? Themed)?.theme == "night")
    #expect(map.mapType == .mutedStandard)
    let options = MKMapSnapshotter.Options()
    options.preferredConfiguration = themed
    let copy = options.copy() as? MKMapSnapshotter.Options
    #expect(copy?.preferredConfiguration is Themed)
  }

  @Test("a map keeps the configuration as it was when it was set")
  func kept() {
    let (map, configuration) = (MKMapView(), MKStandardMapConfiguration())
    map.preferredConfiguration = configuration
    configuration.emphasisStyle = .muted
    #expect(map.mapType == .standard)
    map.preferredConfiguration = configuration
    #expect(map.mapType == .mutedStandard)
  }

  @Test("with its region required a search leaves out places elsewhere, over the date line, too")
  func required() async throws {
    let places = [("Suva", -18.14, 178.44), ("Apia", -13.83, -171.76), ("Sydney", -33.87, 151.21)]
      .map { #"{"name":"\#($0.0)","latitude":\#($0.1),"longitude":\#($0.2)}"# }
    let answer = #""result":{"places":[\#(places.joined(separator: ","))]}"#
    let server = try #require(AnsweringSocket { _ in answer })
    let request = screen.search("town")
    request.resultTypes = [.address, .physicalFeature]
    request.region = MKCoordinateRegion(
      center: CLLocationCoordinate2D(latitude: -16, longitude: 180),
      span: MKCoordinateSpan(latitudeDelta: 10, longitudeDelta: 30))
    func found() async throws -> [String?] {
      try await PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
        try await MKLocalSearch(request: request).start().mapItems.map(\.name)
      }
    }
    #expect(try await found() == ["Suva", "Apia"])
    request.regionPriority = .default
    #expect(try await found().count == 3)
  }

  @Test("a completer may be set by several threads at once")
  func threads() {
    let completer = MKLocalSearchCompleter()
    DispatchQueue.concurrentPerform(iterations: 500_000) { turn in
      completer.addressFilter = MKAddressFilter(including: [.country])
      completer.regionPriority = turn % 2 == 0 ? .required : .default
      _ = completer.addressFilter?.includes(.country)
    }
    #expect(completer.addressFilter?.includes(.country) == true)
  }

  @Test("filters of addresses and older filters of completions say what they leave out")
  func filters() {
    let filter = MKAddressFilter(including: [.locality, .country])
    #expect(filter.includes(.locality) && !filter.includes([.locality, .postalCode]))
    #expect(filter.excludes(.postalCode) && !filter.excludes(.country))
    #expect(MKAddressFilter.includingAll.includes(.subLocality))
    #expect(MKAddressFilter.excludingAll.excludes([.administrativeArea, .subAdministrativeArea]))
    let completer = MKLocalSearchCompleter()
    completer.filterType = .locationsOnly
    #expect(completer.resultTypes == [.address, .pointOfInterest])
    completer.filterType = MKLocalSearchCompleter.FilterType.locationsAndQueries
    #expect(completer.resultTypes.contains(.query) && completer.filterType == .locationsAndQueries)
    completer.regionPriority = .required
    completer.addressFilter = filter
    #expect(completer.regionPriority == .required && completer.addressFilter === filter)
    let request = screen.search("café")
    #expect((request.copy() as? MKLocalSearch.Request)?.regionPriority == .required)
    let address = CNMutablePostalAddress()
    address.city = "Monaco"
    #expect(screen.lines(address).string == "Monaco")
  }
}
