/// A signal that is made once, for however many recipients.
package struct BusSignal: Sendable {
  /// The body, and from there on what the header ends with.
  private let bytes: [UInt8]
  private let bodyCount: Int
  /// Before they are filled up.
  private let fieldCount: Int

  /// Names are of the code's own making, and right.
  package init(
    _ interface: StaticString, _ member: StaticString,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    try self.init(interface.bytes, member.bytes, body)
  }

  package init(
    _ interface: String, _ member: String, _ values: [BusValue]
  ) throws(BusError) {
    try BusSyntax.check(interface: interface)
    try BusSyntax.check(member: member)
    try self.init(Array(interface.utf8), Array(member.utf8)) { (body) throws(BusError) in
      for value in values { try body.append(value) }
    }
  }

  private init(
    _ interface: some Collection<UInt8>, _ member: some Collection<UInt8>,
    _ body: (inout BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    var writer = BusWriter()
    try body(&writer)
    bodyCount = writer.bytes.count
    var frame = BusFrame(after: writer.bytes)
    let start = frame.bytes.count
    frame.add(interface: interface)
    frame.add(member: member)
    frame.add(signature: writer.signature)
    fieldCount = frame.bytes.count - start
    frame.fill()
    bytes = frame.bytes
  }

  /// Writes it as it goes to one of them.
  func write(to recipient: BusRecipient, serial: UInt32, into bytes: inout [UInt8]) {
    BusFrame.start(
      of: .signal, serial: serial, fields: recipient.fields.count + fieldCount, body: bodyCount,
      into: &bytes)
    bytes.append(contentsOf: recipient.fields)
    let start = bodyCount + (-bodyCount & 7)
    bytes.append(contentsOf: self.bytes[start...])
    bytes.append(contentsOf: self.bytes[..<bodyCount])
  }
}
