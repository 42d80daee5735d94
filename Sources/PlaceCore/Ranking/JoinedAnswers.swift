internal import Geodesy
package import LocationModel

/// Answers of the world and of extracts as one list.
package enum JoinedAnswers {
  /// To a person who is where an extract knows more than towns, streets and shops come first. Elsewhere a town whose
  /// name is all of the text does, or stands before what it lies in.
  package static func merged(
    streets: [Placemark], places: [Placemark], for text: String, isCovered: Bool
  ) -> [Placemark] {
    guard !streets.isEmpty else { return places }
    guard !isCovered else { return streets + places }
    let words = Folding.tokens(text)
    let first = text.firstIndex(of: ",").map { Folding.tokens(String(text[..<$0])) }
    var rest = places
    let isStreet = streets.contains { Folding.tokens($0.name ?? "") == words }
    // The world's best answer by another name: LA is the city, and no street is called so.
    let index =
      rest.firstIndex { Folding.tokens($0.name ?? "") == words }
      ?? rest.firstIndex { AddressText.isTown($0) && Folding.tokens($0.name ?? "") == first }
      ?? rest.firstIndex { !isStreet && $0.isWhole }
    let whole = index.map { [rest.remove(at: $0)] }
    return (whole ?? []) + streets + rest
  }

  /// The best of the extracts' hits.
  package static func best(_ hits: [StreetSearch.Hit], limit: Int) -> [Placemark] {
    hits.sorted { $0.score > $1.score }.prefix(limit).map(\.placemark)
  }

  /// Metres from a town's middle to the end of its streets, at least; and in radii of the town.
  private static let townReach = 8000.0
  private static let townRadii = 3.0

  /// The hits that lie in a town.
  package static func hits(
    _ hits: [StreetSearch.Hit], in town: Placemark
  ) -> [StreetSearch.Hit] {
    let reach = max(townReach, townRadii * (town.radius ?? 0))
    return hits.filter {
      LocalPlane.distance($0.placemark.coordinate, town.coordinate) <= reach
    }
  }

  /// The answers that the search wants: its category, and within its radius.
  package static func selection(
    of marks: [Placemark], for request: SearchRequest
  ) -> [Placemark] {
    let wanted = marks.filter { mark in
      if let category = request.category, mark.category != category { return false }
      guard let near = request.near, let radius = request.radius else { return true }
      return LocalPlane.distance(near, mark.coordinate) <= radius
    }
    return Array(wanted.prefix(request.limit))
  }
}

extension Placemark {
  /// The world says what lies around an extract's place.
  package func joined(with around: Placemark) -> Placemark {
    var whole = self
    whole.country = around.country
    whole.isoCountryCode = around.isoCountryCode
    whole.administrativeArea = around.administrativeArea
    whole.subAdministrativeArea = around.subAdministrativeArea
    whole.locality = locality ?? around.locality
    // Korea's districts are the world's, by their borders, with what lies around them.
    let isDrawn = around.isoCountryCode == "KR" && around.subLocality != nil
    whole.subLocality = isDrawn ? around.subLocality : subLocality ?? around.subLocality
    whole.timeZone = around.timeZone
    whole.areasOfInterest += around.areasOfInterest.filter { !areasOfInterest.contains($0) }
    whole.formattedAddress = AddressFormat.line(whole)
    return whole
  }
}
