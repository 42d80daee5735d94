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
      if !postcodes.isEmpty {
        let things = try things(called: request.text, near: request.near, language)
        return Array((things + postcodes).prefix(request.limit))
      }
      let isBegun = request.isTyped && !AddressText.isKind(request.text)
      let matches = try streetMatches(
        request.text, near: request.near, language, isTyped: isBegun, limit: request.limit)
      let streets = try joined(matches, in: language)
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

  /// Places near the person that are called as a postcode is written: the house Le 29 in Monaco, which might be LE2 9.
  func things(
    called text: String, near: Coordinate?, _ language: String?
  ) throws(DatabaseError) -> [Placemark] {
    guard isCovered(near) else { return [] }
    let words = Folding.tokens(text)
    return try joined(streetMatches(text, near: near, language, limit: 1), in: language)
      .filter { Folding.tokens($0.name ?? "") == words }
  }

  /// The postcode, else the town, of an address whose street is not known. A town that lies elsewhere than what stands
  /// behind it says is another one.
  private func partial(
    _ request: GeocodeRequest, _ world: World, _ language: String?
  ) throws(DatabaseError) -> [Placemark] {
    func codes(_ text: String) throws(DatabaseError) -> Placemark? {
      try postcodes(
        in: text, world, near: request.near, country: request.country, locale: request.locale,
        limit: 1
      ).first
    }
    let districts = try world.districts(
      ofPlace: request.text, near: request.near, country: request.country, in: language)
    if let district = districts.first { return [district] }
    for town in AddressText.towns(of: request.text) where town.behind.count <= World.mostBehind {
      let name = AddressText.withoutNumbers(town.name)
      // The last word of a street may be its house's number.
      if name != nil || town.isPart, let code = try codes(town.name),
        try world.agreement(
          town.behind,
          { (part) throws(DatabaseError) in
            try codes(town.name + " " + part)?.id == code.id
          }) != nil
      {
        return [code.asPartial]
      }
      guard let name else { continue }
      var named = town
      named.name = name
      let found = try world.towns(
        named, near: request.near, country: request.country, limit: 1)
      guard let (hit, isAll) = found.first,
        let mark = try world.placemarks(of: [hit], in: language).first, AddressText.isTown(mark)
      else { continue }
      // A number that is no code of the town's says something else.
      let isKnown = town.behind.allSatisfy { AddressText.withoutNumbers($0) != nil }
      return [town.isFirst && isAll && isKnown ? mark : mark.asPartial]
    }
    return []
  }
}

extension World {
  /// The district of a Korean station or office that no extract has, the likely first.
  func districts(
    ofPlace text: String, near: Coordinate?, country: String? = nil, in language: String?
  ) throws(DatabaseError) -> [Placemark] {
    guard country == nil || country == "KR" else { return [] }
    for name in KoreanNames.districts(ofPlace: text) {
      let hits = try hits(
        for: name, near: near, country: "KR", isPrefix: false, forgives: false,
        limit: Self.mostAlike)
      let districts = try placemarks(of: hits, in: language).filter(AddressText.isTown)
      if !districts.isEmpty { return districts.map(\.asPartial) }
    }
    return []
  }

  /// Parts of an address behind its town: a county, a province, a postcode, a country. Each is asked for by itself.
  fileprivate static let mostBehind = 5

  /// Towns with one name in one country.
  private static let mostAlike = 10

  /// The towns that a text may mean. One that lies elsewhere than the parts behind it say is another one; `isAll`: each of
  /// the parts is what it lies in.
  func towns(
    _ town: TownText, near: Coordinate? = nil, country: String? = nil, forgives: Bool = false,
    limit: Int
  ) throws(DatabaseError) -> [(hit: WorldHit, isAll: Bool)] {
    guard town.behind.count <= Self.mostBehind else { return [] }
    var found: [WorldHit] = []
    // Towns there come first: many have the name.
    for text in town.behind.map({ town.name + " " + $0 }) + [town.name] {
      found += try hits(
        for: text, near: near, country: country, isPrefix: false, forgives: forgives,
        limit: town.behind.isEmpty ? limit : Self.mostAlike)
    }
    var towns: [(hit: WorldHit, isAll: Bool)] = []
    for hit in found where towns.count < limit && !towns.contains(where: { $0.hit.id == hit.id }) {
      let isAll = try agreement(town.behind) { (part) throws(DatabaseError) in
        if part.utf8.count == 2, part.uppercased() == hit.country { return true }
        let hits = try hits(
          for: town.name + " " + part, near: nil, isPrefix: false, forgives: false,
          limit: Self.mostAlike)
        if hits.contains(where: { $0.id == hit.id }) { return true }
        // In any language.
        return try self.hits(for: part, near: nil, isPrefix: false, forgives: false, limit: 1)
          .contains { $0.isAround(hit) }
      }
      if let isAll { towns.append((hit, isAll)) }
    }
    return towns
  }

  /// True where each part fits, false where some are no names of the world's, nil where one is another's name.
  fileprivate func agreement(
    _ parts: [String], _ fits: (String) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Bool? {
    var isAll = true
    for part in parts.compactMap(AddressText.withoutNumbers) where try !fits(part) {
      let hits = try hits(for: part, near: nil, isPrefix: false, forgives: false, limit: 1)
      // A part of other names says nothing: Weilheim in Oberbayern is not Oberbayern.
      if hits.first?.isWhole == true { return nil }
      isAll = false
    }
    return isAll
  }
}
