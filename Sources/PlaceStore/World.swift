internal import LocationModel
internal import PlaceCore
internal import Platform

/// The world's file: places, borders, districts.
final class World: PlaceFile {
  let database: SealedDatabase
  let dataSet: DataSet
  private var zones: [Int64: String] = [:]
  /// Of each country.
  private var languages: [String: String] = [:]
  /// The towns that are all of their country or province, by its code.
  private var cities: [String: PlaceRow] = [:]
  private var known = Known()
  /// The extracts that have the borders of whole countries.
  var extracts: [Extract] = []

  init(path: String, limit: WorkLimit? = nil) throws(DatabaseError) {
    database = try SealedDatabase(
      path: path, application: WorldSchema.application, version: WorldSchema.version, limit: limit)
    for row in try database.rows("SELECT id, name FROM zone") {
      if let id = row[0].integer { zones[id] = row[1].text }
    }
    for row in try database.rows("SELECT cc, language FROM country") {
      if let country = row[0].text { languages[country] = row[1].text }
    }
    let sources = try database.rows("SELECT date, licence, attribution, places FROM source")
    dataSet = DataSet(
      name: "world", date: sources.compactMap { $0[0].text }.max() ?? "",
      licence: sources.compactMap { $0[1].text }.joined(separator: "; "),
      attribution: sources.compactMap { $0[2].text }.joined(separator: "; "),
      places: sources.reduce(0) { $0 + Int($1[3].integer ?? 0) })
    let states = try regions(codes: CityStates.codes)
    let found = try places(gids: Set(states.map(\.city)))
    for state in states { cities[state.code] = found.first { $0.gid == state.city } }
  }
}

extension World {
  /// Forgets what has been found out.
  func endQuestion() { known = Known() }
}

// MARK: - A text

extension World {
  /// The best first. `forgives`: one letter may be wrong where nothing is called so.
  func hits(
    for text: String, near: Coordinate?, country: String? = nil, isPrefix: Bool,
    forgives: Bool = true, limit: Int
  ) throws(DatabaseError) -> [WorldHit] {
    let name = Known.Name(
      text: text, near: near, country: country, isPrefix: isPrefix, forgives: forgives,
      limit: limit)
    if let hits = known.hits[name] { return hits }
    let hits = try newHits(for: name)
    known.hits[name] = hits
    return hits
  }

  private func newHits(for name: Known.Name) throws(DatabaseError) -> [WorldHit] {
    let (text, near, country, isPrefix) = (name.text, name.near, name.country, name.isPrefix)
    guard let search = NameSearch(text, near: near, country: country, isPrefix: isPrefix) else {
      return []
    }
    var here = country
    if here == nil, let near { here = try surroundings(of: near).country }
    let part = try NameSearch.lastPart(of: text).flatMap { (part) throws(DatabaseError) in
      try region(named: part)
    }
    let behind = part?.isCountry == true ? part?.code : nil
    let questions = search.questions(here: behind ?? here)
    var hits: [WorldHit] = []
    if search.meansKorea(here: here) {
      hits = search.hits(in: try rows(of: [questions[0]], most: Self.mostNamed))
    }
    if hits.count < name.limit {
      hits = search.hits(in: try rows(of: questions, most: Self.mostNamed))
    }
    if hits.isEmpty, country == nil, let sound = NameSearch.text(bySound: text) {
      return try self.hits(
        for: sound, near: near, country: "JP", isPrefix: isPrefix, forgives: false,
        limit: name.limit)
    }
    if name.forgives, hits.isEmpty, !search.isKind {
      hits = search.misspeltHits(
        in: try rows(of: search.misspeltQuestions, most: Self.mostMisspelt))
    }
    return search.ranked(hits, here: here, behind: behind, limit: name.limit)
  }

  /// The country, else the province, whose whole name a text is.
  func region(named text: String) throws(DatabaseError) -> RegionRow? {
    guard let hit = try hits(for: text, near: nil, isPrefix: false, forgives: false, limit: 1).first
    else { return nil }
    return try regions(codes: Set([hit.country, hit.province])).filter { $0.isNamed(text) }
      .min { $0.code < $1.code }
  }

