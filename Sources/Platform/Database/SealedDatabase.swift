/// A SQLite file that nobody writes any more, whoever it belongs to. What SQLite keeps of the file is small.
package final class SealedDatabase {
  private let file: SQLite
  /// The version that the file is of.
  package let version: Int64

  /// `limit`: where it is over, what SQLite does fails. `oldest`: the version that can be read still.
  package init(
    path: String, application: Int32, version: Int64, oldest: Int64? = nil,
    limit: WorkLimit? = nil
  ) throws(DatabaseError) {
    file = try SQLite(path, isSealed: true)
    // Some 100 µs.
    if let limit { file.interrupt(every: 2000) { limit.isOver } }
    guard try file.number("PRAGMA application_id") == Int64(application) else { throw .foreign }
    let found = try file.number("PRAGMA user_version")
    guard found <= version else { throw .newer(version: found) }
    guard found >= oldest ?? version else { throw .failed("an older locationd made it") }
    self.version = found
    // What the file holds is data, never a program.
    try file.execute("PRAGMA cache_size=-2048; PRAGMA query_only=ON; PRAGMA trusted_schema=OFF")
  }

  package func rows(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) -> [[DatabaseValue]] {
    try file.rows(sql, values)
  }
}
