public import CoreLocation
public import Foundation
import LocationModel

/// A place that a person can go to.
// Unchecked: what can be set is the app's to guard, as on Apple's platforms.
open class MKMapItem: NSObject, NSSecureCoding, @unchecked Sendable {
  public struct Identifier: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    public init?(rawValue: String) {
      guard !rawValue.isEmpty else { return nil }
      self.rawValue = rawValue
    }

    public init?(identifierString: String) { self.init(rawValue: identifierString) }
  }

  open internal(set) var placemark: MKPlacemark
  open internal(set) var isCurrentLocation = false
  open internal(set) var identifier: Identifier?
  open var name: String?
  open var phoneNumber: String?
  open var url: URL?
  open var timeZone: TimeZone?
  open var pointOfInterestCategory: MKPointOfInterestCategory?
  /// None: the service says one of a place.
  open var alternateIdentifiers: Set<Identifier> { [] }
  /// Nil where none is known.
  open internal(set) var address: MKAddress?
  open internal(set) var addressRepresentations: MKAddressRepresentations?

  /// A place that lies nowhere.
  public override init() {
    placemark = MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid)
    name = PlaceWords.unknown
  }

  public init(placemark: MKPlacemark) {
    self.placemark = placemark
    address = placemark.title.flatMap { MKAddress(fullAddress: $0, shortAddress: nil) }
    name = placemark.name ?? placemark.title ?? PlaceWords.unknown
    timeZone = placemark.timeZone
  }

  public init(location: CLLocation, address: MKAddress?) {
    placemark = MKPlacemark(location: location)
    self.address = address
    name = address?.shortAddress ?? address?.fullAddress ?? PlaceWords.unknown
  }

  /// Where it lies.
  open var location: CLLocation {
    placemark.location
      ?? CLLocation(
        latitude: kCLLocationCoordinate2DInvalid.latitude,
        longitude: kCLLocationCoordinate2DInvalid.longitude)
  }

  convenience init(_ place: Placemark) {
    self.init(placemark: MKPlacemark(found: place))
    address = MKAddress(place)
    addressRepresentations = MKAddressRepresentations(place)
    identifier = place.id.flatMap { Identifier(rawValue: $0) }
    name = place.name
    pointOfInterestCategory = place.category.flatMap(MKPointOfInterestCategory.init(kind:))
  }

  private convenience init(here: MKPlacemark) {
    self.init(placemark: here)
    isCurrentLocation = true
    name = PlaceWords.here
  }

  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    coder.encode(placemark, forKey: "placemark")
    coder.encode(isCurrentLocation, forKey: "isCurrentLocation")
    let words = [
      "name": name, "phoneNumber": phoneNumber, "url": url?.absoluteString,
      "timeZone": timeZone?.identifier, "category": pointOfInterestCategory?.rawValue,
      "identifier": identifier?.rawValue, "fullAddress": address?.fullAddress,
      "shortAddress": address?.shortAddress,
    ]
    for case (let key, let word?) in words { coder.encode(word as NSString, forKey: key) }
  }

  public required init?(coder: NSCoder) {
    guard let placemark = coder.decodeObject(of: MKPlacemark.self, forKey: "placemark") else {
      return nil
    }
    func word(_ key: String) -> String? {
      guard coder.containsValue(forKey: key) else { return nil }
      return coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
    }
    self.placemark = placemark
    isCurrentLocation = coder.decodeBool(forKey: "isCurrentLocation")
    (name, phoneNumber) = (word("name"), word("phoneNumber"))
    url = word("url").flatMap { URL(string: $0) }
    timeZone = word("timeZone").flatMap { TimeZone(identifier: $0) }
    pointOfInterestCategory = word("category").map { MKPointOfInterestCategory(rawValue: $0) }
    identifier = word("identifier").flatMap { Identifier(rawValue: $0) }
    address = word("fullAddress").flatMap {
      MKAddress(fullAddress: $0, shortAddress: word("shortAddress"))
    }
  }

  /// The place where the device is: directions ask for it, and its placemark lies nowhere.
  open class func forCurrentLocation() -> MKMapItem {
    MKMapItem(here: MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid))
  }

  /// Shows the place in the map program that the person has, else on a page in the browser; false without a screen,
  /// or without a program that opens either. Returns at once: which of the two it will be is asked meanwhile.
  @discardableResult
  open func openInMaps(launchOptions: [String: Any]? = nil) -> Bool {
    Self.openMaps(with: [self], launchOptions: launchOptions)
  }

  // There are no scenes: with one, or without, the item opens as above.
  @discardableResult
  public func openInMaps(
    launchOptions: [String: Any]? = nil, from scene: UIScene?
  ) async -> Bool {
    openInMaps(launchOptions: launchOptions)
  }

  @discardableResult
  public class func openMaps(
    with items: [MKMapItem], launchOptions: [String: Any]? = nil, from scene: UIScene?
  ) async -> Bool {
    openMaps(with: items, launchOptions: launchOptions)
  }

  @discardableResult
  open class func openMaps(with items: [MKMapItem], launchOptions: [String: Any]? = nil) -> Bool {
    let addresses = items.compactMap(\.geoAddress)
    guard let first = addresses.first, Desktop.hasScreen, Desktop.canOpen else { return false }
    Task {
      // A geo: address is one place.
      if addresses.count == 1, await Desktop.hasMaps(), Desktop.open(first) { return }
      await PlacesPage.open(items)
    }
    return true
  }

  /// As RFC 5870 has it.
  var geoAddress: String? {
    let place = placemark.coordinate
    guard CLLocationCoordinate2DIsValid(place) else { return nil }
    /// Six places are a tenth of a metre; no exponent is allowed.
    func decimal(_ value: Double) -> String { String(format: "%.6f", value) }
    return "geo:\(decimal(place.latitude)),\(decimal(place.longitude))"
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeKey = "MKLaunchOptionsDirectionsMode"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsMapTypeKey = "MKLaunchOptionsMapType"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsShowsTrafficKey = "MKLaunchOptionsShowsTraffic"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsMapCenterKey = "MKLaunchOptionsMapCenter"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsMapSpanKey = "MKLaunchOptionsMapSpan"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeDefault = "MKLaunchOptionsDirectionsModeDefault"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeDriving = "MKLaunchOptionsDirectionsModeDriving"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeWalking = "MKLaunchOptionsDirectionsModeWalking"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsCameraKey = "MKLaunchOptionsCamera"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeCycling = "MKLaunchOptionsDirectionsModeCycling"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MKLaunchOptionsDirectionsModeTransit = "MKLaunchOptionsDirectionsModeTransit"