  func hit(id: String) throws(DatabaseError) -> WorldHit? {
    guard id.hasPrefix("world:") else { return nil }
    let rest = id.dropFirst(6)
    if rest.first == "d" {
      guard let number = Int64(rest.dropFirst()), let area = try areas([number]).first else {
        return nil
      }
      return area.isDistrict ? WorldHit(.district(area)) : nil
    }
    if rest.first == "f", let id = Int64(rest.dropFirst()) {
      return try features(ids: [id]).first.map { WorldHit(.feature($0)) }
    }
    guard let gid = Int64(rest) else {
      return try regions(codes: [String(rest)]).first.map { WorldHit(.region($0)) }
    }
    return try places(gids: [gid]).first.map { WorldHit(.place($0)) }
  }

  func placemarks(of hits: [WorldHit], in language: String?) throws(DatabaseError) -> [Placemark] {
    var names = WorldNames(languages: languages)
    for hit in hits { hit.want(&names, in: language) }
    try load(&names)
    return hits.map { $0.placemark(names, zones: zones, in: language) }
  }

  /// The place that a text says by itself, and its names; nil for any other text. A short code counts from the place
  /// that is named behind it, else from `near`.
  func placemark(
    literal text: String, near: Coordinate?, in language: String?
  ) throws(DatabaseError) -> Placemark? {
    var place = PlaceText.coordinate(in: text, near: near)
    if place == nil, let (code, name) = PlaceText.shortCode(in: text) {
      let hits = try hits(for: name, near: near, isPrefix: false, limit: 1)
      place = code.coordinate(near: try placemarks(of: hits, in: nil).first?.coordinate)
    }
    guard let place else { return nil }
    var mark = try reverse(place, in: language)
    mark.coordinate = place
    mark.id = PlaceText.uri(of: place)
    mark.precision = .point
    mark.radius = GridText(text)?.metres
    return mark
  }
}

// MARK: - A place

extension World {
  func surroundings(of place: Coordinate) throws(DatabaseError) -> Surroundings {
    if let around = known.surroundings[place] { return around }
    let around = try newSurroundings(of: place)
    known.surroundings[place] = around
    return around
  }

  private func newSurroundings(of asked: Coordinate) throws(DatabaseError) -> Surroundings {
    let place = asked.drawn
    var around = AreasAround(place, in: try pieces(around: place, within: 0))
    for reach in AreasAround.reaches where around.province == nil {
      around.addCoast(of: try pieces(around: place, within: reach), within: reach)
    }
    let ids = [around.province, around.district, around.lake, around.island].compactMap(\.self)
    var surroundings = Surroundings(around, try areas(ids))
    for extract in extracts where extract.covers(place) {
      surroundings.borders.add(extract.countries, holder: try extract.country(at: place))
    }
    return surroundings
  }

  /// What is here.
  func reverse(_ coordinate: Coordinate, in language: String?) throws(DatabaseError) -> Placemark {
    let spot = Known.Spot(place: coordinate, language: language)
    if let mark = known.placemarks[spot] { return mark }
    let mark = try newReverse(coordinate, in: language)
    known.placemarks[spot] = mark
    return mark
  }

  private func newReverse(
    _ coordinate: Coordinate, in language: String?
  ) throws(DatabaseError) -> Placemark {
    let around = try surroundings(of: coordinate)
    var near: [PlaceRow] = []
    for degrees in around.reaches where near.isEmpty {
      near = try places(around: coordinate, within: degrees)
    }
    var names = WorldNames(languages: languages)
    let answer = WorldReverse(
      coordinate, around, near: near, features: try features(around: coordinate), cities: cities,
      in: language, &names)
    try load(&names)
    let drawn = AreasAround.areas(
      holding: coordinate.drawn, in: try zonePieces(at: coordinate.drawn))
    return answer.placemark(names, zones: zones, drawn: drawn)
  }
}
