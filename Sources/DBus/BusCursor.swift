internal import CDBus
internal import Glibc

/// A place in a message that came, to take single values out of it: nothing is made of what is passed over, so that
/// thousands of signals a second are read at no great cost. It is used while the message is there.
package struct BusCursor {
  private var place: DBusMessageIter

  /// At the first value; nil where there is none.
  fileprivate init?(_ message: OpaquePointer) {
    place = DBusMessageIter()
    guard dbus_message_iter_init(message, &place) != 0 else { return nil }
  }

  private init(_ place: DBusMessageIter) { self.place = place }

  private var type: UInt8 {
    var place = place
    return UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&place))
  }

  /// Goes on to the next value; false at the end.
  package mutating func advance() -> Bool { dbus_message_iter_next(&place) != 0 }

  /// The values in a container: an array, an entry, or a variant; nil where it is none, or empty.
  package var content: BusCursor? {
    guard "aevr".utf8.contains(type) else { return nil }
    var (outer, inner) = (place, DBusMessageIter())
    dbus_message_iter_recurse(&outer, &inner)
    let content = BusCursor(inner)
    return content.type == 0 ? nil : content
  }

  /// Goes through the entries of a dictionary, each at its key and at its value, a variant's opened.
  package func forEachEntry(_ body: (_ key: BusCursor, _ value: BusCursor) -> Void) {
    guard var entry = content else { return }
    repeat {
      guard let key = entry.content else { return }
      var value = key
      guard value.advance() else { return }
      body(key, value.type == UInt8(ascii: "v") ? value.content ?? value : value)
    } while entry.advance()
  }

  package func isText(_ expected: StaticString) -> Bool {
    guard let text else { return false }
    return strcmp(text, expected.utf8Start) == 0
  }

  /// Some text of a list is this.
  package func holdsText(_ expected: StaticString) -> Bool {
    guard var item = content else { return false }
    repeat {
      if item.isText(expected) { return true }
    } while item.advance()
    return false
  }

  /// The text of a string or an object path.
  package var string: String? { text.map { String(cString: $0) } }

  private var text: UnsafePointer<CChar>? {
    guard "sog".utf8.contains(type) else { return nil }
    return basic(nil)
  }

  package var bool: Bool? { type == UInt8(ascii: "b") ? basic(UInt32(0)) != 0 : nil }
  package var int16: Int16? { type == UInt8(ascii: "n") ? basic(0) : nil }
  package var uint16: UInt16? { type == UInt8(ascii: "q") ? basic(0) : nil }

  /// Hands over the bytes of an array of them, where they lie.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
    guard type == UInt8(ascii: "a") else { return nil }
    var (outer, inner) = (place, DBusMessageIter())
    guard dbus_message_iter_get_element_type(&outer) == Int32(UInt8(ascii: "y")) else { return nil }
    dbus_message_iter_recurse(&outer, &inner)
    var bytes: UnsafeRawPointer?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inner, &bytes, &count)
    return body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  private func basic<Value: BitwiseCopyable>(_ zero: Value) -> Value {
    var (place, value) = (place, zero)
    dbus_message_iter_get_basic(&place, &value)
    return value
  }
}

extension BusMessage {
  /// Hands over the first of its values, if it has any.
  package func read(_ body: (BusCursor) -> Void) {
    withExtendedLifetime(self) { BusCursor(pointer).map(body) }
  }
}
