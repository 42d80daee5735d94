internal import CDBus

/// A message, come or to be sent.
package final class BusMessage {
  package enum Kind: Int32 {
    case call = 1
    case reply = 2
    case error = 3
    case signal = 4
  }

  /// For the link that sends it, and for nobody else.
  let pointer: OpaquePointer

  /// This object owns the reference.
  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  init(sharing pointer: OpaquePointer) {
    self.pointer = dbus_message_ref(pointer)
  }

  deinit { dbus_message_unref(pointer) }

  /// A call to be sent.
  package convenience init(
    to destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = []
  ) throws(BusError) {
    try self.init(to: destination, path, interface, member) { (body) throws(BusError) in
      for argument in arguments { try body.append(argument) }
    }
  }

  package convenience init(
    to destination: String, _ path: String, _ interface: String, _ member: String,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try BusSyntax.check(name: destination)
    try BusSyntax.check(path: path)
    try BusSyntax.check(interface: interface)
    try BusSyntax.check(member: member)
    var frame = BusFrame()
    frame.add(path: path.utf8)
    frame.add(interface: interface.utf8)
    frame.add(member: member.utf8)
    frame.add(destination: destination.utf8)
    var writer = BusWriter()
    try body(&writer)
    try self.init(frame.message(.call, serial: 1, writer))
  }

  /// Reads a whole message, for libdbus to send, which numbers it anew.
  convenience init(_ bytes: [UInt8]) throws(BusError) {
    var error = DBusError()
    dbus_error_init(&error)
    defer { dbus_error_free(&error) }
    let length = Int32(truncatingIfNeeded: bytes.count)
    let numbered = bytes.withUnsafeBytes {
      dbus_message_demarshal($0.baseAddress, length, &error)
    }
    guard let numbered else {
      throw .invalidArguments(error.message.map { String(cString: $0) } ?? "no message")
    }
    defer { dbus_message_unref(numbered) }
    guard let pointer = dbus_message_copy(numbered) else { throw .noMemory }
    self.init(owning: pointer)
  }

  package func forgoReply() { dbus_message_set_no_reply(pointer, 1) }

  /// Where nobody has the name that it is for, nobody is started.
  func forgoStart() { dbus_message_set_auto_start(pointer, 0) }
}

// MARK: - What it says

extension BusMessage {
  package var kind: Kind? { Kind(rawValue: dbus_message_get_type(pointer)) }
  /// The bus sees to it that it is true.
  package var sender: String? { text(dbus_message_get_sender(pointer)) }
  package var path: String? { text(dbus_message_get_path(pointer)) }
  package var interface: String? { text(dbus_message_get_interface(pointer)) }
  package var member: String? { text(dbus_message_get_member(pointer)) }
  package var signature: String { text(dbus_message_get_signature(pointer)) ?? "" }
  var serial: UInt32 { dbus_message_get_serial(pointer) }
  var wantsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }

  /// The error, nil if it is none.
  package var error: BusError? {
    guard kind == .error else { return nil }
    let name = text(dbus_message_get_error_name(pointer)) ?? BusError.failed("").name
    return BusError(name, (try? arguments())?.first?.asString ?? "")
  }

  package func arguments() throws(BusError) -> [BusValue] {
    try BusReader.values(of: pointer)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}
