// Doubles that an app's tests have in place of Apple's classes, and what stands between a map and its delegate, in the
// manner of public projects, in Swift 5.

import MapKit

package final class SpyMap: MKMapView {
  package var added: [MKAnnotation] = []
  package var drawn: [MKOverlay] = []
  package var camerasSet = 0

  override package func addAnnotation(_ annotation: MKAnnotation) {
    added.append(annotation)
    super.addAnnotation(annotation)
  }

  override package func removeAnnotations(_ annotations: [MKAnnotation]) {
    added = []
    super.removeAnnotations(annotations)
  }

  override package func addOverlay(_ overlay: MKOverlay, level: MKOverlayLevel) {
    drawn.append(overlay)
    super.addOverlay(overlay, level: level)
  }

  override package func setCamera(_ camera: MKMapCamera, animated: Bool) {
    camerasSet += 1
    super.setCamera(camera, animated: animated)
  }

  override package func setRegion(_ region: MKCoordinateRegion, animated: Bool) {
    super.setRegion(region, animated: false)
  }

  override package var annotations: [MKAnnotation] { added }
}

package final class StubStep: MKRoute.Step, @unchecked Sendable {
  private let words: String

  package init(_ words: String) {
    self.words = words
    super.init()
  }

  override package var instructions: String { words }
}

package final class StubRoute: MKRoute, @unchecked Sendable {
  private let line: MKPolyline
  private let seconds: TimeInterval

  package init(coordinates: [CLLocationCoordinate2D], time: TimeInterval) {
    line = MKPolyline(coordinates: coordinates, count: coordinates.count)
    seconds = time
    super.init()
  }

  override package var polyline: MKPolyline { line }
  override package var expectedTravelTime: TimeInterval { seconds }
  override package var distance: CLLocationDistance { seconds * 10 }
  override package var steps: [MKRoute.Step] { [StubStep("Turn left")] }
}

package final class FakeDirections: MKDirections, @unchecked Sendable {
  override package func calculate(completionHandler: @escaping MKDirections.DirectionsHandler) {
    completionHandler(FakeWays(), nil)
  }
}

package final class FakeWays: MKDirections.Response, @unchecked Sendable {
  override package var routes: [MKRoute] { [StubRoute(coordinates: [], time: 60)] }
}

package final class FakeCompletion: MKLocalSearchCompletion, @unchecked Sendable {
  private let fakeTitle: String
  private let fakeSubtitle: String

  package init(title: String, subtitle: String = "") {
    fakeTitle = title
    fakeSubtitle = subtitle
    super.init()
  }

  override package var title: String { fakeTitle }
  override package var subtitle: String { fakeSubtitle }
}

package final class FakeFound: MKLocalSearch.Response, @unchecked Sendable {
  package var items: [MKMapItem] = [MKMapItem()]
  override package var mapItems: [MKMapItem] { items }
}

package final class GameItem: MKMapItem, @unchecked Sendable {
  package var gameID: Int?
}

package final class StubPlacemark: CLPlacemark, @unchecked Sendable {
  override package var locality: String? { "Monaco" }
  override package var location: CLLocation? { CLLocation(latitude: 43.73, longitude: 7.42) }
}

package final class NamedPlacemark: MKPlacemark, @unchecked Sendable {
  package var note = "kept"
}

package final class StubLocation: CLLocation, @unchecked Sendable {
  private let label: String

  package init(label: String, latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.label = label
    super.init(latitude: latitude, longitude: longitude)
  }

  required init?(coder: NSCoder) {
    label = ""
    super.init(coder: coder)
  }

  override package var description: String { label }
}

package final class StubFix: CLLocation, @unchecked Sendable {
  override package var speed: CLLocationSpeed { 9 }
}

package final class StubHeading: CLHeading, @unchecked Sendable {
  override package var trueHeading: CLLocationDirection { 90 }
}

package final class StubVisit: CLVisit, @unchecked Sendable {
  override package var arrivalDate: Date { Date(timeIntervalSince1970: 0) }
}

package final class StubFloor: CLFloor, @unchecked Sendable {
  override package var level: Int { 3 }
}

package final class Geofence: CLCircularRegion, @unchecked Sendable {
  override package var identifier: String { "fence" }
  override package var radius: CLLocationDistance { 25 }
}

package final class TrailRenderer: MKPolylineRenderer {
  override package init(polyline: MKPolyline) {
    super.init(polyline: polyline)
    strokeColor = .cyan
  }

  override package init(overlay: MKOverlay) {
    super.init(overlay: overlay)
    strokeColor = .brown
  }
}

package final class ZoneRenderer: MKPolygonRenderer {
  package let zone: Int

  package init(polygon: MKPolygon, zone: Int) {
    self.zone = zone
    super.init(polygon: polygon)
  }
}

/// Hands on what it is told, as the coordinators of SwiftUI's maps do.
package final class Coordinator: NSObject, MKMapViewDelegate, MKLocalSearchCompleterDelegate {
  package weak var next: MKMapViewDelegate?
  package weak var searcher: MKLocalSearchCompleterDelegate?

  package func mapView(_ mapView: MKMapView, viewFor annotation: MKAnnotation) -> MKAnnotationView?
  {
    if let view = next?.mapView?(mapView, viewFor: annotation) { return view }
    return nil
  }

  package func mapView(_ mapView: MKMapView, rendererFor overlay: MKOverlay) -> MKOverlayRenderer {
    next?.mapView?(mapView, rendererFor: overlay) ?? MKOverlayRenderer(overlay: overlay)
  }

  package func mapView(_ mapView: MKMapView, regionWillChangeAnimated animated: Bool) {
    next?.mapView?(mapView, regionWillChangeAnimated: animated)
  }

  package func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
    next?.mapView?(mapView, regionDidChangeAnimated: animated)
  }

  package func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView) {
    next?.mapView?(mapView, didSelect: view)
  }

  package func mapView(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    didChange newState: MKAnnotationView.DragState,
    fromOldState oldState: MKAnnotationView.DragState
  ) {
    next?.mapView?(mapView, annotationView: view, didChange: newState, fromOldState: oldState)
  }

  package func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) {
    next?.mapViewDidChangeVisibleRegion?(mapView)
  }

  package func mapViewDidFinishLoadingMap(_ mapView: MKMapView) {
    next?.mapViewDidFinishLoadingMap?(mapView)
  }

  package func mapViewDidFinishRenderingMap(_ mapView: MKMapView, fullyRendered: Bool) {
    next?.mapViewDidFinishRenderingMap?(mapView, fullyRendered: fullyRendered)
  }

  package func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
    searcher?.completerDidUpdateResults?(completer)
  }

  package func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: Error) {
    searcher?.completer?(completer, didFailWithError: error)
  }
}
