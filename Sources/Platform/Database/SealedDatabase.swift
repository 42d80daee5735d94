internal import CSQLite

/// A SQLite file that nobody writes any more, whoever it belongs to. Statements stay prepared, and what SQLite
/// keeps of the file is small.
package final class SealedDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private let limit: WorkLimit?

  /// `limit`: where it is over, what SQLite does fails.
  package init(
    path: String, application: Int32, version: Int64, limit: WorkLimit? = nil
  ) throws(DatabaseError) {
    self.limit = limit
    let escaped = path.utf8.reduce(into: "") { text, byte in
      let hex = String(byte, radix: 16)
      text += "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }
    var opened: OpaquePointer?
    let result = sqlite3_open_v2(
      "file:\(escaped)?immutable=1", &opened,
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw .failed(String(cString: sqlite3_errstr(result)))
    }
    handle = opened
    if let limit {
      // Of SQLite's own steps: some 100 µs.
      sqlite3_progress_handler(
        handle, 2000,
        { context in
          context.map { Unmanaged<WorkLimit>.fromOpaque($0).takeUnretainedValue().isOver } == true
            ? 1 : 0
        }, Unmanaged.passUnretained(limit).toOpaque())
    }
    guard try rows("PRAGMA application_id").first?.first?.integer == Int64(application) else {
      throw .foreign
    }
    let found = try rows("PRAGMA user_version").first?.first?.integer ?? 0
    guard found <= version else { throw .newer(version: found) }
    guard found == version else { throw .failed("an older locationd made it") }
    _ = try rows("PRAGMA cache_size=-2048")
    _ = try rows("PRAGMA query_only=ON")
    // What the file holds is data, never a program.
    _ = try rows("PRAGMA trusted_schema=OFF")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  package func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (i, value) in values.enumerated() {
      let place = Int32(i + 1)
      let result = value.bind(to: statement, at: place)
      guard result == SQLITE_OK else { throw error(result) }
    }
    var rows: [[DatabaseValue]] = []
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return rows }
      guard result == SQLITE_ROW else { throw error(result) }
      rows.append((0..<sqlite3_column_count(statement)).map { DatabaseValue(statement, $0) })
    }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard result == SQLITE_OK, let statement else { throw error(result) }
    statements[sql] = statement
    return statement
  }

  private func error(_ result: Int32) -> DatabaseError {
    let message = String(cString: sqlite3_errmsg(handle))
    return switch result & 0xFF {
    case SQLITE_NOTADB: .foreign
    case SQLITE_CORRUPT: .broken(message)
    case SQLITE_INTERRUPT: .interrupted
    default: .failed(message)
    }
  }
}
