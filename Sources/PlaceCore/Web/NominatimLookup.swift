package import LocationModel

/// Nominatim's `/lookup`: places by OpenStreetMap's types and numbers, as `W23,N42`.
package struct NominatimLookup: WebQuestion {
  private let format: NominatimFormat
  package let requests: [PlaceRequest]
  package var wantsAll: Bool { true }

  private static let most = 50

  package init(_ parameters: WebParameters) throws(WebRefusal) {
    format = try NominatimFormat(parameters, hasAddress: true)
    let locale = parameters.language("accept-language")
    let numbers = parameters.list("osm_ids").filter(Self.isNumber)
    guard numbers.count <= Self.most else { throw WebRefusal("Too many object IDs.") }
    requests = numbers.map {
      var search = SearchRequest(.id(OSMNumber.prefix + $0.uppercased()))
      search.offline = true
      search.locale = locale
      return .search(search)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.dropFirst()
    return "RNWrnw".contains(text.first ?? " ") && !digits.isEmpty && Int64(digits) != nil
      && digits.utf8.allSatisfy { 0x30...0x39 ~= $0 }
  }

  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    if let refusal = findings.trouble { return WebDialect.nominatim.answer(refusal) }
    return format.answer(findings.places.map(WebPlace.init), isOne: false, sets)
  }
}
