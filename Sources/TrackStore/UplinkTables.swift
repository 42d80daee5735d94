package import LocationModel
package import Platform
package import TrackCore

extension TrackStore {
  /// Notes the entries that a server has confirmed. After a loss of power it may be sent some again.
  package func save(
    _ confirmed: Confirmed, sending: ClosedRange<Int64>? = nil, of uplink: String,
    _ body: @escaping (DatabaseError?) -> Void
  ) {
    write([note(confirmed, sending, of: uplink)], outlastsPower: false, body)
  }

  private func note(
    _ confirmed: Confirmed, _ sending: ClosedRange<Int64>?, of uplink: String
  ) -> DatabaseStatement {
    uplinks[uplink, default: .init()].confirmed = confirmed
    uplinks[uplink]?.sending = sending
    let range = sending.map { DatabaseValue.text("\($0.lowerBound)-\($0.upperBound)") } ?? .null
    return .replacing("uplinks", [.text(uplink), .text(confirmed.text), range])
  }

  /// An entry that a server will never take. `since`: the date at which the first of those was parked.
  package func park(
    _ number: Int64, of uplink: String, because reason: String, since date: Timestamp?
  ) {
    parkings += 1
    uplinks[uplink, default: .init()].parked.add(
      .init(reason: reason, count: 1, last: number), at: date)
    var statements = [
      DatabaseStatement.replacing("parked", [.text(uplink), .integer(number), .text(reason)])
    ]
    if let date { statements.append(Self.set(Self.parking + uplink, date.microseconds)) }
    write(statements, outlastsPower: false) { _ in }
  }

  func restoreParked(_ rows: [[DatabaseValue]]) {
    for uplink in uplinks.keys { uplinks[uplink]?.parked = Parked() }
    for row in rows {
      uplinks[row[0].text ?? "", default: .init()].parked.add(
        .init(
          reason: row[1].text ?? "", count: row[2].integer ?? 0, last: row[3].integer ?? 0),
        at: row[4].date)
    }
  }

  /// Finds what is parked still, once entries were removed.
  func findParked(_ body: @escaping () -> Void) {
    let known = parkings
    ask(DatabaseStatement(TrackTables.parked)) { [weak self] rows in
      guard let self else { return }
      guard known == parkings else { return findParked(body) }
      if let rows = try? rows.get() { restoreParked(rows) }
      body()
    }
  }

  /// The date stands under this and the uplink's name, and counts while the uplink has parked entries.
  static let parking = "parked "

  /// The first entries after a number that a server will never take, so many at most.
  package func parked(
    of uplink: String, after number: Int64, limit: Int,
    _ body: @escaping (Result<[ParkedEntry], DatabaseError>) -> Void
  ) {
    ask(
      DatabaseStatement(
        """
        SELECT number, reason FROM parked WHERE uplink = ? AND number > ? ORDER BY number LIMIT ?
        """, [.text(uplink), .integer(number), .integer(Int64(limit))])
    ) { rows in
      body(
        rows.map { rows in
          rows.compactMap { row in
            row[0].integer.map { ParkedEntry(number: $0, reason: row[1].text ?? "") }
          }
        })
    }
  }

  /// Saves, and parks these entries no more, which are the first of those that are parked: both or neither.
  package func reopen(
    _ entries: [ParkedEntry], _ confirmed: Confirmed, sending: ClosedRange<Int64>?,
    of uplink: String, _ body: @escaping (DatabaseError?) -> Void
  ) {
    parkings += 1
    // A configuration that is read again makes an uplink of this memory.
    for entry in entries { uplinks[uplink]?.parked.remove(entry.reason) }
    let last = entries.map(\.number).max() ?? 0
    write(
      [
        note(confirmed, sending, of: uplink),
        DatabaseStatement(
          "DELETE FROM parked WHERE uplink = ? AND number <= ?", [.text(uplink), .integer(last)]),
      ], outlastsPower: true, body)
  }

  /// The entries that a server refused are none of its any more; tells how many those were.
  package func forgetParked(
    of uplink: String, _ body: @escaping (Result<Int64, DatabaseError>) -> Void
  ) {
    ask(
      DatabaseStatement("SELECT count(*) FROM parked WHERE uplink = ?", [.text(uplink)])
    ) { [weak self] rows in
      guard let self else { return }
      let count = (try? rows.get())?.first?.first?.integer ?? 0
      parkings += 1
      uplinks[uplink]?.parked = Parked()
      write(
        [DatabaseStatement("DELETE FROM parked WHERE uplink = ?", [.text(uplink)])],
        outlastsPower: true
      ) { body($0.map { .failure($0) } ?? .success(count)) }
    }
  }

  package func save(usage text: String, of uplink: String) {
    uplinks[uplink, default: .init()].usage = text
    replace("usage", [.text(uplink), .text(text)])
  }

  /// A killed program finds it there once that is answered.
  package func save(
    broker text: String, of uplink: String, outlastsPower: Bool,
    _ body: @escaping (DatabaseError?) -> Void
  ) {
    uplinks[uplink, default: .init()].broker = text
    var statements = [DatabaseStatement.replacing("brokers", [.text(uplink), .text(text)])]
    if uplinks[uplink]?.clearsPlace == true {
      let name = DatabaseValue.text(Self.clearing + uplink)
      statements.append(DatabaseStatement("DELETE FROM numbers WHERE name = ?", [name]))
    }
    write(statements, outlastsPower: outlastsPower) { [weak self] error in
      if error == nil { self?.uplinks[uplink]?.clearsPlace = false }
      body(error)
    }
  }

  /// An older tracker noted under this and the uplink's name that the broker has a place to clear.
  static let clearing = "clear "

  private func replace(_ table: String, _ values: [DatabaseValue]) {
    write([.replacing(table, values)], outlastsPower: false) { _ in }
  }
}
