package import LocationModel

/// One line: from the large to the small where it is written so, else from the small to the large.
package func addressLine(_ mark: Placemark) -> String? {
  let country = mark.isoCountryCode ?? ""
  let isEastern = (mark.country ?? "").unicodeScalars.contains { $0.value > 0x2E80 }
  let isLargeFirst = eastern.contains(country) && isEastern
  let city = [mark.postalCode, mark.locality].compactMap(\.self)
  let isPostcodeLast = postcodeLast.contains(country)
  let town = (isPostcodeLast ? city.reversed() : city).joined(separator: " ")
  let street = street(mark, country, isLargeFirst)
  let name =
    mark.name == street || street != nil && mark.name == mark.thoroughfare ? nil : mark.name
  let all = [
    mark.country, mark.administrativeArea, town.isEmpty ? nil : town,
    isLargeFirst ? mark.subLocality : nil, street, name,
  ]
  var parts = all.compactMap(\.self).reduce(into: [String]()) {
    if !$0.contains($1) { $0.append($1) }
  }
  if !isLargeFirst { parts.reverse() }
  return parts.isEmpty ? nil : parts.joined(separator: isLargeFirst ? " " : ", ")
}

/// The street and the number, in the order of the country.
private func street(_ mark: Placemark, _ country: String, _ isLargeFirst: Bool) -> String? {
  guard let road = mark.thoroughfare else { return nil }
  guard let number = mark.subThoroughfare else { return road }
  if isLargeFirst || numberLast.contains(country) { return "\(road) \(number)" }
  return commaNumber.contains(country) ? "\(road), \(number)" : "\(number) \(road)"
}

private let eastern: Set = ["KR", "JP", "CN", "TW", "KP", "HK", "MO"]
private let postcodeLast: Set = [
  "US", "CA", "AU", "NZ", "GB", "IE", "IN", "KR", "JP", "CN", "TW", "ZA", "SG", "TH", "ID", "MY",
  "PH", "PK", "RU", "UA",
]
private let numberLast: Set = [
  "DE", "AT", "CH", "LI", "NL", "BE", "DK", "SE", "NO", "FI", "IS", "PL", "CZ", "SK", "HU", "SI",
  "HR", "RS", "EE", "LV", "LT", "AR", "CL", "MX", "PE", "TR", "GR", "BG", "RO", "JP", "KR",
]
private let commaNumber: Set = ["IT", "ES", "PT", "BR", "RU", "UA", "BY", "KZ"]
