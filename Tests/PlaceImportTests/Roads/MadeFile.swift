import Foundation
import PlaceImport
import PlaceStore

/// A file of OpenStreetMap that a test makes: one block of nodes, ways and relations, not compressed.
struct MadeFile {
  private var strings: [String] = [""]
  private var nodes: [UInt8] = []
  private var ways: [UInt8] = []
  private var relations: [UInt8] = []

  /// Degrees times ten million. In the order of their numbers.
  mutating func node(_ number: Int64, _ latitude: Int32, _ longitude: Int32, _ tags: String...) {
    node(number, latitude, longitude, all: tags)
  }

  mutating func node(_ number: Int64, _ latitude: Int32, _ longitude: Int32, all tags: [String]) {
    nodes += Self.field(
      1,
      Self.field(1, zigzag: number) + tagged(tags) + Self.field(8, zigzag: Int64(latitude))
        + Self.field(9, zigzag: Int64(longitude)))
  }

  mutating func way(_ number: Int64, _ nodes: [Int64], _ tags: String...) {
    way(number, nodes, all: tags)
  }

  mutating func way(_ number: Int64, _ nodes: [Int64], all tags: [String]) {
    ways += Self.field(
      3, Self.field(1, UInt64(number)) + tagged(tags) + Self.field(8, Self.steps(nodes)))
  }

  /// Roles and members: 0 a node, 1 a way, 2 a relation.
  mutating func relation(
    _ number: Int64, _ members: [(role: String, kind: UInt64, number: Int64)], _ tags: String...
  ) {
    relation(number, members, all: tags)
  }

  mutating func relation(
    _ number: Int64, _ members: [(role: String, kind: UInt64, number: Int64)], all tags: [String]
  ) {
    let roles = members.flatMap { Self.number(place(of: $0.role)) }
    relations += Self.field(
      4,
      Self.field(1, UInt64(number)) + tagged(tags) + Self.field(8, roles)
        + Self.field(9, Self.steps(members.map(\.number)))
        + Self.field(10, members.flatMap { Self.number($0.kind) }))
  }

  func write(to path: String) throws {
    let header = Self.field(4, Array("OsmSchema-V0.6".utf8))
    let table = Self.field(1, strings.flatMap { Self.field(1, Array($0.utf8)) })
    var bytes = Self.blob("OSMHeader", header)
    for group in [nodes, ways, relations] where !group.isEmpty {
      bytes += Self.blob("OSMData", table + Self.field(2, group))
    }
    try Data(bytes).write(to: URL(filePath: path))
  }

  private mutating func place(of text: String) -> UInt64 {
    if let place = strings.firstIndex(of: text) { return UInt64(place) }
    strings.append(text)
    return UInt64(strings.count - 1)
  }

  private mutating func tagged(_ tags: [String]) -> [UInt8] {
    let pairs = tags.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let keys = pairs.flatMap { Self.number(place(of: $0[0])) }
    return Self.field(2, keys) + Self.field(3, pairs.flatMap { Self.number(place(of: $0[1])) })
  }

  private static func blob(_ kind: String, _ block: [UInt8]) -> [UInt8] {
    let body = field(1, block)
    let head = field(1, Array(kind.utf8)) + field(3, UInt64(body.count))
    return withUnsafeBytes(of: UInt32(head.count).bigEndian, Array.init) + head + body
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + number(value >> 7)
  }

  private static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  private static func steps(_ values: [Int64]) -> [UInt8] {
    zip(values, [0] + values).flatMap { number(zigzag($0 - $1)) }
  }

  private static func field(_ key: UInt64, _ value: UInt64) -> [UInt8] {
    number(key << 3) + number(value)
  }

  private static func field(_ key: UInt64, zigzag value: Int64) -> [UInt8] {
    field(key, zigzag(value))
  }

  private static func field(_ key: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    number(key << 3 | 2) + number(UInt64(bytes.count)) + bytes
  }
}

extension MadeFile {
  /// The extract that is imported of a file.
  static func imported(_ fill: (inout MadeFile) -> Void) throws -> Extract {
    let folder = NSTemporaryDirectory() + "made-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var file = MadeFile()
    fill(&file)
    try file.write(to: folder + "/made.osm.pbf")
    try ImportJob(
      file: folder + "/made.osm.pbf", folder: folder, report: { _, _ in }, isCancelled: { false }
    ).run()
    return try Extract(path: folder + "/made.places")
  }
}
