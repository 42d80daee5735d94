public import Foundation

public enum CNPostalAddressFormatterStyle: Int, Sendable {
  case mailingAddress = 0
}

/// A postal address in lines, in the order of its country.
open class CNPostalAddressFormatter: Formatter {
  open var style = CNPostalAddressFormatterStyle.mailingAddress

  open class func string(
    from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle
  ) -> String {
    lines(of: postalAddress).joined(separator: "\n")
  }

  open func string(from postalAddress: CNPostalAddress) -> String {
    Self.string(from: postalAddress, style: style)
  }

  open func attributedString(
    from postalAddress: CNPostalAddress,
    withDefaultAttributes attributes: [NSAttributedString.Key: Any] = [:]
  ) -> NSAttributedString {
    NSAttributedString(string: string(from: postalAddress), attributes: attributes)
  }

  open override func string(for obj: Any) -> String? {
    (obj as? CNPostalAddress).map(string(from:))
  }

  /// The postcode stands before the city in these countries, …
  private static let postcodeFirst = Set(
    """
    AD AT BA BE BG CH CY CZ DE DK EE ES FI FO FR GL GR HR IL IS IT LI LT LU MC ME MK MX MY NL NO PL PT \
    RO RS SE SI SK SM TN TR VA
    """.split(separator: " ").map(String.init))
  /// … and these write from the country down to the house.
  private static let largestFirst: Set = ["CN", "JP", "KR", "KP", "TW"]

  private static func lines(of address: CNPostalAddress) -> [String] {
    let country = address.isoCountryCode.uppercased()
    func line(_ parts: String..., by separator: String = " ") -> String {
      parts.filter { !$0.isEmpty }.joined(separator: separator)
    }
    let (city, state, code) = (address.city, address.state, address.postalCode)
    let lines: [String] =
      if largestFirst.contains(country) {
        [address.country, line(code, state, city, address.subLocality), address.street]
      } else if postcodeFirst.contains(country) {
        [address.street, address.subLocality, line(code, city), address.country]
      } else if country == "GB" || country == "IE" {
        [address.street, address.subLocality, city, state, code, address.country]
      } else {
        [address.street, address.subLocality, line(city, state, code), address.country]
      }
    return lines.filter { !$0.isEmpty }
  }
}
