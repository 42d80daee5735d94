import BenchSupport
import LocationModel
import PlaceCore
import PlaceStore
import Platform

/// The rows of a file of places that one bare question of SQLite's finds: no ranking, no words.
struct RawRows {
  private let database: SealedDatabase

  init(world folder: String) throws {
    database = try SealedDatabase(
      path: folder + "/world.sqlite", application: WorldSchema.application,
      version: WorldSchema.version)
  }

  init(extract path: String) throws {
    database = try SealedDatabase(
      path: path, application: ExtractTables.schema.application,
      version: Int64(ExtractTables.schema.steps.count))
  }

  func rows(_ sql: String) throws -> [[DatabaseValue]] { try database.rows(sql) }

  /// Rows that have each word, the last one begun.
  func named(_ text: String, in table: String) throws {
    let words = Folding.fold(text).split(separator: " ").map { "\"\($0)\"" }
    guard !words.isEmpty else { return }
    _ = try database.rows(
      "SELECT rowid FROM \(table) WHERE \(table) MATCH ? LIMIT 300",
      [.text(words.joined(separator: " ") + "*")])
  }

  func around(_ place: Coordinate) throws {
    let x = Int64(place.longitude * 1e6)
    let y = Int64(place.latitude * 1e6)
    _ = try database.rows(
      "SELECT id FROM piece_box WHERE x0 <= ? AND x1 >= ? AND y0 <= ? AND y1 >= ?",
      [x, x, y, y].map { .integer($0) })
  }
}

/// How long answers take, beside raw rows for the same question, in turns.
struct Times {
  private var ours: [Double] = []
  private var raw: [Double] = []
  private var slowest: (time: Double, text: String) = (0, "")

  static let names = "raw FTS5"
  static let boxes = "raw R*Tree"

  mutating func measure<Answer>(
    _ text: String = "", _ answer: () throws -> Answer, raw: () throws -> Void
  ) rethrows -> Answer {
    let start = ContinuousClock.now
    let result = try answer()
    let middle = ContinuousClock.now
    try raw()
    let time = (middle - start) / .milliseconds(1)
    if time > slowest.time { slowest = (time, text) }
    ours.append(time)
    self.raw.append((ContinuousClock.now - middle) / .milliseconds(1))
    return result
  }

  func say(_ what: String, beside peer: String, p50: Double? = nil, p99: Double) {
    Figures.say(
      "\(what), p50", Pairs(ours.median, beside: raw.median), "ms", beside: peer,
      p50.map { .atMost($0) })
    Figures.say(
      "\(what), p99", Pairs(ours.at(0.99), beside: raw.at(0.99)), "ms", beside: peer, .atMost(p99))
    if !slowest.text.isEmpty {
      print("    the slowest of \(ours.count): \(slowest.text.plain(atMost: 60))")
    }
  }
}
