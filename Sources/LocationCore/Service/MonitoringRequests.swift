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
    case .monitoredRegions(let after, let limit):
      listen(client, to: call.manager, into: &outputs)
      return monitoring.page(of: app, after: after, limit: limit)
    case .requestState(let identifier):
      listen(client, to: call.manager, into: &outputs)
      try authorize(.regions, access, caller)
      return .state(try monitoring.state(of: identifier, app))
    case .acknowledge(let number):
      if let changes = monitoring.acknowledge(through: number, of: app) {
        launcher.schedule.resetBackoff(app, at: now.boottime)
        commit(changes, into: &outputs)
        monitoring.changes += monitoring.retireIfIdle(app)
      }
      return .done
    default: try checkQueue(of: caller)
    }
    let stopped: [Change]
    switch call.request {
    case .startMonitoringSignificantLocationChanges:
      return try start(
        .significant, call, of: client, caller, access, at: now, into: &outputs)
    case .startMonitoringVisits:
      return try start(.visits, call, of: client, caller, access, at: now, into: &outputs)
    case .startMonitoring(let regions):
      return try start(regions, call, of: client, caller, access, at: now, into: &outputs)
    case .stopMonitoringSignificantLocationChanges:
      stopped = stop(.significant, call, of: client, app)
    case .stopMonitoringVisits: stopped = stop(.visits, call, of: client, app)
    case .stopMonitoring(let identifiers): stopped = monitoring.stop(identifiers, of: app)
    default: return .done
    }
    guard !stopped.isEmpty else { return .done }
    commit(stopped, for: client, call.id, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
    monitoring.changes += monitoring.retireIfIdle(app)
    return nil
  }

  /// Starts a service beside the regions.
  private mutating func start(
    _ service: Service, _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    let app = caller.owner
    // A provisional permission is enough to ask.
    if access.verdict(for: service) != .confirm { try authorize(service, access, caller) }
    try checkRoom(for: app, of: caller)
    try checkListening(client, to: call.manager)
    listen(client, to: call.manager, wanting: service, into: &outputs)
    let isFollowed = monitoring.isFollowing(service, app)
    let changes = monitoring.follow(service, of: app, for: caller)
    if isFollowed {
      write(changes, into: &outputs)
      return .done
    }
    commit(changes, then: .followed(app, service), for: client, call.id, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
    if service == .significant {
      monitoring.reportFirstChange(
        to: app, sources.newest?.location, &delivery.coarsePlaces, at: now)
    }
    return nil
  }

  private func checkListening(_ id: ClientID, to manager: Int) throws(Refusal) {
    let most = settings.limits.managersPerUser
    guard clients.hasRoom(for: id, manager, most: most) else {
      throw .limit("Your programs already listen by \(Count(most, "manager"))", "ManagersPerUser")
    }
  }

  /// Stops a service beside the regions, unless another manager of the app's clients wants it.
  private mutating func stop(
    _ service: Service, _ call: Call, of client: ClientID, _ app: App
  ) -> [Change] {
    clients[client]?.listening.managers[call.manager]?.remove(service)
    let isWanted = clients.clients(of: app).contains {
      clients[$0]?.listening.wants(service) == true
    }
    return isWanted ? [] : monitoring.unfollow(service, of: app)
  }

  /// From now on the connection is told its app's events; those that it missed, at once. A manager
  /// that monitors is told rather than the one that greets.
  mutating func listen(
    _ id: ClientID, to manager: Int?, wanting service: Service? = nil, into outputs: inout [Output]
  ) {
    let most = settings.limits.managersPerUser
    guard clients.listen(id, to: manager, wanting: service, most: most), let client = clients[id]
    else {
      return
    }
    monitoring.deliverMissed(to: id, client, Service.allCases, into: &outputs)
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
    try checkListening(client, to: call.manager)
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
    _ regions: [Region], _ shapes: [WatchedShape], of app: App, for recipient: Recipient,
    _ call: JSON? = nil, at now: Instant, into outputs: inout [Output]
  ) {
    let location = sources.location(within: Delivery.freshToStart, at: now)
    let (changes, continuation) = monitoring.monitor(
      regions, shapes, of: app, for: recipient, clients[recipient.client]?.caller, location,
      at: now)
    commit(changes, then: continuation, for: recipient.client, call, into: &outputs)
  }

  /// Somebody may have decided: what waited is monitored from now on, or refused.
  mutating func startUndecided(of app: App?, at now: Instant, into outputs: inout [Output]) {
    // The master switch decides about no app.
    guard permissions.isEnabled else { return }
    for group in monitoring.drainDecided(of: app, clients, permissions.pauses) {
      if group.client.access.verdict(for: .regions) == .refuse {
        let refusal = permissions.regionRefusal(group.client.access, group.client.caller)
        for region in group.regions {
          outputs.tell(
            [group.recipient], .monitoringDidFail(identifier: region.identifier, refusal))
        }
      } else {
        let shapes = group.regions.compactMap { WatchedShape($0.shape) }
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
