internal import LocationModel
internal import PlaceCore
internal import Platform

/// Texts that say a place by themselves: degrees, a geo: URI, a Plus Code.
extension World {
  /// That place and its names; nil for any other text. A short code counts from the place that is named behind it,
  /// else from `near`.
  func placemark(
    saidIn text: String, near: Coordinate?, in language: String?
  ) throws(DatabaseError) -> Placemark? {
    guard let place = try coordinate(saidIn: text, near: near) else { return nil }
    var mark = try reverse(place, in: language)
    mark.coordinate = place
    // Without exponents, as RFC 5870 has it.
    var id = TextBuffer()
    id.append("geo:")
    id.append(decimal: place.latitude, places: 7)
    id.append(",")
    id.append(decimal: place.longitude, places: 7)
    mark.id = String(decoding: id.bytes, as: UTF8.self)
    return mark
  }

  /// The line under a search field, whose id is a geo: URI.
  func completion(of request: CompletionRequest) throws(DatabaseError) -> Completion? {
    let language = Self.language(request.locale, for: request.text)
    guard
      let mark = try placemark(saidIn: request.text, near: request.near, in: language),
      let id = mark.id
    else { return nil }
    return Completion(
      title: request.text, subtitle: mark.formattedAddress ?? mark.name ?? "", id: id,
      titleHighlights: [0..<request.text.utf16.count])
  }

  private func coordinate(
    saidIn text: String, near: Coordinate?
  ) throws(DatabaseError) -> Coordinate? {
    if let place = PlaceText.coordinate(in: text, near: near) { return place }
    guard let (code, name) = PlaceText.shortCode(in: text) else { return nil }
    let hits = try hits(for: name, near: near, country: nil, isPrefix: false, limit: 1)
    return code.coordinate(near: try placemarks(of: hits, in: nil).first?.coordinate)
  }
}
