import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation
@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Notes what a map tells of its life.
@MainActor private final class LifeRecorder: NSObject, MKMapViewDelegate {
  var calls: [String] = []

  func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) { calls.append("region") }
  func mapViewWillStartLocatingUser(_ mapView: MKMapView) { calls.append("locating") }
  func mapViewDidStopLocatingUser(_ mapView: MKMapView) { calls.append("located") }

  func mapView(_ mapView: MKMapView, didChange mode: MKUserTrackingMode, animated: Bool) {
    calls.append("mode \(mode.rawValue) \(animated)")
  }
}

/// Small names that other tests do not come by; each does what the table of symbols says.
@MainActor @Suite("Symbols of a map that work") struct MapSymbolsTests {
  private let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 400, height: 200))

  @Test("a region and a rectangle grow to the shape of the map, and no smaller")
  func fits() {
    let region = MKCoordinateRegion(
      center: place(10, 20), span: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 1))
    let fit = map.regionThatFits(region)
    #expect(fit.center.latitude == 10 && fit.span.longitudeDelta > 1.9)
    #expect(abs(fit.span.latitudeDelta - 1) < 0.001)
    let rect = map.mapRectThatFits(MKMapRect(x: 1000, y: 1000, width: 100, height: 100))
    #expect(rect.width == 200 && rect.height == 100 && rect.midX == 1050 && rect.midY == 1050)
    let (a, b) = (MKMapPoint(x: 1, y: 2), MKMapPoint(x: 1, y: 3))
    #expect(MKMapPointEqualToPoint(a, a) && !MKMapPointEqualToPoint(a, b))
    let (small, large) = (MKMapSize(width: 1, height: 2), MKMapSize(width: 1, height: 3))
    #expect(MKMapSizeEqualToSize(small, small) && !MKMapSizeEqualToSize(small, large))
  }

  @Test("a map tells when it looks for the device, how it follows, and that it shows another part")
  func life() async {
    let recorder = LifeRecorder()
    await CoreLocation.Daemon.$current.withValue(Daemon(path: "/nonexistent")) {
      map.delegate = recorder
      map.setUserTrackingMode(.followWithHeading, animated: true)
      #expect(map.showsUserLocation && map.userTrackingMode == MKUserTrackingMode.followWithHeading)
      #expect(map.userLocation.isUpdating)
      map.showsUserLocation = false
      #expect(!map.userLocation.isUpdating)
      #expect(map.userTrackingMode == .none)
      #expect(recorder.calls == ["locating", "mode 2 true", "mode 0 false", "located"])
      map.centerCoordinate = place(1, 2)
      #expect(await until { recorder.calls.last == "region" })
    }
  }

  @Test(
    "a kind of map is said by its configuration, or by itself; only a muted one looks different")
  func kinds() {
    let muted = MKStandardMapConfiguration.EmphasisStyle.muted
    let all: [(MKMapConfiguration, MKMapType, Bool)] = [
      (MKStandardMapConfiguration(emphasisStyle: muted), .mutedStandard, true),
      (MKStandardMapConfiguration(), .standard, false),
      (MKHybridMapConfiguration(elevationStyle: .realistic), .hybrid, false),
    ]
    for (configuration, type, isMuted) in all {
      map.preferredConfiguration = configuration
      #expect(map.mapType == type && map.settings.json["muted"]?.bool == isMuted)
    }
    for type in [MKMapType.satelliteFlyover, .hybridFlyover] {
      map.mapType = type
      #expect(map.mapType == type && map.settings.json["muted"]?.bool == false)
    }
  }

  @Test("the page's controls are there as the app wants them")
  func controls() {
    func told(_ name: String) -> Bool? { map.settings.json[name]?.bool }
    #expect(told("zoom") == true && told("buttons") == true && told("scroll") == true)
    map.showsZoomControls = false
    #expect(told("buttons") == false && told("zoom") == true)
    map.showsZoomControls = true
    map.isZoomEnabled = false
    #expect(told("buttons") == false && told("zoom") == false && told("scroll") == true)
    map.isScrollEnabled = false
    #expect(told("scroll") == false)
    #expect(told("still") == false)
    map.isUserInteractionEnabled = false
    #expect(told("still") == true)
    let scale = MKScaleView(mapView: map)
    #expect(told("scale") == true)
    scale.scaleVisibility = .hidden
    #expect(told("scale") == false)
    scale.scaleVisibility = .visible
    scale.isHidden = true
    #expect(told("scale") == false)
  }

  @Test("a range without a bound lets any camera be")
  func range() throws {
    let any = try #require(
      MKMapCameraZoomRange(minCenterCoordinateDistance: MKMapCameraZoomDefault))
    #expect(any.clamped(5) == 5 && any.maxCenterCoordinateDistance == MKMapCameraZoomDefault)
  }

  @Test("overlays of a level lie together, and one that is removed is gone")
  func levels() {
    let circles = (1...3).map { MKCircle(center: place(1, 2), radius: Double($0)) }
    map.addOverlay(circles[0])
    map.addOverlays(Array(circles[1...]), level: MKOverlayLevel.aboveRoads)
    #expect(map.overlays(in: .aboveRoads).count == 2 && map.overlays(in: .aboveLabels).count == 1)
    #expect(map.overlays.last === circles[0])
    map.removeOverlay(circles[1])
    #expect(map.overlays.compactMap { ($0 as? MKCircle)?.radius } == [3, 1])
  }

  @Test("renderers of several lines or areas have their overlay, and the path's style")
  func renderers() throws {
    let line = MKPolyline(coordinates: [place(1, 2), place(3, 4)], count: 2)
    let area = MKPolygon(coordinates: [place(1, 2), place(3, 4), place(1, 4)], count: 3)
    let circle = MKCircle(center: place(1, 2), radius: 3)
    let (lines, areas) = (MKMultiPolyline([line, line]), MKMultiPolygon([area]))
    let multiLine = MKMultiPolylineRenderer(multiPolyline: lines)
    let multiArea = MKMultiPolygonRenderer(multiPolygon: areas)
    let round = MKCircleRenderer(circle: circle)
    #expect(multiLine.multiPolyline === lines && multiArea.multiPolygon === areas)
    #expect(round.circle === circle && !circle.canReplaceMapContent())
    let all: [MKOverlayPathRenderer] = [multiLine, multiArea, round]
    for renderer in all {
      #expect(renderer.drawing() == nil, "no colour")
      renderer.strokeColor = .black
      renderer.lineCap = CGLineCap.butt
      renderer.lineJoin = CGLineJoin.miter
      let drawing = try #require(renderer.drawing())
      #expect(drawing.cap == "butt" && drawing.join == "miter" && drawing.width == 3)
    }
    guard case .lines(let drawn)? = multiLine.drawing()?.shape else {
      Issue.record("no lines")
      return
    }
    #expect(drawn.count == 2)
  }

  @Test("each blend mode has its word of a style sheet")
  func blends() {
    let words: [CGBlendMode: String] = [
      .darken: "darken", .lighten: "lighten", .colorDodge: "color-dodge",
      .colorBurn: "color-burn", .softLight: "soft-light", .hardLight: "hard-light",
      .difference: "difference", .exclusion: "exclusion", .hue: "hue",
      .saturation: "saturation", .color: "color", .luminosity: "luminosity",
      .multiply: "multiply", .screen: "screen", .overlay: "overlay",
    ]
    for (mode, word) in words { #expect(mode.words == word) }
    #expect(CGBlendMode.normal.words == nil && words.count == 15)
  }

  @Test("the page asks for squares of the app's levels, and for all again when they are new")
  func squares() throws {
    let tiles = MKTileOverlay(urlTemplate: nil)
    (tiles.minimumZ, tiles.maximumZ) = (3, 7)
    tiles.canReplaceMapContent = true
    let renderer = MKTileOverlayRenderer(tileOverlay: tiles)
    let told = try #require(renderer.drawing()?.json(at: 2, .aboveLabels) { _ in 0 })
    #expect(told["min"] == .integer(3) && told["max"] == .integer(7))
    #expect(told["at"] == .integer(2) && told["replaces"] == .bool(true))
    renderer.reloadData()
    #expect(renderer.drawing()?.json(at: 2, .aboveLabels) { _ in 0 }["load"] != told["load"])
  }
}

