import LocationModel

// Services of the machine that are not there: what they registered powers nothing while nothing starts them.
extension LocationService {
  /// Follows the services that come and go.
  mutating func reviewUnits(at now: Instant, into outputs: inout [Output]) {
    let due = launcher.units.due(at: now.boottime)
    if !due.isEmpty {
      let absent = due.filter { monitoring.isRegistered($0) && clients.clients(of: $0).isEmpty }
      for app in Set(due).subtracting(absent) { launcher.units.didConnect(app) }
      outputs += launcher.units.ask(about: absent, at: now.boottime).map { .askUnit($0) }
    }
    monitoring.rest(launcher.units.idle)
    let changes = launcher.units.drainChanges()
    if !changes.isEmpty { commit(changes, into: &outputs) }
    for app in launcher.units.lapsed {
      forgetMonitoring(of: app)
      commit([.erase(app)], into: &outputs)
      outputs.append(
        .note(
          "\(app): its unit has been switched off for a day: what it had registered lapses, what it may do"
            + " stays"))
    }
  }

  /// systemd's answer.
  mutating func accept(
    _ state: UnitState?, of unit: String, at now: Instant, into outputs: inout [Output]
  ) {
    let before = launcher.units.idle
    let launched = Set(launcher.schedule.apps)
    launcher.units.answer(unit, state, launched: launched, at: now.boottime)
    for app in launcher.units.idle.subtracting(before).sorted() {
      outputs.append(
        .note(
          "\(app): its unit is off, and nothing starts it: what it has registered powers nothing"))
    }
  }
}
