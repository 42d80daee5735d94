package import Platform

/// The file of an extract, `NAME.places`: things with a name or an address, where they lie and the words
/// that find them. Their numbers are in the order of the cells that they lie in.
package enum ExtractTables {
  package static let suffix = ".places"

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
      """
    ])

  /// Names of things beside their own: `ko=카페` a line, `=` before one of no language.
  package static let mostNames = 24

  /// The category of streets that houses have no numbers by: steps, motorways.
  package static let path = "path"
}
