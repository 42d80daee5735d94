internal import CDBus

/// A value as D-Bus knows them.
package enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case bool(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case path(String)
  case signature(String)
  /// A descriptor that came with a message: it is never taken, and closed with the message.
  case descriptor
  indirect case variant(BusValue)
  /// All of the type given, which an empty one needs too.
  case array(of: String, [BusValue])
  case structure([BusValue])
  /// An entry of a dictionary, which is an array of these.
  indirect case entry(BusValue, BusValue)
}

extension BusValue {
  /// Its signature.
  package var type: String {
    switch self {
    case .byte: "y"
    case .bool: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .variant: "v"
    case .array(let element, _): "a" + element
    case .structure(let members): "(" + members.map(\.type).joined() + ")"
    case .entry(let key, let value): "{" + key.type + value.type + "}"
    }
  }

  /// `a{sv}`.
  package static func dictionary(_ entries: [String: BusValue]) -> BusValue {
    let sorted = entries.sorted { $0.key < $1.key }
    return .array(of: "{sv}", sorted.map { .entry(.string($0.key), .variant($0.value)) })
  }

  package static func strings(_ texts: [String]) -> BusValue {
    .array(of: "s", texts.map { .string($0) })
  }
}

/// The value as one type; nil if it is of another.
extension BusValue {
  package var asBool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var asInt64: Int64? { if case .int64(let value) = self { value } else { nil } }
  package var asUInt32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  package var asUInt64: UInt64? { if case .uint64(let value) = self { value } else { nil } }
  package var asDouble: Double? { if case .double(let value) = self { value } else { nil } }
  package var asArray: [BusValue]? {
    if case .array(_, let elements) = self { elements } else { nil }
  }

  /// The text of a string or an object path.
  package var asString: String? {
    switch self {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  package var asBytes: [UInt8]? {
    guard case .array(of: "y", let elements) = self else { return nil }
    return elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
  }

  /// The dictionary of `a{s…}`, variants opened; the last entry counts of a key that comes twice.
  package var asDictionary: [String: BusValue]? {
    guard case .array(let element, let entries) = self, element.hasPrefix("{s") else { return nil }
    var dictionary: [String: BusValue] = [:]
    for case .entry(.string(let key), let value) in entries {
      if case .variant(let content) = value {
        dictionary[key] = content
      } else {
        dictionary[key] = value
      }
    }
    return dictionary
  }
}
