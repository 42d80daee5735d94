package import Platform

/// The file of an extract, `NAME.places`: things with a name or an address, where they lie and the words
/// that find them. Their numbers are in the order of the cells that they lie in. Other parts of the file follow:
/// `ExtractPart`.
package enum ExtractTables {
  package static let suffix = ".places"

  /// The folder of roads beside it that releases of before made.
  package static let oldRoads = ".roads"

  package static let schema = DatabaseSchema(
    application: 0x6C6F_6578,
    steps: [
      """
      CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      CREATE TABLE thing(id INTEGER PRIMARY KEY, kind INTEGER, latitude INTEGER, longitude INTEGER, \
      name TEXT, names TEXT, category TEXT, street TEXT, number TEXT, postcode TEXT, city TEXT, shape BLOB);
      CREATE VIRTUAL TABLE box USING rtree(id, south, north, west, east);
      CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, prefix='1 2 3 4 5 6', \
      tokenize='unicode61 remove_diacritics 0');
      CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
      """,
      // OpenStreetMap's number of it times four, and 1 for a node, 2 for a way, 3 for a relation.
      "ALTER TABLE thing ADD COLUMN osm INTEGER",
      // The tag that says the kind, where the category is a word of ours: `amenity=cafe`. All named things are there.
      "ALTER TABLE thing ADD COLUMN tag TEXT",
      // The other tags of named things, and of addresses of shops: `opening_hours=Mo-Fr 08:00-18:00` a line.
      "ALTER TABLE thing ADD COLUMN further TEXT",
      // The part of the town that it lies in. Its names in languages are a line each: `ko=몬테카를로`.
      """
      ALTER TABLE thing ADD COLUMN district INTEGER;
      CREATE TABLE district(id INTEGER PRIMARY KEY, name TEXT, names TEXT);
      """,
      // Parts of the countries whose borders the extract has whole, in millionths of a degree.
      "CREATE VIRTUAL TABLE country USING rtree_i32(id, west, east, south, north, +code, +shape)",
    ])

  /// The columns of a file's things, by its version.
  static func columns(_ version: Int64) -> Int { 11 + Int(min(version, districts)) }

  /// Parts that files of a version lack, in words for people.
  static func lacks(_ version: Int64) -> [String] {
    (version < 3 ? ["some named things"] : []) + (version < 4 ? ["tags of named things"] : [])
      + (version < districts ? ["districts"] : [])
      + (version < countries ? ["borders of countries"] : [])
  }

  /// Files from this version on have districts.
  static let districts: Int64 = 5
  /// Files from this version on have the borders of whole countries.
  static let countries: Int64 = 6

  /// Files of this version can be read, too.
  static let oldest: Int64 = 1

  /// Names of things beside their own: `ko=카페` a line, `=` before one of no language.
  package static let mostNames = 24

  /// Tags of a thing beside those of its names, its address and its kind.
  package static let mostFurther = 32

  /// The category of streets that houses have no numbers by: steps, motorways.
  package static let path = "path"
}
