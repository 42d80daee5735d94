internal import LocationModel
internal import PlaceCore
internal import Platform

/// The world's file: places, borders, districts.
final class World {
  let database: SealedDatabase
  private(set) var zones: [Int64: String] = [:]
  private(set) var languages: [String: String] = [:]
  let dataSet: DataSet

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
  }

  struct Place {
    var rank: Int64
    var gid: Int64
    var name: String
    var folded: String
    var country: String
    var province: String
    var population: Double
    var zone: Int64
    var coordinate: Coordinate

    init?(_ row: ArraySlice<DatabaseValue>) {
      let row = Array(row)
      guard row.count == 10, let rank = row[0].integer, let gid = row[1].integer,
        let name = row[2].text, let y = row[8].integer, let x = row[9].integer
      else { return nil }
      self.rank = rank
      self.gid = gid
      self.name = name
      folded = row[3].text ?? ""
      country = row[4].text ?? ""
      province = row[5].text ?? ""
      population = Double(row[6].integer ?? 0)
      zone = row[7].integer ?? 0
      coordinate = Coordinate(latitude: Double(y) / 1e6, longitude: Double(x) / 1e6)
    }
  }

  struct Area {
    var id: Int64
    var level: Int64
    var country: String
    var province: String
    var code: String
    var name: String
    var upper: [String]
    var coordinate: Coordinate

    init?(_ row: [DatabaseValue]) {
      guard row.count == 9, let id = row[0].integer, let level = row[1].integer else { return nil }
      self.id = id
      self.level = level
      country = row[2].text ?? ""
      province = row[3].text ?? ""
      name = row[4].text ?? ""
      upper = (row[5].text ?? "").split(separator: "\n").map(String.init)
      coordinate = Coordinate(
        latitude: Double(row[6].integer ?? 0) / 1e6, longitude: Double(row[7].integer ?? 0) / 1e6)
      code = row[8].text ?? ""
    }
  }

  func place(gid: Int64) throws(DatabaseError) -> Place? {
    try database.rows("SELECT * FROM place WHERE gid = ?", [.integer(gid)]).first
      .flatMap { Place($0[...]) }
  }

  func area(_ id: Int64) throws(DatabaseError) -> Area? {
    try database.rows(
      "SELECT id, level, cc, a1, name, upper, y, x, code FROM area WHERE id = ?", [.integer(id)]
    ).first.flatMap(Area.init)
  }

  /// The name in the language that is asked for, else in the place's own, else as the data has it.
  func name(of place: Place, in language: String?) throws(DatabaseError) -> String {
    for language in [language, languages[place.country]].compactMap(\.self) {
      let rows = try database.rows(
        "SELECT name FROM place_name WHERE gid = ? AND language = ?",
        [.integer(place.gid), .text(language)])
      if let name = rows.first?[0].text { return name }
      // What has no name of its own in that language is written as the data has it.
      if language == "en" { return place.name }
    }
    return place.name
  }

  func name(ofRegion code: String, in language: String?) throws(DatabaseError) -> String? {
    let own = languages[String(code.prefix(2))]
    for language in [language, language == "en" ? "" : own, ""].compactMap(\.self) {
      let rows = try database.rows(
        "SELECT name FROM region_name WHERE code = ? AND language = ?",
        [.text(code), .text(language)])
      if let name = rows.first?[0].text { return name }
    }
    return nil
  }
}
