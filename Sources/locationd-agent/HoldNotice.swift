import DBus
import Platform

/// A notification that stays as long as programs know the location though nobody may be looking.
final class HoldNotice {
  private let bus: BusConnection
  private var apps: [String] = []
  private var shown: UInt32 = 0
  private var call: BusCall?
  private var server: BusSubscription?
  private var isThere = false

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  init(on bus: BusConnection) {
    self.bus = bus
    server = try? bus.listen(to: Self.name, .init(interface: Self.name)) { [unowned self] in
      guard case .owner(let owner) = $0 else { return }
      shown = 0
      isThere = owner != nil
      // One that comes later shows it, too.
      if isThere { show() }
    }
  }

  func show(_ apps: [String]) {
    guard apps != self.apps else { return }
    self.apps = apps
    show()
  }

  private func show() {
    // While it is not known what the last was called, another would not take its place.
    guard call == nil else { return }
    if apps.isEmpty {
      guard shown != 0 else { return }
      let message = try? BusMessage(
        to: Self.name, Self.path, Self.name, "CloseNotification", [.uint32(shown)])
      shown = 0
      if let message { bus.send(message) }
      return
    }
    guard isThere else { return }
    let listed = apps
    let message = try? BusMessage(
      to: Self.name, Self.path, Self.name, "Notify",
      [
        .string("locationd"), .uint32(shown), .string("mark-location-symbolic"),
        .string("Location in use"), .string(Wording.held(listed).escaped), .strings([]),
        .dictionary(["urgency": .byte(0), "resident": .bool(true), "category": .string("device")]),
        .int32(0),
      ])
    call = message.map {
      bus.call($0) { [unowned self] answer in
        call = nil
        shown = (try? answer.get().arguments())?.first?.asUInt32 ?? 0
        if apps != listed, shown != 0 { show() }
      }
    }
  }
}
