internal import Geodesy
package import LocationModel

/// What is at a place, by the borders and the towns around it. Never without an answer: water has names, too.
package struct WorldReverse: Sendable {
  private typealias Town = (place: PlaceRow, kilometres: Double)

  private let coordinate: Coordinate
  private let around: Surroundings
  private let nearest: PlaceRow?
  private let toNearest: Double
  private let askedLanguage: String?
  /// Else the country's.
  private let language: String?
  /// The airport, peak or landmark that is here, and the island.
  private let spot: FeatureRow?
  /// Nil at sea.
  private let country: String?
  /// The town that the place belongs to, and one that lies so near that it is a part of it.
  private let town: PlaceRow?
  private let part: PlaceRow?
  private let province: String

  /// Metres from the coast at which the sea begins, unless a town lies within so many kilometres.
  private static let coast = 2000.0
  private static let harbour = 5.0
  /// Metres from the land that a country's borders still say something about.
  private static let drawn = 50_000.0
  /// Kilometres to the town whose country it is, where no borders are near.
  private static let undrawn = 50.0
  /// Kilometres to a town of a territory, of which its country's borders are drawn.
  private static let territory = 150.0
  /// Kilometres to a part of a town, to a town on the shore of a lake, and to one of Japan's islands.
  private static let ofPart = 2.0
  private static let shore = 2.0
  private static let island = 4.0

  /// `near`: towns around. `cities`: those that are all of their country or province. `names`: to know which are wanted.
  package init(
    _ coordinate: Coordinate, _ around: Surroundings, near: [PlaceRow],
    features: [FeatureRow] = [], cities: [String: PlaceRow] = [:], in language: String?,
    _ names: inout WorldNames
  ) {
    spot = Self.spot(features, coordinate)
    (self.coordinate, self.around) = (coordinate, around)
    let towns: [Town] = near.map {
      ($0, LocalPlane.distance(coordinate, $0.coordinate) / 1000)
    }
    let nearest = towns.min { $0.kilometres < $1.kilometres }
    self.nearest = nearest?.place
    toNearest = nearest?.kilometres ?? .infinity
    let country = Self.country(around, towns, nearest)
    self.country = country
    let own = towns.filter { $0.place.country == country }
    let best = own.min { Self.score($0) < Self.score($1) }?.place
    let close = own.min { $0.kilometres < $1.kilometres }
    let drawn = around.district?.province ?? around.province?.province ?? ""
    if country == "JP", let close, close.kilometres < Self.island {
      // Natural Earth draws Japan's small islands with the wrong prefecture.
      province = close.place.province
    } else {
      province = drawn.hasPrefix((country ?? "") + ".") ? drawn : best?.province ?? ""
    }
    town = cities[country ?? ""] ?? cities[province] ?? best
    part = [close.flatMap { $0.kilometres < Self.ofPart ? $0.place : nil }, best].lazy
      .compactMap(\.self).first { [town] in $0.rank != town?.rank }
    self.language = language ?? country.flatMap { names.languages[$0] }
    askedLanguage = language
    for code in [spot?.code, around.island?.code].compactMap(\.self) {
      names.want(region: code, in: self.language ?? "en")
    }
    guard let country else { return }
    names.want(region: country, in: language)
    names.want(region: province, in: self.language)
    if let lake = around.lake { names.want(region: lake.code, in: self.language ?? "en") }
    for place in [town, part].compactMap(\.self) { names.want(place, in: self.language) }
  }

  /// A place reaches as far as it is large: 12 m times the root of its people, so that Seoul reaches 38 km and a village 0.2 km.
  private static func score(_ town: Town) -> Double {
    town.kilometres / (0.012 * max(town.place.population, 300).squareRoot())
  }

  /// Borders decide; where they are not drawn, the nearest place. A territory with a code of its own is
  /// not told from its country by borders alone.
  private static func country(
    _ around: Surroundings, _ towns: [Town], _ nearest: Town?
  ) -> String? {
    let drawn = drawnCountry(around, nearest)
    // Most places need no list of towns.
    guard around.borders != CountryBorders() else { return drawn }
    let close = towns.filter { $0.kilometres < undrawn }
      .sorted { $0.kilometres < $1.kilometres }
    return around.borders.country(drawn: drawn, nearest: close.lazy.map(\.place.country))
  }

  private static func drawnCountry(_ around: Surroundings, _ nearest: Town?) -> String? {
    guard let drawn = around.province?.country, (around.distance ?? 0) < Self.drawn else {
      return nearest.flatMap { $0.kilometres < undrawn ? $0.place.country : nil }
    }
    if let nearest, nearest.kilometres < territory,
      Territories.parent(nearest.place.country) == Territories.parent(drawn)
    {
      return nearest.place.country
    }
    return drawn
  }

  /// The one whose middle is the nearest, in its radii.
  private static func spot(_ features: [FeatureRow], _ place: Coordinate) -> FeatureRow? {
    func share(_ feature: FeatureRow) -> Double {
      LocalPlane.distance(place, feature.coordinate) / max(feature.radius, 1)
    }
    return features.filter { share($0) <= 1 }.min { $0.radius < $1.radius }
  }

  private var isAtSea: Bool {
    around.distance != 0 && (around.distance ?? .infinity) > Self.coast
      && toNearest > Self.harbour
  }

  /// Borders decide, and of zones that overlap the town; the town where none are drawn.
  private func zone(drawn: Set<Int64>) -> Int64? {
    let own = country == nil ? nil : (town ?? nearest)?.zone
    return drawn.isEmpty || own.map(drawn.contains) == true ? own : drawn.min()
  }

  /// `zones`: time zones by their numbers. `drawn`: the zones whose borders hold the place.
  package func placemark(
    _ names: WorldNames, zones: [Int64: String], drawn: Set<Int64> = []
  ) -> Placemark {
    var mark = ground(names, zones: zones, drawn: drawn)
    stand(on: &mark, names)
    return mark
  }

  private func ground(
    _ names: WorldNames, zones: [Int64: String], drawn: Set<Int64>
  ) -> Placemark {
    var mark = Placemark(coordinate)
    if isAtSea {
      let sea = Sea.name(at: coordinate, in: askedLanguage)
      mark.name = sea?.name ?? Ocean(at: coordinate).name(in: askedLanguage)
      if sea?.isInland == true { mark.inlandWater = mark.name } else { mark.ocean = mark.name }
    }
    // Zones reach out to sea.
    mark.timeZone = zone(drawn: drawn).flatMap { zones[$0] }
    guard let country else { return mark }
    mark.isoCountryCode = country
    mark.country = names.name(ofRegion: country, in: askedLanguage)
    if let district = around.district, country == "KR" {
      fill(&mark, district, names)
    } else {
      mark.administrativeArea = names.name(ofRegion: province, in: language)
      if mark.administrativeArea == nil, around.province?.country == country {
        mark.administrativeArea = around.province?.name
      }
      mark.locality = town.map { names.name(of: $0, in: language) }
      mark.subLocality = part.map { names.name(of: $0, in: language) }
    }
    mark.administrativeArea = mark.administrativeArea ?? mark.country
    if let lake = around.lake, toNearest > Self.shore {
      mark.inlandWater = names.name(ofRegion: lake.code, in: language ?? "en")
      mark.name = mark.inlandWater
      // The towns on its shore do not lie in it.
      (mark.locality, mark.subLocality) = (nil, nil)
    }
    mark.locality = mark.locality ?? mark.administrativeArea
    mark.name = mark.name ?? mark.subLocality ?? mark.locality
    mark.formattedAddress = AddressFormat.line(mark)
    mark.source = "world"
    return mark
  }

  private func fill(_ mark: inout Placemark, _ district: AreaRow, _ names: WorldNames) {
    var parts = district.upper + [district.name]
    if language != "ko" {
      let isMetropolis = parts[0].hasSuffix("시") && parts.count > 2
      parts = parts.map { Romanization.name(of: $0) ?? $0 }
      parts[0] =
        names.name(ofRegion: province, in: language)
        ?? town.map { names.name(of: $0, in: language) } ?? parts[0]
      mark.administrativeArea = parts[0]
      mark.locality = isMetropolis || parts.count < 3 ? parts[0] : parts[1]
      // The smallest first, as in Latin letters.
      mark.subLocality = parts.dropFirst(isMetropolis ? 1 : 2).reversed().joined(separator: ", ")
      if mark.subLocality?.isEmpty != false { mark.subLocality = parts.last }
      mark.name = mark.subLocality
      return
    }
    mark.administrativeArea = parts.first
    mark.locality = parts.count > 2 ? parts[1] : mark.administrativeArea
    // 읍 or 면, and the 리 in it.
    mark.subLocality = parts.dropFirst(2).joined(separator: " ")
    if mark.subLocality?.isEmpty != false { mark.subLocality = parts.last }
    mark.name = mark.subLocality
  }

  /// The airport, peak or landmark, and the island.
  private func stand(on mark: inout Placemark, _ names: WorldNames) {
    let own = language ?? "en"
    if let spot, let name = names.name(ofRegion: spot.code, in: own) {
      mark.areasOfInterest.append(name)
      if spot.kind == "lake" { mark.inlandWater = name }
      mark.name = name
      mark.category = spot.kind
      mark.radius = spot.radius
      mark.formattedAddress = AddressFormat.line(mark)
    }
    if let island = around.island, let name = names.name(ofRegion: island.code, in: own) {
      mark.areasOfInterest.append(name)
    }
  }
}
