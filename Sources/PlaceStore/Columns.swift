internal import LocationModel
internal import Platform

/// Columns that a statement reads, by their names, in the order of the cases.
protocol Columns: CaseIterable, RawRepresentable where RawValue == Int {
  /// As a statement has them, put together once.
  static var list: String { get }
}

extension Columns {
  /// Columns that are not read are null.
  static func columns(of table: String, reading isRead: (Self) -> Bool = { _ in true }) -> String {
    allCases.map { isRead($0) ? "\(table).\($0)" : "NULL" }.joined(separator: ", ")
  }
}

/// A row of those columns.
struct Row<Column: Columns> {
  fileprivate let values: [DatabaseValue]

  subscript(_ column: Column) -> DatabaseValue { values[column.rawValue] }

  func integer(_ column: Column) -> Int64 { self[column].integer ?? 0 }

  func text(_ column: Column) -> String { self[column].text ?? "" }

  /// Of parts of a degree; nil where one of them is missing.
  func coordinate(_ latitude: Column, _ longitude: Column, _ parts: Double) -> Coordinate? {
    guard let y = self[latitude].integer, let x = self[longitude].integer else { return nil }
    return Coordinate(latitude: Double(y) / parts, longitude: Double(x) / parts)
  }
}

extension SealedDatabase {
  /// `rest`: the statement behind the columns. `list`: them, where not all are read.
  func rows<Column: Columns>(
    _ columns: Column.Type, _ rest: String, _ values: [DatabaseValue] = [],
    list: String = Column.list
  ) throws(DatabaseError) -> [Row<Column>] {
    try rows("SELECT \(list) \(rest)", values).map { Row(values: $0) }
  }

  /// What the data says about itself.
  func about() throws(DatabaseError) -> [String: String] {
    let rows = try rows("SELECT key, value FROM about")
    return Dictionary(
      rows.map { ($0[0].text ?? "", $0[1].text ?? "") }, uniquingKeysWith: { $1 })
  }
}

extension DataSet {
  init(about: [String: String], name: String, coverage: [Coordinate]? = nil) {
    self.init(
      name: name, date: about["date"] ?? "", licence: about["licence"] ?? "",
      attribution: about["attribution"] ?? "", places: about["places"].flatMap { Int($0) } ?? 0,
      coverage: coverage)
  }
}

extension DatabaseValue {
  /// A list for `json_each`.
  static func list(_ values: some Sequence<JSON>) -> DatabaseValue {
    .text(JSON.array(Array(values)).text)
  }

  static func list(_ numbers: some Sequence<Int64>) -> DatabaseValue {
    list(numbers.sorted().map(JSON.integer))
  }

  static func list(_ texts: Set<String>) -> DatabaseValue { list(texts.sorted().map(JSON.string)) }
}
