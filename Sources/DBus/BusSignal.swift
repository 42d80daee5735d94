/// The common part of all signals of one kind, made once.
package struct BusSignalKind: Sendable {
  /// The end of their headers, filled up.
  let fields: [UInt8]
  /// Before it was filled up.
  let fieldCount: Int

  /// Names and types are of the code's own making, and right.
  package init(_ interface: StaticString, _ member: StaticString, _ signature: StaticString) {
    self.init(interface.bytes, member.bytes, Array(signature.bytes))
  }

  fileprivate init(
    _ interface: some Collection<UInt8>, _ member: some Collection<UInt8>, _ signature: [UInt8]
  ) {
    var frame = BusFrame()
    frame.add(interface: interface)
    frame.add(member: member)
    frame.add(signature: signature)
    fieldCount = frame.bytes.count
    frame.fill()
    fields = frame.bytes
  }
}

/// A signal that is made once, for however many recipients.
package struct BusSignal: Sendable {
  private let kind: BusSignalKind
  private var body: [UInt8]

  /// The body writes values of the kind's types.
  package init(
    _ kind: BusSignalKind, _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = BusWriter(isNoting: false)
    try body(&writer)
    self.kind = kind
    self.body = writer.bytes
  }

  /// Names are of the code's own making, and right.
  package init(
    _ interface: StaticString, _ member: StaticString,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = BusWriter()
    try body(&writer)
    kind = BusSignalKind(interface.bytes, member.bytes, writer.signature)
    self.body = writer.bytes
  }

  package init(
    _ interface: String, _ member: String, _ values: [BusValue]
  ) throws(BusError) {
    try BusSyntax.check(interface: interface)
    try BusSyntax.check(member: member)
    var writer = BusWriter()
    for value in values { try writer.append(value) }
    kind = BusSignalKind(Array(interface.utf8), Array(member.utf8), writer.signature)
    body = writer.bytes
  }

  /// Writes it as it goes to one of them.
  func write(to recipient: BusRecipient, serial: UInt32, into bytes: inout [UInt8]) {
    BusFrame.start(
      of: .signal, serial: serial, fields: recipient.fields.count + kind.fieldCount,
      body: body.count, into: &bytes)
    bytes.append(contentsOf: recipient.fields)
    bytes.append(contentsOf: kind.fields)
    bytes.append(contentsOf: body)
  }
}

/// The receiver of a signal, and the object it is of: checked once, for however many signals.
package final class BusRecipient: Sendable {
  /// As they stand in each header.
  let fields: [UInt8]

  /// Nobody in particular, but everyone who listens, where it has no name.
  package init(_ name: String?, of path: String) throws(BusError) {
    if let name { try BusSyntax.check(name: name) }
    try BusSyntax.check(path: path)
    var frame = BusFrame()
    frame.add(path: path.utf8)
    if let name { frame.add(destination: name.utf8) }
    frame.fill()
    fields = frame.bytes
  }
}
