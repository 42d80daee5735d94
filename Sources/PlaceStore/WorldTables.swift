internal import LocationModel
internal import PlaceCore
internal import Platform

/// The world's rows, by their numbers, codes and places.
extension World {
  private enum PlaceColumn: Int, Columns {
    case rank, gid, name, folded, cc, a1, population, zone, y, x
    static let list = columns(of: "place")
    /// Without the names that a text is compared with, which are most of a row.
    static let unnamed = columns(of: "place") { $0 != .folded }
  }

  private enum AreaColumn: Int, Columns {
    case id, level, cc, a1, name, upper, y, x, code
    static let list = columns(of: "area")
  }

  private enum FeatureColumn: Int, Columns {
    case id, kind, code, tags, folded, cc, a1, weight, radius, zone, y, x
    static let list = columns(of: "feature")
  }

  private enum RegionColumn: Int, Columns {
    case code, folded, population, city, y, x, radius
    static let list = columns(of: "region")
  }

  /// Of coordinates in the world's file.
  private static let parts = 1e6

  private func places(
    _ rest: String, _ values: [DatabaseValue], list: String = PlaceColumn.list
  ) throws(DatabaseError) -> [PlaceRow] {
    try database.rows(PlaceColumn.self, rest, values, list: list).compactMap { row in
      guard let rank = row[.rank].integer, let gid = row[.gid].integer, let name = row[.name].text,
        let coordinate = row.coordinate(.y, .x, Self.parts)
      else { return nil }
      var place = PlaceRow(rank: rank, gid: gid, name: name, coordinate)
      place.folded = row.text(.folded)
      place.country = row.text(.cc)
      place.province = row.text(.a1)
      place.population = Double(row.integer(.population))
      place.zone = row.integer(.zone)
      return place
    }
  }

  /// All at once: one statement a place would take most of the time.
  func places(ranks: some Sequence<Int64>) throws(DatabaseError) -> [PlaceRow] {
    try places("FROM json_each(?) JOIN place ON place.rank = value", [.list(ranks)])
  }

  func places(gids: Set<Int64>) throws(DatabaseError) -> [PlaceRow] {
    guard !gids.isEmpty else { return [] }
    return try places("FROM json_each(?) JOIN place ON place.gid = value", [.list(gids)])
  }

  func places(around place: Coordinate, within degrees: Double) throws(DatabaseError) -> [PlaceRow]
  {
    let box = AreasAround.box(around: place, within: degrees * Self.parts)
    return try places(
      """
      FROM spot JOIN place ON place.rank = spot.id
      WHERE x0 <= ? AND x1 >= ? AND y0 <= ? AND y1 >= ?
      """, [box.east, box.west, box.north, box.south].map { .integer($0) },
      list: PlaceColumn.unnamed)
  }

  func areas(_ ids: some Sequence<Int64>) throws(DatabaseError) -> [AreaRow] {
    try database.rows(
      AreaColumn.self, "FROM json_each(?) JOIN area ON area.id = value", [.list(ids)]
    ).compactMap { row in
      guard let id = row[.id].integer, let level = row[.level].integer else { return nil }
      let middle = row.coordinate(.y, .x, Self.parts) ?? Coordinate(latitude: 0, longitude: 0)
      var area = AreaRow(id: id, level: level, middle)
      area.country = row.text(.cc)
      area.province = row.text(.a1)
      area.code = row.text(.code)
      area.name = row.text(.name)
      area.upper = row.text(.upper).split(separator: "\n").map(String.init)
      return area
    }
  }

  /// Of areas whose boxes reach into that around a place.
  func pieces(
    around place: Coordinate, within millionths: Double
  ) throws(DatabaseError) -> [PieceRow] {
    let box = AreasAround.box(around: place, within: millionths)
    let rows = try database.rows(
      """
      SELECT p.area, a.level, p.shape FROM piece_box b JOIN piece p ON p.id = b.id
      JOIN area a ON a.id = p.area WHERE b.x0 <= ? AND b.x1 >= ? AND b.y0 <= ? AND b.y1 >= ?
      """, [box.east, box.west, box.north, box.south].map { .integer($0) })
    return rows.compactMap { row in
      guard let area = row[0].integer, let level = row[1].integer, let shape = row[2].blob else {
        return nil
      }
      return PieceRow(area: area, level: level, shape: shape)
    }
  }

  /// Pieces of time zones whose boxes hold a place; their areas are the zones' numbers.
  func zonePieces(at place: Coordinate) throws(DatabaseError) -> [PieceRow] {
    let box = AreasAround.box(around: place, within: 0)
    let rows = try database.rows(
      """
      SELECT p.zone, p.shape FROM zone_box b JOIN zone_piece p ON p.id = b.id
      WHERE b.x0 <= ? AND b.x1 >= ? AND b.y0 <= ? AND b.y1 >= ?
      """, [box.east, box.west, box.north, box.south].map { .integer($0) })
    return rows.compactMap { row in
      guard let zone = row[0].integer, let shape = row[1].blob else { return nil }
      return PieceRow(zone: zone, shape: shape)
    }
  }

  private func regions(
    _ rest: String, _ value: DatabaseValue
  ) throws(DatabaseError) -> [RegionRow] {
    try database.rows(RegionColumn.self, rest, [value]).compactMap { row in
      guard let code = row[.code].text, let middle = row.coordinate(.y, .x, Self.parts) else {
        return nil
      }
      var region = RegionRow(code: code, middle)
      region.folded = row.text(.folded)
      region.population = Double(row.integer(.population))
      region.city = row.integer(.city)
      region.radius = Double(row.integer(.radius))
      return region
    }
  }

