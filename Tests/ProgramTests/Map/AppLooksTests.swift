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
  var clusters = false
  private(set) var drags: [MKAnnotationView.DragState] = []
  private(set) var opened: [Int] = []

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
        "app", [address, scenario] + arguments,
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
    if let cluster = annotation as? MKClusterAnnotation {
      (view.glyphText, view.markerTintColor) = ("\(cluster.memberAnnotations.count)", .systemIndigo)
    } else if clusters {
      view.clusteringIdentifier = "stops"
    }
    return view
  }

  func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
    guard let cluster = annotation as? MKClusterAnnotation else { return }
    opened.append(cluster.memberAnnotations.count)
    mapView.showAnnotations(cluster.memberAnnotations, animated: true)
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
private let darkPhone =
  #"{"width":360,"height":640,"device_scale_factor":2,"color_scheme":"dark"}"#

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
    for window in [light, phone, darkPhone] { try await keepsCamera(window) }
  }

  private func keepsCamera(_ window: String) async throws {
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
    try await gallery.see("keeps_camera", window: window)
    #expect((map.camera.centerCoordinateDistance / 4000 - 1).magnitude < 0.02)
  }

  @Test("lines have the joins, ends, dashes and blend modes that an app gives them")
  func lines() async throws {
    let rect = MKMapRect(x: 140_000_000, y: 90_000_000, width: 16_000, height: 24_000)
    func line(
      _ places: [(Double, Double)], _ color: UIColor = .red, _ width: CGFloat = 14,
      _ style: (MKPolylineRenderer) -> Void = { _ in }
    ) -> MKPolylineRenderer {
      let points = places.map {
        MKMapPoint(x: rect.minX + $0 * rect.width, y: rect.minY + $1 * rect.height)
      }
      let renderer = MKPolylineRenderer(polyline: MKPolyline(points: points, count: points.count))
      (renderer.strokeColor, renderer.lineWidth) = (color, width)
      renderer.lineCap = .butt
      style(renderer)
      return renderer
    }
    let joins: [(Double, CGLineJoin)] = [(0.2, .miter), (0.5, .round), (0.8, .bevel)]
    let ends: [(Double, CGLineCap)] = [(0.34, .butt), (0.41, .round), (0.48, .square)]
    for window in [light, dark, phone, darkPhone] {
      let gallery = Gallery()
      gallery.map.setVisibleMapRect(rect, animated: false)
      gallery.add(
        joins.map { x, join in
          line([(x - 0.1, 0.22), (x, 0.1), (x + 0.1, 0.22)]) { $0.lineJoin = join }
        })
      gallery.add(ends.map { y, cap in line([(0.3, y), (0.7, y)]) { $0.lineCap = cap } })
      gallery.add([line([(0.1, 0.57), (0.9, 0.57)], .red, 8) { $0.lineDashPattern = [20, 12] }])
      gallery.add([line([(0.1, 0.75), (0.9, 0.75)], .cyan, 40)])
      gallery.add([line([(0.3, 0.65), (0.3, 0.85)], .yellow, 40) { $0.blendMode = .multiply }])
      gallery.add([line([(0.7, 0.65), (0.7, 0.85)], .red, 40) { $0.blendMode = .screen }])
      try await gallery.see("shows_lines", window: window)
    }
  }

  @Test("a tap on a cluster shows its members, each by itself")
  func cluster() async throws {
    for window in [light, dark, phone] {
      let gallery = Gallery()
      gallery.clusters = true
      let place = CLLocationCoordinate2D(latitude: 48, longitude: 11)
      gallery.map.setRegion(
        MKCoordinateRegion(
          center: place, latitudinalMeters: 40_000, longitudinalMeters: 40_000), animated: false)
      gallery.map.addAnnotations(
        (1...5).map { number in
          let angle = Double(number) / 5 * 2 * .pi
          return MKPointAnnotation(
            coordinate: CLLocationCoordinate2D(
              latitude: place.latitude + 0.004 * cos(angle),
              longitude: place.longitude + 0.006 * sin(angle)), title: "stop \(number)",
            subtitle: nil)
        })
      try await gallery.see("opens_cluster", window: window)
      #expect(gallery.opened == [5])
    }
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
        if name == "imagery" { try await gallery.see("tells_names", [name], window: dark) }
        let text = try await gallery.see("tells_names", [name], window: light)
        let line = try #require(text.split(separator: "\n").first)
        let names = try JSON(parsing: String(line))["names"]?.array?.compactMap(\.string) ?? []
        #expect(names.contains("Cafe de Paris") == hasFood, "\(name): \(names)")
        #expect(names.contains("Hermitage") == hasHotels, "\(name): \(names)")
      }
    }
  }
}