@MainActor @Suite("Symbols of annotations that work") struct AnnotationSymbolsTests {
  private let pin = MKPointAnnotation(coordinate: place(1, 2), title: "a", subtitle: "b")

  private func told(_ view: MKAnnotationView) throws -> JSON {
    try #require(Pin(number: 1, annotation: pin, view: view).json { _ in 7 })
  }

  @Test("a marker has the glyph and colour that it was given, and another picture when selected")
  func marker() throws {
    let view = MKMarkerAnnotationView(annotation: pin, reuseIdentifier: nil)
    view.glyphTintColor = .white
    view.glyphImage = UIImage(systemName: "star")
    view.selectedGlyphImage = UIImage(systemName: "heart")
    #expect(try told(view)["glyphColor"] == .string(UIColor.white.words))
    #expect(view.look.image == UIImage(systemName: "star"))
    view.setSelected(true, animated: false)
    #expect(view.isSelected && view.look.image == UIImage(systemName: "heart"))
    (view.titleVisibility, view.subtitleVisibility) = (.visible, .visible)
    #expect(try told(view)["below"] == .array(["a", "b"]))
  }

  @Test("a view is above others, hidden by others, and turned as the app says")
  func order() throws {
    let view = MKAnnotationView(annotation: pin, reuseIdentifier: nil)
    #expect(try told(view)["above"] == nil && told(view)["priority"] == nil)
    view.zPriority = MKAnnotationViewZPriority.min
    #expect(try told(view)["above"] == .array([.number(0), .number(1000)]))
    (view.zPriority, view.selectedZPriority) = (.defaultUnselected, .init(700))
    #expect(try told(view)["above"] == .array([.number(500), .number(700)]))
    view.selectedZPriority = .defaultSelected
    #expect(try told(view)["above"] == nil)
    view.displayPriority = MKFeatureDisplayPriority.defaultLow
    #expect(try told(view)["priority"] == .number(250))
    view.collisionMode = MKAnnotationView.CollisionMode.none
    #expect(try told(view)["priority"] == nil && told(view)["collides"] == .bool(false))
    view.transform = CGAffineTransform(rotationAngle: .pi / 2)
    #expect(try told(view)["transform"]?.array?.count == 6)
  }

