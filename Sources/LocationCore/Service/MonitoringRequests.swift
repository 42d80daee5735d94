import LocationModel

// Significant changes, visits and regions: what clients ask.
extension LocationService {
  /// Nil where the answer comes when it is written.
  mutating func monitor(
    _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    let app = caller.owner
    // A program that cannot be told from its user's others may not know what they monitor.
    guard !caller.isAnonymous else { throw permissions.refusal(.refuse, access, caller) }
    switch call.request {
    case .monitoredRegions, .requestState, .acknowledge: break
    default: try checkQueue(of: caller)
    }
    switch call.request {
    case .startMonitoringSignificantLocationChanges:
      try authorizeMonitoring(.significant, access, caller)
      listen(client, to: call.manager, significant: true, into: &outputs)
      if monitoring.registrations[app]?.significant == true {
        noteAgain(caller, for: .significant, into: &outputs)
        return .done
      }
      follow(.significant, of: app, for: client, call.id, into: &outputs)
      monitoring.reportFirstChange(
        to: app, sources.newest?.location, &delivery.coarsePlaces, at: now)
      return nil
    case .startMonitoringVisits:
      try authorizeMonitoring(.visits, access, caller)
      listen(client, to: call.manager, into: &outputs)
      if monitoring.registrations[app]?.visits == true {
        noteAgain(caller, for: .visits, into: &outputs)
        return .done
      }
      follow(.visits, of: app, for: client, call.id, into: &outputs)
      return nil
    case .stopMonitoringSignificantLocationChanges:
      clients[client]?.listening.managers[call.manager] = false
      let isWanted = clients.clients(of: app).contains {
        clients[$0]?.listening.managers.values.contains(true) == true
      }
      guard monitoring.registrations[app]?.significant == true, !isWanted else { return .done }
      let change = monitoring.unfollow(.significant, of: app)
      stop([change], of: app, for: client, call.id, into: &outputs)
      return nil
    case .stopMonitoringVisits:
      guard monitoring.registrations[app]?.visits == true else { return .done }
      let change = monitoring.unfollow(.visits, of: app)
      stop([change], of: app, for: client, call.id, into: &outputs)
      return nil
    case .startMonitoring(let regions):
      return try start(regions, call, of: client, caller, access, at: now, into: &outputs)
    case .stopMonitoring(let identifiers):
      let changes = monitoring.stop(identifiers, of: app)
      guard !changes.isEmpty else { return .done }
      stop(changes, of: app, for: client, call.id, into: &outputs)
      return nil
    case .monitoredRegions(let after, let limit):
      listen(client, to: call.manager, into: &outputs)
      return monitoring.page(of: app, after: after, limit: limit)
    case .requestState(let identifier):
      listen(client, to: call.manager, into: &outputs)
      try authorize(.regions, access, caller)
      return .state(try monitoring.state(of: identifier, app))
    case .acknowledge(let number):
      acknowledge(through: number, of: app, at: now, into: &outputs)
      return .done
    default: return .done
    }
  }

  /// A provisional permission is enough to ask.
  private mutating func authorizeMonitoring(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    if access.verdict(for: service) != .confirm { try authorize(service, access, caller) }
    try checkRoom(for: caller.owner, of: caller)
  }

