internal import CDBus
internal import Glibc
package import LocationModel
internal import Platform

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

  /// The value of an option or a key: `system`, `session`, `none` (which is nil) or an address.
  package static func named(by option: String, _ text: String) throws(Unusable) -> BusPlace? {
    switch text {
    case "none": return nil
    case "system": return .system
    case "session": return .session
    default:
      do throws(BusError) {
        _ = try BusAddress(of: .address(text))
        return .address(text)
      } catch {
        throw Unusable(
          what: "\(option) is system, session, none or an address: \(error.message)")
      }
    }
  }
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
    guard isComplete else { throw .invalidArguments("\(text) is no address of a bus") }
  }

  /// Whether each of its sockets has a name.
  private var isComplete: Bool {
    withEntries { entries in
      !entries.isEmpty
        && entries.allSatisfy {
          dbus_address_entry_get_value($0, "path") != nil
            || dbus_address_entry_get_value($0, "abstract") != nil
        }
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
    withEntries { entries in
      guard entries.count == 1, let path = dbus_address_entry_get_value(entries[0], "path") else {
        return nil
      }
      return String(cString: path)
    }
  }

  /// None where it is no address.
  private func withEntries<Result>(
    _ body: (UnsafeBufferPointer<OpaquePointer?>) -> Result
  ) -> Result {
    var entries: UnsafeMutablePointer<OpaquePointer?>?
    var count: Int32 = 0
    guard dbus_parse_address(text, &entries, &count, nil) != 0 else {
      return body(UnsafeBufferPointer(start: nil, count: 0))
    }
    defer { dbus_address_entries_free(entries) }
    return body(UnsafeBufferPointer(start: entries, count: Int(count)))
  }
}

private func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
