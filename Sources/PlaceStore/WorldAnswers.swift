internal import LocationModel
internal import PlaceCore
internal import Platform

extension World {
  /// The locale's; without one, hangul is typed by a reader of Korean.
  static func language(_ locale: String?, for text: String) -> String? {
    if let code = locale.flatMap(Language.init)?.code { return code }
    let isHangul = text.unicodeScalars.contains {
      (0xAC00...0xD7A3).contains($0.value) || (0x3131...0x318E).contains($0.value)
    }
    return isHangul ? "ko" : nil
  }

  func placemark(of hit: Hit, in language: String?) throws(DatabaseError) -> Placemark {
    switch hit.what {
    case .district(let area): try placemark(of: area, hit.id)
    case .place(let place): try placemark(of: place, in: language)
    case .region(let region): try placemark(of: region, in: language)
    }
  }

  private func placemark(of area: Area, _ id: String) throws(DatabaseError) -> Placemark {
    var mark = Placemark(area.coordinate)
    mark.country = try name(ofRegion: area.country, in: "ko")
    mark.isoCountryCode = area.country
    // Province, city or gu, and what lies in it.
    let names = area.upper + [area.name]
    mark.administrativeArea = names[0]
    mark.locality = names.count > 1 ? names[1] : names[0]
    mark.subLocality = names.count > 2 ? names.dropFirst(2).joined(separator: " ") : nil
    mark.name = mark.subLocality ?? area.name
    mark.timeZone = "Asia/Seoul"
    mark.formattedAddress = AddressFormat.line(mark)
    mark.id = id
    mark.category = "district"
    mark.source = "world"
    return mark
  }

  private func placemark(of place: Place, in language: String?) throws(DatabaseError) -> Placemark {
    var mark = Placemark(place.coordinate)
    let language = language ?? languages[place.country]
    mark.name = try name(of: place, in: language)
    mark.locality = mark.name
    mark.country = try name(ofRegion: place.country, in: language)
    mark.isoCountryCode = place.country
    mark.administrativeArea = try name(ofRegion: place.province, in: language) ?? mark.country
    mark.timeZone = zones[place.zone]
    mark.radius = max(500, 12 * max(place.population, 100).squareRoot())
    mark.formattedAddress = AddressFormat.line(mark)
    mark.id = "world:\(place.gid)"
    mark.category =
      place.population >= 100_000 ? "city" : place.population >= 5000 ? "town" : "village"
    mark.source = "world"
    return mark
  }

  func hit(id: String) throws(DatabaseError) -> Hit? {
    guard id.hasPrefix("world:") else { return nil }
    let rest = id.dropFirst(6)
    if rest.first == "d" {
      guard let number = Int64(rest.dropFirst()), let area = try area(number) else { return nil }
      return area.level > 1 ? Hit(what: .district(area), score: 0) : nil
    }
    guard let gid = Int64(rest) else {
      return try region(code: String(rest)).map { Hit(what: .region($0), score: 0) }
    }
    return try place(gid: gid).map { Hit(what: .place($0), score: 0) }
  }

  func complete(
    _ request: CompletionRequest, forgives: Bool
  ) throws(DatabaseError) -> [Completion] {
    let language = Self.language(request.locale, for: request.text)
    let found = try hits(
      for: request.text, near: request.near, country: nil, isPrefix: true, forgives: forgives,
      limit: request.limit)
    return try placemarks(of: found, in: language)
      .map { Self.completion(of: $0, typed: request.text) }
  }

  static func completion(of mark: Placemark, typed text: String) -> Completion {
    let title = mark.name ?? ""
    let town = mark.category.map { ["city", "town", "village", "district"].contains($0) } == true
    let above = [town ? nil : mark.locality, mark.administrativeArea, mark.country]
      .compactMap(\.self)
      .reduce(into: [String]()) { if $1 != title, !$0.contains($1) { $0.append($1) } }
    var completion = Completion(
      title: title, subtitle: above.joined(separator: ", "), id: mark.id ?? "",
      titleHighlights: highlights(text, in: title))
    completion.category = mark.category
    return completion
  }

  /// The parts of a title that words of the text begin.
  private static func highlights(_ text: String, in title: String) -> [Range<Int>] {
    let typed = Folding.tokens(text)
    return Folding.words(title).compactMap { word in
      let best = typed.filter { word.text.hasPrefix($0) }.map(\.unicodeScalars.count).max()
      return best.map { word.range(ofFirst: $0) }
    }
  }
}
