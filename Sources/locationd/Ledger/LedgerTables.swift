import LocationCore
import LocationModel
import Platform

/// The tables of the database: what is remembered as rows, and rows as what is remembered.
enum LedgerTables {
  static let schema = DatabaseSchema(
    application: 0x6C6F_6364,
    steps: [
      """
      CREATE TABLE permission (
        uid INTEGER NOT NULL, app TEXT NOT NULL, authorization TEXT NOT NULL,
        accuracy TEXT NOT NULL, source TEXT NOT NULL, provisional INTEGER NOT NULL,
        asked INTEGER NOT NULL, PRIMARY KEY (uid, app)) STRICT, WITHOUT ROWID;
      CREATE TABLE usage (
        uid INTEGER NOT NULL, app TEXT NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (uid, app)) STRICT, WITHOUT ROWID;
      -- A uid of -1 is every user.
      CREATE TABLE restriction (
        uid INTEGER NOT NULL, app TEXT NOT NULL, PRIMARY KEY (uid, app)) STRICT, WITHOUT ROWID;
      CREATE TABLE setting (
        name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE record (
        uid INTEGER NOT NULL, app TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
        value BLOB NOT NULL, PRIMARY KEY (uid, app, kind, key)) STRICT, WITHOUT ROWID;
      CREATE TABLE event (
        uid INTEGER NOT NULL, app TEXT NOT NULL, number INTEGER NOT NULL, value BLOB NOT NULL,
        PRIMARY KEY (uid, app, number)) STRICT, WITHOUT ROWID;
      CREATE TABLE last_event (
        uid INTEGER NOT NULL, app TEXT NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (uid, app)) STRICT, WITHOUT ROWID;
      """,
      "CREATE TABLE network (id INTEGER PRIMARY KEY NOT NULL, value BLOB NOT NULL) STRICT",
    ])

  static let queries = [
    "SELECT uid, app, authorization, accuracy, source, provisional, asked FROM permission",
    "SELECT uid, app, last, count FROM usage",
    "SELECT uid, app FROM restriction",
    "SELECT name, value FROM setting",
    "SELECT uid, app, kind, key, value FROM record",
    "SELECT uid, app, number, value FROM event ORDER BY uid, app, number",
    "SELECT uid, app, number FROM last_event",
  ]
}

// MARK: - To rows

extension LedgerTables {
  static func statements(_ change: Change) -> [DatabaseStatement] {
    switch change {
    case .permission(let app, let permission):
      // A permission for once ends with the daemon at the latest.
      let authorization = permission.isOnce ? .notDetermined : permission.authorization
      return [
        replace(
          "permission",
          app.values + [
            .text(authorization.rawValue), .text(permission.accuracy.rawValue),
            .text(permission.source.rawValue), .integer(permission.isProvisional ? 1 : 0),
            .integer(permission.hasAskedForAlways ? 1 : 0),
          ])
      ]
    case .usage(let app, let usage):
      return [
        replace(
          "usage", app.values + [.integer(usage.last.microseconds), .integer(Int64(usage.count))])
      ]
    case .restrict(let restriction): return [replace("restriction", restriction.values)]
    case .unrestrict(let restriction): return [delete("restriction", of: restriction.values)]
    case .servicesEnabled(let enabled):
      return [replace("setting", [.text("servicesEnabled"), .integer(enabled ? 1 : 0)])]
    // Ledger writes it to a file of its own.
    case .here: return []
    case .networks(let rows, let dropped):
      return rows.map { replace("network", [.integer($0.id), .blob($0.bytes)]) }
        + dropped.map { DatabaseStatement("DELETE FROM network WHERE id = ?", [.integer($0)]) }
    case .forgetNetworks: return [DatabaseStatement("DELETE FROM network")]
    case .put(let app, let kind, let key, let bytes):
      return [replace("record", app.values + [.text(kind), .text(key), .blob(bytes)])]
    case .remove(let app, let kind, let key):
      return [
        delete(
          "record", of: app.values + [.text(kind), .text(key)], where: "AND kind = ? AND key = ?")
      ]
    case .event(let app, let number, let bytes):
      let values = app.values + [.integer(Int64(number))]
      return [
        DatabaseStatement("INSERT INTO event VALUES (?, ?, ?, ?)", values + [.blob(bytes)]),
        replace("last_event", values),
      ]
    case .acknowledged(let app, let number):
      return [
        delete("event", of: app.values + [.integer(Int64(number))], where: "AND number <= ?")
      ]
    case .retire(let app): return retire(app)
    case .erase(let app):
      return ["record", "event"].map { delete($0, of: app.values) } + retire(app)
    case .forget(let app):
      return ["record", "event", "usage", "permission"].map { delete($0, of: app.values) }
        + retire(app)
    }
  }

