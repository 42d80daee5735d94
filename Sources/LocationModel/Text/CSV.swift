/// Rows of fields with a separator between them, as RFC 4180 has them: a quoted field may hold separators, quotes and
/// line ends.
package enum CSV {
  /// As it stands in a row.
  package static func field(_ text: String, separator: UInt8 = comma) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 != separator && $0 != quote && $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
    }
    return isPlain ? text : quoted(text)
  }

  package static func quoted(_ text: String) -> String {
    "\"" + text.replacingText("\"", by: "\"\"") + "\""
  }

  /// Foreign text as a line that no spreadsheet takes for a formula.
  package static func harmless(_ text: String) -> String {
    let plain = text.plain()
    return (plain.unicodeScalars.first.map("=+-@".unicodeScalars.contains) ?? false ? "'" : "")
      + plain
  }

  package static let comma = UInt8(ascii: ",")
  static let quote = UInt8(ascii: "\"")
}

/// Cuts a stream into rows.
package struct CSVReader {
  package enum Row: Equatable, Sendable {
    case fields([String])
    /// Longer than the bound: these are its first fields.
    case tooLong([String])
  }

  /// The first row's: `,` or, where it has none, `;` or a tabulator.
  package private(set) var separator: UInt8?
  private let longest: Int
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var size = 0
  private var isQuoted = false
  /// A quote came in a quoted field: another follows, or the field is over.
  private var isAfterQuote = false
  private var hasBegun = false
  /// Bytes of the first line, until it is whole.
  private var head: [UInt8] = []

  package init(longest: Int) { self.longest = longest }

  /// The rows that end in these bytes; blank lines are none. The first line decides the separator.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [Row] {
    guard separator == nil else { return rows(in: Array(bytes)) }
    head += bytes
    return head.contains(UInt8(ascii: "\n")) || head.count > longest ? begin() : []
  }

  /// The row that the end of the stream ends.
  package mutating func end() -> Row? {
    let first = separator == nil ? begin().first : nil
    return first ?? (hasBegun ? row() : nil)
  }

  private mutating func begin() -> [Row] {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head.removeFirst(3) }
    separator = Self.separator(in: head)
    defer { head = [] }
    return rows(in: head)
  }

  private mutating func rows(in bytes: [UInt8]) -> [Row] { bytes.compactMap { take($0) } }

  /// The first line's, outside of quotes.
  private static func separator(in bytes: [UInt8]) -> UInt8 {
    var isQuoted = false
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }.filter { byte in
      if byte == CSV.quote { isQuoted.toggle() }
      return !isQuoted
    }
    return [CSV.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].first(where: line.contains)
      ?? CSV.comma
  }

  private mutating func take(_ byte: UInt8) -> Row? {
    if isQuoted, !isAfterQuote {
      if byte == CSV.quote { isAfterQuote = true } else { add(byte) }
      return nil
    }
    if isAfterQuote {
      isAfterQuote = false
      if byte == CSV.quote {
        add(byte)
        return nil
      }
      isQuoted = false
    }
    switch byte {
    case UInt8(ascii: "\n"): return hasBegun ? row() : nil
    case UInt8(ascii: "\r"): break
    case CSV.quote where field.isEmpty:
      (isQuoted, hasBegun) = (true, true)
    case separator: endField()
    default: add(byte)
    }
    return nil
  }

  private mutating func add(_ byte: UInt8) {
    hasBegun = true
    size += 1
    if size <= longest { field.append(byte) }
  }

  private mutating func endField() {
    hasBegun = true
    size += 1
    guard size <= longest else { return }
    fields.append(String(decoding: field, as: UTF8.self))
    field = []
  }

  private mutating func row() -> Row {
    fields.append(String(decoding: field, as: UTF8.self))
    defer {
      (fields, field, size) = ([], [], 0)
      (isQuoted, isAfterQuote, hasBegun) = (false, false, false)
    }
    return size > longest ? .tooLong(fields) : .fields(fields)
  }
}
