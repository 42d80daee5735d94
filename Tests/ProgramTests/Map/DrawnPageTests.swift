import AppleCode5
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import MapKit

/// Hands out renderers by their overlays.
@MainActor private final class Renderers: NSObject, MKMapViewDelegate {
  let all: [MKOverlayRenderer]
  init(_ all: [MKOverlayRenderer]) { self.all = all }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    all.first { $0.overlay === overlay } ?? MKOverlayRenderer(overlay: overlay)
  }
}

@MainActor @Suite("What an app draws, as its page is told it", .timeLimit(.minutes(60)))
struct ToldDrawingTests {
  @Test("a picture is told once, at however many scales and as however many things it is drawn")
  func once() async throws {
    let data = try #require(MapPicture.pink)
    let picture = try #require(UIImage(data: data))
    let told = data.base64EncodedString() + "\""
    let rect = MKMapRect(x: 140_000_000, y: 90_000_000, width: 20_000, height: 14_000)
    let delegate = Renderers(
      [0, 5000].map {
        ParkPlanView(overlay: ParkPlan(rect.offsetBy(dx: $0, dy: 0)), overlayImage: picture)
      })
    let map = MKMapView()
    map.delegate = delegate
    map.pictures = PagePictures(room: 4 * data.count)
    map.setVisibleMapRect(rect, animated: false)
    map.addOverlays(delegate.all.map(\.overlay))
    let pin = MKPointAnnotation(coordinate: map.centerCoordinate, title: "a", subtitle: nil)
    map.addAnnotation(pin)
    let page = try AppPage(try await map.serve())
    func count(_ text: String) -> Int { page.told().ranges(of: text).count }
    func isDrawnAnew(_ size: Int64) async throws -> Bool {
      let (before, region) = (count(#""set":"overlays""#), map.region)
      let (middle, half) = (region.center, region.span.latitudeDelta / 2)
      try page.wish([
        "view": [
          "number": .integer(Int64(map.lastView)), "person": .bool(false),
          "north": .number(middle.latitude + half), "south": .number(middle.latitude - half),
          "west": .number(middle.longitude - 0.01), "east": .number(middle.longitude + 0.01),
          "width": .integer(500 * size), "height": .integer(350 * size),
        ]
      ])
      return await until { count(#""set":"overlays""#) > before }
    }
    for size in 1...4 as ClosedRange<Int64> { #expect(try await isDrawnAnew(size)) }
    (map.view(for: pin) as? MKMarkerAnnotationView)?.glyphImage = picture
    #expect(await until { page.told().contains(#/"add":"pins",.*"image":1/#) })
    #expect(count(told) == 1)
    #expect(count(#""kind":"picture""#) >= 8 && count(#""image":1"#) >= 9)
    // Forgotten pictures are told again before the page is told of what shows them.
    for number in 0..<7 as Range<UInt8> {
      (map.view(for: pin) as? MKMarkerAnnotationView)?.glyphImage = UIImage(data: data + [number])
      let text = (data + [number]).base64EncodedString()
      #expect(await until { page.told().contains(text) }, "\(number)")
    }
    #expect(await until { count(#""set":"images","value":[]"#) == 2 })
    let number = map.number(of: picture)
    #expect(await until { count(told) == 2 && count(#""image":\#(number),"alpha":"#) == 2 })
    #expect(number > 1)
  }
}

@MainActor
@Suite(
  "What an app draws, on its page in a browser", .timeLimit(.minutes(60)),
  .enabled(if: MapOnScreen.isPossible, MapOnScreen.missing))
struct DrawnPageTests {
  @Test("an app's picture grows with the map, below its lines, and a ring stays as wide")
  func draws() async throws {
    let picture = try #require(UIImage(data: MapPicture.pink ?? Data()))
    let rect = MKMapRect(x: 140_000_000, y: 90_000_000, width: 20_000, height: 14_000)
    func point(_ x: Double, _ y: Double) -> MKMapPoint {
      MKMapPoint(x: rect.minX + x * rect.width, y: rect.minY + y * rect.height)
    }
    let line = BorderedRenderer(
      polyline: MKPolyline(points: [point(0.1, 0.8), point(0.5, 0.6), point(0.9, 0.8)], count: 3))
    (line.lineWidth, line.strokeColor) = (6, .systemIndigo)
    let plan = MKMapRect(
      x: rect.minX + 2000, y: rect.minY + 2000, width: 3000, height: 2000)
    let delegate = Renderers([
      ParkPlanView(overlay: ParkPlan(plan), overlayImage: picture), line,
      VeilRenderer(overlay: ParkPlan(.world)),
    ])
    let map = MKMapView()
    map.delegate = delegate
    map.setVisibleMapRect(rect, animated: false)
    map.addOverlays(delegate.all.map(\.overlay))
    let data = MapOnScreen.house.appending(path: ".build/places").path
    let url = try await HelperOptions.$arguments.withValue(["--data", data]) {
      try await map.serve()
    }
    let address = url.absoluteString
    try await Task.detached { _ = try MapOnScreen.see("shows_drawing", at: address, []) }.value
  }
}
