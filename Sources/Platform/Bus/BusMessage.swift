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

  /// What is owed to libdbus for it is paid with this object.
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
    try BusSyntax.check(name: destination)
    try BusSyntax.check(path: path)
    try BusSyntax.check(interface: interface)
    try BusSyntax.check(member: member)
    guard let pointer = dbus_message_new_method_call(destination, path, interface, member) else {
      throw .noMemory
    }
    self.init(owning: pointer)
    try append(arguments)
  }

  /// A signal to be sent: to everyone who listens, or to one.
  package convenience init(
    signal path: String, _ interface: String, _ member: String, to destination: String? = nil
  ) throws(BusError) {
    try BusSyntax.check(path: path)
    try BusSyntax.check(interface: interface)
    try BusSyntax.check(member: member)
    guard let pointer = dbus_message_new_signal(path, interface, member) else { throw .noMemory }
    self.init(owning: pointer)
    if let destination { try send(to: destination) }
  }

  /// An answer to the call that `serial` stands for at its sender's.
  convenience init(answering serial: UInt32, of sender: String) throws(BusError) {
    guard let pointer = dbus_message_new(Kind.reply.rawValue) else { throw .noMemory }
    self.init(owning: pointer)
    dbus_message_set_reply_serial(pointer, serial)
    dbus_message_set_no_reply(pointer, 1)
    try send(to: sender)
  }

  /// A *no* to it.
  convenience init(
    refusing serial: UInt32, of sender: String, because error: BusError
  ) throws(BusError) {
    guard let pointer = dbus_message_new(Kind.error.rawValue) else { throw .noMemory }
    self.init(owning: pointer)
    let error = BusSyntax.isError(error.name) ? error : .failed(error.message)
    dbus_message_set_error_name(pointer, error.name)
    dbus_message_set_reply_serial(pointer, serial)
    dbus_message_set_no_reply(pointer, 1)
    try send(to: sender)
    try append([.string(error.message.filter { $0 != "\0" })])
  }

  /// One like it, of its own: for another recipient.
  package func copy() throws(BusError) -> BusMessage {
    guard let copy = dbus_message_copy(pointer) else { throw .noMemory }
    return BusMessage(owning: copy)
  }

  package func forgoReply() { dbus_message_set_no_reply(pointer, 1) }

  func send(to destination: String) throws(BusError) {
    try BusSyntax.check(name: destination)
    guard dbus_message_set_destination(pointer, destination) != 0 else { throw .noMemory }
  }

  fileprivate func address(to recipient: BusRecipient) throws(BusError) {
    guard dbus_message_set_path(pointer, recipient.path) != 0,
      dbus_message_set_destination(pointer, recipient.name) != 0
    else { throw .noMemory }
  }
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

  /// What an error says, nil if it is none.
  package var error: BusError? {
    guard kind == .error else { return nil }
    let name = text(dbus_message_get_error_name(pointer)) ?? BusError.failed("").name
    return BusError(name, (try? arguments())?.first?.asString ?? "")
  }

  package func arguments() throws(BusError) -> [BusValue] {
    try BusReader.values(of: pointer)
  }

  package func append(_ values: [BusValue]) throws(BusError) {
    try write { (writer) throws(BusError) in
      for value in values { try writer.append(value) }
    }
  }

  package func write(
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = BusWriter(into: pointer)
    try body(&writer)
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

/// A signal whose body is made once, for however many recipients.
///
/// Its header is filled in last: libdbus is several times faster at adding to a header than at changing
/// what lies in it, as each argument changes the signature, and each recipient the path.
package struct BusSignal {
  private let template: BusMessage

  /// Names are of the code's own making, and right.
  package init(
    _ interface: StaticString, _ member: StaticString,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard let pointer = dbus_message_new(BusMessage.Kind.signal.rawValue) else { throw .noMemory }
    template = BusMessage(owning: pointer)
    try template.write(body)
    let isNamed =
      interface.withUTF8Buffer {
        $0.withMemoryRebound(to: CChar.self) {
          dbus_message_set_interface(pointer, $0.baseAddress)
        }
      } != 0
      && member.withUTF8Buffer {
        $0.withMemoryRebound(to: CChar.self) { dbus_message_set_member(pointer, $0.baseAddress) }
      } != 0
    guard isNamed else { throw .noMemory }
  }

  func message(for recipient: BusRecipient) throws(BusError) -> BusMessage {
    let message = try template.copy()
    try message.address(to: recipient)
    return message
  }
}
