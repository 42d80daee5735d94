import LocationModel
package import Platform
import TrackCore

/// The track's database, and its rows.
package enum TrackTables {
  package static let schema = DatabaseSchema(
    application: 0x6C_6F_74_72,
    steps: [
      """
      CREATE TABLE entries (
        number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, time INTEGER NOT NULL,
        latitude INTEGER NOT NULL, longitude INTEGER NOT NULL, accuracy INTEGER NOT NULL,
        altitude INTEGER, verticalAccuracy INTEGER, speed INTEGER, course INTEGER,
        region TEXT, arrival INTEGER, battery INTEGER, power INTEGER, network INTEGER
      ) STRICT;
      CREATE TABLE uplinks (name TEXT PRIMARY KEY, confirmed TEXT NOT NULL, sending TEXT) STRICT;
      CREATE TABLE parked (
        uplink TEXT, number INTEGER, reason TEXT NOT NULL, PRIMARY KEY (uplink, number)
      ) STRICT;
      CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
      """,
      "CREATE TABLE usage (uplink TEXT PRIMARY KEY, bytes TEXT NOT NULL) STRICT",
      """
      ALTER TABLE entries ADD COLUMN regionID TEXT;
      ALTER TABLE entries ADD COLUMN regionMade INTEGER;
      ALTER TABLE entries ADD COLUMN inside TEXT;
      CREATE TABLE waypoints (
        identifier TEXT PRIMARY KEY, owner TEXT, id TEXT NOT NULL, name TEXT NOT NULL,
        made INTEGER NOT NULL, latitude INTEGER, longitude INTEGER, radius INTEGER,
        inside INTEGER NOT NULL
      ) STRICT;
      """,
      "CREATE TABLE brokers (uplink TEXT PRIMARY KEY, memory TEXT NOT NULL) STRICT",
      TimeIndex.table,
    ], mostChecked: 64 << 20)

  /// Questions that are asked at the start.
  static let queries = [
    "SELECT name, confirmed, sending FROM uplinks",
    "SELECT name, value FROM numbers",
    """
    SELECT coalesce((SELECT max(number) FROM entries), 0), coalesce((SELECT value + (SELECT count(*) \
    FROM entries WHERE number > (SELECT value FROM numbers WHERE name = 'counted')) \
    FROM numbers WHERE name = 'count'), 0)
    """,
    parked,
    "SELECT uplink, bytes FROM usage",
    "SELECT owner, id, name, made, latitude, longitude, radius, inside FROM waypoints ORDER BY rowid",
    "SELECT uplink, memory FROM brokers",
    // Whether each column is there.
    "SELECT \(columns) FROM entries LIMIT 0",
  ]

  static let parked = """
    SELECT uplink, reason, count(*), max(number), (SELECT value FROM numbers \
    WHERE name = '\(TrackStore.parking)' || uplink) FROM parked GROUP BY uplink, reason ORDER BY 4
    """

  static let columns = """
    number, kind, time, latitude, longitude, accuracy, altitude, verticalAccuracy, speed, course, \
    region, arrival, battery, power, network, regionID, regionMade, inside
    """
  static let columnCount = 18

  static func insert(_ entry: TrackEntry, orIgnore: Bool = false) -> DatabaseStatement {
    DatabaseStatement(
      "INSERT \(orIgnore ? "OR IGNORE " : "")INTO entries (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(entry.number), .integer(entry.kind.rawValue),
        .integer(entry.timestamp.microseconds), .scaled(entry.coordinate.latitude, 1e7),
        .scaled(entry.coordinate.longitude, 1e7), .scaled(entry.horizontalAccuracy, 100),
        .scaled(entry.altitude, 100), .scaled(entry.verticalAccuracy, 100),
        .scaled(entry.speed, 100), .scaled(entry.course, 100),
        entry.region.map(DatabaseValue.text) ?? .null,
        entry.arrivalDate.map { .integer($0.microseconds) } ?? .null,
        entry.circumstances.battery.map { .integer(Int64($0)) } ?? .null,
        entry.circumstances.power.map { .integer($0.rawValue) } ?? .null,
        entry.circumstances.network.map { .integer($0.rawValue) } ?? .null,
        entry.regionID.map(DatabaseValue.text) ?? .null,
        entry.regionMade.map { .integer($0.microseconds) } ?? .null,
        entry.inside.isEmpty ? .null : .text(JSON.array(entry.inside.map(\.json)).text),
      ])
  }

  /// `isIndexed`: the index knows all entries.
  static func entries(
    from: Timestamp, to: Timestamp, after number: Int64, limit: Int, isIndexed: Bool
  ) -> DatabaseStatement {
    DatabaseStatement(
      """
      SELECT \(columns) FROM entries WHERE number > ?1 AND time BETWEEN ?2 AND ?3 \
      \(isIndexed ? "AND number BETWEEN \(TimeIndex.bounds)" : "") ORDER BY number LIMIT ?4
      """,
      [
        .integer(number), .integer(from.microseconds), .integer(to.microseconds),
        .integer(Int64(limit)),
      ])
  }

  /// Rows as a page of entries. Rows that no tracker wrote count, and are passed over.
  static func page(_ rows: [[DatabaseValue]], limit: Int) -> TrackPage {
    TrackPage(
      rows.compactMap(entry), last: rows.last?.first?.integer ?? 0, hasMore: rows.count == limit)
  }

  /// Nil for a row that no tracker wrote.
  static func entry(_ row: [DatabaseValue]) -> TrackEntry? {
    guard row.count == columnCount, let number = row[0].integer,
      let kind = row[1].integer.flatMap(TrackEntry.Kind.init(rawValue:)),
      let time = row[2].integer, let latitude = row[3].divided(by: 1e7),
      let longitude = row[4].divided(by: 1e7), let accuracy = row[5].divided(by: 100)
    else { return nil }
    let place = Coordinate(latitude: latitude, longitude: longitude)
    let date = Timestamp(microseconds: time)
    guard place.isValid, date.isPlausible else { return nil }
    var entry = TrackEntry(
      kind,
      Location(coordinate: place, horizontalAccuracy: accuracy, timestamp: date))
    entry.number = number
    entry.altitude = row[6].divided(by: 100)
    entry.verticalAccuracy = row[7].divided(by: 100)
    entry.speed = row[8].divided(by: 100)
    entry.course = row[9].divided(by: 100)
    entry.region = row[10].text
    entry.arrivalDate = row[11].date
    entry.circumstances.battery = row[12].integer.flatMap { Int(exactly: $0) }
    entry.circumstances.power = row[13].integer.flatMap(Circumstances.Power.init(rawValue:))
    entry.circumstances.network = row[14].integer.flatMap(Circumstances.Network.init(rawValue:))
    entry.regionID = row[15].text
    entry.regionMade = row[16].date
    let inside = row[17].text.flatMap { try? JSON(parsing: $0) }
    entry.inside = inside?.array?.compactMap(TrackEntry.RegionLabel.init) ?? []
    return entry
  }
}

extension DatabaseStatement {
  /// A row takes the place of the one with its key.
  static func replacing(_ table: String, _ values: [DatabaseValue]) -> DatabaseStatement {
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    return DatabaseStatement("INSERT OR REPLACE INTO \(table) VALUES (\(marks))", values)
  }
}

extension DatabaseValue {
  static func scaled(_ value: Double?, _ scale: Double) -> DatabaseValue {
    value.flatMap { Int64(exactly: ($0 * scale).rounded()) }.map { .integer($0) } ?? .null
  }

  func divided(by scale: Double) -> Double? { integer.map { Double($0) / scale } }

  /// Nil for one that nobody wrote.
  var date: Timestamp? {
    integer.map { Timestamp(microseconds: $0) }.flatMap { $0.isPlausible ? $0 : nil }
  }
}
