public import CoreLocation
public import Foundation
import LocationModel

/// A place that a person can go to.
// Unchecked: what can be set is the app's to guard, as on Apple's platforms.
open class MKMapItem: NSObject, @unchecked Sendable {
  public struct Identifier: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: String

    public init?(rawValue: String) {
      guard !rawValue.isEmpty else { return nil }
      self.rawValue = rawValue
    }
  }

  public let placemark: MKPlacemark
  public let isCurrentLocation: Bool
  public let identifier: Identifier?
  open var name: String?
  open var phoneNumber: String?
  open var url: URL?
  open var timeZone: TimeZone?
  open var pointOfInterestCategory: MKPointOfInterestCategory?
  /// Nil where none is known.
  public let address: MKAddress?
  public let addressRepresentations: MKAddressRepresentations?

  public init(placemark: MKPlacemark) {
    self.placemark = placemark
    address = placemark.title.flatMap { MKAddress(fullAddress: $0, shortAddress: nil) }
    addressRepresentations = nil
    isCurrentLocation = false
    identifier = nil
    name = placemark.name ?? placemark.title ?? PlaceWords.unknown
    timeZone = placemark.timeZone
  }

  public init(location: CLLocation, address: MKAddress?) {
    placemark = MKPlacemark(location: location)
    self.address = address
    addressRepresentations = nil
    isCurrentLocation = false
    identifier = nil
    name = address?.shortAddress ?? address?.fullAddress ?? PlaceWords.unknown
  }

  /// Where it lies.
  open var location: CLLocation {
    placemark.location
      ?? CLLocation(
        latitude: kCLLocationCoordinate2DInvalid.latitude,
        longitude: kCLLocationCoordinate2DInvalid.longitude)
  }

  init(_ place: Placemark) {
    placemark = MKPlacemark(found: place)
    address = MKAddress(place)
    addressRepresentations = MKAddressRepresentations(place)
    isCurrentLocation = false
    identifier = place.id.flatMap(Identifier.init)
    name = place.name
    timeZone = placemark.timeZone
    pointOfInterestCategory = place.category.flatMap(MKPointOfInterestCategory.init(kind:))
  }

  private init(here: MKPlacemark) {
    placemark = here
    (address, addressRepresentations) = (nil, nil)
    isCurrentLocation = true
    identifier = nil
    name = PlaceWords.here
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
public let MKLaunchOptionsDirectionsModeTransit = "MKLaunchOptionsDirectionsModeTransit"
