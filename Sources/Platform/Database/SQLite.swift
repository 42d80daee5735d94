internal import CSQLite
import LocationModel

/// A connection of SQLite's, whose statements stay prepared. One thread uses it.
final class SQLite {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var isOver: () -> Bool = { false }

  /// `isSealed`: a file that nobody writes, read without locks; a log beside it is passed over.
  init(_ path: String, isSealed: Bool = false) throws(DatabaseError) {
    let access =
      isSealed ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE
    var opened: OpaquePointer?
    _ = takesPagesSingly
    let result = sqlite3_open_v2(
      isSealed ? "file:\(path.percentEncoded)?immutable=1" : path, &opened,
      access | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw DatabaseError(result, String(cString: sqlite3_errstr(result)))
    }
    handle = opened
  }

  deinit {
    forgetStatements()
    sqlite3_close_v2(handle)
  }

  /// Statements that are asked again are prepared again.
  func forgetStatements() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
  }

  /// Asked after so many of SQLite's own steps, `isOver` ends what it does.
  func interrupt(every steps: Int32, when isOver: @escaping () -> Bool) {
    self.isOver = isOver
    sqlite3_progress_handler(
      handle, steps,
      { context in
        context.map { Unmanaged<SQLite>.fromOpaque($0).takeUnretainedValue().isOver() } == true
          ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Several statements without values.
  func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Undoes a transaction; some errors have undone it already.
  func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  func number(_ sql: String) throws(DatabaseError) -> Int64 {
    try rows(sql).first?.first?.integer ?? 0
  }

  func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    var rows: [[DatabaseValue]] = []
    try each(sql, values) { rows.append($0) }
    return rows
  }

  /// The rows of a question, one after the other.
  func each(
    _ sql: String, _ values: [DatabaseValue],
    _ body: ([DatabaseValue]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (i, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(i + 1)))
    }
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { return try check(result) }
      try body((0..<sqlite3_column_count(statement)).map { DatabaseValue(statement, $0) })
    }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw .failed("no statement: \(sql)") }
    statements[sql] = statement
    return statement
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result != SQLITE_OK else { return }
    throw DatabaseError(result, String(cString: sqlite3_errmsg(handle)))
  }
}

extension DatabaseError {
  fileprivate init(_ result: Int32, _ message: String) {
    self =
      switch result & 0xFF {
      case SQLITE_NOTADB: .foreign
      case SQLITE_CORRUPT: .broken(message)
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .taken
      case SQLITE_INTERRUPT: .interrupted
      default: .failed(message)
      }
  }
}

extension DatabaseValue {
  fileprivate func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, place)
    case .integer(let number): return sqlite3_bind_int64(statement, place, number)
    case .text(var text):
      return text.withUTF8 {
        sqlite_bind_text(statement, place, $0.baseAddress, Int32($0.count))
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        sqlite_bind_blob(statement, place, $0.baseAddress, Int32($0.count))
      }
    }
  }

  fileprivate init(_ statement: OpaquePointer, _ i: Int32) {
    let count = Int(sqlite3_column_bytes(statement, i))
    switch sqlite3_column_type(statement, i) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, i))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(start: sqlite3_column_text(statement, i), count: count)
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, i), count: count)
      self = .blob(Array(bytes))
    default: self = .null
    }
  }
}

/// SQLite is told once, before it opens the first file.
private let takesPagesSingly = sqlite_take_pages_singly() == SQLITE_OK