  @Test("a drag's state is the one that was set")
  func drags() {
    let view = MKAnnotationView(annotation: pin, reuseIdentifier: nil)
    view.setDragState(.canceling, animated: false)
    #expect(view.dragState == .canceling)
  }

  @Test("a view is prepared before it is shown, and before another annotation has it")
  func prepared() async {
    final class Noted: MKAnnotationView {
      var calls: [String] = []
      override func prepareForDisplay() { calls.append("display") }
      override func prepareForReuse() { calls.append("reuse") }
    }
    let map = MKMapView()
    map.register(
      Noted.self,
      forAnnotationViewWithReuseIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier)
    map.addAnnotation(pin)
    #expect(await until { map.view(for: pin) != nil })
    let view = map.view(for: pin) as? Noted
    map.removeAnnotation(pin)
    map.addAnnotation(pin)
    #expect(await until { map.view(for: pin) === view })
    #expect(view?.calls == ["display", "reuse", "display"])
  }

  @Test("transforms are those of Core Graphics: the newest is done first")
  func transforms() {
    let turned = CGAffineTransform.identity.rotated(by: .pi / 2)
    #expect(abs(turned.b - 1) < 1e-9 && abs(turned.c + 1) < 1e-9 && abs(turned.a) < 1e-9)
    let moved = CGAffineTransform(scaleX: 2, y: 3).translatedBy(x: 5, y: 7)
    #expect(moved.tx == 10 && moved.ty == 21 && moved.a == 2 && moved.d == 3)
    let large = CGAffineTransform(translationX: 5, y: 7).scaledBy(x: 2, y: 3)
    #expect(large.tx == 5 && large.ty == 7 && large.a == 2)
    let both = CGAffineTransform(translationX: 5, y: 7)
      .concatenating(CGAffineTransform(scaleX: 2, y: 3))
    #expect(both.tx == 10 && both.ty == 21)
    #expect(CGAffineTransform.identity.isIdentity && !both.isIdentity)
  }

