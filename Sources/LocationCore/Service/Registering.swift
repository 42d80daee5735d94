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
    case .startMonitoringSignificantLocationChanges:
      try authorizeMonitoring(.significant, access, caller)
      listen(client, to: call.manager, significant: true, into: &outputs)
      if registrations[app]?.significant == true { return .done }
      follow(app, SignificantChange())
      commit(
        [.put(app, kind: Kept.significant, key: "", Kept.bytes(of: [:]))], for: client, call.id,
        at: now, into: &outputs)
      monitors.followups[CommitID(commits.last)] = .followed(app, .significant)
      decideMonitoring(of: app)
      tellNewestChange(to: app, at: now, into: &outputs)
      return nil
    case .startMonitoringVisits:
      try authorizeMonitoring(.visits, access, caller)
      listen(client, to: call.manager, into: &outputs)
      if registrations[app]?.visits == true { return .done }
      registrations[app, default: Registration()].visits = true
      commit(
        [.put(app, kind: Kept.visits, key: "", [])], for: client, call.id, at: now, into: &outputs)
      monitors.followups[CommitID(commits.last)] = .followed(app, .visits)
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
      try start(regions, call, of: client, caller, access, at: now, into: &outputs)
      return nil
    case .stopMonitoring(let identifiers):
      let known = identifiers.filter { registrations[app]?[$0] != nil }
      for identifier in known { unwatch(identifier, of: app) }
      guard !known.isEmpty else { return .done }
      commit(
        known.map { .remove(app, kind: Kept.region, key: $0) }, for: client, call.id, at: now,
        into: &outputs)
      decideMonitoring(of: app)
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
    commit([change], for: client, call.id, at: now, into: &outputs)
    decideMonitoring(of: clients[client]?.caller.owner)
    return nil
  }

  /// What may be had once it is confirmed may be asked for.
  private mutating func authorizeMonitoring(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    if access.verdict(for: service) != .confirm { try authorize(service, access, caller) }
  }

  private func wantsSignificant(_ app: App) -> Bool {
    clients.values.contains {
      $0.caller.owner == app && $0.listening.managers.values.contains(true)
    }
  }
}

// MARK: - Regions

extension LocationService {
  private mutating func start(
    _ regions: [Region], _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let app = caller.owner
    let verdict = access.verdict(for: .regions)
    if verdict == .refuse {
      var refusal = refusal(verdict, access, caller)
      refusal.code = .regionMonitoringDenied
      throw refusal
    }
    var shapes: [RegionShape] = []
    for region in regions {
      guard let shape = RegionShape(region.shape) else {
        throw Refusal(
          .regionMonitoringFailure,
          "The region '\(region.identifier)' is none: a circle has a place on the Earth and a radius"
            + " in metres, a polygon three corners or more, not on one line, that are all on one side"
            + " of the Earth.")
      }
      shapes.append(shape)
    }
    let new = Set(regions.map(\.identifier)).filter { registrations[app]?[$0] == nil }
    let limit = settings.limits.regionsPerApp
    let count = (registrations[app]?.regions.count ?? 0) + new.count
    guard limit == 0 || count <= limit else {
      throw Refusal(
        .regionMonitoringFailure,
        "An app monitors at most \(Count(limit, "region")) here;"
          + " RegionsPerApp= sets it, in [Limits].")
    }
    listen(client, to: call.manager, into: &outputs)
    var changes: [Change] = []
    for (region, shape) in zip(regions, shapes) {
      let state: RegionState
      if let before = registrations[app]?[region.identifier], before.region.shape == region.shape {
        // An app that begins anew registers all it has anew: what is known of it still holds.
        state = monitors.board.state(of: before.slot)
        registrations[app]?[region.identifier]?.region = region
        if before.region != region { monitors.relisted.insert(app) }
      } else {
        unwatch(region.identifier, of: app)
        state = known(shape, at: now)
        watch(region, shape, for: app, state)
      }
      changes.append(
        .put(app, kind: Kept.region, key: region.identifier, Kept.bytes(of: region, state)))
    }
    commit(changes, for: client, call.id, at: now, into: &outputs)
    monitors.followups[CommitID(commits.last)] = .started(
      app, regions.map(\.identifier), Recipient(client: client, manager: call.manager))
    decideMonitoring(of: app)
  }

