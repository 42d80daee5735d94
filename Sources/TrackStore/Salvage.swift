package import Platform
import TrackCore

extension TrackStore {
  /// A broken database now lies at `aside`; the entries that could be read are in a new one.
  package struct Salvage: Sendable {
    package var aside: String
    package var entries: Int
  }

  /// Moves a broken database aside and begins another with what can be read: the entries before the first
  /// that cannot, those after the last, and what the servers had confirmed.
  package static func salvage(folder: String) throws(DatabaseError) -> Salvage {
    let path = "\(folder)/\(name)"
    var aside = "\(path).broken"
    var number = 1
    while File.isThere(aside) {
      number += 1
      aside = "\(path).broken-\(number)"
    }
    do throws(SystemError) {
      try File.rename(path, to: aside)
      if File.isThere("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
    } catch {
      throw .failed("\(error)")
    }
    let old = try Database(salvaging: aside)
    let new = try Database(path: path, TrackTables.schema)
    // First: a number that was confirmed must not be used again.
    for table in ["numbers", "uplinks", "parked"] {
      for row in (try? old.rows("SELECT * FROM \(table)")) ?? [] {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try new.run(DatabaseStatement("INSERT OR IGNORE INTO \(table) VALUES (\(marks))", row))
      }
    }
    let last = try copy(from: old, to: new, after: 0, "ASC")
    if let last { _ = try copy(from: old, to: new, after: last, "DESC") }
    let count = try new.rows("SELECT count(*) FROM entries").first?.first?.integer ?? 0
    return Salvage(aside: aside, entries: Int(count))
  }

  /// Copies page by page; nil where all of it could be read, else the last number that could.
  private static func copy(
    from old: Database, to new: Database, after first: Int64, _ order: String
  ) throws(DatabaseError) -> Int64? {
    let isForward = order == "ASC"
    var bound: Int64 = isForward ? first : .max
    var size: Int64 = 512
    while true {
      let rows: [[DatabaseValue]]
      do throws(DatabaseError) {
        rows = try old.rows(
          """
          SELECT \(TrackTables.columns) FROM entries WHERE number > ? AND number < ? \
          ORDER BY number \(order) LIMIT ?
          """,
          [.integer(isForward ? bound : first), .integer(isForward ? .max : bound), .integer(size)])
      } catch {
        // Up to the very row.
        guard size > 1 else { return bound }
        size /= 2
        continue
      }
      let entries = rows.compactMap(TrackTables.entry)
      try new.transaction { () throws(DatabaseError) in
        // Damaged pages may say a number twice.
        for entry in entries { try new.run(TrackTables.insert(entry, orIgnore: true)) }
      }
      guard let end = rows.last?.first?.integer else { return nil }
      guard isForward ? end > bound : end < bound else { return bound }
      bound = end
    }
  }
}
