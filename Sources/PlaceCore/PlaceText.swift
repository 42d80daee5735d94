package import LocationModel

/// Texts that say a place in numbers or letters of their own, and need no map.
package enum PlaceText {
  private static let longest = 256

  /// The place that a text is: degrees, a geo: URI (RFC 5870), a Plus Code, UTM, MGRS or a Maidenhead locator. Nil for any other text, and
  /// for one that could be two places. A short Plus Code counts from `near`.
  package static func coordinate(in text: String, near: Coordinate? = nil) -> Coordinate? {
    guard text.utf8.count <= longest else { return nil }
    if let place = geo(text) { return place }
    if let code = PlusCode(text) { return code.coordinate(near: near) }
    return Degrees(text)?.coordinate ?? GridText(text)?.coordinate
  }

  /// `9F28WXR+2V` is short as `WXR+2V London`: the code, and the text that says from where it counts.
  package static func shortCode(in text: String) -> (code: PlusCode, place: String)? {
    guard text.utf8.count <= longest else { return nil }
    let words = text.split(maxSplits: 1) { $0.isWhitespace || $0 == "," }
    guard words.count == 2, let code = PlusCode(String(words[0])), code.isShort else { return nil }
    let place = words[1].drop { $0.isWhitespace || $0 == "," }
    return place.isEmpty ? nil : (code, String(place))
  }

  /// A geo: URI without exponents, as RFC 5870 has it. Seven decimals are a centimetre.
  package static func uri(of place: Coordinate) -> String {
    var uri = TextBuffer()
    uri.append("geo:")
    uri.append(decimal: place.latitude, places: 7)
    uri.append(",")
    uri.append(decimal: place.longitude, places: 7)
    return String(decoding: uri.bytes, as: UTF8.self)
  }

  private static func geo(_ text: String) -> Coordinate? {
    let scheme = "geo:"
    guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.count).lowercased() == scheme
    else { return nil }
    let parts = text.dropFirst(scheme.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let words = parts[0].split(separator: ";", omittingEmptySubsequences: false)
    for word in words.dropFirst() {
      let word = word.lowercased()
      if word.hasPrefix("crs="), word != "crs=wgs84" { return nil }
    }
    let numbers = words[0].split(separator: ",", omittingEmptySubsequences: false).map(decimal)
    guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
      numbers.count == 2 || numbers[2] != nil
    else { return nil }
    var place = Coordinate(latitude: latitude, longitude: longitude)
    guard place.isValid else { return nil }
    // At a pole every longitude is the same.
    if latitude.magnitude == 90 { place.longitude = 0 }
    return place
  }

  /// A number as the RFC has it: digits and a point.
  private static func decimal(_ text: Substring) -> Double? {
    let digits = text.first == "-" ? text.dropFirst() : text
    let halves = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count),
      halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    return Double(text)
  }
}
