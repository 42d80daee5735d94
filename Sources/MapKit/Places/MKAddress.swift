public import CoreLocation
public import Foundation
import LocationModel

/// An address as one writes it.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class MKAddress: NSObject, @unchecked Sendable {
  open internal(set) var fullAddress: String
  open internal(set) var shortAddress: String?

  /// Nil where the full one has no text.
  public init?(fullAddress: String, shortAddress: String?) {
    guard fullAddress.contains(where: { !$0.isWhitespace }) else { return nil }
    self.fullAddress = fullAddress
    self.shortAddress = shortAddress
  }

  open override var description: String { fullAddress }
}

/// An address in the words that an app shows: a city with its surroundings, a region.
// Unchecked, as open classes are: nothing of it changes once it is made.
open class MKAddressRepresentations: NSObject, @unchecked Sendable {
  public enum ContextStyle: Int, Sendable {
    /// With the country for people elsewhere.
    case automatic = 0
    case short = 1
    case full = 2
  }

  private let place: Placemark

  init(_ place: Placemark) {
    self.place = place
  }

  open var cityName: String? { place.locality }
  /// The country.
  open var regionName: String? { place.country }
  open var region: Locale.Region? { place.isoCountryCode.map { Locale.Region($0) } }
  open var cityWithContext: String? { cityWithContext(.automatic) }

  open func cityWithContext(_ context: ContextStyle = .automatic) -> String? {
    guard let city = place.locality else { return nil }
    let isAbroad = place.isoCountryCode != Locale.current.region?.identifier
    let parts: [String?] =
      switch context {
      case .short: [city, place.administrativeArea ?? place.country]
      case .full: [city, place.administrativeArea, place.country]
      case .automatic: [city, isAbroad ? place.country : place.administrativeArea]
      }
    var words: [String] = []
    for case let part? in parts where words.last != part { words.append(part) }
    return words.joined(separator: ", ")
  }

  open func fullAddress(includingRegion: Bool, singleLine: Bool) -> String? {
    guard var parts = place.formattedAddress?.components(separatedBy: ", ") else { return nil }
    if !includingRegion, let country = place.country {
      if parts.count > 1, parts.last == country { parts.removeLast() }
      if parts.count > 1, parts.first == country { parts.removeFirst() }
    }
    return parts.joined(separator: singleLine ? ", " : "\n")
  }
}

extension MKAddress {
  /// Nil where no address is known.
  convenience init?(_ place: Placemark) {
    let number = place.subThoroughfare
    let street = place.thoroughfare.map { street in
      number.map { number in
        place.formattedAddress?.contains("\(number) \(street)") == true
          ? "\(number) \(street)" : "\(street) \(number)"
      } ?? street
    }
    let parts = [street ?? place.name, place.locality].compactMap { $0 }
    var words: [String] = []
    for part in parts where words.last != part { words.append(part) }
    self.init(
      fullAddress: place.formattedAddress ?? "",
      shortAddress: words.isEmpty ? nil : words.joined(separator: ", "))
  }
}
