import DBus

/// Signs that the machine may be elsewhere: it has slept, or it is in another network. logind and the
/// networks' services are not started for them.
final class Movement {
  private let moved: () -> Void
  private var sleep: BusSubscription?
  private var watches: [BusPropertyWatch] = []
  private var networks: [String: String] = [:]

  private static let login = "org.freedesktop.login1"
  /// Names, objects, interfaces and properties.
  private static let networks = [
    (
      "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
      "org.freedesktop.NetworkManager", "PrimaryConnection"
    ),
    (
      "org.freedesktop.network1", "/org/freedesktop/network1", "org.freedesktop.network1.Manager",
      "OperationalState"
    ),
  ]

  init(on bus: BusConnection, moved: @escaping () -> Void) {
    self.moved = moved
    sleep = try? bus.listen(
      to: Self.login, .init(interface: Self.login + ".Manager", member: "PrepareForSleep")
    ) {
      guard case .signal(let signal) = $0, (try? signal.arguments())?.first == .bool(false) else {
        return
      }
      moved()
    }
    watches = Self.networks.map { name, path, interface, property in
      BusPropertyWatch(of: interface, at: path, by: name, on: bus) { [unowned self] in
        note($0[property]?.asString, of: name)
      }
    }
  }

  /// The first word is no change, and no network carries the machine nowhere.
  private func note(_ network: String?, of name: String) {
    guard let network, network != "/", network != networks[name] else { return }
    let isFirst = networks.updateValue(network, forKey: name) == nil
    if !isFirst { moved() }
  }
}
