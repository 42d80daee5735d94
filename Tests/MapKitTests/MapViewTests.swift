import AppleCode
import CoreLocation
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Notes what a map calls.
@MainActor private final class Recorder: NSObject, MKMapViewDelegate {
  private(set) var calls: [String] = []
  var views: [ObjectIdentifier: MKAnnotationView] = [:]
  var asked: (any MKAnnotation) -> Void = { _ in }

  init(_ map: MKMapView) {
    super.init()
    map.delegate = self
  }

  func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
    calls.append("will \(animated)")
  }

  func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
    calls.append("did \(animated)")
  }

  func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
    calls.append("view")
    asked(annotation)
    return views[ObjectIdentifier(annotation)]
  }

  func mapView(_ mapView: MKMapView, didAdd views: [MKAnnotationView]) {
    calls.append("add \(views.count)")
  }

  func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
    calls.append("select \((annotation.title ?? nil) ?? "")")
  }

  func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
    calls.append("deselect \((annotation.title ?? nil) ?? "")")
  }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    calls.append("renderer")
    let renderer = MKPolygonRenderer(overlay: overlay)
    renderer.fillColor = UIColor.red.withAlphaComponent(0.5)
    return renderer
  }
}

@MainActor @Suite("A map as a model") struct MapViewTests {
  private let map = MKMapView()

  /// The main queue's next turn.
  private func turn() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  @Test("a region that is set is shown, and the delegate hears of it")
  func region() async {
    let recorder = Recorder(map)
    let region = MKCoordinateRegion(
      center: place(37.5, 127), latitudinalMeters: 1000, longitudinalMeters: 1000)
    map.setRegion(region, animated: true)
    #expect(map.region.span.latitudeDelta == region.span.latitudeDelta)
    map.centerCoordinate = place(35, 129)
    #expect(map.region.center.longitude == 129)
    await turn()
    #expect(recorder.calls == ["will true", "will false", "did true", "did false"])
    map.setCenter(place(.nan, 0), animated: false)
    map.region = MKCoordinateRegion(
      center: place(0, 0), span: MKCoordinateSpan(latitudeDelta: -1, longitudeDelta: 1))
    #expect(map.centerCoordinate.latitude == 35)
  }

