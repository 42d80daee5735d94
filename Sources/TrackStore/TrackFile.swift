package import LocationModel
package import Platform
package import TrackCore

/// The track of a tracker that does not run, read at once.
package final class TrackFile {
  private let database: Database
  private let isIndexed: Bool

  package init(folder: String) throws(DatabaseError) {
    let path = "\(folder)/\(TrackStore.name)"
    guard File.isThere(path) else { throw .failed("there is no \(path)") }
    database = try Database(opening: path, TrackTables.schema)
    let numbers = try database.rows(
      """
      SELECT (SELECT max(number) FROM entries), (SELECT value FROM numbers WHERE name = 'blocks')
      """)
    isIndexed = TimeIndex.isWhole(
      numbers.first?[1].integer ?? 0, newest: numbers.first?[0].integer ?? 0)
  }

  /// Up to `limit` entries of a time that come after a number, in the order of the track.
  package func read(
    from: Timestamp, to: Timestamp, after number: Int64, limit: Int
  ) throws(DatabaseError) -> TrackPage {
    let question = TrackTables.entries(
      from: from, to: to, after: number, limit: limit, isIndexed: isIndexed)
    return TrackTables.page(
      try database.rows(question.sql, question.values), limit: limit)
  }
}
