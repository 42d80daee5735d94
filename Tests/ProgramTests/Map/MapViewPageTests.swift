import AppleCode
import AppleCode5
import Foundation
import Glibc
import LocationClient
import LocationModel
import TestSupport
import Testing

@testable import CoreLocation
@testable import MapKit

private func place(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

@MainActor @Suite("The page of an app's map", .timeLimit(.minutes(60))) struct MapViewPageTests {
  @Test("a page is told what lies on the map, and each change of it")
  func told() async throws {
    let map = MKMapView()
    let listener = MapListener(map)
    let pin = MKPointAnnotation(coordinate: place(37.5, 127), title: "서울", subtitle: nil)
    map.addAnnotation(pin)
    let page = try AppPage(try await map.serve())
    let again = try await map.serve()
    #expect(map.url == again)
    #expect(
      await until { page.told().contains(#""set":"pins","value":[{"id":1,"at":[37.5,127.0]"#) })
    #expect(page.told().contains(#""glyph":"G""#) && page.told().contains(#""right":"Go""#))
    pin.coordinate = place(38, 128)
    #expect(
      await until { page.told().contains(#""add":"pins","values":[{"id":1,"at":[38.0,128.0]"#) })
    let line = MKPolyline(coordinates: [place(1, 179), place(1, -179)], count: 2)
    map.addOverlay(line)
    #expect(await until { page.told().contains(#""parts":[[["#) })
    // It goes on over the date line.
    #expect(page.told().contains(#/,18[01]\.\d/#))
    map.removeAnnotation(pin)
    #expect(await until { page.told().contains(#"{"id":1,"gone":true}"#) })
    map.setRegion(
      MKCoordinateRegion(
        center: place(10, 20), span: MKCoordinateSpan(latitudeDelta: 2, longitudeDelta: 2)),
      animated: true)
    #expect(
      await until { page.told().contains(#""set":"view","value":{"number":1,"animated":true"#) })
    #expect(listener.calls.last == "region")
  }

  @Test("a change of a cluster's view, or within a callout, reaches the page")
  func changes() async throws {
    let map = MKMapView()
    let pins = (1...2).map {
      MKPointAnnotation(coordinate: place(1, Double($0)), title: "\($0)", subtitle: nil)
    }
    map.addAnnotations(pins)
    let page = try AppPage(try await map.serve())
    #expect(await until { page.told().contains(#""set":"pins""#) })
    try page.wish(["clusters": .array([.array([.integer(1), .integer(2)])])])
    #expect(await until { map.clusters.count == 1 })
    let view = try #require(map.clusters.values.first?.view as? MKMarkerAnnotationView)
    view.glyphText = "two"
    #expect(await until { page.told().contains(#/"set":"clusters","value":\[.*"glyph":"two"/#) })
    let (column, label) = (UIView(), UILabel())
    view.detailCalloutAccessoryView = column
    column.addSubview(label)
    label.text = "a cluster"
    #expect(await until { page.told().contains(#""detail":[{"text":"a cluster"}]"#) })
    let own = try #require(map.view(for: pins[0]))
    own.detailCalloutAccessoryView = column
    label.text = "a pin"
    #expect(
      await until {
        page.told().contains(#/"add":"pins","values":\[{"id":1,.*"detail":\[{"text":"a pin"/#)
      })
    let button = UIButton(type: .close)
    own.rightCalloutAccessoryView = button
    #expect(await until { page.told().contains(#""right":"×""#) })
    button.setTitle("Leave", for: .normal)
    #expect(await until { page.told().contains(#""right":"Leave""#) })
    label.removeFromSuperview()
    #expect(await until { page.told().contains(#""right":"Leave","detail":[]"#) })
  }

  @Test("a page forgets pictures that nothing shows any more")
  func forgets() async throws {
    let picture = try #require(MapPicture.pink)
    let map = MKMapView()
    map.pictures = PagePictures(room: 2 * picture.count)
    let pin = MKPointAnnotation(coordinate: place(1, 2), title: "a", subtitle: nil)
    map.addAnnotation(pin)
    let page = try AppPage(try await map.serve())
    #expect(await until { map.view(for: pin) != nil })
    for number in 0..<6 as Range<UInt8> {
      let view = try #require(map.view(for: pin) as? MKMarkerAnnotationView)
      view.glyphImage = UIImage(data: picture + [number])
      let text = (picture + [number]).base64EncodedString()
      #expect(await until { page.told().contains(text) }, "\(number)")
    }
    let forgotten = page.told().ranges(of: #""set":"images","value":[]"#).count
    #expect((2...4).contains(forgotten), "\(forgotten)")
  }

  @Test("what a person does on the page comes back to the delegate")
  func heard() async throws {
    let map = MKMapView()
    let listener = MapListener(map)
    map.addAnnotation(MKPointAnnotation(coordinate: place(1, 2), title: "a", subtitle: nil))
    let page = try AppPage(try await map.serve())
    #expect(await until { page.told().contains(#""set":"pins""#) })
    try page.wish(["tap": .array([.number(1.5), .number(2.5)])])
    try page.wish(["select": .integer(1)])
    try page.wish(["control": .integer(1), "side": "right"])
    try page.wish(["control": .integer(1), "side": "detail"])
    try page.wish(["deselect": .integer(1)])
    try page.wish([
      "view": [
        "number": .integer(0), "person": .bool(true), "north": .integer(11), "south": .integer(9),
        "west": .integer(379), "east": .integer(381), "width": .integer(500),
        "height": .integer(500),
      ]
    ])
    let all = [
      "tap 1.5 2.5", "select a", "button Go", "act go", "button <b>here</b>", "deselect a",
      "region",
    ]
    #expect(await until { listener.calls.count >= all.count })
    #expect(listener.calls == all)
    #expect(listener.loads == ["loading", "loaded", "rendering", "rendered true"])
    #expect(map.region.center.longitude == 20 && map.region.span.latitudeDelta == 2)
    // Nonsense and what is not there are refused, and change nothing.
    for wish: JSON in [
      ["tap": .array([.number(91), .number(0)])], ["select": .integer(99)], ["x": .null],
      ["view": ["north": "x"]],
    ] {
      try page.wish(wish)
    }
    #expect(await until { page.told().contains("knows no such wish") })
    #expect(listener.calls == all)
  }

  @Test("the page asks the service of places for its ground, and nothing else")
  func ground() async throws {
    let places = try #require(
      AnsweringSocket { line in
        line.contains(#""method":"tile""#)
          ? #""result":{"ground":"AAAA"}"# : #""error":{"code":-32601,"message":"no"}"#
      })
    try await PlacesClient.$current.withValue(PlacesClient(path: places.path)) {
      let map = MKMapView()
      let page = try AppPage(try await map.serve())
      #expect(await until { page.told().contains("\"about\"") })
      try page.wish([
        "ask": "tile", "of": ["level": .integer(14), "x": .integer(1), "y": .integer(2)],
      ])
      #expect(await until { page.told().contains(#""value":{"result":{"ground":"AAAA"}}"#) })
      try page.wish(["ask": "tile", "of": ["level": .integer(99)]])
      #expect(await until { page.told().contains(#""id":2,"value":{"error":{"kind":"failed""#) })
      try page.wish([
        "ask": "reverseGeocode", "of": ["latitude": .integer(1), "longitude": .integer(2)],
      ])
      #expect(await until { page.told().contains("knows no such wish") })
    }
  }

  @Test("a map that a person moves beyond the app's bounds comes back")
  func bounds() async throws {
    let map = MKMapView()
    let region = MKCoordinateRegion(
      center: place(48, 11), span: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 1))
    map.setRegion(region, animated: false)
    map.cameraBoundary = MKMapView.CameraBoundary(coordinateRegion: region)
    let page = try AppPage(try await map.serve())
    #expect(await until { page.told().contains(#""set":"view""#) })
    let number = map.lastView
    try page.wish([
      "view": [
        "number": .integer(Int64(number)), "person": .bool(true), "north": .integer(51),
        "south": .integer(49), "west": .integer(10), "east": .integer(12),
        "width": .integer(500), "height": .integer(500),
      ]
    ])
    #expect(await until { page.told().contains(#"{"number":\#(number + 1),"animated":true"#) })
    #expect((map.centerCoordinate.latitude - 48.5).magnitude < 0.001)
  }

  @Test("the page is told the squares that the app loads, by a handler or by await")
  func squares() async throws {
    final class Awaited: MKTileOverlay {
      override func loadTile(at path: MKTileOverlayPath) async throws -> Data {
        guard path.z == 3, let picture = MapPicture.pink else { throw CancellationError() }
        return picture
      }
    }
    let map = MKMapView()
    let handled = OwnTiles(urlTemplate: nil)
    handled.picture = try #require(MapPicture.pink)
    map.addOverlays([handled, Awaited(urlTemplate: nil)])
    let page = try AppPage(try await map.serve())
    #expect(await until { page.told().contains("\"about\"") })
    // The last two are of no overlay, and of no place.
    for (overlay, z): (Int64, Int64) in [(0, 3), (1, 3), (1, 4), (2, 3), (0, 1)] {
      try page.wish([
        "tile": [
          "overlay": .integer(overlay), "z": .integer(z), "x": .integer(1), "y": .integer(2),
        ]
      ])
    }
    for answer in [
      #"1,"value":{"result":"data:image/png"#, #"2,"value":{"result":"data:image/png"#,
      #"3,"value":{"result":null"#, #"4,"value":{"error""#, #"5,"value":{"error""#,
    ] {
      #expect(await until { page.told().contains(#""id":"# + answer) }, "\(answer)")
    }
  }

  @Test("a page is served as long as the map lives, and no process is left")
  func end() async throws {
    var map: MKMapView? = MKMapView()
    let url = try #require(try await map?.serve())
    let page = try AppPage(url)
    #expect(await until { page.told().contains("\"about\"") })
    map = nil
    // Nobody listens there any more.
    #expect(
      await until {
        guard let connection = try? WebConnection(port: page.port) else { return true }
        return connection.isClosed()
      })
  }

  @Test("a screen shows the device on its map, and asks for its city at most once a minute")
  func user() async throws {
    let daemon = try RunningDaemon.driving(rate: 1)
    let begun = ContinuousClock.now
    try await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let map = MKMapView()
      let screen = PinScreen(mapView: map)
      screen.showUser()
      try #require(await until { screen.currentLocation != nil && screen.moves >= 3 })
      let minutes = (ContinuousClock.now - begun) / .seconds(60)
      #expect(screen.requests >= 1 && Double(screen.requests - 1) <= minutes)
      #expect(map.isUserLocationVisible)
      #expect((map.centerCoordinate.latitude - 45).magnitude < 1)
      #expect(map.annotations.contains { $0 is MKUserLocation })
      let page = try AppPage(try await map.serve())
      #expect(await until { page.told().contains(#""set":"position","value":{"latitude":45."#) })
      // A person moves the map away; it follows no longer.
      try page.wish(["follow": .bool(false)])
      #expect(await until { map.userTrackingMode == .none })
      try page.wish(["tap": .array([.number(46), .number(8)])])
      #expect(await until { map.annotations.contains { $0 is MKPointAnnotation } })
      #expect(map.centerCoordinate.latitude == 46)
      map.showsUserLocation = false
      #expect(!map.annotations.contains { $0 is MKUserLocation })
    }
  }

  @Test("an app without permission is told so, and asks for none")
  func denied() async throws {
    final class Delegate: NSObject, MKMapViewDelegate {
      var codes: [CLError.Code] = []

      func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) {
        (error as? CLError).map { codes.append($0.code) }
      }
    }
    let daemon = try RunningDaemon.driving(files: askingAboutEveryApp)
    try daemon.connect().decide("denied")
    await CoreLocation.Daemon.$current.withValue(daemon.library()) {
      let (map, delegate) = (MKMapView(), Delegate())
      map.delegate = delegate
      map.showsUserLocation = true
      #expect(await until { delegate.codes.contains(.denied) })
      #expect(map.userLocation.location == nil && map.annotations.isEmpty)
    }
  }
}

@Suite("The example of an app with a map", .timeLimit(.minutes(60))) struct MapExampleTests {
  @Test("cafés are on its page, and the way to the one that is selected is told")
  func cafes() throws {
    let world = PrivateBus.house.appending(path: ".build/places").path
    let places = try RunningPlaces("", ["--data", world])
    try places.importing(world + "/monaco.osm.pbf")
    // A line of it is seen when it is printed.
    let app = try Program(
      ["stdbuf", "-oL", Checkout.path + "/.build/debug/cafes"],
      environment: ["LOCATIOND_PLACES_SOCKET": places.socket])
    let line = try app.line(within: patience)
    let parts = try #require(line.wholeMatch(of: #/([0-9]+) cafés: (http:.*)/#)?.output, "\(line)")
    #expect((Int(parts.1) ?? 0) > 1)
    let page = try AppPage(try #require(URL(string: String(parts.2))))
    #expect(eventually(within: patience) { page.told().contains(#""set":"pins""#) })
    try page.wish(["select": .integer(1)])
    #expect(try app.line(within: patience).contains(" minutes on foot"))
    #expect(eventually(within: patience) { page.told().contains(#""parts":[[["#) })
  }
}

/// Squares of one picture; those that were asked for are noted.
private final class NotedTiles: MKTileOverlay {
  private let noted = Guarded<[MKTileOverlayPath]>([])
  /// The squares that were asked for, those seen from nearest by first.
  var squares: [MKTileOverlayPath] { noted.withLock { $0.sorted { $0.z > $1.z } } }

  override func loadTile(at path: MKTileOverlayPath) async throws -> Data {
    noted.withLock { $0.append(path) }
    guard let picture = MapPicture.pink else { throw CancellationError() }
    return picture
  }
}

@MainActor
@Suite(
  "An app's map in a browser", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct MapViewBrowserTests {
  @Test("a person taps the map, selects a pin, presses its button, and moves the map")
  func person() async throws {
    let map = MKMapView()
    let listener = MapListener(map)
    map.setRegion(
      MKCoordinateRegion(
        center: place(37.5, 127), span: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 1)),
      animated: false)
    map.addAnnotation(
      MKPointAnnotation(coordinate: place(37.5, 127), title: "서울", subtitle: "a city"))
    // They lie 20 points beside it, and the last one 20 points farther.
    for (title, away) in [("other", 0.036), ("free", -0.036), ("next", -0.072)] {
      map.addAnnotation(
        MKPointAnnotation(coordinate: place(37.5, 127 + away), title: title, subtitle: nil))
    }
    map.isScrollEnabled = false
    map.addOverlay(MKPolyline(coordinates: [place(37, 126), place(38, 128)], count: 2))
    let data = MapOnScreen.house.appending(path: ".build/places").path
    let url = try await HelperOptions.$arguments.withValue(["--data", data]) {
      try await map.serve()
    }
    let address = url.absoluteString
    // The map answers while the person is there.
    try await Task.detached { _ = try MapOnScreen.see("app", at: address, ["서울"]) }.value
    #expect(await until { listener.calls.contains("region") })
    let calls = listener.calls.filter { $0 != "region" }
    try #require(calls.count == 8, "\(listener.calls)")
    let tap = calls[0].split(separator: " ").dropFirst().compactMap { Double($0) }
    // 100 points to the right of the middle, and 100 up.
    #expect(tap[0] > 37.5 && tap[0] < 38 && tap[1] > 127 && tap[1] < 127.6)
    #expect(
      Array(calls[1...]) == [
        "select other", "deselect other", "select 서울", "button Go", "act go",
        "button <b>here</b>", "deselect 서울",
      ])
    #expect((map.centerCoordinate.longitude - 127).magnitude < 0.01, "no arrow moves it")
    #expect(map.region.span.longitudeDelta > 1 && map.pageSize != nil)
  }

  @Test("pictures, clusters, tiles and lines look as the app has set them")
  func looks() async throws {
    let picture = try #require(MapPicture.pink)
    let studio = StudioScreen(picture: picture)
    let map = studio.mapView
    studio.look(at: place(48, 11))
    let places = [place(48.01, 11.01), place(48.0109, 11.0105), place(48.0102, 11.0112)]
    map.addAnnotations(
      places.map { MKPointAnnotation(coordinate: $0, title: "photo", subtitle: nil) })
    map.addAnnotation(
      MKPointAnnotation(coordinate: place(47.995, 10.99), title: "alone", subtitle: nil))
    let (tiles, large) = (NotedTiles(urlTemplate: nil), NotedTiles(urlTemplate: nil))
    large.tileSize = CGSize(width: 512, height: 512)
    studio.draw(
      MKPolyline(coordinates: [place(48, 10.98), place(48.005, 11.04)], count: 2), over: tiles)
    map.addOverlay(large)
    let data = MapOnScreen.house.appending(path: ".build/places").path
    let url = try await HelperOptions.$arguments.withValue(["--data", data]) {
      try await map.serve()
    }
    let address = url.absoluteString
    try await Task.detached { _ = try MapOnScreen.see("looks", at: address, []) }.value
    #expect(await until { studio.selected.contains("3 photos") })
    // A larger square is of the level before.
    let wides = large.squares
    let small = try #require(
      tiles.squares.first { small in wides.contains { $0.z == small.z - 1 } }, "\(wides)")
    let wide = try #require(wides.first { $0.z == small.z - 1 })
    let middle = MKMapPoint(map.centerCoordinate)
    let world = MKMapSize.world
    for path in [small, wide] {
      let count = pow(2, Double(path.z))
      let (x, y) = (middle.x / world.width * count, middle.y / world.height * count)
      #expect((x - Double(path.x) - 0.5).magnitude < 4, "\(path)")
      #expect((y - Double(path.y) - 0.5).magnitude < 4, "\(path)")
    }
    #expect(studio.drags == [.starting, .dragging, .ending, .none] && studio.isRendered)
  }
}
