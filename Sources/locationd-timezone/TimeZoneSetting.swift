import DBus

/// The machine's time zone, which systemd-timedated keeps, or what stands in for it.
final class TimeZoneSetting {
  private let bus: BusConnection
  private var call: BusCall?

  private static let name = "org.freedesktop.timedate1"
  private static let path = "/org/freedesktop/timedate1"

  init(on bus: BusConnection) { self.bus = bus }

  func read(_ completion: @escaping (Result<String?, BusError>) -> Void) {
    call = bus.properties(of: Self.name, at: Self.path, by: Self.name) {
      completion($0.map { $0["Timezone"]?.asString.flatMap { $0.isEmpty ? nil : $0 } })
    }
  }

  func set(_ zone: String, _ completion: @escaping (Result<Void, BusError>) -> Void) {
    // No person is there to type a password.
    call = bus.call(
      Self.name, Self.path, Self.name, "SetTimezone", [.string(zone), .bool(false)]
    ) { completion($0.map { _ in }) }
  }
}
