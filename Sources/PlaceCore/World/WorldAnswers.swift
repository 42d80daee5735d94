package import LocationModel

extension WorldHit {
  /// The names that its answer needs.
  package func want(_ names: inout WorldNames, in language: String?) {
    switch what {
    case .district(let area):
      names.want(region: area.country, in: language ?? "ko")
      names.want(region: area.province, in: language ?? "ko")
    case .place(let place):
      let language = language ?? names.languages[place.country]
      names.want(place, in: language)
      names.want(region: place.country, in: language)
      names.want(region: place.province, in: language)
    case .region(let region):
      let language = language ?? names.languages[region.country]
      names.want(region: region.country, in: language)
      names.want(region: region.code, in: language)
    case .feature(let feature):
      let language = language ?? names.languages[feature.country] ?? "en"
      names.want(region: feature.code, in: language)
      names.want(region: feature.country, in: language)
      names.want(region: feature.province, in: language)
    }
  }

  /// `zones`: time zones by their numbers.
  package func placemark(
    _ names: WorldNames, zones: [Int64: String], in language: String?
  ) -> Placemark {
    var mark =
      switch what {
      case .district(let area): area.placemark(names, language ?? "ko")
      case .place(let place):
        place.placemark(names, zones, language ?? names.languages[place.country])
      case .region(let region):
        region.placemark(names, language ?? names.languages[region.country])
      case .feature(let feature):
        feature.placemark(names, zones, language ?? names.languages[feature.country] ?? "en")
      }
    mark.matchedName = matched
    mark.isWhole = isWhole
    mark.formattedAddress = AddressFormat.line(mark)
    mark.id = id
    mark.source = "world"
    return mark
  }
}

extension AreaRow {
  /// Metres from the middle to the end, about.
  private static let reach: [Int64: Double] = [Level.city: 8000, Level.town: 2000]

  fileprivate func placemark(_ names: WorldNames, _ language: String) -> Placemark {
    var mark = Placemark(coordinate)
    mark.country = names.name(ofRegion: country, in: language)
    mark.isoCountryCode = country
    mark.radius = Self.reach[level] ?? 1000
    // Province, city or gu, and what lies in it.
    var parts = upper + [name]
    if language != "ko" {
      parts = parts.map { Romanization.name(of: $0) ?? $0 }
      parts[0] = names.name(ofRegion: province, in: language) ?? parts[0]
    }
    mark.administrativeArea = parts[0]
    mark.locality = parts.count > 1 ? parts[1] : parts[0]
    mark.subLocality = parts.count > 2 ? parts.dropFirst(2).joined(separator: " ") : nil
    mark.name = mark.subLocality ?? parts.last
    mark.timeZone = "Asia/Seoul"
    mark.category = "district"
    return mark
  }
}

extension PlaceRow {
  /// Metres that a town reaches for each root of its people, and at least.
  private static let reach = (12.0, least: 500.0)
  private static let city = 100_000.0
  private static let town = 5000.0

  /// Metres from its middle to its end.
  var radius: Double { max(Self.reach.least, Self.reach.0 * weight.squareRoot()) }

  fileprivate func placemark(
    _ names: WorldNames, _ zones: [Int64: String], _ language: String?
  ) -> Placemark {
    var mark = Placemark(coordinate)
    mark.name = names.name(of: self, in: language)
    mark.locality = mark.name
    mark.country = names.name(ofRegion: country, in: language)
    mark.isoCountryCode = country
    mark.administrativeArea = names.name(ofRegion: province, in: language) ?? mark.country
    mark.timeZone = zones[zone]
    mark.radius = radius
    mark.category = population >= Self.city ? "city" : population >= Self.town ? "town" : "village"
    return mark
  }
}

extension RegionRow {
  /// A country has no province and no town: its own name stands for them.
  fileprivate func placemark(_ names: WorldNames, _ language: String?) -> Placemark {
    var mark = Placemark(coordinate)
    mark.isoCountryCode = country
    mark.country = names.name(ofRegion: country, in: language)
    mark.administrativeArea = names.name(ofRegion: code, in: language)
    mark.locality = mark.administrativeArea
    mark.name = mark.administrativeArea
    mark.radius = radius
    mark.category = isCountry ? "country" : "province"
    return mark
  }
}

extension FeatureRow {
  /// A place in several countries, or at sea, says none.
  fileprivate func placemark(
    _ names: WorldNames, _ zones: [Int64: String], _ language: String
  ) -> Placemark {
    var mark = Placemark(coordinate)
    mark.name = names.name(ofRegion: code, in: language)
    if !country.isEmpty {
      mark.isoCountryCode = country
      mark.country = names.name(ofRegion: country, in: language)
      mark.administrativeArea = names.name(ofRegion: province, in: language) ?? mark.country
      mark.locality = mark.administrativeArea
    }
    switch kind {
    case "lake", "river": mark.inlandWater = mark.name
    case "sea": mark.ocean = mark.name
    default: mark.areasOfInterest = [mark.name].compactMap(\.self)
    }
    mark.timeZone = zones[zone]
    mark.radius = radius
    mark.category = kind
    if let number = wikidata { mark.osmFurther["wikidata"] = number }
    return mark
  }

  /// The number of it in Wikidata, `Q9202`; an airport has other codes.
  private var wikidata: String? {
    kind == "airport" ? nil : tags.first { $0.hasPrefix("q") }?.uppercased()
  }
}

extension Completion {
  private static let towns: Set = ["city", "town", "village", "district"]

  /// The line that stands for a place under a search field.
  package init(of mark: Placemark, typed text: String) {
    let title = (mark.name ?? "") + (mark.matchedName.map { " (\($0))" } ?? "")
    let isTown = mark.category.map(Self.towns.contains) == true
    let above = [isTown ? nil : mark.locality, mark.administrativeArea, mark.country]
      .compactMap(\.self)
      .reduce(into: [String]()) { if $1 != title, !$0.contains($1) { $0.append($1) } }
    self.init(
      title: title, subtitle: above.joined(separator: ", "), id: mark.id ?? "",
      titleHighlights: Self.highlights(text, in: title))
    category = mark.category
  }

  /// The line of a text that says a place by itself. Its id is a geo: URI.
  package init(literal text: String, at mark: Placemark) {
    self.init(
      title: text, subtitle: mark.formattedAddress ?? mark.name ?? "", id: mark.id ?? "",
      titleHighlights: [0..<text.utf16.count])
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
