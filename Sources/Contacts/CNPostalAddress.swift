@_exported public import Foundation

/// A postal address in its parts. What is unknown is empty.
// Unchecked, as open classes are: only the mutable twin changes, and its owner guards it.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, NSSecureCoding,
  @unchecked Sendable
{
  fileprivate final var parts: [String: String] = [:]

  fileprivate static let keys = [
    CNPostalAddressStreetKey, CNPostalAddressSubLocalityKey, CNPostalAddressCityKey,
    CNPostalAddressSubAdministrativeAreaKey, CNPostalAddressStateKey,
    CNPostalAddressPostalCodeKey, CNPostalAddressCountryKey, CNPostalAddressISOCountryCodeKey,
  ]

  public override init() {}

  fileprivate final func part(_ key: String) -> String { parts[key] ?? "" }

  /// With the house number, as the country writes it; lines are parted by line ends.
  open var street: String { part(CNPostalAddressStreetKey) }
  open var subLocality: String { part(CNPostalAddressSubLocalityKey) }
  open var city: String { part(CNPostalAddressCityKey) }
  open var subAdministrativeArea: String { part(CNPostalAddressSubAdministrativeAreaKey) }
  open var state: String { part(CNPostalAddressStateKey) }
  open var postalCode: String { part(CNPostalAddressPostalCodeKey) }
  open var country: String { part(CNPostalAddressCountryKey) }
  open var isoCountryCode: String { part(CNPostalAddressISOCountryCodeKey) }

  /// The name of a part, for a form.
  open class func localizedString(forKey key: String) -> String {
    let names = [
      CNPostalAddressStreetKey: "Street", CNPostalAddressSubLocalityKey: "Neighborhood",
      CNPostalAddressCityKey: "City", CNPostalAddressSubAdministrativeAreaKey: "County",
      CNPostalAddressStateKey: "State", CNPostalAddressPostalCodeKey: "ZIP",
      CNPostalAddressCountryKey: "Country", CNPostalAddressISOCountryCodeKey: "Country Code",
    ]
    return names[key] ?? key
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CNPostalAddress else { return false }
    return Self.keys.allSatisfy { part($0) == other.part($0) }
  }

  open override var hash: Int { Self.keys.map(part).hashValue }

  open override var description: String {
    let words = Self.keys.map { "\($0)=\(part($0))" }
    return "<\(type(of: self)): \(words.joined(separator: ", "))>"
  }

  private func filled<Address: CNPostalAddress>(_ address: Address) -> Address {
    address.parts = parts
    return address
  }

  open func copy(with zone: NSZone? = nil) -> Any { filled(CNPostalAddress()) }
  open func mutableCopy(with zone: NSZone? = nil) -> Any { filled(CNMutablePostalAddress()) }
  open class var supportsSecureCoding: Bool { true }

  open func encode(with coder: NSCoder) {
    for (key, text) in parts { coder.encode(text as NSString, forKey: key) }
  }

  public required init?(coder: NSCoder) {
    for key in Self.keys where coder.containsValue(forKey: key) {
      parts[key] = coder.decodeObject(of: NSString.self, forKey: key)
        .map { String(describing: $0) }
    }
  }
}

/// A postal address that is being written.
// Unchecked, as its superclass.
open class CNMutablePostalAddress: CNPostalAddress, @unchecked Sendable {
  open override var street: String {
    get { super.street }
    set { parts[CNPostalAddressStreetKey] = newValue }
  }

  open override var subLocality: String {
    get { super.subLocality }
    set { parts[CNPostalAddressSubLocalityKey] = newValue }
  }

  open override var city: String {
    get { super.city }
    set { parts[CNPostalAddressCityKey] = newValue }
  }

  open override var subAdministrativeArea: String {
    get { super.subAdministrativeArea }
    set { parts[CNPostalAddressSubAdministrativeAreaKey] = newValue }
  }

  open override var state: String {
    get { super.state }
    set { parts[CNPostalAddressStateKey] = newValue }
  }

  open override var postalCode: String {
    get { super.postalCode }
    set { parts[CNPostalAddressPostalCodeKey] = newValue }
  }

  open override var country: String {
    get { super.country }
    set { parts[CNPostalAddressCountryKey] = newValue }
  }

  open override var isoCountryCode: String {
    get { super.isoCountryCode }
    set { parts[CNPostalAddressISOCountryCodeKey] = newValue }
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressStreetKey = "street"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressSubLocalityKey = "subLocality"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressCityKey = "city"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressStateKey = "state"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressPostalCodeKey = "postalCode"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressCountryKey = "country"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"
