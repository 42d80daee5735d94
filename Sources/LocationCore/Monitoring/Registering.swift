import LocationModel

// Significant changes, visits and regions: who asks for them, and who may have them.
extension LocationService {
  /// Nil where the answer comes when it is written.
  mutating func monitoring(
    _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    let app = caller.owner
    // What its user's other programs monitor is not for who cannot be told from them.
    guard !caller.isAnonymous else { throw refusal(.refuse, access, caller) }
    switch call.request {
    case .monitoredRegions, .requestState, .acknowledge: break
    default: try checkQueue(of: caller)
    }
    switch call.request {
    case .startMonitoringSignificantLocationChanges:
      try authorizeMonitoring(.significant, access, caller)
      try checkRoom(for: app, of: caller)
      listen(client, to: call.manager, significant: true, into: &outputs)
      if registrations[app]?.significant == true { return .done }
      follow(app, SignificantChange())
      commit(
        [.put(app, kind: Kept.significant, key: "", Kept.bytes(of: [:]))],
        then: .followed(app, .significant), for: client, call.id, into: &outputs)
      decideMonitoring(of: app)
      tellNewestChange(to: app, at: now, into: &outputs)
      return nil
    case .startMonitoringVisits:
      try authorizeMonitoring(.visits, access, caller)
      try checkRoom(for: app, of: caller)
      listen(client, to: call.manager, into: &outputs)
      if registrations[app]?.visits == true { return .done }
      registrations[app, default: Registration()].visits = true
      commit(
        [.put(app, kind: Kept.visits, key: "", [])], then: .followed(app, .visits), for: client,
        call.id, into: &outputs)
      decideMonitoring(of: app)
      return nil
    case .stopMonitoringSignificantLocationChanges:
      clients[client]?.listening.managers[call.manager] = false
      guard registrations[app]?.significant == true, !wantsSignificant(app) else { return .done }
      unfollow(app)
      return stop(
        .remove(app, kind: Kept.significant, key: ""), call, of: client, at: now, &outputs)
    case .stopMonitoringVisits:
      guard registrations[app]?.visits == true else { return .done }
      registrations[app]?.visits = false
      return stop(.remove(app, kind: Kept.visits, key: ""), call, of: client, at: now, &outputs)
    case .startMonitoring(let regions):
      return try start(regions, call, of: client, caller, access, at: now, into: &outputs)
    case .stopMonitoring(let identifiers):
      for identifier in identifiers { forgetUndecided(identifier, of: app) }
      let known = identifiers.filter { registrations[app]?[$0] != nil }
      for identifier in known { unwatch(identifier, of: app) }
      guard !known.isEmpty else { return .done }
      commit(
        known.map { .remove(app, kind: Kept.region, key: $0) }, for: client, call.id,
        into: &outputs)
      decideMonitoring(of: app)
      retireIfIdle(app, at: now, into: &outputs)
      return nil
    case .monitoredRegions(let after, let limit):
      listen(client, to: call.manager, into: &outputs)
      return page(of: app, after: after, limit: limit)
    case .requestState(let identifier):
      listen(client, to: call.manager, into: &outputs)
      return .state(try state(of: identifier, app, access, caller))
    case .acknowledge(let number):
      acknowledge(through: number, of: app, at: now, into: &outputs)
      return .done
    default: return .done
    }
  }

  private mutating func stop(
    _ change: Change, _ call: Call, of client: ClientID, at now: Instant,
    _ outputs: inout [Output]
  ) -> Reply? {
    commit([change], for: client, call.id, into: &outputs)
    if let app = clients[client]?.caller.owner {
      decideMonitoring(of: app)
      retireIfIdle(app, at: now, into: &outputs)
    }
    return nil
  }

  /// What may be had once it is confirmed may be asked for.
  private mutating func authorizeMonitoring(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    if access.verdict(for: service) != .confirm { try authorize(service, access, caller) }
  }

  private func wantsSignificant(_ app: App) -> Bool {
    clients.all.values.contains {
      $0.caller.owner == app && $0.listening.managers.values.contains(true)
    }
  }
}

// MARK: - Who may

extension LocationService {
  /// Decides again what an app that has registered may have, or what all may.
  mutating func decideMonitoring(of app: App?) {
    if let app, registrations[app] == nil { return }
    let apps = app.map { [$0] } ?? Array(registrations.keys)
    for app in apps {
      let isInUse = clients.all.contains { id, client in
        client.caller.owner == app && use.isInUse(id, client.caller)
      }
      let access = access(of: app, isInUse: isInUse)
      registrations[app]?.accuracy = access.accuracy
      registrations[app]?.allowed = ServiceSet { access.verdict(for: $0).isAllowed }
      registrations[app]?.unconfirmed = ServiceSet { access.verdict(for: $0) == .confirm }
      monitors.changeBoard.turn(registrations[app]?.follows(.significant) == true, app)
    }
    decideNeeds()
  }

  private mutating func decideNeeds() {
    monitors.needed = registrations.values.reduce(into: ServiceSet()) { $0.formUnion($1.needs) }
  }

  /// What was taken away takes registrations and what waits to be told with it; numbers go on.
  mutating func forgetMonitoring(after decision: PermissionBook.Decision) {
    switch decision {
    case .permission(let app, let permission) where permission.authorization == .denied:
      forgetMonitoring(of: app)
    case .forgotten(let apps): for app in apps { forgetMonitoring(of: app) }
    default: break
    }
  }

  /// Where someone stays is nobody's business once nobody monitors what it is kept for.
  mutating func forgetStay(at now: Instant, into outputs: inout [Output]) {
    guard !registrations.values.contains(where: { $0.visits || !$0.regions.isEmpty }),
      monitors.visits.stay != nil
    else { return }
    monitors.visits = VisitDetector()
    keepStay(always: true)
    write(at: now, into: &outputs)
  }

  /// An app that has nothing registered and no event to be told is none to remember.
  mutating func retireIfIdle(_ app: App, at now: Instant, into outputs: inout [Output]) {
    guard let registration = registrations[app], !registration.isAny else { return }
    forgetEvents(of: app)
    registrations[app] = nil
    if registration.lastEvent > 0 { commit([.retire(app)], into: &outputs) }
    decideNeeds()
  }

  mutating func forgetMonitoring(of app: App) {
    forgetLaunch(of: app)
    attendances.entries[app] = nil
    guard let registration = registrations[app] else { return }
    for identifier in registration.regions.keys { unwatch(identifier, of: app) }
    unfollow(app)
    forgetEvents(of: app)
    registrations[app] = nil
    if registrations.isEmpty { registrations = [:] }
    decideNeeds()
  }
}
