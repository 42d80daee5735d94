package import LocationModel

/// Nominatim's `/status`.
package struct NominatimStatus: WebQuestion {
  private let asText: Bool
  package let requests: [PlaceRequest] = [.status]

  package init(_ parameters: WebParameters) throws(WebRefusal) {
    switch parameters["format"] {
    case nil, "text": asText = true
    case "json": asText = false
    default: throw WebRefusal("Parameter 'format' must be one of: text, json")
    }
  }

  package func answer(
    _ findings: [Result<PlaceFinding, Refusal>], _ sets: [DataSet]
  ) -> WebAnswer {
    let version: String? =
      if case .success(.reply(.status(let status)))? = findings.first {
        status.json["version"]?.string
      } else {
        nil
      }
    guard sets.contains(where: { $0.trouble == nil }) else {
      return asText
        ? WebAnswer(500, text: "ERROR: No database")
        : WebAnswer(json: ["status": .integer(700), "message": "No database"])
    }
    if asText { return WebAnswer(text: "OK") }
    // The world's has a year.
    let day = sets.map(\.date).filter { $0.utf8.count == 10 }.max()
    return WebAnswer(json: [
      "status": .integer(0), "message": "OK",
      "data_updated": day.map { .string($0 + "T00:00:00+00:00") },
      "software_version": version.map { .string("locationd \($0)") },
    ])
  }
}
