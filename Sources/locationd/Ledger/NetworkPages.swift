import LocationCore
import Platform

/// Learnt networks as they come from the database: page by page, since there may be 50,000.
struct NetworkPages {
  static let length = 2000

  private var last = Int64.min

  /// The question for the next page.
  var question: DatabaseStatement {
    DatabaseStatement(
      "SELECT id, value FROM network WHERE id > ? ORDER BY id LIMIT \(Self.length)",
      [.integer(last)])
  }

  /// The networks of a page, and whether it is the last one. One that cannot be read ends them.
  mutating func take(
    _ page: Result<[[DatabaseValue]], DatabaseError>
  ) -> (networks: [NetworkRow], areAll: Bool) {
    let rows = (try? page.get()) ?? []
    let networks = rows.compactMap { row -> NetworkRow? in
      guard let id = row[0].integer, let bytes = row[1].blob else { return nil }
      return NetworkRow(id: id, bytes: bytes)
    }
    last = networks.last?.id ?? last
    return (networks, rows.count < Self.length || networks.isEmpty)
  }
}
