import Console
import DBus
import LocationModel

/// A notification for the first use in the background of each app, where no panel shows the indicator.
struct UseNotice {
  private var said: Set<String> = []
  private var calls: [BusCall] = []

  private static let most = 256
  private static let name = "org.freedesktop.Notifications"

  /// The apps of which the person hears now, and never again.
  mutating func news(in apps: [AppUse]) -> [AppUse] {
    apps.filter { $0.isBackground && said.count < Self.most && said.insert($0.app).inserted }
  }

  mutating func show(_ apps: [AppUse], in say: Speech, on bus: BusConnection) {
    let new = news(in: apps)
    guard !new.isEmpty else { return }
    calls = [
      bus.call(
        Self.name, "/org/freedesktop/Notifications", Self.name, "Notify",
        [
          .string("locationd"), .uint32(0), .string("mark-location-symbolic"),
          .string(say("Location in use in the background")),
          .string(Wording.used(new, in: say).markup),
          .strings([]), .dictionary(["urgency": .byte(0), "category": .string("device")]),
          .int32(-1),
        ]
      ) { _ in }
    ]
  }
}
