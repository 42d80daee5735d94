import Platform
import TrackCore

/// An older tracker's entries are counted, and their index on time is made, a step at a time: what is asked or kept
/// meanwhile comes between.
extension TrackStore {
  /// A disk that was full is tried again with the next hour.
  func index() {
    isIndexed = TimeIndex.isWhole(indexed, newest: newest)
    guard !isIndexed, !isIndexing, trouble == nil else { return }
    isIndexing = true
    let (statements, next) = TimeIndex.fill(from: indexed)
    write(statements, outlastsPower: false) { [weak self] error in
      guard let self else { return }
      isIndexing = false
      guard error == nil else { return }
      indexed = next
      index()
    }
  }

  /// Counts the entries that there are; those that come meanwhile are added as they are written.
  func countEntries() {
    counts += 1
    (count, isCounted) = (0, false)
    count(after: 0, upTo: newest, 0, run: counts)
  }

  private func count(after first: Int64, upTo last: Int64, _ sum: Int64, run: Int) {
    let step = "SELECT number FROM entries WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
    let values: [DatabaseValue] = [.integer(first), .integer(last), .integer(Self.countedAtOnce)]
    ask(DatabaseStatement("SELECT count(*), max(number) FROM (\(step))", values)) {
      [weak self] rows in
      // Another count has begun, as some were removed.
      guard let self, run == counts, let row = (try? rows.get())?.first else { return }
      let found = row[0].integer ?? 0
      count += found
      if found == Self.countedAtOnce, let number = row[1].integer {
        return count(after: number, upTo: last, sum + found, run: run)
      }
      isCounted = true
      guard trouble == nil else { return }
      write(
        [Self.set("counted", last), Self.set("count", sum + found)] + Self.recounted,
        outlastsPower: false
      ) { _ in }
    }
  }

  private static var countedAtOnce: Int64 { 32_768 }

  /// The disk counts what it has got since: those entries need not be counted at the next start.
  static var recounted: [DatabaseStatement] {
    let known = "(SELECT value FROM numbers WHERE name = 'counted')"
    return [
      DatabaseStatement(
        "UPDATE numbers SET value = value + (SELECT count(*) FROM entries WHERE number > \(known))"
          + " WHERE name = 'count'"),
      DatabaseStatement(
        "UPDATE numbers SET value = max(value, coalesce((SELECT max(number) FROM entries), 0))"
          + " WHERE name = 'counted'"),
    ]
  }

  /// Adds (+) or takes off (-) as many entries as the statement before has changed.
  static func count(_ sign: String) -> DatabaseStatement {
    DatabaseStatement("UPDATE numbers SET value = value \(sign) changes() WHERE name = 'count'")
  }

  /// Removes entries while no other removal looks for them: none is counted twice. `removal` says once how many it
  /// has removed.
  func removeInTurn(_ removal: @escaping (_ done: @escaping (Int64) -> Void) -> Void) {
    removals.append(removal)
    if removals.count == 1 { removeNext() }
  }

  private func removeNext() {
    guard let removal = removals.first else { return }
    removal { [weak self] removed in
      guard let self else { return }
      if isCounted { count -= removed }
      removals.removeFirst()
      removeNext()
    }
  }
}
