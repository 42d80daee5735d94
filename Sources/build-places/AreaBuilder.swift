internal import Geodesy
internal import LocationModel
internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Provinces and districts, cut into pieces.
struct AreaBuilder {
  private let database: Database
  private var count: Int64 = 0
  private var pieceCount: Int64 = 0
  /// Of provinces, to find them by a place: pieces in cells of a degree.
  private var cells: [GridPoint: [(area: Int64, shape: Shape)]] = [:]
  /// The towns of each, and their provinces.
  private var towns: [Int64: [(point: GridPoint, province: String)]] = [:]
  /// Of provinces as they are drawn: their country, and where they lie.
  private var outlines: [Int64: (country: String, outline: Outline)] = [:]
  private var districts: [(id: Int64, name: String, upper: String)] = []
  /// The lakes that are drawn, by their keys.
  private(set) var lakes: [(key: String, shape: Shape)] = []

  init(_ database: Database) { self.database = database }

  /// Areas without a code, and countries whose code Natural Earth does not tell apart.
  private static let codes = [
    "Dhekelia": "GB", "Akrotiri": "GB", "Northern Cyprus": "CY", "Somaliland": "SO",
    "Guantanamo Bay USNB": "CU", "Cocos (Keeling) Islands": "CC", "Christmas Island": "CX",
    "Clipperton Island": "FR", "Kashmir": "IN", "Baykonur lease in Qyzylorda": "KZ",
    // Departments with codes of their own.
    "Guadeloupe": "GP", "Martinique": "MQ", "Guyane française": "GF", "La Réunion": "RE",
    "Mayotte": "YT",
  ]

  mutating func addProvinces(_ path: String) throws {
    let source = try SealedDatabase(path: path, application: 0x4750_3130, version: 0)
    for row in try source.rows(
      "SELECT iso_a2, name, geom FROM states_provinces WHERE geom IS NOT NULL ORDER BY fid")
    {
      let name = row[1].text ?? ""
      guard let bytes = row[2].blob else { continue }
      var reader = WKBReader(geoPackage: bytes)
      guard let shape = reader.shape()?.uncut else {
        throw BuildError("\(path): \(name) has no shape")
      }
      let given = row[0].text ?? "-1"
      let own = given == "-1" || given == "FR" ? Self.codes[name] : nil
      let code = own ?? given
      guard code.utf8.count == 2, code != "-1" else { continue }
      try add(shape, level: 1, country: code, code: "", name: name, upper: "")
    }
  }

  mutating func addKorea(_ folder: String) throws {
    // Provinces, cities and gu, which are looked for by name only; eup, myeon and dong; the villages in
    // eup and myeon.
    for (level, file) in [(1, "sido"), (2, "sigungu"), (3, "emd"), (4, "ri")] as [(Int64, String)] {
      let meta = try json(folder + "/\(file).meta.json").array ?? []
      let bytes = try File.bytes(of: folder + "/\(file).wkb", atMost: 1 << 30)
      var place = 0
      for entry in meta {
        guard place + 4 <= bytes.count else { throw BuildError("\(file).wkb ends too early") }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
        var reader = WKBReader(bytes, at: place + 4)
        place += 4 + length
        guard let code = entry["code"]?.string, !code.isEmpty, let shape = reader.shape() else {
          continue
        }
        let names = KoreanDistrict(entry)
        try add(
          shape.simplified(50), level: level == 1 ? 2 : level, country: "KR", a1: names.province,
          code: code, name: names.own(level), upper: names.upper(level))
      }
    }
  }

  mutating func addLakes(_ folder: String) throws {
    lakes = try Lakes(folder).shapes
    for (key, shape) in lakes {
      try add(shape, level: 5, country: "", code: "lake." + key, name: key, upper: "")
    }
    for (key, names) in Lakes.names {
      for (language, name) in zip(Sea.languages, names.split(separator: "|").map(String.init)) {
        try database.insert("region_name", .text("lake." + key), .text(language), .text(name))
      }
    }
  }

  private mutating func add(
    _ shape: Shape, level: Int64, country: String, a1: String = "", code: String, name: String,
    upper: String
  ) throws {
    count += 1
    let box = shape.box
    try database.insert(
      "area", .integer(count), .integer(level), .text(country), .text(a1), .text(code),
      .text(name), .text(upper), .integer(Int64((box.minY + box.maxY) / 2)),
      .integer(Int64((box.minX + box.maxX) / 2)))
    if (2...4).contains(level) { districts.append((count, name, upper)) }
    if level == 1 { outlines[count] = (country, Outline(shape)) }
    if level == 2 { return }
    for piece in shape.pieces(of: 96) {
      pieceCount += 1
      let box = piece.box
      try database.insert("piece", .integer(pieceCount), .integer(count), .blob(piece.bytes))
      try database.insert(
        "piece_box", .integer(pieceCount), .integer(Int64(box.minX)), .integer(Int64(box.maxX)),
        .integer(Int64(box.minY)), .integer(Int64(box.maxY)))
      guard level == 1 else { continue }
      for x in Self.cell(box.minX)...Self.cell(box.maxX) {
        for y in Self.cell(box.minY)...Self.cell(box.maxY) {
          cells[GridPoint(x: x, y: y), default: []].append((count, piece))
        }
      }
    }
  }

  /// A lake or an island: no land of a country's.
  mutating func add(shape: Shape, level: Int64, code: String, name: String) throws {
    try add(
      shape.simplified(300), level: level, country: "", code: code, name: name, upper: "")
  }