  private mutating func follow(
    _ service: Service, of app: App, for client: ClientID, _ call: JSON?,
    into outputs: inout [Output]
  ) {
    let changes =
      monitoring.follow(service, of: app)
      + note(clients[client]?.caller, for: service == .visits ? .visits : .significant)
    commit(changes, then: .followed(app, service), for: client, call, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
  }

  private mutating func stop(
    _ changes: [Change], of app: App, for client: ClientID, _ call: JSON?,
    into outputs: inout [Output]
  ) {
    commit(changes, for: client, call, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
    monitoring.changes += monitoring.retireIfIdle(app)
  }

  private mutating func acknowledge(
    through number: UInt64, of app: App, at now: Instant, into outputs: inout [Output]
  ) {
    guard let changes = monitoring.acknowledge(through: number, of: app) else { return }
    launcher.schedule.resetBackoff(app, at: now.boottime)
    commit(changes, into: &outputs)
    monitoring.changes += monitoring.retireIfIdle(app)
  }

  /// From now on the connection is told its app's events; those that it missed, at once. A manager
  /// that monitors is told rather than the one that greets.
  mutating func listen(
    _ id: ClientID, to manager: Int?, significant: Bool? = nil, into outputs: inout [Output]
  ) {
    guard let wasOn = clients[id]?.listening.isOn else { return }
    guard clients.listen(id, to: manager, significant, most: settings.limits.managersPerUser) else {
      return
    }
    if !wasOn, let client = clients[id] {
      monitoring.deliverMissed(to: id, client, Service.allCases, into: &outputs)
    }
  }
}

// MARK: - Regions

extension LocationService {
  private mutating func start(
    _ regions: [Region], _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    let app = caller.owner
    let verdict = access.verdict(for: .regions)
    if verdict == .refuse { throw permissions.regionRefusal(access, caller) }
    let shapes = try Monitoring.shapes(of: regions)
    try monitoring.checkRoom(for: regions, of: app, isLimited: isLimited(caller))
    if verdict != .ask { try checkRoom(for: app, of: caller) }
    listen(client, to: call.manager, into: &outputs)
    let recipient = Recipient(client: client, manager: call.manager)
    guard verdict != .ask else {
      monitoring.keep(regions, of: app, for: recipient)
      return .done
    }
    start(regions, shapes, of: app, for: recipient, call.id, at: now, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
    return nil
  }

  private mutating func start(
    _ regions: [Region], _ shapes: [RegionShape], of app: App, for recipient: Recipient,
    _ call: JSON? = nil, at now: Instant, into outputs: inout [Output]
  ) {
    let location = sources.location(within: Delivery.freshToStart, at: now)
    let (changes, continuation) = monitoring.monitor(
      regions, shapes, of: app, for: recipient, location)
    let caller = clients[recipient.client]?.caller
    let noted = regions.flatMap { note(caller, for: .region($0.identifier)) }
    commit(changes + noted, then: continuation, for: recipient.client, call, into: &outputs)
  }

  /// A program without a name of its own takes what it asked for with it when it has one.
  private mutating func note(_ caller: Caller?, for wish: Registration.Wish) -> [Change] {
    guard let caller, caller.wantsClue, let process = caller.process else { return [] }
    return monitoring.note(process, of: caller.owner, for: wish)
  }

  private mutating func noteAgain(
    _ caller: Caller, for wish: Registration.Wish, into outputs: inout [Output]
  ) {
    let changes = note(caller, for: wish)
    if !changes.isEmpty { commit(changes, into: &outputs) }
  }

  /// Somebody may have decided: what waited is monitored from now on, or refused.
  mutating func startUndecided(of app: App?, at now: Instant, into outputs: inout [Output]) {
    // The master switch decides about no app.
    guard permissions.isEnabled else { return }
    for group in monitoring.drainDecided(of: app, clients) {
      if group.client.access.verdict(for: .regions) == .refuse {
        let refusal = permissions.regionRefusal(group.client.access, group.client.caller)
        for region in group.regions {
          outputs.tell(
            [group.recipient], .monitoringDidFail(identifier: region.identifier, refusal))
        }
      } else {
        let shapes = group.regions.compactMap { RegionShape($0.shape) }
        start(
          group.regions, shapes, of: group.app, for: group.recipient, at: now, into: &outputs)
      }
    }
  }

  /// Has what was found out written, in one piece.
  mutating func writeChanges(into outputs: inout [Output]) {
    guard !monitoring.changes.isEmpty else { return }
    let (changes, continuation) = monitoring.drainChanges()
    commit(changes, then: continuation, into: &outputs)
  }

  mutating func forgetMonitoring(of app: App) {
    launcher.forget(app)
    monitoring.forget(app)
  }

  /// A decision that takes away takes registrations and what waits to be told with it.
  mutating func forgetMonitoring(after decision: PermissionBook.Decision) {
    switch decision {
    case .permission(let app, let permission) where permission.authorization == .denied:
      for app in governed(by: app) { forgetMonitoring(of: app) }
    case .forgotten(let apps): for app in apps { forgetMonitoring(of: app) }
    default: break
    }
  }
}
