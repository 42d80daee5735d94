/// A JSON value. Objects keep the order they were written in.
package enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A whole number beyond 64 bits, in its digits: what only passes through comes back as it was.
  case longInteger(String)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }
}

extension JSON {
  /// The last member of that name, where this is an object that has one.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.key == key }?.value
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .longInteger(let digits): Double(digits)
    case .number(let value): value
    default: nil
    }
  }

  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int64(exactly: value)
    default: nil
    }
  }

  package var array: [JSON]? {
    if case .array(let values) = self { values } else { nil }
  }

  package var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }
}

/// Members whose value is nil are left out.
extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }

  package init(dictionaryLiteral elements: (String, JSON?)...) {
    self = .object(elements.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }
}

extension TextBuffer {
  package mutating func append(_ json: JSON) {
    switch json {
    case .null: append("null")
    case .bool(let value): append(value ? "true" : "false")
    case .integer(let value): append(integer: value)
    case .longInteger(let digits): append(digits)
    case .number(let value): append(value.isFinite ? value.description : "null")
    case .string(let value): append(quoted: value)
    case .array(let values):
      append(UInt8(ascii: "["))
      for (i, value) in values.enumerated() {
        if i > 0 { append(UInt8(ascii: ",")) }
        append(value)
      }
      append(UInt8(ascii: "]"))
    case .object(let members):
      append(UInt8(ascii: "{"))
      for (i, member) in members.enumerated() {
        if i > 0 { append(UInt8(ascii: ",")) }
        append(quoted: member.key)
        append(UInt8(ascii: ":"))
        append(member.value)
      }
      append(UInt8(ascii: "}"))
    }
  }
}

extension JSON {
  /// The value as one line of text.
  package var text: String {
    var buffer = TextBuffer()
    buffer.append(self)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
