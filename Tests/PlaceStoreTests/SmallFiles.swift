import Foundation
import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// A folder with files of a few places, as the schemas have them.
final class SmallFiles {
  let path = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID())").path

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var world: String { path + "/world.sqlite" }
  var postcodes: String { path + "/postcodes.sqlite" }
  var extract: String { path + "/small.places" }

  /// A file that is made whole.
  func make(
    _ file: String, _ schema: DatabaseSchema, _ fill: (DatabaseBuilder) throws -> Void
  ) throws {
    let builder = try DatabaseBuilder(path: file, schema)
    try fill(builder)
    try builder.finish()
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    try Data(bytes).write(to: URL(filePath: file))
  }

  func bytes(of file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file)))
  }
}

extension DatabaseBuilder {
  /// `INSERT INTO` a table of so many columns.
  func insert(_ table: String, _ values: DatabaseValue...) throws {
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    try run("INSERT INTO \(table) VALUES (\(marks))", values)
  }

  /// A town and its names, of which the first is its own.
  func addTown(
    _ rank: Int64, _ names: [String], in country: String, people: Int64, _ latitude: Int64,
    _ longitude: Int64
  ) throws {
    let folded = names.map { Folding.fold($0) }
    let (y, x) = (latitude * 1_000_000, longitude * 1_000_000)
    try insert(
      "place", .integer(rank), .integer(1000 + rank), .text(names[0]),
      .text(folded[0] + "\n\n" + folded.dropFirst().joined(separator: "\n")), .text(country),
      .text(country + ".1"),
      .integer(people), .integer(1), .integer(y), .integer(x))
    try insert("spot", .integer(rank), .integer(x), .integer(x), .integer(y), .integer(y))
    try insert(
      "names(rowid, name, context)", .integer(rank), .text(folded.joined(separator: " ")),
      .text("cc" + country.lowercased()))
  }

  /// A house, a street or a place of an extract, whose number is in the order of the cells.
  func addThing(
    _ count: Int64, _ kind: ThingKind, _ name: String?, at place: Coordinate,
    category: String? = nil, street: String? = nil, number: String? = nil, line: [Coordinate] = [],
    district: Int64? = nil
  ) throws {
    let (y, x) = (Int32(place.latitude * 1e7), Int32(place.longitude * 1e7))
    let id = DatabaseValue.integer(Cells.first(in: Cells.cell(y, x)) + count)
    func text(_ text: String?) -> DatabaseValue { text.map { .text($0) } ?? .null }
    let shape = line.flatMap { [Int32($0.latitude * 1e7), Int32($0.longitude * 1e7)] }
      .flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    try insert(
      "thing", id, .integer(kind.rawValue), .integer(Int64(y)), .integer(Int64(x)), text(name),
      .null, text(category), text(street), text(number), .null, .null,
      line.isEmpty ? .null : .blob(shape), .null, .null, .null,
      district.map { .integer($0) } ?? .null)
    let (ys, xs) = (([place] + line).map(\.latitude), ([place] + line).map(\.longitude))
    try run(
      "INSERT INTO box VALUES (?, \(ys.min() ?? 0), \(ys.max() ?? 0), \(xs.min() ?? 0), \(xs.max() ?? 0))",
      [id])
    let words = [name, street, number].compactMap(\.self).flatMap { Folding.tokens($0) }
    try insert("words(rowid, text)", id, .text(words.joined(separator: " ")))
  }
}