  @Test("colours are Apple's, as a style sheet has them")
  func colours() {
    let words: [(UIColor, String)] = [
      (.darkGray, "85,85,85"), (.gray, "128,128,128"), (.lightGray, "170,170,170"),
      (.white, "255,255,255"), (.green, "0,255,0"), (.yellow, "255,255,0"), (.blue, "0,0,255"),
      (.cyan, "0,255,255"), (.magenta, "255,0,255"),
      (.orange, "255,128,0"), (.purple, "128,0,128"), (.brown, "153,102,51"),
      (.systemRed, "255,59,48"), (.systemOrange, "255,149,0"), (.systemYellow, "255,204,0"),
      (.systemMint, "0,199,190"), (.systemCyan, "50,173,230"), (.systemPink, "255,45,85"),
      (.systemBrown, "162,132,94"), (.systemGray, "142,142,147"),
    ]
    for (colour, parts) in words { #expect(colour.words == "rgba(\(parts),1.0)") }
    #expect(UIColor(hue: 0.5, saturation: 1, brightness: 1, alpha: 1).isEqual(UIColor.cyan))
  }

  @Test("an annotation may be changed by way of its shape")
  func shape() async {
    let map = MKMapView()
    let shape: MKShape = pin
    map.addAnnotation(pin)
    #expect(await until { map.view(for: pin) != nil })
    #expect(map.news.pins.isEmpty)
    shape.title = "c"
    #expect(map.annotations.first?.title == "c")
  }
}

@Suite("Symbols of places and ways that work") struct PlaceSymbolsTests {
  @Test("each category finds OpenStreetMap's own kinds")
  func categories() {
    let kinds: [(MKPointOfInterestCategory, String)] = [
      (.automotiveRepair, "car_repair"), (.beauty, "hairdresser"), (.brewery, "craft=brewery"),
      (.winery, "craft=winery"), (.bowling, "leisure=bowling_alley"),
      (.conventionCenter, "exhibition_centre"), (.distillery, "craft=distillery"),
      (.fairground, "fairground"), (.fishing, "leisure=fishing"), (.fortress, "historic=fort"),
      (.hiking, "wilderness_hut"), (.miniGolf, "leisure=miniature_golf"),
      (.musicVenue, "concert_hall"), (.nationalMonument, "historic=monument"),
      (.planetarium, "amenity=planetarium"), (.skating, "leisure=ice_rink"),
      (.spa, "public_bath"), (.swimming, "swimming_area"), (.aquarium, "aquarium"),
      (.bakery, "bakery"), (.beach, "beach_resort"), (.hospital, "clinic"),
      (.laundry, "dry_cleaning"), (.marina, "marina"), (.nationalPark, "national_park"),
      (.police, "police"), (.stadium, "stadium"), (.golf, "leisure=golf_course"),
      (.mailbox, "amenity=post_box"),
    ]
    for (category, kind) in kinds {
      #expect(MKPointOfInterestCategory(kind: kind) == category, "\(kind)")
    }
  }

