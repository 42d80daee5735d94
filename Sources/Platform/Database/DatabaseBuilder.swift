internal import CSQLite
internal import Glibc

/// A database that is written once: beside its place, where it is put when it is whole. What is not finished
/// is removed; what a killed program leaves, the next one writes over. One program writes it at a time.
package final class DatabaseBuilder {
  private let path: String
  private let unfinished: String
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]
  private var isFinished = false

  /// Held as long as it is written.
  private let lock: Int32
  private let isCancelled: () -> Bool

  /// `isCancelled` is asked now and then while SQLite works; then that fails.
  package init(
    path: String, _ schema: DatabaseSchema, isCancelled: @escaping () -> Bool = { false }
  ) throws(DatabaseError) {
    self.path = path
    self.isCancelled = isCancelled
    unfinished = path + ".unfinished"
    lock = try Self.claim(unfinished)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX
    try check(sqlite3_open_v2(unfinished, &handle, flags, nil))
    sqlite3_progress_handler(
      handle, 100_000,
      { context in
        guard let context else { return 0 }
        let builder = Unmanaged<DatabaseBuilder>.fromOpaque(context).takeUnretainedValue()
        return builder.isCancelled() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    try execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384")
    try execute("PRAGMA application_id=\(schema.application)")
    try execute("PRAGMA user_version=\(schema.steps.count)")
    try execute("BEGIN")
    for step in schema.steps { try execute(step) }
  }

  /// An empty file that no other program writes.
  private static func claim(_ path: String) throws(DatabaseError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    var file = open(path, flags, 0o644)
    if file < 0, errno == EACCES {
      // Another user's program was killed.
      unlink(path)
      file = open(path, flags, 0o644)
    }
    guard file >= 0 else { throw failure(path) }
    var (mine, there) = (stat(), stat())
    // SQLite's own locks are of another kind. The one before may have put the file in its place meanwhile.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &mine) == 0, lstat(path, &there) == 0,
      mine.st_ino == there.st_ino, mine.st_dev == there.st_dev
    else {
      close(file)
      throw .taken
    }
    guard ftruncate(file, 0) == 0, fchmod(file, 0o644) == 0 else {
      let error = failure(path)
      close(file)
      throw error
    }
    return file
  }

  private static func failure(_ path: String) -> DatabaseError {
    errno == ENOSPC || errno == EDQUOT
      ? .full : .failed("\(path): \(String(cString: strerror(errno)))")
  }

  deinit {
    shut()
    if !isFinished { unlink(unfinished) }
    close(lock)
  }

  package func run(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) {
    try each(sql, values) { _ in }
  }

  /// The rows of a question, one after the other.
  package func each(
    _ sql: String, _ values: [DatabaseValue] = [],
    _ body: ([DatabaseValue]) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try prepared(sql)
    defer { sqlite3_reset(statement) }
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
    if let known = statements[sql] { return known }
    var new: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &new, nil))
    guard let new else { throw .failed("no statement: \(sql)") }
    statements[sql] = new
    return new
  }

  /// Puts it in its place once it is on the disk.
  package func finish() throws(DatabaseError) {
    try execute("COMMIT")
    shut()
    guard fsync(lock) == 0 else { throw Self.failure(path) }
    if isCancelled() { throw .failed("cancelled") }
    guard rename(unfinished, path) == 0 else { throw Self.failure(path) }
    isFinished = true
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
