internal import LocationModel
internal import PlaceCore
internal import Platform

/// The borders of time zones, cut into pieces.
struct ZoneBuilder {
  private let database: Database
  private var count: Int64 = 0

  init(_ database: Database) { self.database = database }

  /// Millionths of a degree that a border may be drawn off: half of what the data's own is.
  private static let tolerance = 500.0

  /// `folder`: as config/places/zones wrote it. `places`: those that number the zones.
  mutating func add(_ folder: String, numbers places: inout PlaceBuilder) throws {
    for name in try json(folder + "/names.json").array ?? [] {
      guard let name = name.string else { continue }
      let file = name.map { $0 == "/" ? "," : $0 }
      var reader = WKBReader(
        try File.bytes(of: folder + "/\(String(file)).wkb", atMost: 1 << 26))
      guard let shape = reader.shape() else { throw BuildError("\(name) has no shape") }
      try add(shape.simplified(Self.tolerance), zone: places.zone(name))
    }
  }

  private mutating func add(_ shape: Shape, zone: Int64) throws {
    for piece in shape.pieces(of: 96) {
      count += 1
      let box = piece.box
      try database.insert("zone_piece", .integer(count), .integer(zone), .blob(piece.bytes))
      try database.insert(
        "zone_box", .integer(count), .integer(Int64(box.minX)), .integer(Int64(box.maxX)),
        .integer(Int64(box.minY)), .integer(Int64(box.maxY)))
    }
  }
}
