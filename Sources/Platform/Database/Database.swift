internal import CSQLite
internal import Glibc

/// A SQLite database, used by the one thread that opened it.
package final class Database {
  private let handle: OpaquePointer
  private let place: DatabasePlace
  private var outlastsPower = true
  /// The files it is written to.
  private var files: DatabasePlace.Files

  /// Makes the file and its folder, for nobody else to read, if they are missing. What is another's,
  /// newer or broken is left as it is.
  package init(path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    place = try DatabasePlace(path)
    try place.claim()
    files = place.files
    handle = try Self.open(place.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW)
    // Alone with the file, SQLite needs no shared memory beside it; and a second daemon is told.
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    let isEmpty = try check(schema)
    try makeShrinkable()
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=FULL")
    try execute("PRAGMA secure_delete=ON")
    try execute("PRAGMA cache_size=-256")
    try execute("PRAGMA journal_size_limit=1048576")
    // Taken now, the lock is held as long as the file is open.
    try execute("BEGIN IMMEDIATE; COMMIT")
    try migrate(schema, isEmpty: isEmpty)
    // SQLite has made its log by now.
    files = place.files
  }

  /// One that may only be read. What a killed daemon left beside it would be lost from sight: where
  /// there is such a thing, nothing is read.
  init(reading path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    place = try DatabasePlace(path)
    files = place.files
    var status = stat()
    if stat(place.path + "-wal", &status) == 0, status.st_size > 0 {
      throw .failed("it may only be read, and was not closed properly")
    }
    let escaped = place.path.utf8.reduce(into: "") { text, byte in
      let hex = String(byte, radix: 16)
      text += "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }
    handle = try Self.open(
      "file:\(escaped)?immutable=1",
      flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW)
    guard try !check(schema), try number("PRAGMA user_version") == Int64(schema.steps.count) else {
      throw .failed("it may only be read, and an older locationd wrote it")
    }
  }

  /// One that is broken, as far as it can be read.
  package init(salvaging path: String) throws(DatabaseError) {
    place = try DatabasePlace(path)
    files = place.files
    handle = try Self.open(place.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW)
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    // Else SQLite reads nothing of a file that is shorter than its header says.
    try execute("PRAGMA writable_schema=ON")
  }

  /// Where it may be written, what a killed program left beside it is taken in first.
  package convenience init(opening path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    do throws(DatabaseError) {
      try self.init(path: path, schema)
    } catch {
      guard error == .readOnly else { throw error }
      try self.init(reading: path, schema)
    }
  }

  deinit { sqlite3_close_v2(handle) }

  private static func open(_ path: String, flags: Int32) throws(DatabaseError) -> OpaquePointer {
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw DatabaseError(result, String(cString: sqlite3_errstr(result)))
    }
    return handle
  }

  /// True where nothing is in it yet.
  private func check(_ schema: DatabaseSchema) throws(DatabaseError) -> Bool {
    let application = try number("PRAGMA application_id")
    let version = try number("PRAGMA user_version")
    guard try number("SELECT count(*) FROM sqlite_schema") > 0 else {
      guard application == 0, version == 0 else { throw .foreign }
      return true
    }
    guard application == schema.application else { throw .foreign }
    guard version <= schema.steps.count else { throw .newer(version: version) }
    guard version > 0 else { throw .broken("its tables have no version") }
    let complaint = try rows("PRAGMA quick_check(1)").first?.first?.text ?? "no answer"
    guard complaint == "ok" else { throw .broken(complaint) }
    guard CutDatabase.bytesWithoutPage(place.path) == nil else {
      throw .broken("its end is missing")
    }
    return false
  }

  /// Room that is no longer needed can be given back to the disk. A file that was made otherwise is written
  /// anew, if there is room for that.
  private func makeShrinkable() throws(DatabaseError) {
    guard try number("PRAGMA auto_vacuum") != 2 else { return }
    try execute("PRAGMA auto_vacuum=INCREMENTAL")
    do throws(DatabaseError) { try execute("VACUUM") } catch {}
  }

  private func migrate(_ schema: DatabaseSchema, isEmpty: Bool) throws(DatabaseError) {
    let version = isEmpty ? 0 : Int(try number("PRAGMA user_version"))
    guard version < schema.steps.count else { return }
    try transaction { () throws(DatabaseError) in
      for step in schema.steps[version...] { try execute(step) }
      try execute("PRAGMA application_id=\(schema.application)")
      try execute("PRAGMA user_version=\(schema.steps.count)")
    }
  }
}

extension Database {
  /// Nobody would find what is written to files that are gone. Then all of it is written to its place
  /// anew, which is to be opened instead of this: true.
  func hasMoved() throws(DatabaseError) -> Bool {
    let now = place.files
    guard !now.areReplaced(since: files) else { throw .replaced }
    guard now.areGone(since: files) else { return false }
    try DatabasePlace(place.path).replace { path throws(DatabaseError) in
      try run(DatabaseStatement("VACUUM INTO ?", [.text(path)]))
    }
    return true
  }

  /// All of it, or nothing.
  package func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    do throws(DatabaseError) {
      try execute("BEGIN IMMEDIATE")
      try body()
      try execute("COMMIT")
    } catch {
      // Some errors have undone it already.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Whether what is written from now on waits until it is on the disk.
  func setOutlastsPower(_ wanted: Bool) throws(DatabaseError) {
    guard outlastsPower != wanted else { return }
    try execute("PRAGMA synchronous=\(wanted ? "FULL" : "NORMAL")")
    outlastsPower = wanted
  }

  /// Several statements without values.
  func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  package func run(_ statement: DatabaseStatement) throws(DatabaseError) {
    _ = try rows(statement.sql, statement.values)
  }

  private func number(_ sql: String) throws(DatabaseError) -> Int64 {
    try rows(sql).first?.first?.integer ?? 0
  }

  package func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    for (i, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(i + 1)))
    }
    var rows: [[DatabaseValue]] = []
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return rows }
      guard result == SQLITE_ROW else { throw error(result) }
      rows.append((0..<sqlite3_column_count(statement)).map { DatabaseValue(statement, $0) })
    }
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result == SQLITE_OK else { throw error(result) }
  }

  private func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result, String(cString: sqlite3_errmsg(handle)))
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
      default: .failed(message)
      }
  }
}

extension DatabaseValue {
  func bind(to statement: OpaquePointer?, at place: Int32) -> Int32 {
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

  init(_ statement: OpaquePointer?, _ i: Int32) {
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
