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
