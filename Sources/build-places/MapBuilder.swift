internal import Glibc
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// The base map of the page: land, borders and names, at several scales in one file each.
struct MapBuilder {
  /// Hundred-thousandths of a degree, which are a metre, are fine enough to look at.
  private static let grain = 10
  /// Millionths of a degree by which a line may differ from Natural Earth's own.
  private static let scales: [(table: String, tolerance: Double)] = [
    ("countries", 60_000), ("countries", 8_000), ("countries", 800),
    ("states_provinces", 12_000), ("states_provinces", 1_500),
  ]
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
    BuildPlaces.say("Land and borders…")
    try write(try land(), to: folder + "/land.bin")
    BuildPlaces.say("Names on the map…")
    try write(Array(try names().text.utf8), to: folder + "/names.json")
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    try File.write(bytes, to: path + ".new")
    chmod(path + ".new", 0o644)
    try File.rename(path + ".new", to: path)
  }

  // Each scale: the number of its shapes, then the length, box and rings of each.
  private func land() throws -> [UInt8] {
    var bytes = Array("land".utf8)
    let lakes = try Lakes(raw + "/maps/usr/lib/R/site-library/maps/mapdata").shapes.map(\.shape)
    var scales: [(shapes: [Shape], tolerance: Double)] = []
    for (table, tolerance) in Self.scales { scales.append((try shapes(table), tolerance)) }
    scales.append((lakes, 2_000))
    for (own, tolerance) in scales {
      let shapes = own.map { coarse($0, tolerance) }.filter { !$0.rings.isEmpty }
      Self.append(shapes.count, to: &bytes)
      for shape in shapes {
        let box = shape.box
        let corners = [GridPoint(x: box.minX, y: box.minY), GridPoint(x: box.maxX, y: box.maxY)]
        let own = Shape(rings: [corners]).bytes + shape.bytes
        Self.append(own.count, to: &bytes)
        bytes += own
      }
    }
    return bytes
  }

  /// Seven bits a byte, the lowest first.
  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private func shapes(_ table: String) throws -> [Shape] {
    let path = raw + "/qgis/world_map.gpkg"
    let source = try SealedDatabase(path: path, application: 0x4750_3130, version: 0)
    return try source.rows("SELECT geom FROM \(table) WHERE geom IS NOT NULL ORDER BY fid")
      .compactMap { row in
        guard let blob = row[0].blob else { return nil }
        var reader = WKBReader(geoPackage: blob)
        return reader.shape()
      }
  }

  /// Islands smaller than what is seen at this scale are left out.
  private func coarse(_ shape: Shape, _ tolerance: Double) -> Shape {
    let rings = shape.simplified(tolerance).rings.compactMap { ring -> [GridPoint]? in
      let box = Shape(rings: [ring]).box
      guard Double(max(box.maxX - box.minX, box.maxY - box.minY)) > tolerance else { return nil }
      return ring.map { GridPoint(x: $0.x / Self.grain, y: $0.y / Self.grain) }
    }
    return Shape(rings: rings)
  }

  // `{"countries":[[name, Korean name or "", latitude, longitude, first zoom], …],"towns":[…]}`, the most important
  // ones first.
  private func names() throws -> JSON {
    let world = try SealedDatabase(
      path: folder + "/world.sqlite", application: WorldSchema.application,
      version: WorldSchema.version)
    var towns: [JSON] = []
    let rows = try world.rows(
      """
      SELECT p.name, n.name, p.y, p.x, p.population FROM place p
      LEFT JOIN place_name n ON n.gid = p.gid AND n.language = 'ko' ORDER BY p.rank LIMIT ?
      """, [.integer(Int64(Self.towns))])
    for row in rows {
      guard let name = row[0].text, let y = row[2].integer, let x = row[3].integer else { continue }
      towns.append(
        Self.label(name, row[1].text, y, x, Self.firstZoom(population: row[4].integer ?? 0)))
    }
    return ["countries": .array(try countries(world)), "towns": .array(towns)]
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
      let korean = try world.rows(
        "SELECT name FROM region_name WHERE code = ? AND language = 'ko'",
        [.text(row[1].text ?? "")]
      ).first?[0].text
      let size = Self.size(box)
      let zoom: Int64 = size > 25_000_000 ? 2 : size > 8_000_000 ? 3 : size > 3_000_000 ? 4 : 5
      found.append(
        (
          size,
          Self.label(
            name, korean, Int64((box.minY + box.maxY) / 2), Int64((box.minX + box.maxX) / 2), zoom)
        ))
    }
    return found.sorted { $0.size > $1.size }.map(\.label)
  }

  private static func size(_ box: Shape.Box) -> Int {
    max(box.maxX - box.minX, box.maxY - box.minY)
  }

  private static func label(
    _ name: String, _ korean: String?, _ y: Int64, _ x: Int64, _ zoom: Int64
  ) -> JSON {
    .array([
      .string(name), .string(korean ?? ""), .number(Double(y / 10) / 1e5),
      .number(Double(x / 10) / 1e5), .integer(zoom),
    ])
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
