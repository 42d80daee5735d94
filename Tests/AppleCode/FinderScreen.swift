// The same idea in Swift 6, on the main actor: search by name, look what is near.

import CoreLocation
import Foundation
import MapKit

@MainActor package final class FinderScreen {
  package private(set) var items: [MKMapItem] = []

  package init() {}

  package func find(_ text: String, near center: CLLocationCoordinate2D) async throws {
    let request = MKLocalSearch.Request()
    request.naturalLanguageQuery = text
    request.region = MKCoordinateRegion(
      center: center, span: MKCoordinateSpan(latitudeDelta: 0.1, longitudeDelta: 0.1))
    request.resultTypes = [.pointOfInterest, .address]
    request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe, .restaurant])
    items = try await MKLocalSearch(request: request).start().mapItems
  }

  package func destination(_ coordinate: CLLocationCoordinate2D) -> MKMapItem {
    let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate))
    item.name = "Destination"
    return item
  }
}
