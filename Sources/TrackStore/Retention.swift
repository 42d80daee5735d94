package import LocationModel
package import Platform
package import TrackCore

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
  /// Removes what is not to be kept. `confirmedUpTo`: every server has the entries up to this number. An older
  /// tracker's track waits for its index.
  package func tidy(_ retention: Retention, confirmedUpTo: Int64, at now: Instant) {
    index()
    if !isCounted { countEntries() }
    guard isIndexed || trouble != nil else { return }
    read("SELECT time FROM entries ORDER BY number DESC LIMIT 1") { [weak self] row in
      guard let self, let newest = row[0].integer else { return }
      let reference = clock.reference(at: now, newest: Timestamp(microseconds: newest))
      keepDoubt()
      remove(before: reference - retention.age, upTo: confirmedUpTo)
      if let age = retention.greatestAge { remove(before: reference - age, upTo: .max) }
      thin(toBytes: retention.bytes, times: Self.mostThinnings)
    }
  }

  /// The program ends: the time for which the clock was doubted outlasts it.
  package func keepDoubt(at now: Boottime) {
    clock.count(upTo: now)
    keepDoubt()
  }

  private func keepDoubt() {
    // A doubt that is over must not be gone on with.
    let doubt = clock.memory ?? (0, 0)
    guard trouble == nil, doubt != keptDoubt else { return }
    keptDoubt = doubt
    write(
      [Self.set("doubtedNewest", doubt.newest), Self.set("doubted", doubt.doubted)],
      outlastsPower: false
    ) { _ in }
  }

  private func remove(before date: Timestamp, upTo number: Int64) {
    let bounds = isIndexed ? "AND number BETWEEN \(TimeIndex.bounds)" : ""
    remove(
      "number >= ?1 AND time BETWEEN ?2 AND ?3 AND number <= ?4 \(bounds)",
      [.integer(0), .integer(.min), .integer(date.microseconds - 1), .integer(number)],
      from: .min, to: date.microseconds)
  }

  private static let mostThinnings = 3
  /// A page of 4,096 bytes has so many blocks of the index.
  private static let blocksOfPage = 146

  /// Leaves some room: it is not done again for each entry. Measured again once it is written.
  private func thin(toBytes bytes: Int, times: Int) {
    guard times > 0, isCounted else { return }
    removeInTurn { [weak self] done in
      self?.thinOnce(toBytes: bytes) { removed in
        done(removed)
        if removed > 0 { self?.thin(toBytes: bytes, times: times - 1) }
      }
    }
  }

  private func thinOnce(toBytes bytes: Int, _ body: @escaping (Int64) -> Void) {
    // The index on time is not counted: an upgrade, which makes it, thins nothing.
    ask(
      DatabaseStatement(
        """
        SELECT ((SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM \
        pragma_freelist_count) - (SELECT count(*) / \(Self.blocksOfPage) + 1 FROM blocks)) \
        * (SELECT page_size FROM pragma_page_size)
        """)
    ) { [weak self] rows in
      guard let self, let used = (try? rows.get())?.first?[0].integer, used > Int64(bytes)
      else { return body(0) }
      thin(Thinning(keeping: Double(bytes) / Double(used) * 0.95, of: count), body)
    }
  }

  /// Pages of which half the rows go do not get smaller: the rows that stay are written anew.
  private func thin(_ thinning: Thinning, _ body: @escaping (Int64) -> Void) {
    let places =
      "SELECT number, row_number() OVER (ORDER BY number) AS place FROM entries WHERE kind = 0"
    let going = "SELECT number FROM (\(places)) WHERE place <= ?1 AND \(thinning.isRemoved)"
    let values = [DatabaseValue.integer(thinning.thinned)]
    let question = "SELECT count(*), max(number) FROM (\(going))"
    ask(DatabaseStatement(question, values)) { [weak self] rows in
      guard let self, let row = (try? rows.get())?.first, let removed = row[0].integer,
        let last = row[1].integer, removed > 0
      else { return body(0) }
      let range = "FROM entries WHERE number <= \(last)"
      let statements = [
        DatabaseStatement(
          "CREATE TABLE kept AS SELECT * \(range) AND number NOT IN (\(going))", values),
        DatabaseStatement("DELETE \(range)"), Self.count("-"),
        DatabaseStatement("INSERT INTO entries SELECT * FROM kept"), Self.count("+"),
        DatabaseStatement("DROP TABLE kept"),
      ]
      erase(statements) { body($0 == nil ? removed : 0) }
    }
  }

  /// Numbers go on from the newest, though it may be gone.
  private func erase(
    _ statements: [DatabaseStatement], _ body: @escaping (DatabaseError?) -> Void
  ) {
    let parked = "DELETE FROM parked WHERE number NOT IN (SELECT number FROM entries)"
    write(
      [Self.set("newest", newest)] + Self.recounted + statements + [DatabaseStatement(parked)],
      outlastsPower: true, erases: true
    ) { [weak self] error in
      guard error == nil else { return body(error) }
      self?.findParked {
        self?.erased()
        body(nil)
      }
    }
    // Some of those that go may have been counted.
    if !isCounted { countEntries() }
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

  /// Removes the entries that may lie in a zone.
  package func forget(
    in zone: Zone, _ body: @escaping (Result<Int64, DatabaseError>) -> Void
  ) {
    remove(zone.condition, [], body)
  }

  private func remove(
    _ condition: String, _ values: [DatabaseValue], from: Int64? = nil, to: Int64? = nil,
    _ body: @escaping (Result<Int64, DatabaseError>) -> Void = { _ in }
  ) {
    let question = DatabaseStatement("SELECT count(*) FROM entries WHERE \(condition)", values)
    removeInTurn { [weak self] done in
      guard let self else { return }
      ask(question) { [weak self] rows in
        guard let self else { return }
        let removed: Int64
        switch rows {
        case .failure(let error):
          done(0)
          return body(.failure(error))
        case .success(let rows): removed = rows.first?.first?.integer ?? 0
        }
        guard removed > 0 else {
          done(0)
          return body(.success(0))
        }
        var statements = [
          DatabaseStatement("DELETE FROM entries WHERE \(condition)", values), Self.count("-"),
        ]
        if let from, let to { statements += TimeIndex.forget(from: from, to: to) }
        erase(statements) { error in
          done(error == nil ? removed : 0)
          body(error.map { .failure($0) } ?? .success(removed))
        }
      }
    }
  }
}
