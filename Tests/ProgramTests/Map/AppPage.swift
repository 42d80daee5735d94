import Foundation
import LocationModel
import Testing

@testable import CoreLocation
@testable import MapKit

/// A page of an app's map, as a browser without a screen.
final class AppPage {
  let port: UInt16
  let token: String
  private let events: WebConnection
  private var lastWish = 0

  init(_ url: URL) throws {
    let parts = try #require(
      url.absoluteString.wholeMatch(of: #/http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})//#)?.output)
    port = UInt16(parts.1) ?? 0
    token = String(parts.2)
    events = try WebConnection(port: port)
    events.send("GET /\(token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
  }

  /// All that it has been told.
  func told() -> String {
    events.read()
    return events.text
  }

  /// Does on it as a person would.
  func wish(_ json: JSON) throws {
    lastWish += 1
    let body = "{\"page\":1,\"id\":\(lastWish),\"wish\":\(json.text)}"
    try WebConnection(port: port).leave(
      "POST /\(token)/wish HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        + "Origin: http://127.0.0.1:\(port)\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body)
  }
}

extension WebConnection {
  /// Sends a request, and waits for the beginning of its answer.
  func leave(_ request: String) throws {
    send(request)
    try #require(hears("HTTP/1.1 204 "), "\(text)")
  }
}

/// Notes what a person does on a map.
@MainActor final class MapListener: NSObject, MKMapViewDelegate {
  private(set) var calls: [String] = []
  private(set) var loads: [String] = []

  init(_ map: MKMapView) {
    super.init()
    map.delegate = self
  }

  func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
    calls.append("region")
  }

  func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
    let view = MKMarkerAnnotationView(annotation: annotation, reuseIdentifier: "marker")
    view.canShowCallout = true
    let button = UIButton(type: .custom)
    button.setTitle("Go", for: .normal)
    let gone = UIAction { [weak self] _ in self?.calls.append("gone") }
    button.addAction(gone, for: .touchUpInside)
    button.removeAction(gone, for: [.touchUpInside, .touchDown])
    let act = UIAction(title: "go") { [weak self] in self?.calls.append("act \($0.title)") }
    button.addAction(act, for: .primaryActionTriggered)
    view.rightCalloutAccessoryView = button
    let detail = UIButton(type: .custom)
    detail.setTitle("<b>here</b>", for: .normal)
    view.detailCalloutAccessoryView = detail
    view.glyphText = "G"
    if ["other", "next"].contains(annotation.title) { view.displayPriority = .defaultLow }
    if annotation.title == "free" {
      (view.displayPriority, view.collisionMode) = (.defaultLow, .none)
    }
    return view
  }

  func mapViewWillStartLoadingMap(_ mapView: MKMapView) { loads.append("loading") }
  func mapViewDidFinishLoadingMap(_ mapView: MKMapView) { loads.append("loaded") }
  func mapViewWillStartRenderingMap(_ mapView: MKMapView) { loads.append("rendering") }

  func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {
    loads.append("rendered \(fullyRendered)")
  }

  func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
    calls.append("select \((annotation.title ?? nil) ?? "")")
  }

  func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
    calls.append("deselect \((annotation.title ?? nil) ?? "")")
  }

  func mapView(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    calloutAccessoryControlTapped control: UIControl
  ) {
    calls.append("button \((control as? UIButton)?.currentTitle ?? "")")
  }

  func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
    let renderer = MKPolylineRenderer(overlay: overlay)
    renderer.strokeColor = .systemBlue
    return renderer
  }

  func mapView(_ mapView: MKMapView, didTapAt coordinate: CLLocationCoordinate2D) {
    calls.append("tap \(coordinate.latitude) \(coordinate.longitude)")
    mapView.annotations.first { $0.title == "other" }
      .map { mapView.selectAnnotation($0, animated: false) }
  }
}
