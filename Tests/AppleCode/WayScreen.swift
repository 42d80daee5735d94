// The way from here to a place that somebody chose, in the manner of the tutorials for iPhones: a button
// asks for it, and its line is put on the map.

import CoreLocation
import Foundation
import MapKit

@MainActor package final class WayScreen {
  package let mapView = MKMapView()
  package var selectedCoordinate: CLLocationCoordinate2D?
  package private(set) var alert: String?
  package private(set) var steps: [String] = []

  package init() {}

  package func findPathButtonTapped(from currentCoordinate: CLLocationCoordinate2D?) {
    guard let current = currentCoordinate else {
      alert = "The current place is not known."
      return
    }
    mapView.removeOverlays(mapView.overlays)

    let startingLocation = MKPlacemark(coordinate: current)
    let destination = MKPlacemark(coordinate: selectedCoordinate!)
    let request = MKDirections.Request()
    request.source = MKMapItem(placemark: startingLocation)
    request.destination = MKMapItem(placemark: destination)
    request.transportType = .automobile
    request.requestsAlternateRoutes = false

    let directions = MKDirections(request: request)
    directions.calculate { [unowned self] (response, error) in
      if let error = error {
        self.alert = error.localizedDescription
      } else {
        guard let response = response else {
          return
        }
        if let route = response.routes.first {
          self.mapView.addOverlay(route.polyline)
          self.mapView.setVisibleMapRect(
            route.polyline.boundingMapRect,
            edgePadding: UIEdgeInsets(top: 50, left: 50, bottom: 50, right: 50),
            animated: true)
          self.steps = route.steps.map { $0.instructions }
        }
      }
    }
  }

  /// How long it takes from where the device is.
  package func minutes(to item: MKMapItem) async throws -> Double {
    let request = MKDirections.Request()
    request.source = MKMapItem.forCurrentLocation()
    request.destination = item
    request.transportType = .walking
    return try await MKDirections(request: request).calculateETA().expectedTravelTime / 60
  }
}
