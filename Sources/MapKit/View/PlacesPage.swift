import CoreLocation
import Foundation

/// A page with places that an app opens where the person has no map program. It lasts as long as the app.
@MainActor enum PlacesPage {
  private static var map: MKMapView?

  /// Nothing happens where there is no locationd-map.
  static func open(_ items: [MKMapItem]) async {
    let map = makeMap(items)
    self.map = map
    await map.openInBrowser()
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
