package import LocationModel
internal import PlaceCore
internal import Platform

extension Atlas {
  package func geocode(_ request: GeocodeRequest) throws(Refusal) -> [Placemark] {
    let language = Language.code(request.locale, for: request.text)
    return try answer { (world) throws(DatabaseError) in
      if let literal = try world.placemark(
        literal: request.text, near: request.near, in: language)
      {
        return [literal]
      }
      let postcodes = try postcodes(
        in: request.text, world, near: request.near, country: request.country,
        locale: request.locale, limit: request.limit)
      if !postcodes.isEmpty { return postcodes }
      let isBegun = request.isTyped && !AddressText.isKind(request.text)
      let streets = try streetMatches(
        request.text, near: request.near, language, isTyped: isBegun, limit: request.limit
      )
      .filter { request.country == nil || $0.isoCountryCode == request.country }
      var places = try world.placemarks(
        of: world.hits(
          for: request.text, near: request.near, country: request.country, isPrefix: isBegun,
          forgives: false, limit: request.limit), in: language)
      if streets.isEmpty, places.isEmpty {
        let around = try partial(request, world, language)
        guard around.isEmpty else { return around }
      }
      // With its last word begun, else with a letter wrong. A kind of place is written in full.
      if places.isEmpty, !AddressText.isKind(request.text) {
        places = try world.placemarks(
          of: world.hits(
            for: request.text, near: request.near, country: request.country, isPrefix: true,
            limit: request.limit), in: language)
      }
      let all = JoinedAnswers.merged(
        streets: streets, places: places, for: request.text, isCovered: isCovered(request.near))
      return Array(all.prefix(request.limit))
    }
  }

  /// The postcode, else the town, of an address whose street is not known.
  private func partial(
    _ request: GeocodeRequest, _ world: World, _ language: String?
  ) throws(DatabaseError) -> [Placemark] {
    for town in AddressText.towns(of: request.text) {
      let codes = try postcodes(
        in: town, world, near: request.near, country: request.country, locale: request.locale,
        limit: 1)
      if let code = codes.first { return [code.asPartial] }
      guard let name = AddressText.withoutNumbers(town) else { continue }
      let hits = try world.hits(
        for: name, near: request.near, country: request.country, isPrefix: false, forgives: false,
        limit: 1)
      let marks = try world.placemarks(of: hits, in: language)
        .filter { AddressText.isTown($0, named: name) }
      if let mark = marks.first { return [mark.asPartial] }
    }
    return []
  }
}
