// A screen whose map follows the device, and where a tap sets a pin, in the manner of the tutorials for iPhones.
// What is tapped comes from the delegate: gesture recognizers are UIKit's.

import CoreLocation
import Foundation
import MapKit

@MainActor package final class PinScreen: NSObject, MKMapViewDelegate {
  package let mapView: MKMapView
  package private(set) var moves = 0
  package private(set) var currentLocation: CLLocation?
  package private(set) var currentCity: String?
  package private(set) var requests = 0
  let regionInMeters: Double = 1000
  let geocoder = CLGeocoder()
  var lastGeocodeTime: Date?

  package init(mapView: MKMapView) {
    self.mapView = mapView
    super.init()
    mapView.delegate = self
  }

  package func showUser() {
    mapView.showsUserLocation = true
    mapView.userTrackingMode = .follow
  }

  /// Goes there.
  package func present(at coordinate: CLLocationCoordinate2D) {
    let region = MKCoordinateRegion.init(
      center: coordinate, latitudinalMeters: regionInMeters, longitudinalMeters: regionInMeters)
    mapView.setRegion(region, animated: true)
  }

  /// One pin at a time.
  package func updateAnnotation(at coordinate: CLLocationCoordinate2D) {
    self.mapView.removeAnnotations(self.mapView.annotations)

    let annotation = MKPointAnnotation()
    annotation.coordinate = coordinate
    self.mapView.addAnnotation(annotation)
  }

  package func mapView(_ mapView: MKMapView, didTapAt coordinate: CLLocationCoordinate2D) {
    updateAnnotation(at: coordinate)
    present(at: coordinate)
  }

  package func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) {
    moves += 1
  }

  package func mapView(
    _ mapView: MKMapView, rendererFor overlay: MKOverlay
  ) -> MKOverlayRenderer {
    if let polyline = overlay as? MKPolyline {
      let renderer = MKPolylineRenderer(polyline: polyline)
      renderer.strokeColor = .systemBlue
      renderer.lineWidth = 5
      return renderer
    }
    return MKOverlayRenderer(overlay: overlay)
  }

  /// The name of the city, at most once a minute and a kilometre.
  package func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) {
    guard let newLocation = userLocation.location else { return }

    let currentTime = Date()
    let lastLocation = self.currentLocation
    self.currentLocation = newLocation

    if let lastLocation = lastLocation,
      newLocation.distance(from: lastLocation) <= 1000,
      let lastTime = lastGeocodeTime,
      currentTime.timeIntervalSince(lastTime) < 60
    {
      return
    }

    lastGeocodeTime = currentTime
    requests += 1
    geocoder.reverseGeocodeLocation(newLocation) { (placemarks, error) in
      guard error == nil else { return }
      if let firstPlacemark = placemarks?.first {
        self.currentCity = firstPlacemark.locality
      }
    }
  }
}
