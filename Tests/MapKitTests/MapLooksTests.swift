import AppleCode5
import CoreLocation
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

@MainActor @Suite("How an app has its map look") struct MapLooksTests {
  private let map = MKMapView()

  @Test("a camera is as far away as the height of the map wants, and back")
  func camera() {
    map.setCamera(
      MKMapCamera(lookingAtCenter: place(48, 11), fromDistance: 8000, pitch: 30, heading: 90),
      animated: false)
    #expect(abs(map.camera.centerCoordinateDistance - 8000) < 80)
    #expect(map.camera.pitch == 30 && map.camera.heading == 90)
    #expect(abs(map.camera.altitude - 8000 * 0.866) < 80)
    #expect(abs(map.centerCoordinate.latitude - 48) < 1e-6)
    map.camera.centerCoordinateDistance = 4000
    map.camera.heading = 45
    #expect(abs(map.camera.centerCoordinateDistance - 4000) < 40 && map.camera.heading == 45)
    (map.camera.copy() as? MKMapCamera)?.heading = 10
    #expect(map.camera.heading == 45, "a copy")
    let before = map.region
    map.setCamera(MKMapCamera(), animated: false)
    #expect(
      map.region.span.latitudeDelta == before.span.latitudeDelta
        && map.centerCoordinate.latitude == before.center.latitude, "a camera from nowhere")
  }

  @Test("a camera is as high as its map, be it wide or narrow, and sees no slice of a metre")
  func shape() {
    for (width, height) in [(400, 700), (1000, 700), (0, 0)] as [(CGFloat, CGFloat)] {
      let map = MKMapView(frame: CGRect(x: 0, y: 0, width: width, height: height))
      map.setCamera(
        MKMapCamera(lookingAtCenter: place(48, 11), fromDistance: 8000, pitch: 0, heading: 0),
        animated: false)
      #expect(abs(map.camera.centerCoordinateDistance - 8000) < 80, "\(width)")
      let shown = map.visibleMapRect
      let wanted = height > 0 ? Double(width / height) : 1
      #expect(abs(shown.width / shown.height - wanted) < 0.01, "\(width)")
    }
  }

  @Test("no region is nearer, farther or elsewhere than the app's bounds")
  func bounds() {
    map.setCamera(
      MKMapCamera(lookingAtCenter: place(48, 11), fromDistance: 8000, pitch: 0, heading: 0),
      animated: false)
    map.cameraZoomRange = MKMapCameraZoomRange(maxCenterCoordinateDistance: 1000)
    #expect(abs(map.camera.centerCoordinateDistance - 1000) < 20)
    map.cameraZoomRange = MKMapCameraZoomRange(minCenterCoordinateDistance: 5000)
    #expect(abs(map.camera.centerCoordinateDistance - 5000) < 60)
    #expect(
      MKMapCameraZoomRange(minCenterCoordinateDistance: 2, maxCenterCoordinateDistance: 1) == nil)
    map.cameraBoundary = MKMapCameraBoundary(
      coordinateRegion: MKCoordinateRegion(
        center: place(0, 179), span: MKCoordinateSpan(latitudeDelta: 2, longitudeDelta: 4)))
    #expect(abs(map.centerCoordinate.latitude - 1) < 1e-6)
    map.centerCoordinate = place(0, -179.5)
    #expect(abs(map.centerCoordinate.longitude + 179.5) < 1e-6, "over the date line")
    map.centerCoordinate = place(0, -170)
    #expect(abs(map.centerCoordinate.longitude + 179) < 1e-6)
  }

  @Test("a configuration says the kind of map and its points, until the app says them itself")
  func configuration() {
    let muted = MKStandardMapConfiguration(emphasisStyle: .muted)
    muted.pointOfInterestFilter = .excludingAll
    map.preferredConfiguration = muted
    #expect(
      map.mapType == .mutedStandard
        && map.pointOfInterestFilter === MKPointOfInterestFilter.excludingAll)
    map.mapType = .hybrid
    map.pointOfInterestFilter = MKPointOfInterestFilter(excluding: [.cafe])
    let told = map.settings.json
    #expect(told["muted"]?.bool == false && told["hidden"] == .array([]), "food is more")
    map.pointOfInterestFilter = MKPointOfInterestFilter(
      excluding: [.cafe, .restaurant, .nightlife, .pharmacy])
    #expect(map.settings.json["hidden"] == .array(["food", "health"]))
    map.pointOfInterestFilter = MKPointOfInterestFilter(including: [.museum])
    #expect(!map.settings.hiddenKinds.contains("museum") && map.settings.hiddenKinds.count > 9)
    map.preferredConfiguration = MKImageryMapConfiguration()
    #expect(map.mapType == .satellite && map.settings.hiddenKinds.contains("stop"))
  }

  @Test("points that are hidden for a while come back by the app's own filter")
  func points() {
    let filter = MKPointOfInterestFilter(excluding: [.pharmacy])
    map.pointOfInterestFilter = filter
    map.showsPointsOfInterest = false
    #expect(!map.showsPointsOfInterest && map.settings.hiddenKinds.count > 9)
    #expect(map.pointOfInterestFilter === filter)
    map.showsPointsOfInterest = true
    #expect(map.showsPointsOfInterest && map.settings.hiddenKinds == ["health"])
    map.showsPointsOfInterest = false
    map.preferredConfiguration = MKStandardMapConfiguration()
    #expect(map.showsPointsOfInterest && map.settings.hiddenKinds.isEmpty)
  }

  @Test("overlays are put above and below others, and change places")
  func order() {
    let lines = (0..<4).map {
      MKPolyline(coordinates: [place(Double($0), 0), place(1, 1)], count: 2)
    }
    func order() -> [Int] {
      map.overlays.map { overlay in lines.firstIndex { $0 === overlay } ?? -1 }
    }
    map.addOverlays([lines[0], lines[1]])
    map.insertOverlay(lines[2], below: lines[1])
    map.insertOverlay(lines[3], above: lines[0])
    #expect(order() == [0, 3, 2, 1])
    map.exchangeOverlay(lines[0], with: lines[1])
    map.exchangeOverlay(at: 1, withOverlayAt: 2)
    #expect(order() == [1, 2, 3, 0])
    map.exchangeOverlay(at: 1, withOverlayAt: 9)
    #expect(order() == [1, 2, 3, 0])
  }

  @Test("a part of a line is drawn, by its length")
  func stroke() throws {
    let line = MKPolyline([(0, 0), (100, 0), (100, 300)].map { MKMapPoint(x: $0.0, y: $0.1) })
    let renderer = MKPolylineRenderer(polyline: line)
    renderer.strokeColor = .red
    func drawn(_ start: CGFloat, _ end: CGFloat) throws -> [[Double]] {
      (renderer.strokeStart, renderer.strokeEnd) = (start, end)
      guard case .lines(let lines)? = renderer.drawing()?.shape else { return [] }
      return try #require(lines.first).all.map { [$0.x, $0.y] }
    }
    #expect(try drawn(0, 1) == [[0, 0], [100, 0], [100, 300]])
    #expect(try drawn(0, 0.125) == [[0, 0], [50, 0]])
    #expect(try drawn(0.125, 0.5) == [[50, 0], [100, 0], [100, 100]])
    #expect(try drawn(0.5, 1) == [[100, 100], [100, 300]])
    #expect(try drawn(0.6, 0.4).isEmpty)
    #expect(renderer.drawing()?.cap == "round" && renderer.drawing()?.blend == nil)
  }

  @Test("a picture is a PNG of a sane size, or the sign that a symbol is nearest to")
  func pictures() throws {
    let picture = try #require(UIImage(data: MapPicture.pink ?? Data()))
    #expect(picture.size == CGSize(width: 24, height: 32))
    #expect(UIImage(data: Data("GIF89a, and then something else".utf8)) == nil)
    #expect(UIImage(data: picture.pngData()?.prefix(20) ?? Data()) == nil)
    #expect(UIImage(named: "no such picture") == nil && UIImage(named: "../x") == nil)
    #expect(UIImage(systemName: "cup.and.saucer.fill")?.picture == .sign("☕"))
    #expect(UIImage(systemName: "nobody.knows")?.picture == .sign("●"))
  }

  @Test("a file without an end is read no further than a picture may be long")
  func endless() async throws {
    #expect(UIImage(contentsOfFile: "/dev/zero") == nil)
    #expect(UIImage(contentsOfFile: "/nonexistent") == nil)
    let tiles = MKTileOverlay(urlTemplate: "file:///dev/zero")
    #expect(await TileLoader(overlay: tiles).picture(at: MKTileOverlayPath()) == nil)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())@2x.png")
    defer { try? FileManager.default.removeItem(at: file) }
    try (MapPicture.pink ?? Data()).write(to: file)
    #expect(UIImage(contentsOfFile: file.path)?.size == CGSize(width: 12, height: 16))
    let own = MKTileOverlay(urlTemplate: file.absoluteString)
    #expect(await TileLoader(overlay: own).picture(at: MKTileOverlayPath()) != nil)
  }

  @Test("a square is loaded on threads of its own: those of the app's tasks may all be busy")
  func threads() async throws {
    #expect(await TileLoader(overlay: OwnThreads(urlTemplate: nil)).picture(at: .init()) != nil)
  }

  @Test("pictures that nothing shows any more are forgotten before they are many")
  func forgotten() throws {
    func picture(_ number: UInt8) throws -> UIImage {
      try #require(UIImage(data: (MapPicture.pink ?? Data()) + [number]))
    }
    let size = try picture(0).pngData()?.count ?? 0
    var pictures = PagePictures(room: 3 * size)
    for i in 0..<3 as Range<UInt8> {
      #expect(try pictures.number(of: picture(i)) == (Int(i) + 1, true))
    }
    #expect(try pictures.number(of: picture(1)) == (2, false) && !pictures.areMany)
    #expect(try pictures.number(of: picture(3)).isNew && pictures.areMany)
    // The last is still used; its number is another, which none has had.
    pictures.forget()
    #expect(try pictures.number(of: picture(3)) == (5, true))
    pictures.settle()
    for i in 4..<8 as Range<UInt8> { _ = try pictures.number(of: picture(i)) }
    #expect(!pictures.areMany)
    _ = try pictures.number(of: picture(8))
    #expect(pictures.areMany)
  }

  @Test("an address of a square counts its rows from the north, or from the south")
  func tiles() {
    let tiles = MKTileOverlay(urlTemplate: "https://example.org/{z}/{x}/{y}@{scale}.png")
    let path = MKTileOverlayPath(x: 1, y: 2, z: 3, contentScaleFactor: 2)
    #expect(tiles.url(forTilePath: path).absoluteString == "https://example.org/3/1/2@2.png")
    tiles.isGeometryFlipped = true
    #expect(tiles.url(forTilePath: path).absoluteString == "https://example.org/3/1/5@2.png")
    #expect(MKTileOverlay.picture(Data("<html>".utf8)) == nil)
    #expect(
      MKTileOverlay.picture(MapPicture.pink ?? Data())?.hasPrefix("data:image/png;base64,iVBOR")
        == true)
  }

  @Test("annotations that the page puts together are one of the app's, with a view of its class")
  func clusters() async throws {
    let studio = StudioScreen(picture: try #require(MapPicture.pink))
    let map = studio.mapView
    let photos = (0..<3).map {
      MKPointAnnotation(coordinate: place(48, Double($0)), title: "\($0)", subtitle: nil)
    }
    map.addAnnotations(photos)
    #expect(await until { map.view(for: photos[2]) != nil })
    let numbers = map.pins.values.map(\.number).sorted().prefix(2).map { JSON.integer(Int64($0)) }
    map.update(clustersOf: [.array(numbers), .array([.integer(99), .integer(98)])])
    #expect(map.clusters.count == 1)
    let cluster = try #require(map.clusters.values.first)
    #expect(cluster.annotation.title == "2 photos")
    let view = try #require(map.view(for: cluster.annotation) as? PhotosView)
    #expect(view.glyphText == "2" && map.view(for: photos[0])?.cluster === view)
    #expect(map.annotations.count == 3)
    // A cluster is selected like any other, and no longer once it is gone.
    map.selectAnnotation(photos[2], animated: false)
    map.selectAnnotation(cluster.annotation, animated: false)
    #expect(map.selectedAnnotations.map { $0 === cluster.annotation } == [true] && view.isSelected)
    map.deselectAnnotation(cluster.annotation, animated: false)
    #expect(map.selectedAnnotations.isEmpty && !view.isSelected)
    map.selectAnnotation(cluster.annotation, animated: false)
    map.update(clustersOf: [])
    #expect(map.clusters.isEmpty && map.view(for: photos[0])?.cluster == nil)
    #expect(map.selectedAnnotations.isEmpty && !view.isSelected)
  }

  @Test("a marker of a cluster counts the members of this cluster, not of one before")
  func count() async throws {
    let photos = (0..<3).map { MKPointAnnotation(coordinate: place(48, Double($0))) }
    map.addAnnotations(photos)
    #expect(await until { map.view(for: photos[2]) != nil })
    let numbers = map.pins.values.map(\.number).sorted().map { JSON.integer(Int64($0)) }
    // The view is used again.
    func glyph(_ count: Int) throws -> String? {
      map.update(clustersOf: [])
      map.update(clustersOf: [.array(Array(numbers.prefix(count)))])
      return try #require(map.clusters.values.first?.view).look.glyph
    }
    #expect(try glyph(2) == "2")
    let view = try #require(map.clusters.values.first?.view as? MKMarkerAnnotationView)
    #expect(try glyph(3) == "3")
    view.glyphText = "many"
    #expect(try glyph(2) == "many", "the app's own word")
  }

  @Test("a person moves an annotation that may be moved")
  func drag() async throws {
    let studio = StudioScreen(picture: try #require(MapPicture.pink))
    let photo = MKPointAnnotation(coordinate: place(48, 11), title: "a", subtitle: nil)
    studio.mapView.addAnnotation(photo)
    #expect(await until { studio.mapView.view(for: photo) != nil })
    let view = try #require(studio.mapView.view(for: photo))
    #expect(studio.mapView.drag(photo, view, to: nil))
    #expect(!studio.mapView.drag(photo, view, to: [91, 0]))
    #expect(studio.mapView.drag(photo, view, to: [48.5, 11.5]))
    #expect(photo.coordinate.latitude == 48.5)
    #expect(studio.drags == [.starting, .dragging, .ending, .none])
    view.isDraggable = false
    #expect(!studio.mapView.drag(photo, view, to: [1, 1]))
  }

  @Test("there is no picture of a map without a browser")
  func snapshot() async {
    let error = await withCheckedContinuation { done in
      MKMapSnapshotter(options: MKMapSnapshotter.Options()).start { done.resume(returning: $1) }
    }
    #expect((error as? MKError)?.code == .serverFailure)
  }
}

/// Loads nothing on the threads of all tasks.
private final class OwnThreads: MKTileOverlay {
  override func loadTile(at path: MKTileOverlayPath) async throws -> Data {
    let hasOwn = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
    return try #require(hasOwn ? MapPicture.pink : nil)
  }
}
