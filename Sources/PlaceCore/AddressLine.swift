package import LocationModel

/// One line: from the large to the small where it is written so, else from the small to the large.
package func addressLine(_ mark: Placemark) -> String? {
  let large = ["KR", "JP", "CN", "TW", "KP", "HK", "MO"].contains(mark.isoCountryCode ?? "")
  let isEastern = (mark.country ?? "").unicodeScalars.contains { $0.value > 0x2E80 }
  var parts = [mark.country, mark.administrativeArea, mark.locality, mark.name].compactMap(\.self)
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
  if !(large && isEastern) { parts.reverse() }
  return parts.isEmpty ? nil : parts.joined(separator: large && isEastern ? " " : ", ")
}
