internal import LocationModel
internal import PlaceCore
internal import Platform

extension World {
  private static let near = """
    SELECT place.* FROM spot JOIN place ON place.rank = spot.id
    WHERE x0 <= ? AND x1 >= ? AND y0 <= ? AND y1 >= ?
    """

  /// Places around, with the kilometres to each.
  private func places(
    around place: Coordinate, within degrees: Double
  ) throws(DatabaseError) -> [(place: Place, distance: Double)] {
    let scale = max(0.05, cosine(place.latitude))
    let (x, y) = (Int64(place.longitude * 1e6), Int64(place.latitude * 1e6))
    let (dx, dy) = (Int64(degrees / scale * 1e6), Int64(degrees * 1e6))
    let rows = try database.rows(
      Self.near, [x + dx, x - dx, y + dy, y - dy].map { .integer($0) })
    return rows.compactMap { row in
      guard let found = Place(row[...]) else { return nil }
      return (found, Self.kilometres(place, found.coordinate))
    }
  }

  static func kilometres(_ a: Coordinate, _ b: Coordinate) -> Double {
    let scale = cosine((a.latitude + b.latitude) / 2)
    var dx = abs(a.longitude - b.longitude)
    if dx > 180 { dx = 360 - dx }
    let dy = a.latitude - b.latitude
    return 111.2 * (dx * dx * scale * scale + dy * dy).squareRoot()
  }

  /// What is here. Never without an answer: water has names, too.
  func reverse(_ coordinate: Coordinate, in language: String?) throws(DatabaseError) -> Placemark {
    let around = try surroundings(of: coordinate)
    var mark = Placemark(coordinate)
    let isLand = around.distance == 0
    let reach = isLand ? [0.1, 0.3, 1, 4] : around.distance == nil ? [0.5] : [0.1, 0.5]
    var near: [(place: Place, distance: Double)] = []
    for degrees in reach where near.isEmpty {
      near = try places(around: coordinate, within: degrees)
    }
    let nearest = near.min { $0.distance < $1.distance }
    let country = country(around, nearest)
    let isAtSea =
      !isLand && (around.distance ?? .infinity) > 2000
      && (nearest?.distance ?? .infinity) > 5
    if isAtSea {
      let sea = Sea.name(at: coordinate, in: language)
      mark.name = sea?.name ?? Ocean(at: coordinate).name(in: language)
      if sea?.isInland == true { mark.inlandWater = mark.name } else { mark.ocean = mark.name }
    }
    guard let country else { return mark }
    mark.isoCountryCode = country
    mark.country = try name(ofRegion: country, in: language)
    let own = near.filter { $0.place.country == country }
    let chosen = own.min { Self.score($0) < Self.score($1) }
    let language = language ?? languages[country]
    if let district = around.district, country == "KR", language == "ko" {
      fill(&mark, district)
    } else {
      try fill(&mark, around, own, chosen?.place, country, language)
    }
    mark.administrativeArea = mark.administrativeArea ?? mark.country
    if let lake = around.lake, (nearest?.distance ?? .infinity) > 2 {
      mark.inlandWater = try name(ofRegion: lake.code, in: language ?? "en")
      mark.name = mark.inlandWater
      // The towns on its shore do not lie in it.
      (mark.locality, mark.subLocality) = (nil, nil)
    }
    mark.locality = mark.locality ?? mark.administrativeArea
    mark.name = mark.name ?? mark.subLocality ?? mark.locality
    mark.timeZone = (chosen ?? nearest).flatMap { zones[$0.place.zone] }
    mark.formattedAddress = AddressFormat.line(mark)
    mark.source = "world"
    return mark
  }

  private static func score(_ candidate: (place: Place, distance: Double)) -> Double {
    // A place reaches as far as it is large.
    candidate.distance / (0.012 * max(candidate.place.population, 300).squareRoot())
  }

  /// Borders decide; where they are not drawn, the nearest place. A territory with a code of its own is
  /// not told from its country by borders alone.
  private func country(
    _ around: Surroundings, _ nearest: (place: Place, distance: Double)?
  ) -> String? {
    guard let drawn = around.province?.country, (around.distance ?? 0) < 50_000 else {
      return nearest.flatMap { $0.distance < 50 ? $0.place.country : nil }
    }
    if let nearest, nearest.distance < 150,
      Territories.parent(nearest.place.country) == Territories.parent(drawn)
    {
      return nearest.place.country
    }
    return drawn
  }

  private func fill(_ mark: inout Placemark, _ district: Area) {
    var names = district.upper
    mark.administrativeArea = names.first
    if !names.isEmpty { names.removeFirst() }
    mark.locality = names.first ?? mark.administrativeArea
    // 읍 or 면, and the 리 in it.
    mark.subLocality = (names.dropFirst() + [district.name]).joined(separator: " ")
    mark.name = mark.subLocality
  }

  private func fill(
    _ mark: inout Placemark, _ around: Surroundings,
    _ own: [(place: Place, distance: Double)], _ chosen: Place?, _ country: String,
    _ language: String?
  ) throws(DatabaseError) {
    let drawn = around.district?.province ?? around.province?.province ?? ""
    var code = drawn.hasPrefix(country + ".") ? drawn : chosen?.province ?? ""
    // Natural Earth draws Japan's small islands with the wrong prefecture.
    if country == "JP", let close = own.min(by: { $0.distance < $1.distance }), close.distance < 4 {
      code = close.place.province
    }
    mark.administrativeArea = try name(ofRegion: code, in: language)
    if mark.administrativeArea == nil, around.province?.country == country {
      mark.administrativeArea = around.province?.name
    }
    guard let chosen else { return }
    mark.locality = try name(of: chosen, in: language)
    guard let close = own.min(by: { $0.distance < $1.distance }), close.distance < 2,
      close.place.rank != chosen.rank
    else { return }
    mark.subLocality = try name(of: close.place, in: language)
  }
}
