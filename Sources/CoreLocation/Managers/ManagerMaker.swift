/// Makes managers that ask the daemon that was current where this was made.
package struct ManagerMaker: Sendable {
  private let daemon = Daemon.current

  package init() {}

  package func make() -> CLLocationManager {
    Daemon.$current.withValue(daemon) { CLLocationManager() }
  }
}
