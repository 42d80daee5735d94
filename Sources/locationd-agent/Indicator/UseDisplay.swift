import Console
import DBus
import LocationModel

/// Shows which programs are told the person's place: in the panel where that is to be had, else by notifications.
final class UseDisplay {
  private let bus: BusConnection
  private var indicator: Indicator?
  private var notice = UseNotice()
  private var apps: [AppUse] = []
  private var call: BusCall?
  private let speech: Speech

  /// A browser wants what the agent's own unit forbids. The unit that runs opens no second page: it starts anew.
  static let settingsUnit = "locationd-settings.service"

  init(
    on bus: BusConnection, in speech: Speech = .own, pause: @escaping () -> Void,
    complain: @escaping (String) -> Void = { _ in }
  ) throws(BusError) {
    self.bus = bus
    self.speech = speech
    indicator = try Indicator(on: bus) { [unowned self] in
      notify()
    } choose: { [unowned self] choice in
      switch choice {
      case .pause: pause()
      case .settings:
        call = bus.restartUnit(Self.settingsUnit) { error in
          if let error { complain("the settings do not open: \(error)") }
        }
      }
    }
  }

  /// `services`: those that go on in the pause.
  func show(
    _ apps: [AppUse], pausedUntil end: Timestamp?, besides services: [MachineService] = []
  ) {
    self.apps = apps
    let pause = end.map { IndicatorMenu.Pause(end: LocalTime.clock($0), services: services) }
    indicator?.show(IndicatorMenu(apps, pause, in: speech))
    notify()
  }

  /// While it is not known whether a panel shows them, nothing is said.
  private func notify() {
    if indicator?.isShowing == false { notice.show(apps, in: speech, on: bus) }
  }
}
