internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// The base map of the page: the world's ground and its names, in one file each.
struct MapBuilder {
  /// So many towns, the largest ones, have their names on the map.
  private static let towns = 30_000

  private let raw: String
  private let folder: String

  init(raw: String, folder: String) {
    self.raw = raw
    self.folder = folder
  }

  /// Beside the world's file, of which the names are.
  func write() throws {
    BuildPlaces.say("Coasts, lakes and borders…")
    let ground = try GroundBuilder(raw: raw, scratch: folder).bytes()
    try write(ground.buffer.map(\.self), to: folder + "/ground.bin")
    BuildPlaces.say("Names on the map…")
    try write(Array(try names().text.utf8), to: folder + "/names.json")
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try File.write(bytes, to: path + ".new")
    chmod(path + ".new", 0o644)
    try File.rename(path + ".new", to: path)
  }

  /// The areas of a table of Natural Earth's, in millionths of a degree.
  static func shapes(_ path: String, _ table: String) throws -> [Shape] {
    let source = try SealedDatabase(path: path, application: 0x4750_3130, version: 0)
    return try source.rows("SELECT geom FROM \(table) WHERE geom IS NOT NULL ORDER BY fid")
      .compactMap { row in
        guard let blob = row[0].blob else { return nil }
        var reader = WKBReader(geoPackage: blob)
        return reader.shape()
      }
  }

  // `{"countries":[[name, Korean name or "", latitude, longitude, first zoom, other names], …],"towns":[…],"lakes":[…],
  // "airports":[…]}`, the most important ones first. Other names are as in tiles: `["deMünchen", …]`; there may be none.
  private func names() throws -> JSON {
    let world = try SealedDatabase(
      path: folder + "/world.sqlite", application: WorldSchema.application,
      version: WorldSchema.version)
    var towns: [JSON] = []
    let rows = try world.rows(
      """
      SELECT p.name, (\(Self.names("place_name n WHERE n.gid = p.gid"))), p.y, p.x, p.population FROM place p
      ORDER BY p.rank LIMIT ?
      """, [.integer(Int64(Self.towns))])
    for row in rows {
      guard let name = row[0].text, let y = row[2].integer, let x = row[3].integer else { continue }
      towns.append(
        Self.label(name, row[1].text, y, x, Self.firstZoom(population: row[4].integer ?? 0)))
    }
    return [
      "countries": .array(try countries(world)), "towns": .array(towns),
      "lakes": .array(try features("lake", in: world)),
      "airports": .array(try features("airport", in: world)),
    ]
  }

  /// The names in the page's languages, each behind its language, with tabs between.
  private static func names(_ table: String) -> String {
    let languages = GroundName.languages.map { "'\($0)'" }.joined(separator: ",")
    return
      "SELECT group_concat(n.language || n.name, char(9)) FROM \(table) AND n.language IN (\(languages))"
  }

  private func features(_ kind: String, in world: SealedDatabase) throws -> [JSON] {
    try world.rows(
      """
      SELECT coalesce(e.name, o.name), (\(Self.names("region_name n WHERE n.code = f.code"))), f.y, f.x, f.radius
      FROM feature f
      LEFT JOIN region_name e ON e.code = f.code AND e.language = 'en'
      LEFT JOIN region_name o ON o.code = f.code AND o.language = ''
      WHERE f.kind = ? ORDER BY f.weight DESC, f.radius DESC
      """, [.text(kind)]
    ).compactMap { row in
      guard let name = row[0].text, let y = row[2].integer, let x = row[3].integer else {
        return nil
      }
      return Self.label(name, row[1].text, y, x, Self.firstZoom(radius: row[4].integer ?? 0))
    }
  }

  /// A thing has its name where it is as wide as that, about.
  private static func firstZoom(radius: Int64) -> Int64 {
    (4...11).first { radius << $0 >= 2_000_000 } ?? 11
  }

  private func countries(_ world: SealedDatabase) throws -> [JSON] {
    let source = try SealedDatabase(
      path: raw + "/qgis/world_map.gpkg", application: 0x4750_3130, version: 0)
    var found: [(size: Int, label: JSON)] = []
    for row in try source.rows("SELECT NAME, iso_a2, geom FROM countries WHERE geom IS NOT NULL") {
      guard let name = row[0].text, let blob = row[2].blob else { continue }
      var reader = WKBReader(geoPackage: blob)
      let boxes = (reader.shape()?.rings ?? []).map { Shape(rings: [$0]).box }
      guard let box = boxes.max(by: { Self.size($0) < Self.size($1) }) else { continue }
      let names = try world.rows(
        Self.names("region_name n WHERE n.code = ?"), [.text(row[1].text ?? "")]
      ).first?[0].text
      let size = Self.size(box)
      let zoom: Int64 = size > 25_000_000 ? 2 : size > 8_000_000 ? 3 : size > 3_000_000 ? 4 : 5
      found.append(
        (
          size,
          Self.label(
            name, names, Int64((box.minY + box.maxY) / 2), Int64((box.minX + box.maxX) / 2), zoom)
        ))
    }
    return found.sorted { $0.size > $1.size }.map(\.label)
  }

  private static func size(_ box: Shape.Box) -> Int {
    max(box.maxX - box.minX, box.maxY - box.minY)
  }

  private static func label(
    _ name: String, _ names: String?, _ y: Int64, _ x: Int64, _ zoom: Int64
  ) -> JSON {
    var others = (names ?? "").split(separator: "\t").map(String.init)
    let korean = others.first { $0.hasPrefix("ko") }?.dropFirst(2) ?? ""
    others.removeAll { $0.hasPrefix("ko") || $0.dropFirst(2) == name }
    return .array(
      [
        .string(name), .string(String(korean)), .number(Double(y / 10) / 1e5),
        .number(Double(x / 10) / 1e5), .integer(zoom),
      ] + (others.isEmpty ? [] : [.array(others.map(JSON.string))]))
  }

  private static func firstZoom(population: Int64) -> Int64 {
    switch population {
    case 4_000_000...: 4
    case 1_000_000...: 5
    case 400_000...: 6
    case 150_000...: 7
    case 60_000...: 8
    case 30_000...: 9
    default: 10
    }
  }
}