  static func note(ledger name: Int64) -> DatabaseStatement {
    replace("setting", [.text("ledger"), .integer(name)])
  }

  /// Names of a ledger, which JSON's readers have as they are.
  static let names: Range<Int64> = 1..<1 << 53

  /// The number of its last event becomes that of its user, whose row has no name.
  private static func retire(_ app: App) -> [DatabaseStatement] {
    [
      DatabaseStatement(
        "REPLACE INTO last_event SELECT uid, '', max(number) FROM last_event"
          + " WHERE uid = ? AND app IN (?, '') GROUP BY uid", app.values),
      delete("last_event", of: app.values, where: "AND app <> ''"),
    ]
  }

  private static func replace(_ table: String, _ values: [DatabaseValue]) -> DatabaseStatement {
    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
    return DatabaseStatement("REPLACE INTO \(table) VALUES (\(marks))", values)
  }

  /// Rows of an app, or of what is restricted, which is called likewise.
  private static func delete(
    _ table: String, of values: [DatabaseValue], where more: String = ""
  ) -> DatabaseStatement {
    DatabaseStatement("DELETE FROM \(table) WHERE uid = ? AND app = ? \(more)", values)
  }
}

extension App {
  fileprivate var values: [DatabaseValue] { [.integer(Int64(uid)), .text(name)] }
}

extension Restriction {
  fileprivate var values: [DatabaseValue] { [.integer(uid.map(Int64.init) ?? -1), .text(name)] }
}

// MARK: - From rows

extension LedgerTables {
  static func remembered(_ tables: [[[DatabaseValue]]]) throws(DatabaseError) -> StoreSnapshot {
    var remembered = StoreSnapshot()
    guard tables.count == queries.count else { throw .broken("tables are missing") }
    for row in tables[0] {
      remembered.permissions[try app(row)] = try permission(row)
    }
    for row in tables[1] {
      guard let last = row[2].integer, let count = row[3].integer else { throw strange(row) }
      remembered.usage[try app(row)] = Usage(
        last: Timestamp(microseconds: last), count: Int(min(max(count, 0), mostCounted)))
    }
    for row in tables[2] {
      guard let uid = row[0].integer, let name = row[1].text else { throw strange(row) }
      remembered.restrictions.insert(
        Restriction(uid: uid == -1 ? nil : UInt32(truncatingIfNeeded: uid), name: name))
    }
    for row in tables[3] {
      switch row[0].text {
      case "servicesEnabled": remembered.servicesEnabled = row[1].integer != 0
      case "ledger": remembered.ledger = row[1].integer
      default: break
      }
    }
    for row in tables[4] {
      guard let kind = row[2].text, let key = row[3].text, let bytes = row[4].blob else {
        throw strange(row)
      }
      remembered.records[.init(app: try app(row), kind: kind, key: key)] = bytes
    }
    for row in tables[5] {
      guard let bytes = row[3].blob else { throw strange(row) }
      remembered.events.append(
        .init(app: try app(row), number: try number(row), bytes: bytes))
    }
    for row in tables[6] { remembered.lastEvents[try app(row)] = try number(row) }
    return remembered
  }

  private static func app(_ row: [DatabaseValue]) throws(DatabaseError) -> App {
    guard let uid = row[0].integer.flatMap(UInt32.init(exactly:)), let name = row[1].text else {
      throw strange(row)
    }
    return App(uid: uid, name: name)
  }

  private static func number(_ row: [DatabaseValue]) throws(DatabaseError) -> UInt64 {
    guard let number = row[2].integer.flatMap(UInt64.init(exactly:)), number <= mostCounted else {
      throw strange(row)
    }
    return number
  }

  /// Nothing that goes up by one is ever counted so far, and one more is a number still.
  private static let mostCounted: Int64 = 1 << 53

  private static func permission(_ row: [DatabaseValue]) throws(DatabaseError) -> Permission {
    guard let authorization = row[2].text.flatMap(Authorization.init(rawValue:)),
      authorization != .restricted,
      let accuracy = row[3].text.flatMap(AccuracyAuthorization.init(rawValue:)),
      let source = row[4].text.flatMap(PermissionSource.init(rawValue:))
    else { throw strange(row) }
    var permission = Permission(authorization, accuracy, by: source)
    permission.isProvisional = row[5].integer == 1
    permission.hasAskedForAlways = row[6].integer == 1
    return permission
  }

  /// A word that is none: better nothing is believed of it than half.
  private static func strange(_ row: [DatabaseValue]) -> DatabaseError {
    .broken("a row of \(row.count) columns makes no sense")
  }
}