  func regions(ids: some Sequence<Int64>) throws(DatabaseError) -> [RegionRow] {
    try regions("FROM json_each(?) JOIN region ON region.id = value", .list(ids))
  }

  func regions(codes: Set<String>) throws(DatabaseError) -> [RegionRow] {
    guard !codes.isEmpty else { return [] }
    return try regions("FROM json_each(?) JOIN region ON region.code = value", .list(codes))
  }

  private func features(
    _ rest: String, _ values: [DatabaseValue]
  ) throws(DatabaseError) -> [FeatureRow] {
    try database.rows(FeatureColumn.self, rest, values).compactMap { row in
      guard let id = row[.id].integer, let kind = row[.kind].text,
        let middle = row.coordinate(.y, .x, Self.parts)
      else { return nil }
      var feature = FeatureRow(id: id, kind: kind, code: row.text(.code), middle)
      feature.tags = row.text(.tags).split(separator: " ").map(String.init)
      feature.folded = row.text(.folded)
      feature.country = row.text(.cc)
      feature.province = row.text(.a1)
      feature.weight = Double(row.integer(.weight))
      feature.radius = Double(row.integer(.radius))
      feature.zone = row.integer(.zone)
      return feature
    }
  }

  func features(ids: some Sequence<Int64>) throws(DatabaseError) -> [FeatureRow] {
    try features("FROM json_each(?) JOIN feature ON feature.id = value", [.list(ids)])
  }

  /// The rows whose boxes hold a place.
  func features(around place: Coordinate) throws(DatabaseError) -> [FeatureRow] {
    let box = AreasAround.box(around: place, within: 0)
    return try features(
      """
      FROM feature_box b JOIN feature ON feature.id = b.id
      WHERE x0 <= ? AND x1 >= ? AND y0 <= ? AND y1 >= ?
      """, [box.east, box.west, box.north, box.south].map { .integer($0) })
  }

  /// The names that are wanted, as far as there are such.
  func load(_ names: inout WorldNames) throws(DatabaseError) {
    func pairs(_ keys: some Sequence<(JSON, String)>) -> DatabaseValue {
      .list(keys.map { .array([$0, .string($1)]) })
    }
    func sql(_ table: String, _ key: String) -> String {
      """
      SELECT \(key), language, name FROM json_each(?) JOIN \(table)
      ON \(key) = json_extract(value, '$[0]') AND language = json_extract(value, '$[1]')
      """
    }
    if !names.wantedPlaces.isEmpty {
      let wanted = pairs(names.wantedPlaces.map { (.integer($0.item), $0.language) })
      for row in try database.rows(sql("place_name", "gid"), [wanted]) {
        guard let gid = row[0].integer, let language = row[1].text else { continue }
        names.places[WorldNames.Key(gid, language)] = row[2].text
      }
    }
    guard !names.wantedRegions.isEmpty else { return }
    let wanted = pairs(names.wantedRegions.map { (.string($0.item), $0.language) })
    for row in try database.rows(sql("region_name", "code"), [wanted]) {
      guard let code = row[0].text, let language = row[1].text else { continue }
      names.regions[WorldNames.Key(code, language)] = row[2].text
    }
  }
}

// MARK: - Names that answer a question

extension World {
  /// So many rows answer one question at most: the largest places and districts, and the weightiest countries and
  /// provinces, which stand behind them.
  static let (mostNamed, mostMisspelt): (Int64, Int64) = (300, 500)
  private static let (mostRegions, mostFeatures): (Int64, Int64) = (40, 60)

  /// Rows whose names answer one of FTS5's questions.
  func rows(of questions: [String], most: Int64) throws(DatabaseError) -> WorldRows {
    var numbers: Set<Int64> = []
    for question in questions { numbers.formUnion(try self.numbers(of: question, most)) }
    let (area, region, feature) = (
      WorldSchema.firstDistrict, WorldSchema.firstRegion, WorldSchema.firstFeature
    )
    var rows = WorldRows()
    guard !numbers.isEmpty else { return rows }
    rows.places = try places(ranks: numbers.filter { $0 < area })
    rows.areas = try areas(numbers.filter { $0 > area && $0 < region }.map { $0 - area })
    rows.regions = try regions(
      ids: numbers.filter { $0 > region && $0 < feature }.map { $0 - region })
    rows.features = try features(ids: numbers.filter { $0 > feature }.map { $0 - feature })
    rows.provinces = try regions(codes: Set(rows.areas.map(\.province)))
    let cities = (rows.regions + rows.provinces).map(\.city).filter { $0 != 0 }
    rows.cities = try places(gids: Set(cities))
    return rows
  }

  private func numbers(of question: String, _ most: Int64) throws(DatabaseError) -> [Int64] {
    do {
      var rows = try database.rows(
        "SELECT rowid FROM names WHERE names MATCH ? LIMIT ?", [.text(question), .integer(most)])
      let areMore = rows.count >= most
      for (first, most) in [
        (WorldSchema.firstRegion, Self.mostRegions), (WorldSchema.firstFeature, Self.mostFeatures),
      ] where areMore {
        rows += try database.rows(
          "SELECT rowid FROM names WHERE names MATCH ? AND rowid > ? LIMIT ?",
          [.text(question), .integer(first), .integer(most)])
      }
      return rows.compactMap { $0[0].integer }
    } catch {
      // FTS5 rejects the word: no place matches.
      guard case .failed = error else { throw error }
      return []
    }
  }
}
