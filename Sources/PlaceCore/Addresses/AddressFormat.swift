package import LocationModel

/// A place's address in one line, in the order of its country.
package enum AddressFormat {
  /// Nil for a place without a name.
  package static func line(_ mark: Placemark) -> String? {
    let fields = Fields(mark)
    let country = fields.country.map { [$0] } ?? []
    var line: String
    if let style = Style.eastern(mark.isoCountryCode), fields.isEastern {
      line = fields.large(style)
      let isClose = style.joiner.isEmpty && style.mark.isEmpty
      line = (country + [line]).filter { !$0.isEmpty }.joined(separator: isClose ? "" : " ")
    } else {
      let groups = fields.small(AddressOrder.of(mark.isoCountryCode))
      // The country comes first in Korean, Japanese and Chinese.
      let isFirst = fields.country?.unicodeScalars.contains(where: isEastern) == true
      let all = isFirst ? country + groups : groups + country
      line = all.joined(separator: fields.isArabic ? "، " : ", ")
    }
    return line.isEmpty ? nil : line
  }

  /// Hangul, kana and Chinese characters.
  static func isEastern(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x318F, 0x3400...0x9FFF, 0xAC00...0xD7A3: true
    case 0x20000...0x3FFFF: true
    default: false
    }
  }
}

/// How the large comes before the small.
private struct Style {
  var joiner: String
  /// Before a postcode.
  var mark: String
  /// Behind a house number that is only a number.
  var counter: String

  static func eastern(_ country: String?) -> Style? {
    switch country {
    case "KR", "KP": Style(joiner: " ", mark: "", counter: "")
    case "JP": Style(joiner: "", mark: "〒", counter: "")
    case "CN": Style(joiner: "", mark: "", counter: "号")
    case "TW", "HK", "MO": Style(joiner: "", mark: "", counter: "號")
    default: nil
    }
  }
}

/// The parts of an address, each name once.
private struct Fields {
  var number: String?
  var street: String?
  var district: String?
  var city: String?
  var region: String?
  var postcode: String?
  var country: String?

  init(_ mark: Placemark) {
    func text(_ text: String?) -> String? { text?.isEmpty == false ? text : nil }
    country = text(mark.country)
    region = text(mark.administrativeArea)
    city = text(mark.locality) ?? text(mark.subAdministrativeArea)
    district = text(mark.subLocality)
    street = text(mark.thoroughfare)
    number = street == nil ? nil : text(mark.subThoroughfare)
    postcode = text(mark.postalCode)
    // A city that is a state, or a state that is a city.
    if region == country || region == city { region = nil }
    if district == city || district == street { district = nil }
    let known = [country, region, city, district]
    if street == nil, let name = text(mark.name), !known.contains(name) { street = name }
    if city == country, street == nil, district == nil, postcode == nil { city = nil }
    region = region.map { Regions.code(of: $0, in: mark.isoCountryCode) ?? $0 }
  }

  private var names: [String] { [street, district, city, region].compactMap(\.self) }

  var isEastern: Bool {
    let names = names
    return !names.isEmpty
      && names.allSatisfy { $0.unicodeScalars.contains(where: AddressFormat.isEastern) }
  }

  var isArabic: Bool {
    (country ?? city ?? "").unicodeScalars.contains { (0x600...0x6FF).contains($0.value) }
  }

  func large(_ style: Style) -> String {
    var number = number
    if let digits = number, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
      number = digits + style.counter
    }
    let names = [region, city, district, street, number].compactMap(\.self)
      .joined(separator: style.joiner)
    // A Korean postcode stands at the end in brackets, a Japanese one first.
    guard let postcode else { return names }
    switch (style.mark.isEmpty, style.joiner.isEmpty) {
    case (true, false): return "\(names) (\(postcode))"
    default: return "\(style.mark)\(postcode) \(names)"
    }
  }

  func small(_ order: AddressOrder) -> [String] {
    var groups = order.groups
    if street == nil || number == nil && postcode == nil {
      // Without a postcode the names above say which place it is.
      if !order.has("D") { groups.insert(["D"], at: groups.firstIndex(of: ["L"]) ?? 1) }
      if !order.has("R") { groups.append(["R"]) }
    }
    return groups.compactMap { group in
      var text = ""
      for field in group {
        guard let part = self[field.last ?? " "] else { continue }
        if !text.isEmpty { text += field.first == "-" ? " - " : " " }
        text += part
      }
      return text.isEmpty ? nil : text
    }
  }

  private subscript(field: Character) -> String? {
    switch field {
    case "N": number
    case "S": street
    case "D": district
    case "L": city
    case "R": region
    case "P": postcode
    default: nil
    }
  }
}
