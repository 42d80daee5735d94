package import Platform
import TrackCore

extension TrackStore {
  /// A broken database now lies at `aside`; the entries that could be read are in a new one.
  package struct Salvage: Sendable {
    package var aside: String
    package var entries: Int
  }

  /// Puts another database in the place of a broken one, with what can be read: the entries before the
  /// first that cannot, those after the last, and what the servers had confirmed. Where that fails, as on a
  /// full disk, the broken one stays in its place, to be tried again.
  package static func salvage(folder: String) throws(DatabaseError) -> Salvage {
    let path = "\(folder)/\(name)"
    var aside = "\(path).broken"
    var number = 1
    while File.isThere(aside) {
      number += 1
      aside = "\(path).broken-\(number)"
    }
    let mended = "\(path).mended"
    for leftover in [mended, "\(mended)-wal"] { File.remove(leftover) }
    let entries = try copy(from: path, to: mended)
    do throws(SystemError) {
      try File.rename(path, to: aside)
      if File.isThere("\(path)-wal") { try File.rename("\(path)-wal", to: "\(aside)-wal") }
      try File.rename(mended, to: path)
    } catch {
      throw .failed("\(error)")
    }
    return Salvage(aside: aside, entries: entries)
  }

  /// Both are closed at the end.
  private static func copy(from path: String, to other: String) throws(DatabaseError) -> Int {
    let old = try Database(salvaging: path)
    let new = try Database(path: other, TrackTables.schema)
    // First: a number that was confirmed must not be used again.
    for table in ["numbers", "uplinks", "parked", "usage", "waypoints"] {
      for row in (try? old.rows("SELECT * FROM \(table)")) ?? [] {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try new.run(DatabaseStatement("INSERT OR IGNORE INTO \(table) VALUES (\(marks))", row))
      }
    }
    let last = try copy(from: old, to: new, after: 0, "ASC")
    if let last { _ = try copy(from: old, to: new, after: last, "DESC") }
    return Int(try new.rows("SELECT count(*) FROM entries").first?.first?.integer ?? 0)
  }

  /// Copies page by page; nil where all of it could be read, else the last number that could.
  private static func copy(
    from old: Database, to new: Database, after first: Int64, _ order: String
  ) throws(DatabaseError) -> Int64? {
    let isForward = order == "ASC"
    // An older tracker's entries have fewer columns.
    let isWhole = (try? old.rows("SELECT \(TrackTables.columns) FROM entries LIMIT 0")) != nil
    let columns =
      isWhole ? TrackTables.columns : "\(TrackTables.oldColumns), NULL, NULL, NULL"
    var bound: Int64 = isForward ? first : .max
    var size: Int64 = 512
    while true {
      let rows: [[DatabaseValue]]
      do throws(DatabaseError) {
        rows = try old.rows(
          """
          SELECT \(columns) FROM entries WHERE number > ? AND number < ? \
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
