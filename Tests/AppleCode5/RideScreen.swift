// A screen of an app that records rides, in the manner of the tutorials for iPhones, in Swift 5: it imports MapKit
// alone, its classes are plain, and it subclasses what apps subclass.

import MapKit

/// A pin that many apps have word for word.
package class StopAnnotation: NSObject, MKAnnotation {
  package let title: String?
  package let subtitle: String?
  package let coordinate: CLLocationCoordinate2D

  package init(title: String, subtitle: String?, coordinate: CLLocationCoordinate2D) {
    self.title = title
    self.subtitle = subtitle
    self.coordinate = coordinate
    super.init()
  }
}

package class StopView: MKAnnotationView {
  package var isPrepared = false

  override package init(annotation: MKAnnotation?, reuseIdentifier: String?) {
    super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
    frame = CGRect(x: 0, y: 0, width: 40, height: 50)
    centerOffset = CGPoint(x: 0, y: -frame.size.height / 2)
    canShowCallout = true
    let label = UIView(frame: bounds)
    label.isUserInteractionEnabled = false
    addSubview(label)
  }

  required init?(coder aDecoder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override package func prepareForReuse() {
    super.prepareForReuse()
    isPrepared = true
  }
}

package final class ClusteredView: MKMarkerAnnotationView {
  package static let reuse = "clustered"

  override package var annotation: MKAnnotation? {
    willSet {
      clusteringIdentifier = "stop"
      markerTintColor = .systemPurple
      glyphText = "S"
    }
  }

  override package init(annotation: MKAnnotation?, reuseIdentifier: String?) {
    super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
  }

  required init?(coder: NSCoder) {
    super.init(coder: coder)
  }
}

/// Without any init: it has those of its superclass.
package final class PlainView: MKAnnotationView {
  package var count = 3
}

/// A part of a ride, coloured by its speed.
package class MulticolorPolyline: MKPolyline {
  package var color = UIColor.black

  package convenience init(_ locations: [CLLocation]) {
    let coordinates = locations.map { $0.coordinate }
    self.init(coordinates: coordinates, count: coordinates.count)
  }
}

package final class NamedPolyline: MKPolyline {
  package let name: String

  package init(name: String, coordinates: [CLLocationCoordinate2D]) {
    self.name = name
    super.init(coordinates: coordinates, count: coordinates.count)
  }
}

package final class Fence: MKCircle {
  package let owner: String

  package init(owner: String, center: CLLocationCoordinate2D, radius: CLLocationDistance) {
    self.owner = owner
    super.init(center: center, radius: radius)
  }
}

package final class Lot: MKPolygon {
  package let number: Int

  package init(number: Int, corners: [CLLocationCoordinate2D]) {
    self.number = number
    super.init(coordinates: corners, count: corners.count)
  }
}

package final class HeardBeacon: CLBeacon, @unchecked Sendable {
  private let heard: CLProximity

  package init(_ proximity: CLProximity) {
    heard = proximity
    super.init()
  }

  required init?(coder: NSCoder) { fatalError() }

  override package var proximity: CLProximity { heard }
}

/// A plain class, as most code in Swift 5 has it.
package class RideScreen: NSObject {
  package let mapView = MKMapView()
  package let locationManager = CLLocationManager()
  package var locationList: [CLLocation] = []
  package var distance = Measurement(value: 0, unit: UnitLength.meters)
  package let renderer = MKPolylineRenderer(polyline: MKPolyline())

  package func viewDidLoad() {
    mapView.delegate = self
    mapView.register(
      StopView.self, forAnnotationViewWithReuseIdentifier: NSStringFromClass(StopView.self))
    mapView.register(
      ClusteredView.self, forAnnotationViewWithReuseIdentifier: ClusteredView.reuse)
    mapView.register(PlainView.self, forAnnotationViewWithReuseIdentifier: "plain")
    mapView.addAnnotation(
      StopAnnotation(
        title: "Stop", subtitle: nil,
        coordinate: CLLocationCoordinate2D(latitude: 43.73, longitude: 7.42)))
    mapView.isUserInteractionEnabled = true
    mapView.tintColor = .systemTeal
    mapView.frame = CGRect(x: 0, y: 0, width: 300, height: 200)
  }

  package func ride(along locations: [CLLocation]) {
    locationList += locations
    mapView.addOverlay(MulticolorPolyline(locations))
    if let first = locations.first {
      mapView.setRegion(
        MKCoordinateRegion(
          center: first.coordinate, latitudinalMeters: 500, longitudinalMeters: 500),
        animated: true)
    }
  }
}

extension RideScreen: MKMapViewDelegate {
  package func mapView(_ mapView: MKMapView, viewFor annotation: MKAnnotation) -> MKAnnotationView?
  {
    guard !annotation.isKind(of: MKUserLocation.self) else { return nil }
    return mapView.dequeueReusableAnnotationView(
      withIdentifier: NSStringFromClass(StopView.self), for: annotation)
  }

  package func mapView(_ mapView: MKMapView, rendererFor overlay: MKOverlay) -> MKOverlayRenderer {
    guard let polyline = overlay as? MulticolorPolyline else {
      return MKOverlayRenderer(overlay: overlay)
    }
    let renderer = MKPolylineRenderer(polyline: polyline)
    renderer.strokeColor = polyline.color
    renderer.lineWidth = 3
    return renderer
  }
}

/// Notes at each change if the rider is at the stop.
package func arrivals(at stop: CLLocationCoordinate2D, _ note: (Bool) -> Void) async throws {
  let monitor = await CLMonitor("rides")
  await monitor.add(
    CLMonitor.CircularGeographicCondition(center: stop, radius: 100), identifier: "stop")
  for try await event in monitor.events {
    guard let record = await monitor.record(for: event.identifier) else { continue }
    note(record.lastEvent.state == .satisfied)
  }
}
