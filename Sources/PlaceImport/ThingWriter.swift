internal import PlaceCore
internal import PlaceStore
internal import Platform

/// Writes the rows of an extract.
final class ThingWriter {
  private let builder: DatabaseBuilder
  private var count: Int64 = 0
  private var south = Int32.max
  private var north = Int32.min
  private var west = Int32.max
  private var east = Int32.min

  init(path: String) throws(DatabaseError) {
    builder = try DatabaseBuilder(path: path, ExtractTables.schema)
  }

  /// Up to three rows: the street, the address and the named place that one thing may be.
  func write(
    _ tags: Tags, _ shape: [(latitude: Int32, longitude: Int32)], isClosed: Bool
  ) throws(DatabaseError) {
    guard !shape.isEmpty else { return }
    if tags.isStreet {
      guard let name = tags["name"] else { return }
      return try insert(.street, name, tags, shape, keepsShape: true)
    }
    let middle = [Self.middle(shape, isClosed: isClosed)]
    if tags.number != nil, tags.street != nil {
      try insert(.address, nil, tags, middle, keepsShape: false)
    }
    let category = tags.category
    if let name = tags["name"] ?? (category == nil ? nil : tags["brand"]),
      category != nil || tags.number == nil
    {
      try insert(.named, name, tags, middle, keepsShape: false)
    }
  }

  private static func middle(
    _ shape: [(latitude: Int32, longitude: Int32)], isClosed: Bool
  ) -> (latitude: Int32, longitude: Int32) {
    let corners = isClosed ? shape.dropLast() : shape[...]
    let all = Int64(max(corners.count, 1))
    return (
      Int32(clamping: corners.reduce(Int64(0)) { $0 + Int64($1.latitude) } / all),
      Int32(clamping: corners.reduce(Int64(0)) { $0 + Int64($1.longitude) } / all)
    )
  }

  private func insert(
    _ kind: ThingKind, _ name: String?, _ tags: Tags,
    _ shape: [(latitude: Int32, longitude: Int32)], keepsShape: Bool
  ) throws(DatabaseError) {
    count += 1
    let names = tags.names.prefix(ExtractTables.mostNames)
    let spot = shape[shape.count / 2]
    let isAddress = kind == .address
    try builder.run(
      "INSERT INTO thing VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
      [
        .integer(count), .integer(kind.rawValue), .integer(Int64(spot.latitude)),
        .integer(Int64(spot.longitude)), .init(name),
        .init(
          isAddress || names.isEmpty
            ? nil : names.map { "\($0.language)=\($0.name)" }.joined(separator: "\n")),
        .init(kind == .named ? tags.category : nil), .init(tags.street), .init(tags.number),
        .init(tags["addr:postcode"]), .init(tags.city),
        keepsShape ? .blob(Self.bytes(shape)) : .null,
      ])
    let low = (shape.map(\.latitude).min() ?? 0, shape.map(\.longitude).min() ?? 0)
    let high = (shape.map(\.latitude).max() ?? 0, shape.map(\.longitude).max() ?? 0)
    (south, north) = (min(south, low.0), max(north, high.0))
    (west, east) = (min(west, low.1), max(east, high.1))
    // The R*Tree's numbers are rounded outwards.
    try builder.run(
      "INSERT INTO box VALUES(?,?/1e7,?/1e7,?/1e7,?/1e7)",
      [.integer(count)] + [low.0, high.0, low.1, high.1].map { .integer(Int64($0)) })
    var texts = isAddress ? [] : [name].compactMap { $0 } + tags.otherNames + names.map(\.name)
    texts += [tags.number, tags.street, tags["addr:postcode"], tags.city].compactMap { $0 }
    try builder.run(
      "INSERT INTO words(rowid, text) VALUES(?,?)",
      [.integer(count), .text(Self.words(texts))])
  }

  private static func words(_ texts: [String]) -> String {
    var seen: Set<String> = []
    return texts.flatMap(Folding.tokens).filter { seen.insert($0).inserted }.joined(separator: " ")
  }

  /// Four bytes each, the lowest first.
  private static func bytes(_ shape: [(latitude: Int32, longitude: Int32)]) -> [UInt8] {
    shape.flatMap { [$0.latitude, $0.longitude] }.flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
  }

  func finish(name: String, date: String) throws(DatabaseError) {
    var about = [
      "name": name, "date": date, "licence": "ODbL 1.0",
      "attribution": "© OpenStreetMap contributors", "places": String(count),
    ]
    if count > 0 {
      about["coverage"] = [south, west, north, east].map { String(Double($0) / 1e7) }
        .joined(separator: " ")
    }
    for (key, value) in about.sorted(by: { $0.key < $1.key }) {
      try builder.run("INSERT INTO about VALUES(?,?)", [.text(key), .text(value)])
    }
    try builder.finish()
  }
}

extension DatabaseValue {
  fileprivate init(_ text: String?) { self = text.map(DatabaseValue.text) ?? .null }
}
