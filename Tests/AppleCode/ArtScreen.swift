// Works of art on a map, out of a city's rows of JSON, in the manner of the tutorials for iPhones: a pin in the colour
// of its kind, and a callout whose button opens the place in the map program.

import CoreLocation
import Foundation
import MapKit

package enum JSONValue {
  case jsonObject([String: JSONValue])
  case jsonArray([JSONValue])
  case jsonString(String)
  case jsonNumber(NSNumber)
  case jsonNull

  var array: [JSONValue]? {
    if case .jsonArray(let value) = self { return value }
    return nil
  }

  var string: String? {
    if case .jsonString(let value) = self { return value }
    return nil
  }

  subscript(i: Int) -> JSONValue? {
    guard case .jsonArray(let values) = self, values.indices.contains(i) else { return nil }
    return values[i]
  }

  subscript(key: String) -> JSONValue? {
    guard case .jsonObject(let values) = self else { return nil }
    return values[key]
  }

  static func fromObject(_ object: Any) -> JSONValue? {
    switch object {
    case let value as String: return .jsonString(value)
    case let value as NSNumber: return .jsonNumber(value)
    case let value as [String: Any]: return .jsonObject(value.compactMapValues(fromObject))
    case let value as [Any]: return .jsonArray(value.map { fromObject($0) ?? .jsonNull })
    default: return nil
    }
  }
}

package final class Artwork: NSObject, MKAnnotation {
  package let title: String?
  let locationName: String
  package let discipline: String
  package let coordinate: CLLocationCoordinate2D

  init(
    title: String, locationName: String, discipline: String, coordinate: CLLocationCoordinate2D
  ) {
    self.title = title
    self.locationName = locationName
    self.discipline = discipline
    self.coordinate = coordinate
    super.init()
  }

  static func fromJSON(_ json: [JSONValue]) -> Artwork? {
    guard json.count > 4, let title = json[0].string, let place = json[1].string,
      let discipline = json[2].string, let latitude = json[3].string.flatMap(Double.init),
      let longitude = json[4].string.flatMap(Double.init)
    else { return nil }
    return Artwork(
      title: title, locationName: place, discipline: discipline,
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
  }

  package var subtitle: String? { locationName }

  func pinColor() -> UIColor {
    switch discipline {
    case "Sculpture", "Plaque": return MKPinAnnotationView.redPinColor()
    case "Mural", "Monument": return MKPinAnnotationView.purplePinColor()
    default: return MKPinAnnotationView.greenPinColor()
    }
  }

  func mapItem() -> MKMapItem {
    let addressDict: [String: Any] = ["Street": locationName]
    let placemark = MKPlacemark(coordinate: coordinate, addressDictionary: addressDict)
    let mapItem = MKMapItem(placemark: placemark)
    mapItem.name = title
    return mapItem
  }
}

@MainActor package final class ArtScreen: NSObject {
  package let mapView: MKMapView
  package private(set) var artworks = [Artwork]()
  package private(set) var selected: [String] = []
  /// Opens a place, with how to go there.
  let open: (MKMapItem, [String: Any]) -> Void

  package init(mapView: MKMapView, open: @escaping (MKMapItem, [String: Any]) -> Void) {
    self.mapView = mapView
    self.open = open
    super.init()
  }

  package func viewDidLoad(_ data: Data) {
    mapView.delegate = self
    centerMapOnLocation(CLLocation(latitude: 21.282778, longitude: -157.829444))
    loadInitialData(data)
    mapView.addAnnotations(artworks)
  }

  private func centerMapOnLocation(_ location: CLLocation) {
    let regionRadius: CLLocationDistance = 1000
    let coordinateRegion = MKCoordinateRegion(
      center: location.coordinate, latitudinalMeters: regionRadius * 2.0,
      longitudinalMeters: regionRadius * 2.0)
    mapView.setRegion(coordinateRegion, animated: true)
  }

  private func loadInitialData(_ data: Data) {
    guard let object = try? JSONSerialization.jsonObject(with: data, options: []),
      let rows = JSONValue.fromObject(object)?["data"]?.array
    else { return }
    for row in rows {
      if let row = row.array, let artwork = Artwork.fromJSON(row) { artworks.append(artwork) }
    }
  }
}

extension ArtScreen: MKMapViewDelegate {
  package func mapView(
    _ mapView: MKMapView, viewFor annotation: MKAnnotation
  ) -> MKAnnotationView? {
    guard let annotation = annotation as? Artwork else { return nil }
    let identifier = "pin"
    var view: MKPinAnnotationView
    if let dequeuedView = mapView.dequeueReusableAnnotationView(withIdentifier: identifier)
      as? MKPinAnnotationView
    {
      dequeuedView.annotation = annotation
      view = dequeuedView
    } else {
      view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: identifier)
      view.canShowCallout = true
      view.calloutOffset = CGPoint(x: -5, y: 5)
      view.rightCalloutAccessoryView = UIButton(type: .detailDisclosure) as UIView
    }
    view.pinTintColor = annotation.pinColor()
    return view
  }

  package func mapView(_ mapView: MKMapView, didSelect view: MKAnnotationView) {
    selected.append(view.annotation?.title ?? "")
  }

  package func mapView(
    _ mapView: MKMapView, annotationView view: MKAnnotationView,
    calloutAccessoryControlTapped control: UIControl
  ) {
    guard let location = view.annotation as? Artwork else { return }
    let launchOptions = [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving]
    open(location.mapItem(), launchOptions)
  }
}
