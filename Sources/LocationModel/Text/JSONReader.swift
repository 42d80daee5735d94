/// Why a text is not JSON, and at which byte.
package struct JSONError: Error, Equatable, CustomStringConvertible {
  package var reason: String
  package var offset: Int

  package var description: String { "\(reason) (byte \(offset))" }
}

extension JSON {
  /// Reads one value, strictly by RFC 8259, with a bound on nesting: the text may be hostile.
  package init(parsing text: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(text: text)
    self = try reader.document()
  }

  package init(parsing text: String) throws(JSONError) {
    let bytes = Array(text.utf8)
    var result = Result<JSON, JSONError>.success(.null)
    bytes.withUnsafeBytes { raw in
      do throws(JSONError) {
        result = .success(try JSON(parsing: raw))
      } catch {
        result = .failure(error)
      }
    }
    self = try result.get()
  }
}

private struct JSONReader {
  static let deepest = 32

  let text: UnsafeRawBufferPointer
  var at = 0
  var depth = 0

  init(text: UnsafeRawBufferPointer) {
    self.text = text
  }

  mutating func document() throws(JSONError) -> JSON {
    let result = try value()
    skipSpace()
    guard at == text.count else { throw error("text after the value") }
    return result
  }

  func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: at) }

  var next: UInt8? { at < text.count ? text[at] : nil }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { (reader) throws(JSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(JSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"): return try number()
    case let digit? where (0x30...0x39).contains(digit): return try number()
    case nil: throw error("the text ends early")
    default: throw error("no value starts like this")
    }
  }

  mutating func nested(
    _ body: (inout JSONReader) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < Self.deepest else { throw error("nested too deeply") }
    depth += 1
    at += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  mutating func word(_ word: StaticString, _ result: JSON) throws(JSONError) -> JSON {
    let expected = UnsafeRawBufferPointer(
      start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[at...].starts(with: expected) else { throw error("no value starts like this") }
    at += expected.count
    return result
  }

  mutating func array() throws(JSONError) -> JSON {
    var values: [JSON] = []
    skipSpace()
    if next == UInt8(ascii: "]") {
      at += 1
      return .array(values)
    }
    while true {
      values.append(try value())
      if try ends(with: UInt8(ascii: "]")) { return .array(values) }
    }
  }

  mutating func object() throws(JSONError) -> JSON {
    var members: [JSON.Member] = []
    skipSpace()
    if next == UInt8(ascii: "}") {
      at += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("a name in quotes is missing") }
      let key = try string()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw error("a colon is missing") }
      at += 1
      members.append(.init(key: key, value: try value()))
      if try ends(with: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// After an element: passes a comma (false) or the closing bracket (true).
  mutating func ends(with bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard let byte = next, byte == bracket || byte == UInt8(ascii: ",") else {
      throw error(next == nil ? "the text ends early" : "a comma is missing")
    }
    at += 1
    return byte == bracket
  }
}

extension JSONReader {
  mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw error("a control character in a string") }
      at += 1
    }
    if next == UInt8(ascii: "\"") {
      defer { at += 1 }
      return try utf8(text[start..<at])
    }
    return try escapedString(from: start)
  }

  /// The slow path, from the first backslash on.
  mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var bytes = Array(text[start..<at])
    while let byte = next {
      at += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try utf8(bytes)
      case UInt8(ascii: "\\"): try escape(into: &bytes)
      case 0..<0x20: throw error("a control character in a string")
      default: bytes.append(byte)
      }
    }
    throw error("the text ends early")
  }

  func utf8(_ slice: some Sequence<UInt8>) throws(JSONError) -> String {
    guard let string = String(validating: slice, as: UTF8.self) else {
      throw error("a string is not UTF-8")
    }
    return string
  }

  mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
    let letter = next
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter ?? 0)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"):
      var units = [try hexUnit()]
      if UTF16.isLeadSurrogate(units[0]) {
        guard next == UInt8(ascii: "\\"), at + 1 < text.count, text[at + 1] == UInt8(ascii: "u")
        else { throw error("half a character in a string") }
        at += 2
        units.append(try hexUnit())
      }
      guard let decoded = String(validating: units, as: UTF16.self) else {
        throw error("half a character in a string")
      }
      bytes.append(contentsOf: decoded.utf8)
    default: throw error("an unknown escape in a string")
    }
  }

  mutating func hexUnit() throws(JSONError) -> UInt16 {
    guard at + 4 <= text.count else { throw error("the text ends early") }
    var unit: UInt16 = 0
    for byte in text[at..<at + 4] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw error("four hexadecimal digits are missing")
      }
      unit = unit << 4 | UInt16(digit)
    }
    at += 4
    return unit
  }
}

extension JSONReader {
  mutating func number() throws(JSONError) -> JSON {
    let start = at
    if next == UInt8(ascii: "-") { at += 1 }
    let digitsStart = at
    skipDigits()
    guard at > digitsStart else { throw error("a number without digits") }
    guard at == digitsStart + 1 || text[digitsStart] != UInt8(ascii: "0") else {
      throw error("a number with a leading zero")
    }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      at += 1
      let fraction = at
      skipDigits()
      guard at > fraction else { throw error("a number without decimals") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      at += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      let exponent = at
      skipDigits()
      guard at > exponent else { throw error("a number without its exponent") }
    }
    let digits = String(decoding: text[start..<at], as: UTF8.self)
    if isWhole, let value = Int64(digits) { return .integer(value) }
    guard let value = Double(digits), value.isFinite else { throw error("a number too large") }
    return isWhole ? .longInteger(digits) : .number(value)
  }

  mutating func skipDigits() {
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { at += 1 }
  }
}