  @Test("a rectangle has the room around it that was wished for")
  func padding() {
    let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 400, height: 300))
    let rect = MKMapRect(x: 1e8, y: 1e8, width: 1000, height: 1000)
    map.setVisibleMapRect(
      rect, edgePadding: UIEdgeInsets(top: 50, left: 100, bottom: 50, right: 100), animated: false)
    let shown = map.visibleMapRect
    #expect(shown.contains(rect))
    #expect((shown.width - 2000).magnitude < 0.1 && (shown.height - 1500).magnitude < 0.1)
    #expect((shown.midX - rect.midX).magnitude < 0.1)
    let corner = map.convert(CGPoint(x: 0, y: 300), toCoordinateFrom: map)
    #expect((MKMapPoint(corner).y - shown.maxY).magnitude < 0.5)
    let back = map.convert(corner, toPointTo: map)
    #expect((back.x - 0).magnitude < 0.01 && (back.y - 300).magnitude < 0.01)
  }

  @Test("annotations have views, by the delegate, of registered classes, or markers")
  func views() async throws {
    final class Balloon: MKMarkerAnnotationView {
      override var annotation: (any MKAnnotation)? {
        didSet { glyphText = annotation?.title.map { String($0.prefix(1)) } }
      }
    }
    let recorder = Recorder(map)
    let pins = ["a", "b", "c"].map {
      MKPointAnnotation(coordinate: place(1, 2), title: $0, subtitle: nil)
    }
    recorder.views[ObjectIdentifier(pins[0])] = MKPinAnnotationView(
      annotation: pins[0], reuseIdentifier: "pin")
    map.register(
      Balloon.self,
      forAnnotationViewWithReuseIdentifier: MKMapViewDefaultAnnotationViewReuseIdentifier)
    map.addAnnotations(pins)
    map.addAnnotation(pins[0])
    #expect(map.annotations.count == 3 && map.view(for: pins[1]) == nil)
    await turn()
    #expect(recorder.calls == ["view", "view", "view", "add 3"])
    #expect(map.view(for: pins[0]) is MKPinAnnotationView)
    #expect((map.view(for: pins[1]) as? Balloon)?.glyphText == "b")
    map.removeAnnotation(pins[0])
    #expect(map.annotations.map(\.title) == ["b", "c"])
    #expect(map.dequeueReusableAnnotationView(withIdentifier: "pin") is MKPinAnnotationView)
    #expect(map.dequeueReusableAnnotationView(withIdentifier: "pin") == nil)
  }

  @Test("one annotation is selected at a time, and what is removed is not selected")
  func selection() {
    let recorder = Recorder(map)
    let pins = ["a", "b"].map {
      MKPointAnnotation(coordinate: place(1, 2), title: $0, subtitle: nil)
    }
    map.addAnnotations(pins)
    map.selectAnnotation(pins[0], animated: false)
    map.selectAnnotation(pins[1], animated: false)
    #expect(map.selectedAnnotations.map(\.title) == ["b"])
    #expect(map.view(for: pins[1])?.isSelected == true)
    map.deselectAnnotation(pins[1], animated: false)
    let heard = recorder.calls.filter { $0.contains("select") }
    #expect(heard == ["select a", "deselect a", "select b", "deselect b"])
    map.selectedAnnotations = [pins[0]]
    map.removeAnnotations(pins)
    #expect(map.selectedAnnotations.isEmpty && map.annotations.isEmpty)
  }

  @Test("an annotation that is selected while its view is asked for is asked for once")
  func selectionInMaking() async {
    let recorder = Recorder(map)
    let pin = MKPointAnnotation(coordinate: place(1, 2), title: "a", subtitle: nil)
    recorder.asked = { [map] in map.selectAnnotation($0, animated: false) }
    map.addAnnotation(pin)
    await turn()
    #expect(recorder.calls == ["view", "add 1"])
    map.selectAnnotation(pin, animated: false)
    #expect(map.selectedAnnotations.count == 1)
  }

  @Test("overlays lie in their order, and are drawn as the delegate says")
  func overlays() async throws {
    let recorder = Recorder(map)
    let circles = (1...3).map { MKCircle(center: place(1, 2), radius: Double($0)) }
    map.addOverlay(circles[0])
    map.addOverlay(circles[1], level: .aboveRoads)
    map.insertOverlay(circles[2], at: 1)
    map.addOverlay(circles[2])
    #expect(map.overlays.compactMap { ($0 as? MKCircle)?.radius } == [2, 3, 1])
    await turn()
    #expect(recorder.calls == ["renderer", "renderer", "renderer"])
    let drawing = try #require(
      map.renderer(for: circles[0])?.drawing()?.json(at: 0, .aboveLabels) { _ in 0 })
    #expect(drawing["fill"]?.string == "rgba(255,0,0,0.5)" && drawing["radius"]?.double == 1)
    map.removeOverlays(map.overlays)
    #expect(map.overlays.isEmpty && map.renderer(for: circles[0]) == nil)
  }

  @Test("all annotations that are to be shown are on the map, across the date line too")
  func showing() {
    let pins = [place(-17, 179), place(-18, -179)].map { MKPointAnnotation(coordinate: $0) }
    map.showAnnotations(pins, animated: false)
    #expect(map.annotations.count == 2)
    #expect(map.region.center.longitude.magnitude > 179.9 && map.region.span.longitudeDelta < 4)
    #expect(map.visibleMapRect.spans180thMeridian)
    #expect(map.annotations(in: map.visibleMapRect).count == 2)
    let whole = CGRect(origin: .zero, size: MKMapView.usualSize)
    for pin in pins {
      let around = MKCoordinateRegion(
        center: pin.coordinate, latitudinalMeters: 100, longitudinalMeters: 100)
      #expect(whole.contains(map.convert(around, toRectTo: nil)))
    }
  }

  @Test("what the page is told of annotations stays small, however often they move")
  func news() {
    var news = PinNews()
    var whole = 0
    for i in 0..<10_000 {
      news.change(i % 10)
      if news.take(of: 10).isWhole { whole += 1 }
    }
    #expect((5...15).contains(whole) && news.isEmpty)
    for i in 0..<1000 { news.change(i) }
    #expect(news.take(of: 1000).isWhole)
    news.change(1)
    news.remove(1)
    let told = news.take(of: 10)
    #expect(told.changed.isEmpty && told.gone == [1] && !told.isWhole)
  }

  @Test("art of a city is on the map in the colours of its kinds, and its button opens the place")
  func art() async throws {
    var opened: [MKMapItem] = []
    let screen = ArtScreen(mapView: map) { item, _ in opened.append(item) }
    screen.viewDidLoad(
      Data(
        #"""
        {"meta": {}, "data": [
          ["Makahiki", "Hawaii State Library", "Mural", "21.30567", "-157.85895"],
          ["Kamehameha", "Aliiolani Hale", "Sculpture", "21.30559", "-157.8598"],
          ["Nothing", "Nowhere", "Sculpture", null, "x"]]}
        """#.utf8))
    await turn()
    #expect(screen.artworks.count == 2 && map.annotations.count == 2)
    #expect((map.region.center.latitude - 21.282778).magnitude < 1e-9)
    let view = try #require(map.view(for: screen.artworks[1]) as? MKPinAnnotationView)
    #expect(view.pinTintColor == MKPinAnnotationView.redPinColor())
    map.selectAnnotation(screen.artworks[1], animated: true)
    #expect(screen.selected == ["Kamehameha"])
    let button = try #require(view.rightCalloutAccessoryView as? UIControl)
    map.delegate?.mapView(map, annotationView: view, calloutAccessoryControlTapped: button)
    #expect(opened.first?.name == "Kamehameha")
    #expect(opened.first?.placemark.thoroughfare == "Aliiolani Hale")
  }

  /// A program of the test's: `sh` with these lines, in a folder of its own. The pipe `go` there holds it up.
  private func program(_ name: String, _ lines: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "slow-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try #require(mkfifo(folder.appending(path: "go").path, 0o600) == 0)
    try add(name, lines, to: folder)
    return folder
  }

  private func add(_ name: String, _ lines: String, to folder: URL) throws {
    try writeProgram(
      "#!/bin/sh\ncd \(folder.path)\n\(lines)\n", to: folder.appending(path: name).path)
  }

  /// Waits for the program to come to its pipe, and lets it go on.
  private func letGo(_ folder: URL) async throws {
    let path = folder.appending(path: "go").path
    let end = ContinuousClock.now + .seconds(180)
    var pipe: Int32 = -1
    while pipe < 0, ContinuousClock.now < end {
      pipe = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      if pipe < 0 { try await Task.sleep(for: .milliseconds(5)) }
    }
    try #require(pipe >= 0, "the program has not come")
    close(pipe)
  }

  @Test(
    "the main queue takes its turns while the program of the page starts", .timeLimit(.minutes(60)))
  func slowPage() async throws {
    let folder = try program(
      "page", "read x < go\necho '{\"address\":\"http://127.0.0.1:1/0/\"}'\nexec cat >/dev/null")
    defer { try? FileManager.default.removeItem(at: folder) }
    // Other tests may hold the main queue for minutes.
    let serving = Task {
      try await MapPage.serve(by: folder.appending(path: "page").path, within: 600_000)
    }
    for _ in 0..<3 { await turn() }
    map.centerCoordinate = place(35, 129)
    await turn()
    #expect(map.centerCoordinate.longitude == 129)
    try await letGo(folder)
    #expect(try await serving.value.url.absoluteString == "http://127.0.0.1:1/0/")
  }

  @Test("a program that ends instead of serving the page is said")
  func noPage() async throws {
    for program in ["/bin/true", "/nonexistent"] {
      let error = await #expect(throws: MKError.self) { try await MapPage.serve(by: program) }
      #expect("\(try #require(error))".contains("\(program) does not start"))
    }
  }

  @Test(
    "a desktop that takes its time to name its map program holds up no call",
    .timeLimit(.minutes(60)))
  func slowDesktop() async throws {
    let folder = try program("xdg-mime", "read x < go\necho maps.desktop")
    defer { try? FileManager.default.removeItem(at: folder) }
    try add("xdg-open", "echo \"$1\" > opened", to: folder)
    let opened = folder.appending(path: "opened")
    let item = MKMapItem(placemark: MKPlacemark(coordinate: place(35.5, 129.25)))
    let isOpened = Desktop.$environment.withValue(["PATH": folder.path, "DISPLAY": ":0"]) {
      item.openInMaps()
    }
    #expect(isOpened)
    await turn()
    #expect(!FileManager.default.fileExists(atPath: opened.path))
    try await letGo(folder)
    let end = ContinuousClock.now + .seconds(60)
    var text = ""
    while text.isEmpty, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
      text = (try? String(contentsOf: opened, encoding: .utf8)) ?? ""
    }
    #expect(text == "geo:35.500000,129.250000\n")
    // Without a screen nothing is opened, nor served.
    let isMapShown = await Desktop.$environment.withValue(["PATH": folder.path]) {
      await map.openInBrowser()
    }
    #expect(!isMapShown && map.url == nil)
    let isShown = Desktop.$environment.withValue(["PATH": folder.path]) { item.openInMaps() }
    #expect(!isShown)
  }

  @Test("places without a map program are on a page, with their names and addresses")
  func placesPage() async {
    var casino = Placemark(Coordinate(latitude: 43.7392, longitude: 7.4277))
    (casino.name, casino.formattedAddress) = ("Casino", "Place du Casino, Monaco")
    let map = PlacesPage.makeMap([MKMapItem(casino), .forCurrentLocation()])
    #expect(map.selectedAnnotations.map(\.title) == ["Casino"])
    #expect(map.annotations.map(\.subtitle) == ["Place du Casino, Monaco"])
    #expect(map.visibleMapRect.contains(MKMapPoint(map.annotations[0].coordinate)))
    #expect(PlacesPage.makeMap([]).annotations.isEmpty)
    #expect(!MKMapItem.openMaps(with: [.forCurrentLocation()]))
    let scene: UIScene? = nil
    let isOpened = await MKMapItem.forCurrentLocation().openInMaps(from: scene)
    #expect(!isOpened)
  }
}
