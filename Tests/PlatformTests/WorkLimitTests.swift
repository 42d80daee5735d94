import Foundation
import Glibc
import LocationModel
import Testing

@testable import Platform

@Suite("The limit of a piece of work") struct WorkLimitTests {
  private static let schema = DatabaseSchema(
    application: 0x6C6F_6374, steps: ["CREATE TABLE number(value INTEGER)"])

  @Test("a question to a database that takes too long fails, and the next one is answered")
  func interrupted() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    defer { unlink(path) }
    try DatabaseBuilder(path: path, Self.schema).finish()
    let limit = WorkLimit()
    let database = try SealedDatabase(
      path: path, application: Self.schema.application, version: 1, limit: limit)
    let endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    limit.begin(.milliseconds(20))
    #expect(throws: DatabaseError.interrupted) { try database.rows(endless) }
    limit.finish()
    #expect(try database.rows("SELECT 7") == [[.integer(7)]])
  }

  @Test("a limit that has not begun, or is finished, is never over")
  func none() {
    let limit = WorkLimit()
    #expect(!limit.isOver)
    limit.begin(.zero)
    while !limit.isOver {}
    limit.finish()
    #expect(!limit.isOver)
  }
}
