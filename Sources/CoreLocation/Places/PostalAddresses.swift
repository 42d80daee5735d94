public import Contacts
import Foundation

extension CLPlacemark {
  var address: CNPostalAddress? {
    let address = CNMutablePostalAddress()
    address.street = street ?? ""
    address.subLocality = subLocality ?? ""
    address.city = locality ?? ""
    address.subAdministrativeArea = subAdministrativeArea ?? ""
    address.state = administrativeArea ?? ""
    address.postalCode = postalCode ?? ""
    address.country = country ?? ""
    address.isoCountryCode = isoCountryCode ?? ""
    let isKnown = address != CNPostalAddress()
    return isKnown ? address.copy() as? CNPostalAddress : nil
  }

  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    var names = Names()
    names.name = name
    if let postalAddress { names.add(postalAddress) }
    self.init(names, at: location, in: nil, nil)
  }

  /// The number stands before the street where English, French, Korean or Chinese is written.
  var street: String? {
    guard let thoroughfare, let number = subThoroughfare else { return thoroughfare }
    return Self.numberFirst.contains(isoCountryCode ?? "")
      ? "\(number) \(thoroughfare)" : "\(thoroughfare) \(number)"
  }

  private static let numberFirst: Set = [
    "AU", "CA", "FR", "GB", "IE", "IN", "LU", "MC", "MY", "NZ", "PH", "SG", "TH", "US", "ZA",
  ]
}

extension CLPlacemark.Names {
  mutating func add(_ address: CNPostalAddress) {
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    thoroughfare = known(address.street)
    subLocality = known(address.subLocality)
    locality = known(address.city)
    subAdministrativeArea = known(address.subAdministrativeArea)
    administrativeArea = known(address.state)
    postalCode = known(address.postalCode)
    country = known(address.country)
    isoCountryCode = known(address.isoCountryCode)
  }
}
