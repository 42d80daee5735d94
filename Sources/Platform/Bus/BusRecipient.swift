/// Who a signal goes to, and which object it is of: checked once, for however many signals.
package struct BusRecipient: Sendable {
  let path: String
  let name: String

  package init(_ name: String, of path: String) throws(BusError) {
    try BusSyntax.check(name: name)
    try BusSyntax.check(path: path)
    self.name = name
    self.path = path
  }
}
