package import LocationModel

/// A town, as the world's file has it.
package struct PlaceRow: Equatable, Sendable {
  /// Places are numbered by their population, the largest first.
  package var rank: Int64
  /// GeoNames' number.
  package var gid: Int64
  /// As GeoNames has it: mostly in English.
  package var name: String
  /// All names, folded, a line each; its own is the first.
  package var folded = ""
  package var country = ""
  /// GeoNames' code: `US.TX`.
  package var province = ""
  package var population = 0.0
  package var zone: Int64 = 0
  package var coordinate: Coordinate

  package init(rank: Int64, gid: Int64, name: String, _ coordinate: Coordinate) {
    self.rank = rank
    self.gid = gid
    self.name = name
    self.coordinate = coordinate
  }

  /// A village that nobody has counted is as large as this.
  static let leastPopulation = 100.0

  var weight: Double { max(population, Self.leastPopulation) }
}

/// Land with borders: a province, a district of Korea, a lake.
package struct AreaRow: Equatable, Sendable {
  package var id: Int64
  package var level: Int64
  package var country = ""
  package var province = ""
  package var code = ""
  package var name = ""
  /// The names of the areas that it lies in, the largest first.
  package var upper: [String] = []
  package var coordinate: Coordinate

  package init(id: Int64, level: Int64, _ coordinate: Coordinate) {
    self.id = id
    self.level = level
    self.coordinate = coordinate
  }

  package enum Level {
    package static let province: Int64 = 1
    /// 시, 군 or 구.
    static let city: Int64 = 2
    /// 읍, 면 or 동.
    static let town: Int64 = 3
    package static let lake: Int64 = 5
    static let zone: Int64 = 6
    package static let island: Int64 = 7
  }

  /// A district has an id that a search names; a province, a lake and an island have none.
  package var isDistrict: Bool { level > Level.province && level < Level.lake }
}

/// A country or a province.
package struct RegionRow: Equatable, Sendable {
  /// GeoNames': `FR`, `US.TX`.
  package var code: String
  package var folded = ""
  package var population = 0.0
  /// The place that is all of it: Monaco, Berlin. 0 for most.
  package var city: Int64 = 0
  package var coordinate: Coordinate
  package var radius = 0.0

  package init(code: String, _ coordinate: Coordinate) {
    self.code = code
    self.coordinate = coordinate
  }

  var country: String { String(code.prefix(2)) }
  package var isCountry: Bool { code.utf8.count == 2 }

  package func isNamed(_ text: String) -> Bool {
    folded.split(separator: "\n").contains(Folding.tokens(text).joined(separator: " ")[...])
  }
}

/// A place of the world that is no town: a lake, a peak, an airport.
package struct FeatureRow: Equatable, Sendable {
  package var id: Int64
  /// The category that its answer has.
  package var kind: String
  /// Its names are a region's of this code.
  package var code: String
  /// IATA's and ICAO's codes of an airport, folded; else the number in Wikidata: `q9202`.
  package var tags: [String] = []
  /// As a place's.
  package var folded = ""
  package var country = ""
  package var province = ""
  /// As many people would have to live there.
  package var weight = 0.0
  package var radius = 0.0
  package var zone: Int64 = 0
  package var coordinate: Coordinate

  package init(id: Int64, kind: String, code: String, _ coordinate: Coordinate) {
    (self.id, self.kind, self.code) = (id, kind, code)
    self.coordinate = coordinate
  }
}

/// Rows that may answer a text, and those that it takes to weigh them.
package struct WorldRows: Sendable {
  package var places: [PlaceRow] = []
  package var areas: [AreaRow] = []
  package var regions: [RegionRow] = []
  /// The provinces that the areas lie in.
  package var provinces: [RegionRow] = []
  /// The places that are all of one of the regions or provinces.
  package var cities: [PlaceRow] = []
  package var features: [FeatureRow] = []

  package init() {}
}

/// A place, a district or a region that answers a text, and how well.
package struct WorldHit: Equatable, Sendable {
  package enum What: Equatable, Sendable {
    case place(PlaceRow)
    case district(AreaRow)
    case region(RegionRow)
    case feature(FeatureRow)
  }
  package var what: What
  var score: Double
  /// The name that answers the text.
  var matched: String?
  /// A name of the place is all of the text.
  package var isWhole = false

  package init(_ what: What) { self.init(what, score: 0) }

  init(_ what: What, score: Double) { (self.what, self.score) = (what, score) }

  package var country: String {
    switch what {
    case .place(let place): place.country
    case .district(let area): area.country
    case .region(let region): region.country
    case .feature(let feature): feature.country
    }
  }

  package var id: String {
    switch what {
    case .place(let place): "world:\(place.gid)"
    case .district(let area): "world:d\(area.id)"
    case .region(let region): "world:\(region.code)"
    case .feature(let feature): "world:f\(feature.id)"
    }
  }

  /// The code of its province, or its own; empty for none.
  package var province: String {
    switch what {
    case .place(let place): place.province
    case .district(let area): area.province
    case .region(let region): region.code
    case .feature(let feature): feature.province
    }
  }

  /// A country or a province that the other lies in.
  package func isAround(_ other: WorldHit) -> Bool {
    guard case .region(let region) = what else { return false }
    return region.code == other.country || region.code == other.province
  }

  /// A city is among the places, and its land among the districts.
  func isCity(of area: AreaRow) -> Bool {
    guard area.level == AreaRow.Level.city, case .place(let place) = what,
      place.province == area.province
    else { return false }
    let names = place.folded.split(separator: "\n")
    return KoreanNames.forms(of: area.name).contains { names.contains(Folding.fold($0)[...]) }
  }
}
