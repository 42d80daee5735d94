package import LocationModel
package import Platform

/// How much of the track is kept.
package struct Retention: Equatable, Sendable {
  /// Older entries are removed once every server has them.
  package var age: Duration = .seconds(90 * 86_400)
  /// Bytes of the disk: past them every second place of the older half goes, again and again.
  package var bytes = 200 << 20

  package init() {}
}

extension TrackStore {
  /// Removes what is not to be kept. `confirmedUpTo`: every server has the entries up to this number.
  package func tidy(_ retention: Retention, confirmedUpTo: Int64, at now: Timestamp) {
    read(
      "SELECT (SELECT time FROM entries ORDER BY number DESC LIMIT 1), min(number), max(number) FROM entries"
    ) { [weak self] row in
      guard let self, let newest = row[0].integer, let first = row[1].integer,
        let last = row[2].integer
      else { return }
      // A clock that is years ahead removes nothing; nor does one bad date in the track.
      let reference = min(now, Timestamp(microseconds: newest))
      remove(
        "number <= ? AND time < ?",
        [.integer(confirmedUpTo), .integer((reference - retention.age).microseconds)])
      thin(toBytes: retention.bytes, first, last, times: Self.mostThinnings)
    }
  }

  private static let mostThinnings = 8

  private func thin(toBytes bytes: Int, _ first: Int64, _ last: Int64, times: Int) {
    guard times > 0 else { return }
    read(
      """
      SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM \
      pragma_freelist_count), (SELECT page_size FROM pragma_page_size)
      """
    ) { [weak self] row in
      guard let self, let pages = row[0].integer, let size = row[1].integer,
        pages * size > Int64(bytes)
      else { return }
      remove(
        """
        number IN (SELECT number FROM (SELECT number, row_number() OVER (ORDER BY number) AS place \
        FROM entries WHERE kind = 0 AND number <= ?) WHERE place % 2 = 0)
        """, [.integer(first + (last - first) / 2)])
      thin(toBytes: bytes, first, last, times: times - 1)
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
    remove(
      "time BETWEEN ? AND ?", [.integer(from.microseconds), .integer(to.microseconds)], body)
  }

  private func remove(
    _ condition: String, _ values: [DatabaseValue],
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
      write(
        [
          Self.set("newest", newest),
          DatabaseStatement("DELETE FROM entries WHERE \(condition)", values),
          DatabaseStatement("DELETE FROM parked WHERE number NOT IN (SELECT number FROM entries)"),
        ], outlastsPower: true, erases: true
      ) { [weak self] error in
        if error == nil { self?.count -= removed }
        body(error.map { .failure($0) } ?? .success(removed))
      }
    }
  }
}
