package import LocationModel
internal import PlaceCore
internal import Platform

extension Atlas {
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
            return [found.joined(with: try world.reverse(found.coordinate, in: language))]
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
        if !postcodes.isEmpty, request.category == nil { return postcodes }
        // Things around a place: the nearest, of any kind.
        if text.isEmpty, request.near != nil {
          return try streetMatches(
            text, near: request.near, language, category: request.category,
            radius: request.radius, limit: request.limit)
        }
        let streets = try streetMatches(
          text, near: request.near, language, category: request.category, isTyped: true,
          limit: PlaceRequest.mostResults)
        let hits = try world.hits(
          for: text, near: request.near, isPrefix: !AddressText.isKind(text),
          forgives: streets.isEmpty,
          limit: PlaceRequest.mostResults)
        let all = JoinedAnswers.merged(
          streets: streets, places: try world.placemarks(of: hits, in: language), for: text,
          isCovered: isCovered(request.near))
        return JoinedAnswers.selection(of: all, for: request)
      }
    }
  }
}