  /// On which side of it we are by what came last, if that says so.
  private func known(_ shape: RegionShape, at now: Instant) -> RegionState {
    guard let location = fresh(within: Self.freshToStart, at: now) else { return .unknown }
    var watch = RegionWatch()
    let depth = shape.depth(of: Point(location.coordinate), at: location.coordinate)
    if let change = watch.take(depth, location.horizontalAccuracy, after: .init(seconds: 0)) {
      watch.make(change)
    }
    return watch.state
  }

  mutating func watch(
    _ region: Region, _ shape: RegionShape, for app: App, _ state: RegionState
  ) {
    let slot = monitors.board.add(shape, state)
    monitors.owners[slot] = (app, region.identifier)
    monitors.relisted.insert(app)
    registrations[app, default: Registration()][region.identifier] = Registration.Monitored(
      region: region, slot: slot)
  }

  mutating func unwatch(_ identifier: String, of app: App) {
    guard let slot = registrations[app]?[identifier]?.slot else { return }
    registrations[app]?[identifier] = nil
    monitors.owners[slot] = nil
    monitors.relisted.insert(app)
    monitors.board.remove(slot)
  }

  mutating func tellRegionsChanged(into outputs: inout [Output]) {
    if monitors.relisted.isEmpty { return }
    for app in monitors.relisted.sorted() { outputs.append(.regionsChanged(app)) }
    monitors.relisted = []
  }

  /// A page holds as many as are asked for, as long as that is no flood.
  private mutating func page(of app: App, after: String?, limit: Int) -> Reply {
    let identifiers = registrations[app]?.identifiers() ?? []
    var low = 0
    var high = identifiers.count
    while let after, low < high {
      let middle = (low + high) / 2
      if identifiers[middle] <= after { low = middle + 1 } else { high = middle }
    }
    var regions: [Region] = []
    var corners = 0
    while low < identifiers.count, regions.count < min(limit, 1000), corners < 10_000 {
      if let region = registrations[app]?[identifiers[low]]?.region {
        regions.append(region)
        corners += region.corners
      }
      low += 1
    }
    return .regions(regions, more: low < identifiers.count)
  }

  private mutating func state(
    of identifier: String, _ app: App, _ access: Access, _ caller: Caller
  ) throws(Refusal) -> RegionState {
    try authorize(.regions, access, caller)
    guard let slot = registrations[app]?[identifier]?.slot else {
      throw Refusal(.regionMonitoringFailure, "No region '\(identifier)' is monitored.")
    }
    let state = monitors.board.state(of: slot)
    if state == .unknown { registrations[app]?[identifier]?.isAsked = true }
    return state
  }
}

extension Region {
  fileprivate var corners: Int {
    switch shape {
    case .circle: 1
    case .polygon(let points, let holes): holes.reduce(points.count) { $0 + $1.count }
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
      let isInUse = clients.contains { id, client in
        client.caller.owner == app && use.isInUse(id, client.caller)
      }
      let access = access(of: app, isInUse: isInUse)
      registrations[app]?.accuracy = access.accuracy
      registrations[app]?.allowed = ServiceSet { access.verdict(for: $0).isAllowed }
      registrations[app]?.unconfirmed = ServiceSet { access.verdict(for: $0) == .confirm }
      monitors.changeBoard.turn(registrations[app]?.follows(.significant) == true, app)
    }
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

  mutating func forgetMonitoring(of app: App) {
    forgetLaunch(of: app)
    attendances.entries[app] = nil
    guard let registration = registrations[app] else { return }
    for identifier in registration.regions.keys { unwatch(identifier, of: app) }
    unfollow(app)
    var empty = Registration()
    empty.lastEvent = registration.lastEvent
    registrations[app] = empty
    decideMonitoring(of: app)
  }
}
