import Console
import DBus
import LocationModel
import Platform

/// Tells the person that the time zone follows the place, and locationd-timezone that their desktop sets it.
final class ZoneNotice {
  private let session: BusConnection
  private let system: BusConnection
  private var watch: BusPropertyWatch?
  private var desktop: BusSubscription?
  private var setting: DesktopSetting?
  private var calls: [BusCall] = []
  /// Nil while locationd-timezone is not there.
  private var zone: String?
  private var isDesktopThere = false
  private var again: EventLoop.Timer?

  private static let name = "org.locationd.Timezone"
  private static let path = "/org/locationd/Timezone"
  private static let interface = "org.locationd.Timezone1"
  private static let notifications = "org.freedesktop.Notifications"
  /// The program that sets the zone in GNOME and its kin, where a setting says so.
  private static let setter = "org.gnome.SettingsDaemon.Datetime"
  /// A person may change the setting.
  private static let pause: Duration = .seconds(3600)

  init(session: BusConnection, system: BusConnection, _ loop: EventLoop) throws(SystemError) {
    (self.session, self.system) = (session, system)
    again = try EventLoop.Timer(slack: .seconds(60), on: loop) { [unowned self] in compare(loop) }
    desktop = try? session.listen(to: Self.setter, .init(interface: Self.setter)) {
      [unowned self] in
      guard case .owner(let owner) = $0 else { return }
      isDesktopThere = owner != nil
      compare(loop)
    }
    watch = BusPropertyWatch(of: Self.interface, at: Self.path, by: Self.name, on: system) {
      [unowned self] in follow($0["Timezone"]?.asString, loop)
    }
  }

  private func follow(_ new: String?, _ loop: EventLoop) {
    let old = zone
    zone = new
    guard let new else { return }
    guard let old else { return compare(loop) }
    if old != new, !new.isEmpty { tell(new) }
  }

  private func tell(_ zone: String) {
    let call = session.call(
      Self.notifications, "/org/freedesktop/Notifications", Self.notifications, "Notify",
      [
        .string("locationd"), .uint32(0), .string("preferences-system-time-symbolic"),
        .string(Speech.own("The time zone has changed")),
        .string(Wording.moved(to: zone).markup),
        .strings([]), .dictionary(["urgency": .byte(1)]), .int32(-1),
      ]
    ) { _ in }
    calls = [call]
  }

  private func compare(_ loop: EventLoop) {
    guard zone != nil else { return }
    again?.set(Clock.boottime + Self.pause)
    guard isDesktopThere else { return say(false) }
    setting = DesktopSetting("org.gnome.desktop.datetime", "automatic-timezone", on: loop) {
      [unowned self] in say($0 == "true" && isDesktopThere)
    }
  }

  private func say(_ follows: Bool) {
    calls.append(
      system.call(
        Self.name, Self.path, Self.interface, "SetDesktopFollows", [.bool(follows)], starts: false
      ) { [unowned self] _ in calls.removeAll() })
  }
}

/// A setting of GNOME's, as gsettings says it.
final class DesktopSetting {
  private let body: (String?) -> Void
  private var program: Subprocess?
  private var output: Descriptor?
  private var watch: EventLoop.Watch?
  private var lines = LineBuffer(longest: 256)

  init(_ schema: String, _ key: String, on loop: EventLoop, _ body: @escaping (String?) -> Void) {
    self.body = body
    program = try? Subprocess("gsettings", ["get", schema, key], output: .pipe, errors: .nowhere)
    output = program?.output.take()
    output?.forgoWaiting()
    guard let number = output?.number else {
      body(nil)
      return
    }
    watch = try? EventLoop.Watch(number, for: .read, on: loop) { [unowned self] _ in read(number) }
  }

  deinit {
    watch = nil
    program?.signal(9)
    program?.wait()
  }

  private func read(_ number: Int32) {
    switch lines.read(from: number) {
    case .bytes, .wouldBlock: return
    case .ended, .failed: lines.end()
    }
    watch = nil
    output = nil
    program?.wait()
    program = nil
    guard case .text(let text)? = lines.next() else { return body(nil) }
    body(String(decoding: text, as: UTF8.self))
  }
}
