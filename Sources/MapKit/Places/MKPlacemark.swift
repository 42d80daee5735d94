public import CoreLocation
public import Foundation
import LocationModel

/// A place with its names, on a map.
// Unchecked, as its superclass.
open class MKPlacemark: CLPlacemark, MKAnnotation, @unchecked Sendable {
  private let line: String?

  public init(coordinate: CLLocationCoordinate2D) {
    line = nil
    super.init(
      Placemark(Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude)))
  }

  public override init(placemark: CLPlacemark) {
    line = (placemark as? MKPlacemark)?.line
    super.init(placemark: placemark)
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?
  ) {
    func text(_ key: String) -> String? { addressDictionary?[key] as? String }
    var place = Placemark(
      Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude))
    place.name = text("Name")
    place.thoroughfare = text("Thoroughfare") ?? text("Street")
    place.subThoroughfare = text("SubThoroughfare")
    place.locality = text("City")
    place.subLocality = text("SubLocality")
    place.administrativeArea = text("State")
    place.subAdministrativeArea = text("SubAdministrativeArea")
    place.postalCode = text("ZIP")
    place.country = text("Country")
    place.isoCountryCode = text("CountryCode")
    self.init(found: place)
  }

  init(found place: Placemark) {
    line = place.formattedAddress
    super.init(place)
  }

  public required init?(coder: NSCoder) {
    line = coder.decodeObject(of: NSString.self, forKey: "line").map { String(describing: $0) }
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(line.map { $0 as NSString }, forKey: "line")
  }

  open var coordinate: CLLocationCoordinate2D {
    location?.coordinate ?? kCLLocationCoordinate2DInvalid
  }

  open var countryCode: String? { isoCountryCode }
  /// The address on one line.
  open var title: String? { line ?? name }
  open var subtitle: String? { nil }
}
