internal import CDBus

/// The bus's *no*, or a peer's: an error's name and what it says.
package struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
  package var name: String
  package var message: String

  package init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  package var description: String { "\(message) (\(name))" }
}

/// The standard errors.
extension BusError {
  private static let prefix = "org.freedesktop.DBus.Error."

  package static func invalidArguments(_ why: String) -> Self { Self(prefix + "InvalidArgs", why) }
  package static func failed(_ why: String) -> Self { Self(prefix + "Failed", why) }
  package static func accessDenied(_ why: String) -> Self { Self(prefix + "AccessDenied", why) }
  package static func limitsExceeded(_ why: String) -> Self {
    Self(prefix + "LimitsExceeded", why)
  }
  static func disconnected(_ why: String) -> Self { Self(prefix + "Disconnected", why) }
  static func unknownObject(_ path: String) -> Self {
    Self(prefix + "UnknownObject", "no object \(path)")
  }
  static func unknownInterface(_ name: String) -> Self {
    Self(prefix + "UnknownInterface", "no interface \(name)")
  }
  static func unknownMethod(_ name: String) -> Self {
    Self(prefix + "UnknownMethod", "no method \(name)")
  }
  static func unknownProperty(_ name: String) -> Self {
    Self(prefix + "UnknownProperty", "no property \(name)")
  }
  static func readOnly(_ name: String) -> Self {
    Self(prefix + "PropertyReadOnly", "\(name) cannot be set")
  }
  static let noMemory = Self(prefix + "NoMemory", "out of memory")
}

/// Checks that come before libdbus, which would end the program.
enum BusSyntax {
  static func check(path: String) throws(BusError) {
    try check(path, "an object path", dbus_validate_path)
  }
  static func check(interface: String) throws(BusError) {
    try check(interface, "an interface", dbus_validate_interface)
  }
  static func check(member: String) throws(BusError) {
    try check(member, "a member", dbus_validate_member)
  }
  static func check(name: String) throws(BusError) {
    try check(name, "a bus name", dbus_validate_bus_name)
  }
  static func check(signature: String) throws(BusError) {
    try check(signature, "a signature", dbus_signature_validate)
  }

  private static func check(
    _ text: String, _ kind: String,
    _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
  ) throws(BusError) {
    guard !hasNul(text), isValid(text, nil) != 0 else {
      throw .invalidArguments("not \(kind): \(text)")
    }
  }

  static func isError(_ name: String) -> Bool {
    !hasNul(name) && dbus_validate_error_name(name, nil) != 0
  }

  static func hasNul(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? text.utf8.contains(0)
  }
}
