package import LocationModel
package import Platform
package import TrackCore

/// The track of a tracker that does not run, read at once.
package final class TrackFile {
  private let database: Database

  package init(folder: String) throws(DatabaseError) {
    let path = "\(folder)/\(TrackStore.name)"
    guard File.isThere(path) else { throw .failed("there is no \(path)") }
    database = try Database(opening: path, TrackTables.schema)
  }

  /// Up to `limit` entries of a time that come after a number, in the order of the track.
  package func read(
    from: Timestamp, to: Timestamp, after number: Int64, limit: Int
  ) throws(DatabaseError) -> [TrackEntry] {
    let question = TrackTables.entries(from: from, to: to, after: number, limit: limit)
    return try database.rows(question.sql, question.values).compactMap(TrackTables.entry)
  }
}
