import CoreLocation
import Dispatch
import Foundation

/// A page with places that an app opens where the person has no map program. It lasts as long as the app.
@MainActor enum PlacesPage {
  private static var map: MKMapView?

  /// False where there is no screen, or no locationd-map.
  nonisolated static func open(_ items: [MKMapItem]) -> Bool {
    guard Desktop.hasScreen, MapPage.program != nil else { return false }
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        map = makeMap(items)
        map?.openInBrowser()
      }
    }
    return true
  }

  static func makeMap(_ items: [MKMapItem]) -> MKMapView {
    let map = MKMapView()
    let pins = items.filter { CLLocationCoordinate2DIsValid($0.placemark.coordinate) }.map { item in
      let (name, address) = (item.name ?? item.placemark.name, item.placemark.title)
      return MKPointAnnotation(
        coordinate: item.placemark.coordinate, title: name ?? address,
        subtitle: name == nil || name == address ? nil : address)
    }
    map.showAnnotations(pins, animated: false)
    if pins.count == 1 { map.selectAnnotation(pins[0], animated: false) }
    return map
  }
}
