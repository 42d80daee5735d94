import AppleCode5
import Foundation
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import MapKit

/// An app whose map is looked at.
@MainActor private final class Gallery: NSObject, MKMapViewDelegate {
  let map = MKMapView()
  var renderers: [MKOverlayRenderer] = []
  var tapped: (CLLocationCoordinate2D) -> Void = { _ in }
  private(set) var drags: [MKAnnotationView.DragState] = []

  override init() {
    super.init()
    map.delegate = self
  }

  /// The page, whose address is asked for once, as a browser with such a window shows it.
  @discardableResult
  func see(_ scenario: String, _ arguments: [String] = [], window: String = "{}") async throws
    -> String
  {
    let url = try await HelperOptions.$arguments.withValue(["--data", MapOnScreen.data.path]) {
      try await map.serve()
    }
    let address = url.absoluteString
    let picture = FileManager.default.temporaryDirectory.appending(path: "app-\(scenario).png").path
    return try await Task.detached {
      try MapOnScreen.drive(
        "app.py", [address, scenario] + arguments,
        environment: ["WINDOW": window, "PICTURE": picture])
    }.value
  }

  func add(_ all: [MKOverlayRenderer]) {
    renderers += all
    map.addOverlays(all.map(\.overlay))
  }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    renderers.first { $0.overlay === overlay } ?? MKOverlayRenderer(overlay: overlay)
  }

  func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
    let view = MKMarkerAnnotationView(annotation: annotation, reuseIdentifier: nil)
    view.canShowCallout = true
    view.isDraggable = annotation.title == "stop"
    return view
  }

  func mapView(_ mapView: MKMapView, didTapAt coordinate: CLLocationCoordinate2D) {
    tapped(coordinate)
  }

  func mapView(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    didChange newState: MKAnnotationView.DragState,
    fromOldState oldState: MKAnnotationView.DragState
  ) {
    drags.append(newState)
    // As apps do it.
    if newState == .ending || newState == .canceling { view.dragState = .none }
  }
}

/// Pictures for every other square.
private final class Chequers: MKTileOverlay {
  override func loadTile(at path: MKTileOverlayPath) async throws -> Data {
    guard (path.x + path.y).isMultiple(of: 2), let picture = MapPicture.pink else {
      throw CancellationError()
    }
    return picture
  }
}

/// A picture of the same size at every scale, at the middle of its overlay, in a ring that lies on the ground.
private final class IconRenderer: MKOverlayRenderer {
  private let icon: UIImage
  private(set) var scales: Set<MKZoomScale> = []

  init(_ rect: MKMapRect, _ icon: UIImage) {
    self.icon = icon
    super.init(overlay: ParkPlan(rect))
  }

  override func draw(_ mapRect: MKMapRect, zoomScale: MKZoomScale, in context: CGContext) {
    scales.insert(zoomScale)
    let ground = rect(for: overlay.boundingMapRect)
    context.setFillColor(UIColor.systemTeal.withAlphaComponent(0.5).cgColor)
    context.fillEllipse(in: ground)
    let size = CGSize(width: 48 / zoomScale, height: 64 / zoomScale)
    UIGraphicsPushContext(context)
    icon.draw(
      in: CGRect(
        origin: CGPoint(x: ground.midX - size.width / 2, y: ground.midY - size.height / 2),
        size: size))
    UIGraphicsPopContext()
  }
}

private let dark = #"{"width":1024,"height":768,"color_scheme":"dark"}"#
private let light = #"{"width":1024,"height":768}"#
private let phone = #"{"width":360,"height":640,"device_scale_factor":2}"#

