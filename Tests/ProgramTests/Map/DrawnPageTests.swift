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
