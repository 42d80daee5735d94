package import Platform
import TrackCore

extension TrackStore {
  /// The track in a folder. One that is broken gives up what can be read of it, and another begins. Where that
  /// fails the store has a failure, and the broken one is where it was.
  package static func opening(
    folder: String, on loop: EventLoop
  ) throws(SystemError) -> (TrackStore, Result<Salvage, DatabaseError>?) {
    let path = "\(folder)/\(name)"
    if isLost(path) {
      return try opening(folder, on: loop) { () throws(DatabaseError) in
        try setAside(path)
      }
    }
    let store = try TrackStore(folder: folder, on: loop)
    switch store.failure {
    case .broken: break
    case .failed where isMisshapen(path): break
    default: return (store, nil)
    }
    return try opening(folder, on: loop) { () throws(DatabaseError) in
      try salvage(folder: folder)
    }
  }

  private static func opening(
    _ folder: String, on loop: EventLoop, _ mend: () throws(DatabaseError) -> Salvage
  ) throws(SystemError) -> (TrackStore, Result<Salvage, DatabaseError>?) {
    let result = Result { () throws(DatabaseError) in try mend() }
    return (try TrackStore(folder: folder, on: loop), result)
  }

  /// Nothing can be read of it: its beginning is gone, or all that follows. SQLite would begin anew in an
  /// empty file, and throw the log beside it away.
  private static func isLost(_ path: String) -> Bool {
    guard let head = try? File.bytes(of: path, atMost: smallest) else { return false }
    if head.isEmpty {
      let log = try? File.bytes(of: "\(path)-wal", atMost: 1)
      return log?.isEmpty == false
    }
    return head.count < smallest || !head.starts(with: Array("SQLite format 3\0".utf8))
  }

  /// It is a tracker's, and its tables are not as a tracker made them.
  private static func isMisshapen(_ path: String) -> Bool {
    guard let old = try? Database(salvaging: path),
      let answer = try? old.rows("PRAGMA application_id").first?.first?.integer,
      answer == Int64(TrackTables.schema.application)
    else { return false }
    return TrackTables.queries.contains { (try? old.rows($0)) == nil }
  }

  /// The smallest page that SQLite knows.
  private static let smallest = 512

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
    let mended = "\(path).mended"
    let pages = "\(path).pages"
    for leftover in [mended, "\(mended)-wal", pages, "\(pages)-wal"] { File.remove(leftover) }
    let isCut = try CutDatabase.copyWholePages(of: path, to: pages)
    defer { if isCut { File.remove(pages) } }
    let entries = try copy(from: isCut ? pages : path, to: mended)
    var result = try setAside(path)
    do throws(SystemError) { try File.rename(mended, to: path) } catch {
      throw DatabaseError(error)
    }
    result.entries = entries
    return result
  }

  /// With the log of changes beside it.
  private static func setAside(_ path: String) throws(DatabaseError) -> Salvage {
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
      throw DatabaseError(error)
    }
    return Salvage(aside: aside, entries: 0)
  }

  /// Both are closed at the end.
  private static func copy(from path: String, to other: String) throws(DatabaseError) -> Int {
    let old = try Database(salvaging: path)
    let new = try Database(path: other, TrackTables.schema)
    // First: a number that was confirmed must not be used again.
    for table in ["numbers", "uplinks", "parked", "usage", "waypoints", "brokers"] {
      for row in (try? old.rows("SELECT * FROM \(table)")) ?? [] {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        // A row that no longer fits is lost, and no other.
        try? new.run("INSERT OR IGNORE INTO \(table) VALUES (\(marks))", row)
      }
    }
    // The numbers that go are of the old file's entries. Some may be lost, as by a loss of power.
    try new.run("DELETE FROM numbers WHERE name IN ('blocks', 'count', 'counted', 'boot')")
    let last = try copy(from: old, to: new, after: 0, "ASC")
    if let last { _ = try copy(from: old, to: new, after: last, "DESC") }
    return Int(try new.rows("SELECT count(*) FROM entries").first?.first?.integer ?? 0)
  }

  /// By their places, whatever its columns are called; an older tracker's has fewer.
  private static func entry(_ row: [DatabaseValue]) -> TrackEntry? {
    let known = row.prefix(1) + row.dropFirst(2)
    let missing = max(TrackTables.columnCount - known.count, 0)
    return TrackTables.entry(known + Array(repeating: .null, count: missing))
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
          SELECT rowid, * FROM entries WHERE rowid > ? AND rowid < ? \
          ORDER BY rowid \(order) LIMIT ?
          """,
          [.integer(isForward ? bound : first), .integer(isForward ? .max : bound), .integer(size)])
      } catch {
        // Up to the very row.
        guard size > 1 else { return bound }
        size /= 2
        continue
      }
      let entries = rows.compactMap(entry)
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
