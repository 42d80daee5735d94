package import LocationModel
package import Platform
import TrackCore

/// How much of the track is kept.
package struct Retention: Equatable, Sendable {
  /// Older entries are removed once every server has them.
  package var age: Duration = .seconds(90 * 86_400)
  /// Older entries are removed whether a server has them or not; nil for none.
  package var greatestAge: Duration?
  /// Bytes of the disk: past them the track is thinned, the older the more.
  package var bytes = 200 << 20

  package init() {}
}

extension TrackStore {
  /// Removes what is not to be kept. `confirmedUpTo`: every server has the entries up to this number.
  package func tidy(_ retention: Retention, confirmedUpTo: Int64, at now: Instant) {
    read("SELECT time FROM entries ORDER BY number DESC LIMIT 1") { [weak self] row in
      guard let self, let newest = row[0].integer else { return }
      let reference = clock.reference(at: now, newest: Timestamp(microseconds: newest))
      remove(before: reference - retention.age, upTo: confirmedUpTo)
      if let age = retention.greatestAge { remove(before: reference - age, upTo: .max) }
      thin(toBytes: retention.bytes, times: Self.mostThinnings)
    }
  }

  private func remove(before date: Timestamp, upTo number: Int64) {
    let bounds = isIndexed ? "AND number BETWEEN \(TimeIndex.bounds)" : ""
    remove(
      "number >= ?1 AND time BETWEEN ?2 AND ?3 AND number <= ?4 \(bounds)",
      [.integer(0), .integer(.min), .integer(date.microseconds - 1), .integer(number)],
      from: .min, to: date.microseconds)
  }

  private static let mostThinnings = 3

  /// Leaves some room: it is not done again for each entry.
  private func thin(toBytes bytes: Int, times: Int) {
    guard times > 0 else { return }
    read(
      """
      SELECT ((SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM \
      pragma_freelist_count)) * (SELECT page_size FROM pragma_page_size)
      """
    ) { [weak self] row in
      guard let self, let used = row[0].integer, used > Int64(bytes) else { return }
      let thinning = Thinning(keeping: Double(bytes) / Double(used) * 0.95, of: count)
      remove(
        """
        number IN (SELECT number FROM (SELECT number, row_number() OVER (ORDER BY number) AS place \
        FROM entries WHERE kind = 0) WHERE place <= ?1 AND \(thinning.isRemoved))
        """, [.integer(thinning.thinned)])
      thin(toBytes: bytes, times: times - 1)
    }
  }

  private func read(_ sql: String, _ body: @escaping ([DatabaseValue]) -> Void) {
    ask(DatabaseStatement(sql)) { rows in
      if case .success(let rows) = rows, let row = rows.first { body(row) }
    }
  }
}

extension TrackStore {
  /// Removes the entries of a time, also from what the disk still had of them; tells how many.
  package func forget(
    from: Timestamp, to: Timestamp, _ body: @escaping (Result<Int64, DatabaseError>) -> Void
  ) {
    let (first, last) = (from.microseconds, to.microseconds)
    let bounds = isIndexed ? "AND number BETWEEN \(TimeIndex.bounds)" : ""
    remove(
      "number >= ?1 AND time BETWEEN ?2 AND ?3 \(bounds)",
      [.integer(0), .integer(first), .integer(last)], from: first, to: last, body)
  }

  private func remove(
    _ condition: String, _ values: [DatabaseValue], from: Int64? = nil, to: Int64? = nil,
    _ body: @escaping (Result<Int64, DatabaseError>) -> Void = { _ in }
  ) {
    let question = DatabaseStatement("SELECT count(*) FROM entries WHERE \(condition)", values)
    ask(question) { [weak self] rows in
      guard let self else { return }
      let removed: Int64
      switch rows {
      case .failure(let error): return body(.failure(error))
      case .success(let rows): removed = rows.first?.first?.integer ?? 0
      }
      guard removed > 0 else { return body(.success(0)) }
      // Numbers go on from the newest, though it may be gone.
      var statements = [Self.set("newest", newest)] + counted
      statements += [
        DatabaseStatement("DELETE FROM entries WHERE \(condition)", values),
        DatabaseStatement("UPDATE numbers SET value = value - changes() WHERE name = 'count'"),
        DatabaseStatement("DELETE FROM parked WHERE number NOT IN (SELECT number FROM entries)"),
      ]
      if let from, let to { statements += TimeIndex.forget(from: from, to: to) }
      write(statements, outlastsPower: true, erases: true) { [weak self] error in
        if error == nil { self?.count -= removed }
        body(error.map { .failure($0) } ?? .success(removed))
      }
    }
  }
}