@MainActor
@Suite(
  "What apps set on a map, in a browser", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct AppLooksTests {
  @Test(
    "an app's squares lie side by side on their levels, over the ground or in its place",
    arguments: [false, true])
  func squares(replace: Bool) async throws {
    let gallery = Gallery()
    let tiles = Chequers(urlTemplate: nil)
    (tiles.minimumZ, tiles.maximumZ, tiles.canReplaceMapContent) = (9, 10, replace)
    let side = MKMapSize.world.width / 1024
    gallery.map.setVisibleMapRect(
      MKMapRect(x: 540 * side, y: 360 * side, width: 4 * side, height: 3 * side), animated: false)
    gallery.add([MKTileOverlayRenderer(tileOverlay: tiles)])
    for window in [light, dark] {
      try await gallery.see("shows_squares", [replace ? "alone" : "over"], window: window)
    }
  }

  @Test("a line's colours change along it, and do not darken where its pieces meet")
  func gradient() async throws {
    let gallery = Gallery()
    let rect = MKMapRect(x: 140_000_000, y: 90_000_000, width: 20_480, height: 15_360)
    gallery.map.setVisibleMapRect(rect, animated: false)
    func line(_ height: Double, _ alpha: CGFloat) -> MKGradientPolylineRenderer {
      let points = [0.1, 0.3, 0.9].map {
        MKMapPoint(x: rect.minX + $0 * rect.width, y: rect.minY + height * rect.height)
      }
      let renderer = MKGradientPolylineRenderer(polyline: MKPolyline(points: points, count: 3))
      renderer.setColors(
        [UIColor.red, .yellow, .green].map { $0.withAlphaComponent(alpha) }, locations: [0, 0.5, 1])
      renderer.lineWidth = 16
      return renderer
    }
    gallery.add([line(0.4, 1), line(0.6, 0.5)])
    for window in [light, dark] { try await gallery.see("shows_gradient", window: window) }
  }

  @Test("an app draws anew at each scale: its picture stays as large, its circle grows")
  func drawing() async throws {
    let icon = try #require(UIImage(data: MapPicture.pink ?? Data()))
    for window in [light, dark, phone] {
      let gallery = Gallery()
      let rect = MKMapRect(x: 140_000_000, y: 90_000_000, width: 20_000, height: 20_000)
      gallery.map.setVisibleMapRect(rect, animated: false)
      let renderer = IconRenderer(rect.insetBy(dx: 7000, dy: 7000), icon)
      gallery.add([renderer])
      try await gallery.see("draws_icon", window: window)
      #expect(renderer.scales.count >= 3)
    }
  }

  @Test("a camera's distance is that of the page, and range and boundary bring a person back")
  func camera() async throws {
    let gallery = Gallery()
    let map = gallery.map
    let place = CLLocationCoordinate2D(latitude: 48, longitude: 11)
    let near = MKCoordinateRegion(
      center: place, latitudinalMeters: 2000, longitudinalMeters: 2000)
    for (title, part) in [("north", 0.5), ("south", -0.5)] {
      let latitude = place.latitude + part * near.span.latitudeDelta
      map.addAnnotation(
        MKPointAnnotation(
          coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: place.longitude),
          title: title, subtitle: nil))
    }
    func look(from distance: CLLocationDistance, _ isAnimated: Bool) {
      map.setCamera(
        MKMapCamera(lookingAtCenter: place, fromDistance: distance, pitch: 0, heading: 0),
        animated: isAnimated)
    }
    map.setCameraZoomRange(
      MKMapView.CameraZoomRange(
        minCenterCoordinateDistance: 4000, maxCenterCoordinateDistance: 16_000), animated: false)
    map.cameraBoundary = MKMapView.CameraBoundary(coordinateRegion: near)
    gallery.tapped = { _ in look(from: 4000, true) }
    look(from: 8000, false)
    try await gallery.see("keeps_camera", window: light)
    #expect((map.camera.centerCoordinateDistance / 4000 - 1).magnitude < 0.02)
  }

  @Test("an annotation goes with the mouse, and its callout comes again where it is dropped")
  func drag() async throws {
    for window in [light, dark, phone] {
      let gallery = Gallery()
      let place = CLLocationCoordinate2D(latitude: 48, longitude: 11)
      gallery.map.setRegion(
        MKCoordinateRegion(center: place, latitudinalMeters: 2000, longitudinalMeters: 2000),
        animated: false)
      let stop = MKPointAnnotation(coordinate: place, title: "stop", subtitle: "of a bus")
      gallery.map.addAnnotation(stop)
      try await gallery.see("drags", window: window)
      #expect(gallery.drags == [.starting, .dragging, .ending, .none])
      let point = gallery.map.convert(stop.coordinate, toPointTo: nil)
      let middle = gallery.map.convert(place, toPointTo: nil)
      #expect((point.x - middle.x - 80).magnitude < 6 && (point.y - middle.y - 60).magnitude < 6)
    }
  }

  @Test("each configuration has its ground and names, and a filter leaves out what it says")
  func configurations() async throws {
    let places = try RunningPlaces.ofWorld()
    try places.importing(MapOnScreen.data.appending(path: "monaco.osm.pbf").path)
    try await PlacesClient.$current.withValue(PlacesClient(path: places.socket)) {
      let gallery = Gallery()
      gallery.map.setRegion(
        MKCoordinateRegion(
          center: CLLocationCoordinate2D(latitude: 43.7400, longitude: 7.4265),
          latitudinalMeters: 450, longitudinalMeters: 600), animated: false)
      let filtered = MKStandardMapConfiguration()
      filtered.pointOfInterestFilter = MKPointOfInterestFilter(
        excluding: [.cafe, .restaurant, .nightlife])
      let muted = MKStandardMapConfiguration(emphasisStyle: .muted)
      let all: [(String, MKMapConfiguration, hasFood: Bool, hasHotels: Bool)] = [
        ("standard", MKStandardMapConfiguration(), true, true), ("muted", muted, true, true),
        ("filtered", filtered, false, true), ("hybrid", MKHybridMapConfiguration(), true, true),
        ("imagery", MKImageryMapConfiguration(), false, false),
      ]
      for (name, configuration, hasFood, hasHotels) in all {
        gallery.map.preferredConfiguration = configuration
        let text = try await gallery.see("tells_names", [name], window: light)
        let line = try #require(text.split(separator: "\n").first)
        let names = try JSON(parsing: String(line))["names"]?.array?.compactMap(\.string) ?? []
        #expect(names.contains("Cafe de Paris") == hasFood, "\(name): \(names)")
        #expect(names.contains("Hermitage") == hasHotels, "\(name): \(names)")
      }
    }
  }
}
