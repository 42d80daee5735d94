public import Contacts
public import Foundation
package import LocationModel

/// A place with its names.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private final var place: CLLocation?
  private final var area: CLRegion?
  private final var zone: TimeZone?
  private final var names = Names()
  /// More was asked for than is known.
  private(set) final var isPartial = false

  /// Nil is unknown.
  struct Names: Codable, Sendable {
    var name: String?
    var thoroughfare: String?
    var subThoroughfare: String?
    var locality: String?
    var subLocality: String?
    var administrativeArea: String?
    var subAdministrativeArea: String?
    var postalCode: String?
    var isoCountryCode: String?
    var country: String?
    var inlandWater: String?
    var ocean: String?
    var areasOfInterest: [String]?
  }

  /// For subclasses that say a place themselves.
  public override init() {}

  convenience init(_ names: Names, at place: CLLocation?, in area: CLRegion?, _ zone: TimeZone?) {
    self.init()
    self.names = names
    self.place = place
    self.area = area
    self.zone = zone
  }

  package convenience init(_ placemark: Placemark) {
    self.init()
    fill(placemark)
  }

  /// Called once, by who makes the object.
  package final func fill(_ placemark: Placemark) {
    names = Names(placemark)
    isPartial = placemark.isPartial
    let center = CLLocationCoordinate2D(placemark.coordinate)
    place = CLLocation(
      coordinate: center, altitude: 0, horizontalAccuracy: placemark.radius ?? 0,
      verticalAccuracy: -1, timestamp: Date())
    area = placemark.radius.map {
      CLCircularRegion(
        center: center, radius: $0,
        identifier: "<\(center.latitude),\(center.longitude)> radius \($0)")
    }
    zone = placemark.timeZone.flatMap { TimeZone(identifier: $0) }
  }

  package final func fill(_ location: CLLocation) { place = location }

  public init(placemark: CLPlacemark) {
    names = placemark.names
    isPartial = placemark.isPartial
    place = placemark.location
    area = placemark.region
    zone = placemark.timeZone
  }

  open var location: CLLocation? { place }
  open var region: CLRegion? { area }
  open var timeZone: TimeZone? { zone }
  open var name: String? { names.name }
  /// The street.
  open var thoroughfare: String? { names.thoroughfare }
  /// The house number.
  open var subThoroughfare: String? { names.subThoroughfare }
  /// The city.
  open var locality: String? { names.locality }
  open var subLocality: String? { names.subLocality }
  /// The state or province.
  open var administrativeArea: String? { names.administrativeArea }
  /// The county.
  open var subAdministrativeArea: String? { names.subAdministrativeArea }
  open var postalCode: String? { names.postalCode }
  open var isoCountryCode: String? { names.isoCountryCode }
  open var country: String? { names.country }
  open var inlandWater: String? { names.inlandWater }
  open var ocean: String? { names.ocean }
  open var areasOfInterest: [String]? { names.areasOfInterest }
  /// Nil where no part of it is known.
  open var postalAddress: CNPostalAddress? { address }

  @available(*, deprecated, message: "Use the properties.")
  open var addressDictionary: [AnyHashable: Any]? {
    var dictionary: [AnyHashable: Any] = [:]
    dictionary["Name"] = name
    dictionary["Street"] = street
    dictionary["Thoroughfare"] = thoroughfare
    dictionary["SubThoroughfare"] = subThoroughfare
    dictionary["City"] = locality
    dictionary["SubLocality"] = subLocality
    dictionary["State"] = administrativeArea
    dictionary["SubAdministrativeArea"] = subAdministrativeArea
    dictionary["ZIP"] = postalCode
    dictionary["Country"] = country
    dictionary["CountryCode"] = isoCountryCode
    dictionary["FormattedAddressLines"] = address.map {
      CNPostalAddressFormatter.string(from: $0, style: .mailingAddress)
        .components(separatedBy: "\n")
    }
    return dictionary
  }

  open override var description: String {
    let street = [subThoroughfare, thoroughfare].compactMap { $0 }.joined(separator: " ")
    let state = [administrativeArea, postalCode].compactMap { $0 }.joined(separator: "  ")
    let parts = [name, street, locality, state, country].compactMap { $0 }.filter { !$0.isEmpty }
    let place = location.map { location in
      let at = location.coordinate
      return String(
        format: " @ <%+.8f,%+.8f> +/- %.2fm", at.latitude, at.longitude,
        location.horizontalAccuracy)
    }
    let area = region.map { ", region \($0)" }
    return parts.joined(separator: ", ") + (place ?? "") + (area ?? "")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode((try? JSONEncoder().encode(names)).map { NSData(data: $0) }, forKey: "names")
    coder.encode(location, forKey: "location")
    coder.encode(region, forKey: "region")
    coder.encode((timeZone?.identifier).map { $0 as NSString }, forKey: "timeZone")
  }

  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "names"),
      let names = try? JSONDecoder().decode(Names.self, from: Data(referencing: data))
    else { return nil }
    self.names = names
    place = coder.decodeObject(of: CLLocation.self, forKey: "location")
    area =
      coder.decodeObject(of: [CLCircularRegion.self, CLRegion.self], forKey: "region") as? CLRegion
    zone = coder.decodeObject(of: NSString.self, forKey: "timeZone")
      .flatMap { TimeZone(identifier: String(describing: $0)) }
  }
}

extension CLPlacemark.Names {
  init(_ placemark: Placemark) {
    self.init(
      name: placemark.name, thoroughfare: placemark.thoroughfare,
      subThoroughfare: placemark.subThoroughfare, locality: placemark.locality,
      subLocality: placemark.subLocality, administrativeArea: placemark.administrativeArea,
      subAdministrativeArea: placemark.subAdministrativeArea, postalCode: placemark.postalCode,
      isoCountryCode: placemark.isoCountryCode, country: placemark.country,
      inlandWater: placemark.inlandWater, ocean: placemark.ocean,
      areasOfInterest: placemark.areasOfInterest.isEmpty ? nil : placemark.areasOfInterest)
  }
}
