package import Platform

/// The tables of the postcodes' file. It is a file of its own: its data has another licence than the world's.
package enum PostcodeTables {
  package static let schema = DatabaseSchema(
    application: 0x6C6F_7063,
    steps: [
      // A code that many longer ones begin with stands for all of them where they lie in one town. `size`: how
      // many letters a whole code has; 0 where any may follow. `city`: GeoNames' number, or 0.
      """
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      CREATE TABLE postcode (code TEXT, cc TEXT, size INTEGER, city INTEGER, y INTEGER, x INTEGER, name TEXT,
        PRIMARY KEY (code, cc, size)) WITHOUT ROWID;
      """,
      // Britain's whole codes, by their sectors. With a rowid: else most rows would need pages of their own.
      "CREATE TABLE sector (name TEXT PRIMARY KEY, y INTEGER, x INTEGER, units BLOB)",
    ])

  /// Files without sectors can be read, too.
  static let oldest: Int64 = 1
}
