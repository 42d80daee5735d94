internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Writes the things of an extract down as they come, each with the cell that it lies in.
final class ThingWriter {
  private let builder: DatabaseBuilder
  private(set) var count: Int64 = 0
  private var south = Int32.max
  private var north = Int32.min
  private var west = Int32.max
  private var east = Int32.min

  init(_ builder: DatabaseBuilder) throws(DatabaseError) {
    self.builder = builder
    try builder.run(
      """
      CREATE TEMP TABLE draft(cell INTEGER, kind INTEGER, latitude INTEGER, longitude INTEGER, name TEXT, \
      names TEXT, category TEXT, street TEXT, number TEXT, postcode TEXT, city TEXT, shape BLOB, osm INTEGER, tag TEXT, \
      further TEXT)
      """)
  }

  /// Up to two rows: the address and the named place that one thing may be; a street is one.
  func write(
    _ tags: Tags, _ shape: [Spot], isClosed: Bool, _ osm: OSMNumber?
  ) throws(DatabaseError) {
    guard !shape.isEmpty else { return }
    let name = tags.name
    if tags.isStreet, shape.count > 1 {
      guard let name else { return }
      return try insert(.street, name, tags, shape, osm)
    }
    let middle = [isClosed ? Spot.middle(of: shape) : Spot.mean(of: shape)]
    if tags.number != nil { try insert(.address, tags["addr:housename"], tags, middle, osm) }
    if let name = name ?? (tags.kind.isOurs ? tags["brand"] : nil) {
      try insert(.named, name, tags, middle, osm)
    }
  }

  private func insert(
    _ kind: ThingKind, _ name: String?, _ tags: Tags, _ shape: [Spot], _ osm: OSMNumber?
  ) throws(DatabaseError) {
    count += 1
    let spot = shape[shape.count / 2]
    let (category, tag): (String?, String?) =
      switch kind {
      case .address: (nil, tags.kindOfHouse)
      case .street: (tags.isPath ? ExtractTables.path : nil, tags.tag("highway"))
      case .named: (tags.kind.category, tags.kind.isOurs ? tags.kind.tag : nil)
      }
    let names = kind == .address ? [] : tags.names.map { "\($0.language)=\($0.name)" }
    let others = kind == .address ? [] : tags.otherNames.map { "=\($0)" }
    let lines = (names + others).prefix(ExtractTables.mostNames)
    try builder.run(
      "INSERT INTO draft VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      [
        .integer(Cells.cell(spot.latitude, spot.longitude)), .integer(kind.rawValue),
        .integer(Int64(spot.latitude)), .integer(Int64(spot.longitude)), .init(name),
        .init(lines.isEmpty ? nil : lines.joined(separator: "\n")), .init(category),
        .init(tags.street), .init(tags.number), .init(tags["addr:postcode"]), .init(tags.city),
        kind == .street ? .blob(Spot.bytes(shape)) : .null,
        osm.map { .integer($0.column) } ?? .null, .init(tag),
        .init(kind == .named || kind == .address && tags.isMoreThanHouse ? tags.further : nil),
      ])
    for spot in shape { cover(spot) }
  }

  func cover(_ spot: Spot) {
    (south, north) = (min(south, spot.latitude), max(north, spot.latitude))
    (west, east) = (min(west, spot.longitude), max(east, spot.longitude))
  }

  /// Whose it is, and what it covers.
  func describe(name: String, date: String, countries: Set<String>) throws(DatabaseError) {
    var about = [
      "name": name, "date": date, "licence": "ODbL 1.0",
      "attribution": "© OpenStreetMap contributors", "places": String(count),
    ]
    if !countries.isEmpty { about["countries"] = countries.sorted().joined(separator: " ") }
    if south <= north {
      about["coverage"] = [south, west, north, east].map { String(Double($0) / 1e7) }
        .joined(separator: " ")
    }
    for (key, value) in about.sorted(by: { $0.key < $1.key }) {
      try builder.run("INSERT INTO about VALUES(?,?)", [.text(key), .text(value)])
    }
  }
}

extension DatabaseValue {
  fileprivate init(_ text: String?) { self = text.map(DatabaseValue.text) ?? .null }
}