  @Test("places of interest around a place, or in a region, are asked for by its middle")
  func around() async throws {
    let middle = CLLocationCoordinate2D(latitude: 43.7, longitude: 7.4)
    let request = MKLocalPointsOfInterestRequest(center: middle, radius: 500)
    request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.bakery])
    #expect(request.coordinate.latitude == 43.7 && request.radius == 500)
    #expect(abs(request.region.span.latitudeDelta - 0.009) < 0.0001)
    let copy = try #require(request.copy() as? MKLocalPointsOfInterestRequest)
    #expect(copy.radius == 500 && copy.coordinate.latitude == 43.7)
    let again = MKLocalPointsOfInterestRequest(coordinateRegion: request.region)
    #expect(again.coordinate.longitude == 7.4 && again.radius >= 500)
    let answer =
      #""result":{"places":[{"name":"Pain","category":"bakery","latitude":43.7,"longitude":7.4}]}"#
    let server = try #require(AnsweringSocket { _ in answer })
    let search = PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
      MKLocalSearch(request: request)
    }
    #expect(try await search.start().mapItems.map(\.name) == ["Pain"])
    let asked = server.lines.joined()
    #expect(asked.contains("bakery") && asked.contains("500"), "\(asked)")
  }

  @Test("of several kinds around a place each is asked for, and the nearest comes first")
  func kinds() async throws {
    let request = MKLocalPointsOfInterestRequest(
      center: CLLocationCoordinate2D(latitude: 43.7, longitude: 7.4), radius: 500)
    request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.bakery, .zoo, .cafe])
    func place(_ kind: String, _ latitude: Double) -> String {
      #"{"name":"\#(kind) \#(latitude)","category":"\#(kind)","latitude":\#(latitude),"longitude":7.4}"#
    }
    let known = [
      "cafe": [place("cafe", 43.701), place("cafe", 43.703)], "bakery": [place("bakery", 43.702)],
    ]
    let server = try #require(
      AnsweringSocket { line in
        known.first { line.contains(#""category":"\#($0.key)""#) }
          .map { #""result":{"places":[\#($0.value.joined(separator: ","))]}"# }
          ?? #""error":{"code":8,"message":"none","data":{"name":"geocodeFoundNoResult"}}"#
      })
    func found() async throws -> [String?] {
      let search = PlacesClient.$current.withValue(PlacesClient(path: server.path)) {
        MKLocalSearch(request: request)
      }
      return try await search.start().mapItems.map(\.name)
    }
    #expect(try await found() == ["cafe 43.701", "bakery 43.702", "cafe 43.703"])
    // There is no kart on the disk, so that all are looked at.
    for filter in [MKPointOfInterestFilter(including: [.zoo]), .init(including: [.goKart])] {
      request.pointOfInterestFilter = filter
      await #expect { try await found() } throws: {
        ($0 as? MKError)?.code == .placemarkNotFound
      }
    }
  }

  @Test("a placemark has the code of its country; errors are Foundation's as well")
  func words() {
    var found = Placemark(Coordinate(latitude: 43.7, longitude: 7.4))
    found.isoCountryCode = "MC"
    #expect(MKMapItem(found).placemark.countryCode == "MC")
    let error = MKError(.loadingThrottled)
    #expect(error._nsError.domain == MKErrorDomain && error._nsError.code == 3)
    #expect(MKError._nsErrorDomain == MKErrorDomain)
    #expect(MKError.Code._ErrorType.self == MKError.self)
  }

  @Test("a distance is in the units and the style that are set")
  func distances() {
    let formatter = MKDistanceFormatter()
    formatter.locale = Locale(identifier: "en_US")
    formatter.units = MKDistanceFormatter.Units.imperial
    #expect(formatter.string(fromDistance: 100).contains("ft"))
    formatter.units = .imperialWithYards
    #expect(formatter.string(fromDistance: 100).contains("yd"))
    formatter.unitStyle = MKDistanceFormatter.DistanceUnitStyle.full
    #expect(formatter.string(fromDistance: 100).contains("yards"))
    formatter.unitStyle = .abbreviated
    #expect(!formatter.string(fromDistance: 100).contains("yards"))
  }
}
