internal import CDBus
internal import Glibc

/// The bus itself, as one talks to it.
enum Bus {
  static let name = "org.freedesktop.DBus"
  static let path = "/org/freedesktop/DBus"
  static let interface = "org.freedesktop.DBus"
}

/// Where a bus is.
package enum BusPlace: Equatable, Sendable {
  case system
  case session
  case address(String)
}

/// A bus's address, of a kind that can be reached without waiting for anybody.
struct BusAddress {
  let text: String

  init(of place: BusPlace) throws(BusError) {
    switch place {
    case .system:
      text = variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .session:
      let folder = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
      text = variable("DBUS_SESSION_BUS_ADDRESS") ?? "unix:path=\(folder)/bus"
    case .address(let address):
      text = address
    }
    // Others start programs or ask name servers, and wait for them.
    for one in text.split(separator: ";") where !one.hasPrefix("unix:") {
      throw .invalidArguments("a bus is to be reached by a Unix socket, not by \(one)")
    }
  }

  /// Throws where connecting fails or would have to wait. A socket without a path (of an abstract
  /// name, for one) is not tried.
  func tryOut() throws(BusError) {
    guard let path = firstPath() else { return }
    do throws(SystemError) {
      _ = try Descriptor.connected(to: path)
    } catch {
      throw BusError("org.freedesktop.DBus.Error.NoServer", "\(error)")
    }
  }

  private func firstPath() -> String? {
    var entries: UnsafeMutablePointer<OpaquePointer?>?
    var count: Int32 = 0
    guard dbus_parse_address(text, &entries, &count, nil) != 0 else { return nil }
    defer { dbus_address_entries_free(entries) }
    guard count == 1, let path = dbus_address_entry_get_value(entries?[0], "path") else {
      return nil
    }
    return String(cString: path)
  }
}

private func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
