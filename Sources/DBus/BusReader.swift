internal import CDBus
internal import Glibc

/// Takes a message's values out of it, however a stranger made it: libdbus has checked that it is
/// well formed, not that it is small or shallow.
struct BusReader {
  static let deepest = 16
  /// A message of 32 MB could otherwise become a gigabyte of values.
  static let most = 1 << 16
  /// Bytes of text.
  static let mostText = 1 << 18

  private var left = BusReader.most
  private var textLeft = BusReader.mostText

  static func values(of message: OpaquePointer) throws(BusError) -> [BusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    var reader = BusReader()
    return try reader.values(at: &iterator, depth: 0)
  }

  private mutating func values(
    at iterator: inout DBusMessageIter, depth: Int
  ) throws(BusError) -> [BusValue] {
    guard depth <= Self.deepest else { throw .invalidArguments("nested too deeply") }
    var values: [BusValue] = []
    while true {
      let type = dbus_message_iter_get_arg_type(&iterator)
      guard type != 0 else { return values }
      left -= 1
      guard left >= 0 else { throw .limitsExceeded("too many values") }
      values.append(try value(of: UInt8(truncatingIfNeeded: type), at: &iterator, depth: depth))
      dbus_message_iter_next(&iterator)
    }
  }

  private mutating func value(
    of type: UInt8, at iterator: inout DBusMessageIter, depth: Int
  ) throws(BusError) -> BusValue {
    switch type {
    case UInt8(ascii: "y"): .byte(basic(0, at: &iterator))
    case UInt8(ascii: "b"): .bool(basic(UInt32(0), at: &iterator) != 0)
    case UInt8(ascii: "n"): .int16(basic(0, at: &iterator))
    case UInt8(ascii: "q"): .uint16(basic(0, at: &iterator))
    case UInt8(ascii: "i"): .int32(basic(0, at: &iterator))
    case UInt8(ascii: "u"): .uint32(basic(0, at: &iterator))
    case UInt8(ascii: "x"): .int64(basic(0, at: &iterator))
    case UInt8(ascii: "t"): .uint64(basic(0, at: &iterator))
    case UInt8(ascii: "d"): .double(basic(0, at: &iterator))
    case UInt8(ascii: "s"): .string(try text(at: &iterator))
    case UInt8(ascii: "o"): .path(try text(at: &iterator))
    case UInt8(ascii: "g"): .signature(try text(at: &iterator))
    // To ask libdbus for it would duplicate it.
    case UInt8(ascii: "h"): .descriptor
    default: try container(type, at: &iterator, depth: depth)
    }
  }

  private mutating func container(
    _ type: UInt8, at iterator: inout DBusMessageIter, depth: Int
  ) throws(BusError) -> BusValue {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    let values = try values(at: &inner, depth: depth + 1)
    switch type {
    case UInt8(ascii: "v") where values.count == 1: return .variant(values[0])
    case UInt8(ascii: "e") where values.count == 2: return .entry(values[0], values[1])
    case UInt8(ascii: "r"): return .structure(values)
    case UInt8(ascii: "a"):
      guard let signature = dbus_message_iter_get_signature(&iterator) else { throw .noMemory }
      defer { dbus_free(signature) }
      return .array(of: String(cString: signature + 1), values)
    default: throw .invalidArguments("a value of no known type")
    }
  }

  private func basic<Value: BitwiseCopyable>(
    _ zero: Value, at iterator: inout DBusMessageIter
  ) -> Value {
    var value = zero
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private mutating func text(
    at iterator: inout DBusMessageIter
  ) throws(BusError) -> String {
    let text: UnsafePointer<CChar>? = basic(nil, at: &iterator)
    guard let text else { return "" }
    textLeft -= strlen(text)
    guard textLeft >= 0 else { throw .limitsExceeded("too much text") }
    return String(cString: text)
  }
}
