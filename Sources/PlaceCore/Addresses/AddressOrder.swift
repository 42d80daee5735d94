/// The order of an address in a country: groups that commas divide, of fields that spaces divide. N is the
/// house number, S the street, D a part of the city, L the city, R the region, P the postcode; `-R` has a dash
/// before it.
struct AddressOrder {
  let groups: [[Substring]]

  private init(_ text: String) {
    groups = text.split(separator: ",").map { $0.split(separator: " ") }
  }

  func has(_ field: Character) -> Bool { groups.contains { $0.contains { $0.last == field } } }

  static func of(_ country: String?) -> AddressOrder {
    country.flatMap { orders[$0] } ?? AddressOrder("N S, D, L, R P")
  }

  /// As the postal services of the countries have it.
  private static let orders: [String: AddressOrder] = {
    let lists = [
      ("N S, L, R P", "US PR GU VI AS MP UM CA"),
      ("N S, L R P", "AU"),
      ("N S, D, L P", "GB GG JE IM NZ SG BM EG SA AE JO"),
      ("N S, D, L, R, P", "IE ZA NG KE GH"),
      ("N S, P L", "FR MC RE GP MQ GF YT PM BL MF WF PF NC LU TN MA DZ SN"),
      (
        "S N, P L",
        "DE AT CH LI NL BE DK NO SE FI IS EE LV LT CZ SK SI HR BA RS ME MK AL BG GR CY PL PT RO MD XK AX "
          + "FO GL SJ SM VA"
      ),
      ("S N, P L, R", "IT AR CL UY"),
      ("S N, D, P L, R", "MX VE"),
      ("S N, L, R, P", "CO PE EC BO PY GE AM AZ"),
      ("S, N, P L, R", "ES AD"),
      ("S N, P D, L", "TR"),
      ("L, S N, P", "HU"),
      ("S, N -D, L -R, P", "BR"),
      ("S, N, L, R, P", "RU UA BY KZ KG UZ TJ TM"),
      ("S N, L P", "IL"),
      ("N S, P L, R", "MY"),
      ("N S, D, P L, R", "PH"),
      ("S N, D, L, R P", "ID"),
      ("N S, D, L", "HK MO"),
    ]
    return lists.reduce(into: [:]) { orders, list in
      let order = AddressOrder(list.0)
      for code in list.1.split(separator: " ") { orders[String(code)] = order }
    }
  }()
}
