import LocationModel

// Apps that come and go, and what lapses when one is gone for good.
extension AppLauncher {
  /// A client of the app has come. Gives what is to be written.
  mutating func didConnect(
    _ app: App, in monitoring: Monitoring, at now: Instant
  ) -> [Change] {
    schedule.didConnect(app)
    units.didConnect(app)
    return recordSeen(app, in: monitoring, at: now)
  }

  mutating func didDisconnect(
    _ app: App, in monitoring: Monitoring, at now: Instant
  ) -> [Change] {
    schedule.didDisconnect(app, at: now.boottime)
    units.didDisconnect(app, asksAt: now.boottime + UnitWatch.settling)
    return recordSeen(app, in: monitoring, at: now)
  }

  private mutating func recordSeen(
    _ app: App, in monitoring: Monitoring, at now: Instant
  ) -> [Change] {
    guard now.utcTrusted, monitoring.isRegistered(app) || schedule[app] != nil else { return [] }
    return lastSeen.recordSeen(app, at: now)
  }

  /// Looks for the apps that are gone for good, once a day or so. Gives those whose registrations lapse.
  mutating func lookForAbsent(
    in monitoring: Monitoring, _ clients: ClientRegistry, at now: Instant,
    into changes: inout [Change], _ outputs: inout [Output]
  ) -> [App] {
    guard lastSeen.looksAt <= now.boottime else { return [] }
    lastSeen.looked(at: now)
    guard now.utcTrusted else { return [] }
    let present = clients.owners
    var lapsed: [App] = []
    for app in Set(monitoring.apps).union(schedule.apps).union(lastSeen.apps).sorted() {
      if !monitoring.isRegistered(app), schedule[app] == nil {
        guard lastSeen[app] != nil else { continue }
        lastSeen[app] = nil
        changes.append(.remove(app, kind: StoredRecord.seen, key: ""))
      } else if present.contains(app) || lastSeen[app] == nil {
        changes += lastSeen.recordSeen(app, at: now)
      } else if lastSeen.miss(app, at: now, into: &changes) {
        lapsed.append(app)
        outputs.append(
          .note(
            "\(app) was not there for \(LastSeen.longestAbsence) days: what it had registered"
              + " lapses, what it may do stays"))
      }
    }
    return lapsed
  }

  /// Asks systemd about the services that are gone. Gives those whose registrations lapse.
  mutating func reviewUnits(
    in monitoring: Monitoring, _ clients: ClientRegistry, at now: Instant,
    into changes: inout [Change], _ outputs: inout [Output]
  ) -> [App] {
    var absent: [App] = []
    for app in units.due(at: now.boottime) {
      if monitoring.isRegistered(app), clients.clients(of: app).isEmpty {
        absent.append(app)
      } else {
        units.didConnect(app)
      }
    }
    outputs += units.ask(about: absent, at: now.boottime).map { .askUnit($0) }
    changes += units.drainChanges()
    for app in units.lapsed {
      outputs.append(
        .note(
          "\(app): its unit has been switched off for a day: what it had registered lapses, what it may do"
            + " stays"))
    }
    return units.lapsed
  }

  /// systemd's answer.
  mutating func accept(
    _ state: UnitState?, of unit: String, at now: Instant, into outputs: inout [Output]
  ) {
    let before = units.idle
    units.answer(unit, state, launched: Set(schedule.apps), at: now.boottime)
    for app in units.idle.subtracting(before).sorted() {
      outputs.append(
        .note(
          "\(app): its unit is off, and nothing starts it: what it has registered powers nothing"))
    }
  }
}
