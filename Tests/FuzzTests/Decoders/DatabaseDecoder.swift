import LocationCore
import LocationModel
import Platform
import ReceiverCore

@testable import locationd

extension Decoder {
  /// Rows of the database, as somebody may have written them: the daemon starts with them.
  static var database: Decoder {
    let region =
      #"{"region":{"identifier":"a","latitude":50,"longitude":8,"radius":100},"state":"inside"}"#
    let moved =
      #"{"location":{"latitude":50,"longitude":8,"horizontalAccuracy":5,"#
      + #""timestamp":"2025-06-15T12:00:00.000Z"},"boottime":1099511627776,"utc":1780000000000000}"#
    let stay =
      #"{"arrival":1780000000000000,"latitude":50,"longitude":8,"weight":5,"spread":20,"#
      + #""last":1780000000000000}"#
    let event =
      #"{"method":"didEnterRegion","params":{"region":"a","timestamp":"2025-06-15T12:00:00Z"}}"#
    let rows = [
      "0\t1000\texe:/a\tauthorizedAlways\tfull\tperson\t1\t0",
      "1\t0\tuser:root\t1780000000000000\t7",
      "2\t-1\texe:/a", "3\tservicesEnabled\t1", "4\t0\tuser:root\tregion\ta\tx\(region)",
      "4\t0\tuser:root\tsignificant\t\tx\(moved)", "4\t0\t\tstay\t\tx\(stay)",
      "4\t0\tuser:root\tvisits\t\tx",
      #"4"# + "\t0\tuser:root\tseen\t\t" + #"x{"day":20000,"absences":3}"#,
      "4\t0\tuser:root\tactivation\t\t" + #"x{"unit":"a.service","place":"system"}"#,
      "5\t0\tuser:root\t3\tx\(event)", "6\t0\tuser:root\t3",
    ]
    return Decoder(
      name: "database",
      words: extremes + [
        "\t0\tuser:root\t", "\tx{", "region", "significant", "visits", "stay", "seen", "activation",
        "\"day\":", "\"absences\":", "\"boottime\":", "\"utc\":", "\"last\":", "\"arrival\":",
        "\"radius\":", "\"weight\":", "\"spread\":", "\n4", "\n6", "~",
      ],
      seeds: [[UInt8](0x40, rows.joined(separator: "\n"))]
        + rows.map { [UInt8](0x40, $0 + "\n4\t0\tuser:root\tvisits\t\tx") }
    ) { input in
      let (_, bytes) = input.choice
      guard let remembered = try? LedgerTables.remembered(tables(bytes)) else { return }
      var mind = Mind(remembered)
      for request in [
        .permissionsList, .monitoredRegions(after: nil, limit: .max), .status,
        .startMonitoringVisits, .startMonitoringSignificantLocationChanges,
        .startUpdatingLocation(StandardRequest()), .acknowledge(event: .max),
      ] as [Request] {
        mind.call(Call(id: .null, request))
      }
      for step in 0..<4 {
        mind.fix(at: Coordinate(latitude: 50 + Double(step) * 0.01, longitude: 8))
        mind.pass(.seconds(100))
      }
      mind.pass(.seconds(80_000))
      for change in mind.changes {
        for statement in LedgerTables.statements(change) {
          check(!statement.sql.isEmpty, "nothing is written")
        }
      }
    }
  }

  /// A row a line, with the number of its table, and a tab between columns.
  private static func tables(_ bytes: [UInt8]) -> [[[DatabaseValue]]] {
    let columns = [7, 4, 2, 2, 5, 4, 3]
    var tables = columns.map { _ in [[DatabaseValue]]() }
    for line in bytes.split(separator: 0x0A) {
      let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
      let table = Int(fields[0].first ?? 0) - 0x30
      guard tables.indices.contains(table) else { continue }
      let values = fields.dropFirst().prefix(columns[table]).map(value)
      let rest = Array(repeating: DatabaseValue.null, count: columns[table] - values.count)
      tables[table].append(values + rest)
    }
    // As they are selected.
    tables[5].sort { ($0[2].integer ?? 0) < ($1[2].integer ?? 0) }
    return tables
  }

  private static func value(_ field: ArraySlice<UInt8>) -> DatabaseValue {
    if field.first == UInt8(ascii: "x") { return .blob(Array(field.dropFirst())) }
    if field.first == UInt8(ascii: "~") { return .null }
    let text = String(decoding: field, as: UTF8.self)
    return Int64(text).map { .integer($0) } ?? .text(text)
  }
}
