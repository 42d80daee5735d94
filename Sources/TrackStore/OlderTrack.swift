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
    count(after: 0, upTo: newest, run: counts)
  }

  private func count(after first: Int64, upTo last: Int64, run: Int) {
    let step = "SELECT number FROM entries WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
    let values: [DatabaseValue] = [.integer(first), .integer(last), .integer(Self.countedAtOnce)]
    ask(DatabaseStatement("SELECT count(*), max(number) FROM (\(step))", values)) {
      [weak self] rows in
      // Another count has begun, as some were removed.
      guard let self, run == counts, let row = (try? rows.get())?.first else { return }
      let found = row[0].integer ?? 0
      count += found
      if found == Self.countedAtOnce, let number = row[1].integer {
        return count(after: number, upTo: last, run: run)
      }
      isCounted = true
      if trouble == nil { write(counted, outlastsPower: false) { _ in } }
    }
  }

  private static var countedAtOnce: Int64 { 32_768 }

  /// Entries up to the newest need not be counted at the next start.
  var counted: [DatabaseStatement] {
    isCounted ? [Self.set("counted", newest), Self.set("count", count)] : []
  }

  /// So many entries are gone.
  func discount(_ removed: Int64) {
    if isCounted { count -= removed } else { countEntries() }
  }
}
