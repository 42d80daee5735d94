import LocationModel
import Platform
import TrackCore

/// An index on time: the dates of each block of a thousand numbers. Entries come nearly in the order of their
/// dates, so that a time is a few blocks. It is a two-thousandth of the track.
enum TimeIndex {
  static let table = """
    CREATE TABLE blocks (block INTEGER PRIMARY KEY, earliest INTEGER, latest INTEGER) STRICT
    """

  /// Numbers of a block, as a shift.
  private static let bits: Int64 = 10
  /// Blocks that one step of its making reads.
  private static let blocksOfStep: Int64 = 32

  /// The numbers of the blocks with a time from ?2 to ?3 that are not before the number ?1.
  static let bounds = """
    (SELECT block << 10 FROM blocks WHERE block >= ?1 >> 10 AND latest >= ?2 AND earliest <= ?3 \
    ORDER BY block LIMIT 1) AND (SELECT (block << 10) + 1023 FROM blocks \
    WHERE latest >= ?2 AND earliest <= ?3 ORDER BY block DESC LIMIT 1)
    """

  /// Takes an entry that is written in.
  static func note(_ number: Int64, _ date: Timestamp) -> DatabaseStatement {
    let time = DatabaseValue.integer(date.microseconds)
    return DatabaseStatement(
      """
      INSERT INTO blocks VALUES (?1, ?2, ?2) ON CONFLICT (block) DO UPDATE SET \
      earliest = min(earliest, excluded.earliest), latest = max(latest, excluded.latest)
      """, [.integer(number >> bits), time])
  }

  /// Takes the next blocks in, those of an older tracker's entries; the block that follows.
  static func fill(from block: Int64) -> ([DatabaseStatement], next: Int64) {
    let next = block + blocksOfStep
    return (
      [
        DatabaseStatement(
          """
          INSERT OR REPLACE INTO blocks SELECT number >> 10, min(time), max(time) FROM entries \
          WHERE number >= ? AND number < ? GROUP BY number >> 10
          """, [.integer(block << bits), .integer(next << bits)]),
        TrackStore.set("blocks", next),
      ], next
    )
  }

  /// The block that follows where an entry begins another; nil where the index reaches as far.
  static func next(after filled: Int64, with number: Int64) -> Int64? {
    isWhole(filled, newest: number) ? nil : (number >> bits) + 1
  }

  static func isWhole(_ filled: Int64, newest: Int64) -> Bool { filled << bits > newest }

  /// Forgets the dates of entries that are removed.
  static func forget(from: Int64, to: Int64) -> [DatabaseStatement] {
    let values = [DatabaseValue.integer(from), .integer(to)]
    let entries = "FROM entries WHERE number BETWEEN block << 10 AND (block << 10) + 1023"
    return [
      DatabaseStatement(
        """
        UPDATE blocks SET earliest = (SELECT min(time) \(entries)), \
        latest = (SELECT max(time) \(entries)) WHERE latest >= ? AND earliest <= ?
        """, values),
      DatabaseStatement("DELETE FROM blocks WHERE earliest IS NULL"),
    ]
  }
}