  /// The country and the province that is drawn at a place.
  func province(at point: GridPoint) -> (country: String, province: String) {
    let cell = GridPoint(x: Self.cell(point.x), y: Self.cell(point.y))
    let area = (cells[cell] ?? []).first { $0.shape.contains(point) }?.area
    guard let area, let country = outlines[area]?.country else { return ("", "") }
    if let elected = elected(area) { return (country, elected) }
    // The nearest town says which of several it is.
    let scale = LocalPlane.cosine(Double(point.y) / 1e6)
    func distance(_ town: GridPoint) -> Double {
      let (x, y) = (Double(town.x - point.x) * scale, Double(town.y - point.y))
      return x * x + y * y
    }
    let nearest = (towns[area] ?? []).filter { $0.province.hasPrefix(country + ".") }
      .min { distance($0.point) < distance($1.point) }
    return (country, nearest?.province ?? "")
  }

  private static func cell(_ value: Int) -> Int { (value + 200_000_000) / 1_000_000 }

  /// A town says which province it is in.
  mutating func vote(_ point: GridPoint, country: String, province: String) {
    let cell = GridPoint(x: Self.cell(point.x), y: Self.cell(point.y))
    for (area, shape) in cells[cell] ?? [] where shape.contains(point) {
      towns[area, default: []].append((point, country + "." + province))
      return
    }
  }

  /// Nil for an area that holds several provinces.
  private func elected(_ area: Int64) -> String? {
    let votes = (towns[area] ?? []).reduce(into: [:]) { $0[$1.province, default: 0] += 1 }
    return Self.elected(by: votes, in: outlines[area]?.country ?? "")
  }

  /// Fewer places of one province are in an area that holds several: Salinas is not all of Puerto Rico.
  private static let leastShare = 0.8

  /// The province that most of its country's places in an area say it is. What Natural Earth says of the country stands.
  static func elected(by votes: [String: Int], in country: String) -> String? {
    let own = votes.filter { $0.key.hasPrefix(country + ".") }
    let all = own.reduce(0) { $0 + $1.value }
    return own.first { Double($0.value) >= leastShare * Double(all) }?.key
  }

  /// Outlines of countries and provinces, by their codes.
  var regions: [String: Outline] {
    var regions: [String: Outline] = [:]
    for (area, drawn) in outlines.sorted(by: { $0.key < $1.key }) {
      for code in Set([drawn.country, elected(area) ?? drawn.country]) {
        regions[code, default: Outline()].add(drawn.outline)
      }
    }
    return regions
  }

  func finish(_ places: PlaceBuilder) throws {
    for area in towns.keys.sorted() {
      guard let best = elected(area) else { continue }
      try database.run("UPDATE area SET a1 = ? WHERE id = ?", [.text(best), .integer(area)])
    }
    for (id, name, upper) in districts {
      let context = Self.folded(upper.split(separator: "\n").map(String.init))
      try database.insert(
        "names(rowid, name, context)", .integer(WorldSchema.firstDistrict + id),
        .text(Self.folded([name]) + " " + Self.latin([name])),
        .text(
          "\(context) \(Self.latin(upper.split(separator: "\n").map(String.init))) "
            + "\(places.context("KR", "")) cckr"))
    }
  }
}

extension Shape {
  /// Natural Earth's land, as QGIS has it, is cut at 179.9° and 89.9° S: there it goes on to 180° and to the pole.
  var uncut: Shape {
    Shape(
      rings: rings.map { ring in
        ring.map { point in
          GridPoint(
            x: abs(point.x) < Self.cut.x ? point.x : 180_000_000 * point.x.signum(),
            y: point.y > Self.cut.y ? point.y : -90_000_000)
        }
      })
  }

  private static let cut = GridPoint(x: 179_899_000, y: -89_899_000)
}

extension AreaBuilder {
  fileprivate static func folded(_ names: [String]) -> String {
    names.flatMap { KoreanNames.forms(of: $0) }.map { Folding.fold($0) }.joined(separator: "\n")
  }

  /// As those write them who do not write hangul.
  fileprivate static func latin(_ names: [String]) -> String {
    let forms = names.flatMap { KoreanNames.forms(of: $0) }.flatMap { Romanization.forms(of: $0) }
    return Set(forms.flatMap(Folding.tokens)).sorted().joined(separator: " ")
  }
}

/// A district's names from the largest to its own, as they are called by now.
struct KoreanDistrict {
  private var names: [String]
  /// GeoNames' code.
  var province: String

  private static let codes = [
    "11": "11", "26": "10", "27": "15", "28": "12", "29": "18", "30": "19", "31": "21", "36": "22",
    "41": "13", "42": "06", "43": "05", "44": "17", "45": "03", "46": "16", "47": "14", "48": "20",
    "50": "01",
  ]

  init(_ entry: JSON) {
    names = ["sido", "sigungu", "emd", "ri"].map { entry[$0]?.string ?? "" }
    var code = String((entry["code"]?.string ?? "").prefix(2))
    // Since July 2023, and since January 2024.
    if names[1] == "군위군" { (names[0], code) = ("대구광역시", "27") }
    if names[0] == "전라북도" { names[0] = "전북특별자치도" }
    province = "KR." + (Self.codes[code] ?? "")
  }

  func own(_ level: Int64) -> String { names[Int(level) - 1] }

  func upper(_ level: Int64) -> String {
    names[..<(Int(level) - 1)].filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

func json(_ path: String) throws -> JSON {
  let bytes = try File.bytes(of: path, atMost: 1 << 30)
  return try bytes.withUnsafeBytes { (buffer) throws(JSONError) in
    try JSON(parsing: buffer)
  }
}
