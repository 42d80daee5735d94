internal import CSQLite
internal import Glibc

/// A database that is written once: beside its place, where it is put when it is whole. What is not finished
/// is removed; what a killed program leaves, the next one removes.
package final class DatabaseBuilder {
  private let path: String
  private let unfinished: String
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  package init(path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    self.path = path
    unfinished = path + ".unfinished"
    Self.clear(path)
    let file = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw errno == ENOSPC || errno == EDQUOT
        ? .full : .failed("\(unfinished): \(String(cString: strerror(errno)))")
    }
    fchmod(file, 0o644)
    close(file)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
    try check(sqlite3_open_v2(unfinished, &handle, flags, nil))
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    try execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384")
    try execute("PRAGMA application_id=\(schema.application)")
    try execute("PRAGMA user_version=\(schema.steps.count)")
    try execute("BEGIN")
    for step in schema.steps { try execute(step) }
  }

  deinit {
    shut()
    unlink(unfinished)
  }

  /// Removes what a killed program left.
  package static func clear(_ path: String) { unlink(path + ".unfinished") }

  package func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    let statement: OpaquePointer
    if let known = statements[sql] {
      statement = known
    } else {
      var new: OpaquePointer?
      try check(sqlite3_prepare_v2(handle, sql, -1, &new, nil))
      guard let new else { return }
      statements[sql] = new
      statement = new
    }
    for (i, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(i + 1)))
    }
    let result = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard result == SQLITE_DONE || result == SQLITE_ROW else {
      try check(result)
      return
    }
  }

  /// Puts it in its place once it is on the disk.
  package func finish() throws(DatabaseError) {
    try execute("COMMIT")
    shut()
    let file = open(unfinished, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    defer { close(file) }
    guard file >= 0, fsync(file) == 0, rename(unfinished, path) == 0 else {
      throw errno == ENOSPC || errno == EDQUOT
        ? .full : .failed("\(path): \(String(cString: strerror(errno)))")
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    fsync(place)
    close(place)
  }

  private func shut() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(handle)
    handle = nil
  }

  private func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result != SQLITE_OK else { return }
    throw result & 0xFF == SQLITE_FULL
      ? .full : .failed(String(cString: sqlite3_errmsg(handle)))
  }
}

/// A database that was written once, and is only read: nobody else needs to be kept from it, and a file
/// that takes its place does not disturb.
package final class DatabaseReader {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  package init(path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    let escaped = path.utf8.reduce(into: "") { text, byte in
      let hex = String(byte, radix: 16)
      text += "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2("file:\(escaped)?immutable=1", &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      sqlite3_close_v2(handle)
      throw .failed(String(cString: sqlite3_errstr(result)))
    }
    self.handle = handle
    guard try rows("PRAGMA application_id").first?[0].integer == Int64(schema.application) else {
      throw .foreign
    }
    let version = try rows("PRAGMA user_version").first?[0].integer ?? 0
    guard version <= schema.steps.count else { throw .newer(version: version) }
    guard version == schema.steps.count else { throw .broken("an older locationd wrote it") }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  package func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    var statement = statements[sql]
    if statement == nil {
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        throw trouble
      }
      statements[sql] = statement
    }
    defer { sqlite3_reset(statement) }
    for (i, value) in values.enumerated() {
      guard value.bind(to: statement, at: Int32(i + 1)) == SQLITE_OK else { throw trouble }
    }
    var rows: [[DatabaseValue]] = []
    while true {
      let result = sqlite3_step(statement)
      if result == SQLITE_DONE { return rows }
      guard result == SQLITE_ROW else { throw trouble }
      rows.append((0..<sqlite3_column_count(statement)).map { DatabaseValue(statement, $0) })
    }
  }

  private var trouble: DatabaseError {
    let text = String(cString: sqlite3_errmsg(handle))
    return switch sqlite3_errcode(handle) & 0xFF {
    case SQLITE_NOTADB: .foreign
    case SQLITE_CORRUPT: .broken(text)
    default: .failed(text)
    }
  }
}
