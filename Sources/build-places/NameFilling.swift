internal import Platform

/// Names that one datum has and another of the same place lacks: a province without a name in a language has its
/// city's of that name (Cusco, Seoul), and a town its country's or its province's (Monaco).
enum NameFilling {
  private static let statements = [
    """
    INSERT OR IGNORE INTO region_name
    SELECT own.code, other.language, other.name FROM region_name own
    JOIN place ON place.a1 = own.code AND place.name = own.name
    JOIN place_name other ON other.gid = place.gid AND other.language <> ''
    WHERE own.language = 'en' ORDER BY place.rank
    """,
    """
    INSERT OR IGNORE INTO place_name
    SELECT place.gid, other.language, other.name FROM place
    JOIN region_name own ON own.code IN (place.cc, place.a1) AND own.language = 'en' AND own.name = place.name
    JOIN region_name other ON other.code = own.code AND other.language <> ''
    """,
  ]

  static func run(in database: Database) throws(DatabaseError) {
    for statement in statements { try database.run(statement) }
  }
}
