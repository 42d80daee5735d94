internal import Geodesy
package import LocationModel
internal import PlaceCore
internal import Platform

extension Atlas {
  /// Nothing that completes it is no error.
  package func complete(_ request: CompletionRequest) throws(Refusal) -> [Completion] {
    let text = request.text
    let language = Language.code(request.locale, for: text)
    return try found { (world) throws(DatabaseError) in
      if let literal = try world.placemark(literal: text, near: request.near, in: language) {
        return [Completion(literal: text, at: literal)]
      }
      var all = try postcodes(
        in: text, world, near: request.near, locale: request.locale, limit: request.limit)
      func places(forgives: Bool) throws(DatabaseError) -> [Placemark] {
        let hits = try world.hits(
          for: text, near: request.near, isPrefix: true, forgives: forgives, limit: request.limit)
        return try world.placemarks(of: hits, in: language)
      }
      // Towns come first, but where an extract knows more. Only what is shown is looked for.
      let isCovered = isCovered(request.near)
      let first = isCovered ? [] : try places(forgives: false)
      all += first
      if all.count < request.limit {
        let streets = try streetMatches(
          text, near: request.near, language, isTyped: true, limit: request.limit)
        all += try joined(streets.prefix(request.limit - all.count), in: language)
        if all.count < request.limit, isCovered || first.isEmpty {
          all += try places(forgives: streets.isEmpty)
        }
      }
      return all.prefix(request.limit).map { Completion(of: $0, typed: text) }
    }
  }

  package func search(_ request: SearchRequest) throws(Refusal) -> [Placemark] {
    try answer { (world) throws(DatabaseError) in
      switch request.query {
      case .id(let id):
        let language = Language.code(request.locale, for: "")
        if let literal = try world.placemark(literal: id, near: nil, in: language) {
          return [literal]
        }
        if let codes = try postcodes?.result.get(),
          let mark = try world.placemark(id, in: codes, in: language)
        {
          return [mark]
        }
        for extract in usable {
          if let found = try extract.place(named: id, locale: request.locale) {
            return [try world.joined(try extract.named(found, in: language), in: language)]
          }
        }
        return try world.placemarks(of: [try world.hit(id: id)].compactMap(\.self), in: language)
      case .text(let text):
        let language = Language.code(request.locale, for: text)
        if let literal = try world.placemark(literal: text, near: request.near, in: language) {
          return [literal]
        }
        let postcodes = try postcodes(
          in: text, world, near: request.near, locale: request.locale, limit: request.limit)
        if !postcodes.isEmpty, request.category == nil {
          let things = try things(called: text, near: request.near, language)
          return Array((things + postcodes).prefix(request.limit))
        }
        // Things around a place: the nearest, of any kind.
        if text.isEmpty, request.near != nil {
          let nearest = try streetMatches(
            text, near: request.near, language, category: request.category,
            radius: request.radius, limit: request.limit)
          return try joined(nearest, in: language)
        }
        let matches = try streetMatches(
          text, near: request.near, language, category: request.category, isTyped: true,
          limit: PlaceRequest.mostResults)
        let streets = try joined(matches, in: language)
        let districts =
          streets.isEmpty
          ? try world.districts(ofPlace: text, near: request.near, in: language) : []
        let hits = try world.hits(
          for: text, near: request.near, isPrefix: !AddressText.isKind(text),
          forgives: streets.isEmpty && districts.isEmpty, limit: PlaceRequest.mostResults)
        let places = hits.isEmpty ? districts : try world.placemarks(of: hits, in: language)
        let all = JoinedAnswers.merged(
          streets: streets, places: places, for: text, isCovered: isCovered(request.near))
        return JoinedAnswers.selection(of: all, for: request)
      }
    }
  }
}

extension World {
  /// An extract's place with what lies around it.
  func joined(
    _ mark: Placemark, with around: Placemark? = nil, in language: String?
  ) throws(DatabaseError) -> Placemark {
    var around = around
    if around == nil { around = try reverse(mark.coordinate, in: language) }
    guard let around else { return mark }
    var mark = mark
    // The extract has the town in its own language.
    if let town = mark.locality, let language, town != around.locality,
      let name = try name(
        ofTown: town, near: mark.coordinate, country: around.isoCountryCode, in: language)
    {
      mark.locality = name
    }
    if let part = mark.subLocality, let language, Language(language)?.reads(part) == false,
      let name = try name(
        ofTown: part, near: mark.coordinate, country: around.isoCountryCode, in: language)
    {
      mark.subLocality = name
    }
    return mark.joined(with: around)
  }

  /// Metres to the middle of the town that a house says.
  private static let townReach = 50_000.0

  private func name(
    ofTown town: String, near place: Coordinate, country: String?, in language: String
  ) throws(DatabaseError) -> String? {
    let hits = try hits(
      for: town, near: place, country: country, isPrefix: false, forgives: false, limit: 1)
    guard let mark = try placemarks(of: hits, in: language).first, mark.isWhole,
      mark.coordinate.distance(to: place) < Self.townReach, mark.precision != .region
    else { return nil }
    return mark.locality
  }
}
