import Console
import DBus
import LocationModel
import Platform

/// A notification that stays as long as programs know the location though nobody may be looking.
/// A server that refuses it is asked again: one that starts may have its name before it can show anything.
final class HoldNotice {
  private let bus: BusConnection
  private var apps: [String] = []
  private var shown: UInt32 = 0
  private var call: BusCall?
  private var server: BusSubscription?
  private var isThere = false
  private var again: EventLoop.Timer?
  private var pause = HoldNotice.shortestPause

  private static let shortestPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)
  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  init(on bus: BusConnection, _ loop: EventLoop) throws(SystemError) {
    self.bus = bus
    again = try EventLoop.Timer(slack: .milliseconds(100), on: loop) { [unowned self] in show() }
    server = try? bus.listen(to: Self.name, .init(interface: Self.name)) { [unowned self] in
      guard case .owner(let owner) = $0 else { return }
      shown = 0
      isThere = owner != nil
      pause = Self.shortestPause
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
    call = bus.call(
      Self.name, Self.path, Self.name, "Notify",
      [
        .string("locationd"), .uint32(shown), .string("mark-location-symbolic"),
        .string(Speech.own("Location in use")), .string(Wording.held(listed).markup), .strings([]),
        .dictionary(["urgency": .byte(0), "resident": .bool(true), "category": .string("device")]),
        .int32(0),
      ]
    ) { [unowned self] answer in
      call = nil
      guard let id = (try? answer.get())?.first?.asUInt32 else { return tryLater() }
      (shown, pause) = (id, Self.shortestPause)
      if apps != listed { show() }
    }
  }

  private func tryLater() {
    shown = 0
    guard isThere, !apps.isEmpty else { return }
    again?.set(Clock.boottime + pause)
    pause = min(pause * 2, Self.longestPause)
  }
}
