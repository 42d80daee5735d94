package import Platform

/// The tables of the world's file. Places have numbers in the order of their population, so that the first
/// that are found are the largest.
package enum WorldSchema {
  package static let application: Int32 = 0x6C6F_6370
  package static let version = Int64(schema.steps.count)
  /// Districts stand after all places.
  package static let firstDistrict: Int64 = 1_000_000
  /// Countries and provinces stand after all districts, the weightiest first.
  package static let firstRegion: Int64 = 2_000_000
  /// Features stand last.
  package static let firstFeature: Int64 = 3_000_000

  package static let schema = DatabaseSchema(
    application: application,
    steps: [
      """
      CREATE TABLE source (name TEXT, date TEXT, licence TEXT, attribution TEXT, places INTEGER);
      CREATE TABLE place (rank INTEGER PRIMARY KEY, gid INTEGER, name TEXT, folded TEXT, cc TEXT, a1 TEXT,
        population INTEGER, zone INTEGER, y INTEGER, x INTEGER);
      CREATE TABLE zone (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE place_name (gid INTEGER, language TEXT, name TEXT, PRIMARY KEY (gid, language))
        WITHOUT ROWID;
      CREATE TABLE region_name (code TEXT, language TEXT, name TEXT, PRIMARY KEY (code, language))
        WITHOUT ROWID;
      CREATE TABLE country (cc TEXT PRIMARY KEY, language TEXT, rank INTEGER) WITHOUT ROWID;
      CREATE TABLE area (id INTEGER PRIMARY KEY, level INTEGER, cc TEXT, a1 TEXT, code TEXT, name TEXT,
        upper TEXT, y INTEGER, x INTEGER);
      CREATE TABLE piece (id INTEGER PRIMARY KEY, area INTEGER, shape BLOB);
      CREATE VIRTUAL TABLE piece_box USING rtree_i32(id, x0, x1, y0, y1);
      CREATE VIRTUAL TABLE spot USING rtree_i32(id, x0, x1, y0, y1);
      CREATE VIRTUAL TABLE names USING fts5(name, context, content='', columnsize=0, detail=column,
        prefix='1 2 3', tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");
      CREATE INDEX place_gid ON place (gid);
      """,
      """
      CREATE TABLE region (id INTEGER PRIMARY KEY, code TEXT UNIQUE, folded TEXT, population INTEGER, city INTEGER,
        y INTEGER, x INTEGER, radius INTEGER);
      """,
      // The borders of time zones.
      """
      CREATE TABLE zone_piece (id INTEGER PRIMARY KEY, zone INTEGER, shape BLOB);
      CREATE VIRTUAL TABLE zone_box USING rtree_i32(id, x0, x1, y0, y1);
      """,
      // Places that are no towns: lakes, peaks, airports. Their names are those of a region with its code.
      """
      CREATE TABLE feature (id INTEGER PRIMARY KEY, kind TEXT, code TEXT UNIQUE, tags TEXT, folded TEXT, cc TEXT,
        a1 TEXT, weight INTEGER, radius INTEGER, zone INTEGER, y INTEGER, x INTEGER);
      CREATE VIRTUAL TABLE feature_box USING rtree_i32(id, x0, x1, y0, y1);
      """,
    ])
}
