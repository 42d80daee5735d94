import DBus
import Glibc
import Platform

/// The means on the session's bus to ask a person. Desktops come and go.
final class Reach {
  enum Means: Hashable {
    /// The backend of the desktop that has a dialog for access.
    case portal(String)
    case notification

    var name: String {
      switch self {
      case .portal(let name): name
      case .notification: "org.freedesktop.Notifications"
      }
    }
  }

  /// The best first.
  private(set) var means: [Means] = []
  private let bus: BusConnection
  private let changed: () -> Void
  private var subscriptions: [BusSubscription] = []
  private var owned: Set<String> = []
  private var activatable: Set<String> = []
  private var isGraphical = false
  /// Means that were there by name and showed nothing, until somebody else has the name.
  private var doubted: Set<Means> = []
  private var call: BusCall?

  private static let all: [Means] =
    ["gnome", "kde", "gtk", "xapp", "lxqt", "cosmic", "pantheon"]
    .map { .portal("org.freedesktop.impl.portal.desktop.\($0)") } + [.notification]

  init(on bus: BusConnection, changed: @escaping () -> Void) {
    self.bus = bus
    self.changed = changed
    for one in Self.all {
      let subscription = try? bus.listen(to: one.name, .init(interface: one.name)) {
        [unowned self] in
        guard case .owner(let owner) = $0 else { return }
        doubted.remove(one)
        if owner == nil { owned.remove(one.name) } else { owned.insert(one.name) }
        look()
      }
      if let subscription { subscriptions.append(subscription) }
    }
  }

  /// It has shown nothing though it seemed to be there.
  func doubt(_ one: Means) {
    doubted.insert(one)
    conclude()
  }

  /// A service that the bus would start is there as well, if there is a screen to show it on.
  private func look() {
    conclude()
    ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "ListActivatableNames") {
      [unowned self] in
      activatable = Set($0.first?.asArray?.compactMap(\.asString) ?? [])
      lookForScreen()
    }
  }

  private func lookForScreen() {
    if getenv("WAYLAND_DISPLAY") != nil || getenv("DISPLAY") != nil {
      isGraphical = true
      return conclude()
    }
    // Started before the desktop, this program knows nothing of it; the manager is told.
    ask(
      "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "Get",
      of: "org.freedesktop.DBus.Properties",
      [.string("org.freedesktop.systemd1.Manager"), .string("Environment")]
    ) { [unowned self] in
      guard case .variant(let value)? = $0.first else { return conclude() }
      isGraphical = (value.asArray ?? []).contains {
        $0.asString.map { $0.hasPrefix("WAYLAND_DISPLAY=") || $0.hasPrefix("DISPLAY=") } ?? false
      }
      conclude()
    }
  }

  private func conclude() {
    let before = means
    means = Self.all.filter {
      !doubted.contains($0)
        && (owned.contains($0.name) || isGraphical && activatable.contains($0.name))
    }
    if means.isEmpty != before.isEmpty { changed() }
  }

  private func ask(
    _ name: String, _ path: String, _ member: String, of interface: String? = nil,
    _ arguments: [BusValue] = [], completion: @escaping ([BusValue]) -> Void
  ) {
    call = bus.call(name, path, interface ?? name, member, arguments) {
      completion((try? $0.get()) ?? [])
    }
  }
}
