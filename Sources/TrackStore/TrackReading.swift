package import LocationModel
package import Platform
package import TrackCore

extension TrackStore {
  /// The entries of these numbers, as far as there are any.
  package func read(
    _ range: ClosedRange<Int64>, _ body: @escaping (Result<[TrackEntry], DatabaseError>) -> Void
  ) {
    ask(
      DatabaseStatement(
        "SELECT \(TrackTables.columns) FROM entries WHERE number BETWEEN ? AND ? ORDER BY number",
        [.integer(range.lowerBound), .integer(range.upperBound)])
    ) { rows in body(rows.map { $0.compactMap(TrackTables.entry) }) }
  }

  /// Up to `limit` entries of a time that come after a number, in the order of the track.
  package func read(
    from: Timestamp, to: Timestamp, after number: Int64, limit: Int,
    _ body: @escaping (Result<TrackPage, DatabaseError>) -> Void
  ) {
    ask(
      TrackTables.entries(
        from: from, to: to, after: number, limit: limit, isIndexed: isIndexed)
    ) { rows in body(rows.map { TrackTables.page($0, limit: limit) }) }
  }

  /// The dates of the first entries from each of these numbers on; nil where there is none.
  package func dates(of numbers: [Int64], _ body: @escaping ([Timestamp?]) -> Void) {
    let questions = numbers.map {
      "(SELECT time FROM entries WHERE number >= \($0) ORDER BY number LIMIT 1)"
    }
    guard !questions.isEmpty else { return body([]) }
    ask(DatabaseStatement("SELECT \(questions.joined(separator: ", "))")) { rows in
      let row = (try? rows.get())?.first ?? []
      body(numbers.indices.map { $0 < row.count ? row[$0].date : nil })
    }
  }
}
