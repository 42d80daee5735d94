public import Contacts
public import CoreLocation
public import Foundation
import LocationModel

/// A place with its names, on a map.
// Unchecked, as its superclass.
open class MKPlacemark: CLPlacemark, MKAnnotation, @unchecked Sendable {
  private final var line: String?

  public init(coordinate: CLLocationCoordinate2D) {
    super.init()
    fill(Placemark(Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude)))
  }

  convenience init(location: CLLocation) {
    self.init(coordinate: location.coordinate)
    fill(location)
  }

  public override init(placemark: CLPlacemark) {
    line = (placemark as? MKPlacemark)?.line
    super.init(placemark: placemark)
  }

  /// The keys are the address book's, or those of Contacts.
  public init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { addressDictionary?[$0] as? String }.first
    }
    var place = Placemark(
      Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude))
    place.name = text("Name")
    place.thoroughfare = text("Thoroughfare", "Street", CNPostalAddressStreetKey)
    place.subThoroughfare = text("SubThoroughfare")
    place.locality = text("City", CNPostalAddressCityKey)
    place.subLocality = text("SubLocality", CNPostalAddressSubLocalityKey)
    place.administrativeArea = text("State", CNPostalAddressStateKey)
    place.subAdministrativeArea = text(
      "SubAdministrativeArea", CNPostalAddressSubAdministrativeAreaKey)
    place.postalCode = text("ZIP", CNPostalAddressPostalCodeKey)
    place.country = text("Country", CNPostalAddressCountryKey)
    place.isoCountryCode = text("CountryCode", CNPostalAddressISOCountryCodeKey)
    line = CLPlacemark(place).postalAddress.map(Self.oneLine)
    super.init()
    fill(place)
  }

  public init(coordinate: CLLocationCoordinate2D, postalAddress: CNPostalAddress) {
    var place = Placemark(
      Coordinate(latitude: coordinate.latitude, longitude: coordinate.longitude))
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    place.thoroughfare = known(postalAddress.street)
    place.locality = known(postalAddress.city)
    place.subLocality = known(postalAddress.subLocality)
    place.administrativeArea = known(postalAddress.state)
    place.subAdministrativeArea = known(postalAddress.subAdministrativeArea)
    place.postalCode = known(postalAddress.postalCode)
    place.country = known(postalAddress.country)
    place.isoCountryCode = known(postalAddress.isoCountryCode)
    line = Self.oneLine(postalAddress)
    super.init()
    fill(place)
  }

  private static func oneLine(_ address: CNPostalAddress) -> String {
    CNPostalAddressFormatter.string(from: address, style: .mailingAddress)
      .replacing("\n", with: ", ")
  }

  convenience init(found place: Placemark) {
    self.init(coordinate: CLLocationCoordinate2D())
    line = place.formattedAddress
    fill(place)
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
