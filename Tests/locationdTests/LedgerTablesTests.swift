import LocationCore
import LocationModel
import Platform
import Testing

@testable import locationd

/// Rows that somebody else wrote.
@Suite("Rows of the database") struct LedgerTablesTests {
  private let app = App(uid: 1000, name: "exe:/a")

  private func remembered(
    usage: [DatabaseValue] = [], event: [DatabaseValue] = [], last: [DatabaseValue] = []
  ) throws(DatabaseError) -> StoreSnapshot {
    func rows(_ values: [DatabaseValue]) -> [[DatabaseValue]] {
      values.isEmpty ? [] : [[.integer(1000), .text("exe:/a")] + values]
    }
    return try LedgerTables.remembered([[], rows(usage), [], [], [], rows(event), rows(last)])
  }

  @Test(
    "a count that is none leaves room for one more",
    arguments: [(.max, 1 << 53), (.min, 0), (-1, 0), (7, 7)] as [(Int64, Int)])
  func counts(stored: Int64, expected: Int) throws {
    let usage = try remembered(usage: [.integer(.min), .integer(stored)]).usage[app]
    #expect(usage?.count == expected)
  }

  @Test(
    "an event's number that no counting reaches makes no sense", arguments: [.max, -1] as [Int64])
  func numbers(number: Int64) {
    #expect(throws: DatabaseError.self) { try remembered(last: [.integer(number)]) }
    #expect(throws: DatabaseError.self) {
      try remembered(event: [.integer(number), .blob([])])
    }
  }

  @Test("the highest number that is believed can be counted on, and written")
  func highest() throws {
    let number = try #require(
      try remembered(last: [.integer(1 << 53)]).lastEvents[app])
    let statements = LedgerTables.statements(.event(app, number: number + 1, []))
    #expect(statements.first?.values[2] == .integer(1 << 53 + 1))
  }
}
