internal import Glibc

/// A SQLite database, used by the one thread that opened it.
package final class Database {
  let file: SQLite
  private let place: DatabasePlace
  var outlastsPower = true
  /// The files it is written to.
  private var files: DatabasePlace.Files

  /// Makes the file and its folder, for nobody else to read, if they are missing. What is another's,
  /// newer or broken is left as it is.
  package init(path: String, _ schema: DatabaseSchema) throws(DatabaseError) {
    place = try DatabasePlace(path)
    try place.claim()
    files = place.files
    file = try SQLite(place.path)
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
    file = try SQLite(place.path, isSealed: true)
    guard try !check(schema), try file.number("PRAGMA user_version") == Int64(schema.steps.count)
    else {
      throw .failed("it may only be read, and an older locationd wrote it")
    }
  }

  /// One that is broken, as far as it can be read.
  package init(salvaging path: String) throws(DatabaseError) {
    place = try DatabasePlace(path)
    files = place.files
    file = try SQLite(place.path)
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

  /// True where nothing is in it yet.
  private func check(_ schema: DatabaseSchema) throws(DatabaseError) -> Bool {
    let application = try file.number("PRAGMA application_id")
    let version = try file.number("PRAGMA user_version")
    guard try file.number("SELECT count(*) FROM sqlite_schema") > 0 else {
      guard application == 0, version == 0 else { throw .foreign }
      return true
    }
    guard application == schema.application else { throw .foreign }
    guard version <= schema.steps.count else { throw .newer(version: version) }
    guard version > 0 else { throw .broken("its tables have no version") }
    let page = try file.number("PRAGMA page_size")
    if try file.number("PRAGMA page_count") * page <= schema.mostChecked {
      let complaint = try rows("PRAGMA quick_check(1)").first?.first?.text ?? "no answer"
      guard complaint == "ok" else { throw .broken(complaint) }
    }
    guard CutDatabase.bytesWithoutPage(place.path, page: Int(page)) == nil else {
      throw .broken("its end is missing")
    }
    return false
  }

  /// Room that is no longer needed can be given back to the disk. A file that was made otherwise is written
  /// anew, if there is room for that.
  private func makeShrinkable() throws(DatabaseError) {
    guard try file.number("PRAGMA auto_vacuum") != 2 else { return }
    try execute("PRAGMA auto_vacuum=INCREMENTAL")
    do throws(DatabaseError) { try execute("VACUUM") } catch {}
  }

  private func migrate(_ schema: DatabaseSchema, isEmpty: Bool) throws(DatabaseError) {
    let version = isEmpty ? 0 : Int(try file.number("PRAGMA user_version"))
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
      try run("VACUUM INTO ?", [.text(path)])
    }
    return true
  }
}
