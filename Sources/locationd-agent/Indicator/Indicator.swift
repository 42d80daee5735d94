import DBus
import Glibc
import LocationModel
import Platform

/// An icon in the person's panel as long as programs are told the place, with their names in its menu: an item as
/// KDE, GNOME with its extension, Xfce and bars of sway show it.
///
/// The item has a name of its own on the bus, and is gone with that name.
final class Indicator {
  private let bus: BusConnection
  private let choose: (IndicatorMenu.Choice) -> Void
  private(set) var menu = IndicatorMenu()
  private(set) var revision: UInt32 = 0
  private var watcher: BusSubscription?
  private var name: BusName?
  private var objects: [BusObject] = []
  private var calls: [BusCall?] = [nil, nil]
  /// A panel shows such items; nil while that is not known.
  private(set) var isShowing: Bool?
  /// `isShowing` is told, perhaps as before.
  private let changed: () -> Void

  static let watcherName = "org.kde.StatusNotifierWatcher"
  static let watcherPath = "/StatusNotifierWatcher"
  static let ownName = "org.kde.StatusNotifierItem-\(getpid())-1"

  init(
    on bus: BusConnection, changed: @escaping () -> Void,
    choose: @escaping (IndicatorMenu.Choice) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.changed = changed
    self.choose = choose
    objects = [
      BusObject(StatusItem.path, target: self, [StatusItem.interface]),
      BusObject(StatusItem.menuPath, target: self, [StatusItem.menu]),
    ]
    for object in objects { try bus.export(object) }
    watcher = try bus.listen(to: Self.watcherName, .init(interface: Self.watcherName)) {
      [unowned self] in
      switch $0 {
      case .owner(let owner):
        // A watcher that is new knows of nothing.
        name = nil
        if owner == nil { become(false) } else { look() }
      case .signal(let signal)
      where signal.member?.hasPrefix("StatusNotifierHost") == true:
        look()
      case .signal: break
      }
    }
  }

  func show(_ menu: IndicatorMenu) {
    guard menu != self.menu else { return }
    self.menu = menu
    revision &+= 1
    update()
  }

  func choose(_ id: Int32) {
    if let choice = IndicatorMenu.Choice(rawValue: id),
      menu.entries.contains(where: { $0.id == id && $0.isEnabled })
    {
      choose(choice)
    }
  }

  /// A watcher may be there before anything that shows what it watches.
  private func look() {
    calls[0] = bus.call(
      Self.watcherName, Self.watcherPath, "org.freedesktop.DBus.Properties", "Get",
      [.string(Self.watcherName), .string("IsStatusNotifierHostRegistered")]
    ) { [unowned self] answer in
      guard case .variant(.bool(let isThere))? = (try? answer.get())?.first else {
        return become(false)
      }
      become(isThere)
    }
  }

  private func become(_ isThere: Bool) {
    isShowing = isThere
    update()
    changed()
  }

  private func update() {
    guard isShowing == true, !menu.isEmpty else {
      name = nil
      return
    }
    guard name == nil else { return announce() }
    name = try? bus.own(Self.ownName) { [unowned self] in if $0 == .owned { register() } }
  }

  private func register() {
    calls[1] = bus.call(
      Self.watcherName, Self.watcherPath, Self.watcherName, "RegisterStatusNotifierItem",
      [.string(Self.ownName)]
    ) { _ in }
  }

  private func announce() {
    for signal in ["NewTitle", "NewToolTip"] { send(StatusItem.name, signal, of: StatusItem.path) }
    send(
      StatusItem.menuName, "LayoutUpdated", [.uint32(revision), .int32(0)], of: StatusItem.menuPath)
  }

  private func send(
    _ interface: String, _ member: String, _ values: [BusValue] = [], of path: String
  ) {
    guard let recipient = try? BusRecipient(nil, of: path),
      let signal = try? BusSignal(interface, member, values)
    else { return }
    bus.send(signal, to: recipient)
  }
}
