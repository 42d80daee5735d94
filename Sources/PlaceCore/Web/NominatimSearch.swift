package import LocationModel

/// Nominatim's `/search`: a text, or the parts of an address.
package struct NominatimSearch: WebQuestion {
  private let format: NominatimFormat
  private let filter: WebFilter
  private let limit: Int
  package let requests: [PlaceRequest]

  private static let parts = [
    "amenity", "street", "city", "county", "state", "postalcode", "country",
  ]

  package init(_ parameters: WebParameters) throws(WebRefusal) {
    var format = try NominatimFormat(parameters, hasAddress: false)
    filter = try WebFilter(nominatim: parameters)
    limit = min(max(try parameters.whole("limit") ?? 10, 1), 50)
    let locale = parameters.language("accept-language")
    var texts: [String] = []
    let given = Self.parts.filter { parameters.text($0) != nil }
    if let text = try parameters.question("q") {
      guard given.isEmpty else {
        throw WebRefusal(
          "Structured query parameters(\(Self.parts.joined(separator: ", "))) cannot be used"
            + " together with 'q' parameter.")
      }
      texts = text.isEmpty ? [] : [text]
      format.query = text
    } else {
      texts = try Self.texts(parameters)
      guard let first = texts.first else { throw WebRefusal("Nothing to search for.") }
      format.query = first
    }
    self.format = format
    let country = given.count > 1 ? Self.countryCode(parameters) : nil
    // A country that the codes leave out has no places.
    if let country, !filter.countries.isEmpty, !filter.countries.contains(country) { texts = [] }
    requests = texts.map { [filter, limit] text in
      var request = GeocodeRequest(text)
      request.locale = locale
      request.near = filter.near
      request.country = filter.countries.count == 1 ? filter.countries.first : country
      // Some are left out afterwards.
      request.limit = filter.isOpen ? limit : PlaceRequest.mostResults
      return .geocode(request)
    }
  }

  /// A country that is written as a code of two letters.
  private static func countryCode(_ parameters: WebParameters) -> String? {
    guard let code = parameters.text("country")?.uppercased(), code.utf8.count == 2 else {
      return nil
    }
    return code == "UK" ? "GB" : code
  }

  /// An address with all parts, then with fewer: no one writes a county into an address, and a postcode may not be known.
  /// A town, a state and a country stay: a namesake elsewhere is no answer.
  private static func texts(_ parameters: WebParameters) throws(WebRefusal) -> [String] {
    var texts: [String] = []
    let isCode = countryCode(parameters) != nil
    for names in [
      parts, parts.filter { $0 != "county" }, parts.filter { $0 != "county" && $0 != "postalcode" },
    ] {
      var values: [String] = []
      for name in names {
        if name == "country", isCode, !values.isEmpty { continue }
        if let value = try parameters.question(name), !value.isEmpty { values.append(value) }
      }
      let text = values.joined(separator: ", ")
      if !text.isEmpty, !texts.contains(text) { texts.append(text) }
    }
    guard texts.allSatisfy({ $0.utf8.count <= PlaceRequest.longestText }) else {
      throw WebRefusal("An address has at most \(PlaceRequest.longestText) bytes.")
    }
    return texts
  }

  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    if let refusal = findings.trouble { return WebDialect.nominatim.answer(refusal) }
    let places = findings.places.map(WebPlace.init).filter(filter.allows).prefix(limit)
    return format.answer(Array(places), isOne: false, sets)
  }
}
