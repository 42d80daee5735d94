internal import Glibc

/// A database that is written once: beside its place, where it is put when it is whole. What is not finished
/// is removed; what a killed program leaves, the next one writes over. One program writes it at a time.
package final class DatabaseBuilder {
  private let path: String
  private let unfinished: String
  private var file: SQLite?
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
    let file = try SQLite(unfinished)
    self.file = file
    file.interrupt(every: 100_000, when: isCancelled)
    try file.execute("PRAGMA locking_mode=EXCLUSIVE")
    try file.execute("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384")
    try file.execute("PRAGMA application_id=\(schema.application)")
    try file.execute("PRAGMA user_version=\(schema.steps.count)")
    try file.execute("BEGIN")
    for step in schema.steps { try file.execute(step) }
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
    guard file >= 0 else { throw DatabaseError(SystemError(path)) }
    var (mine, there) = (stat(), stat())
    // SQLite's own locks are of another kind. The one before may have put the file in its place meanwhile.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &mine) == 0, lstat(path, &there) == 0,
      mine.st_ino == there.st_ino, mine.st_dev == there.st_dev
    else {
      close(file)
      throw .taken
    }
    guard ftruncate(file, 0) == 0, fchmod(file, 0o644) == 0 else {
      let error = DatabaseError(SystemError(path))
      close(file)
      throw error
    }
    return file
  }

  deinit {
    file = nil
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
    try file?.each(sql, values, body)
  }

  /// Puts it in its place once it is on the disk, with what is to follow it in the file.
  package func finish(appending parts: [FileParts.Part] = []) throws(DatabaseError) {
    try file?.execute("COMMIT")
    file = nil
    if !parts.isEmpty {
      do throws(SystemError) { try FileParts.append(parts, to: lock) } catch {
        throw DatabaseError(error)
      }
    }
    guard fsync(lock) == 0 else { throw DatabaseError(SystemError(path)) }
    if isCancelled() { throw .failed("cancelled") }
    guard rename(unfinished, path) == 0 else { throw DatabaseError(SystemError(path)) }
    isFinished = true
    Folder.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
  }
}
