import LocationModel

// Regions: what an app asks for is checked, watched and written, and listed.
extension LocationService {
  /// Nil where the answer comes when it is written.
  mutating func start(
    _ regions: [Region], _ call: Call, of client: ClientID, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
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
    try checkRoom(for: regions, of: caller)
    if verdict != .ask { try checkRoom(for: app, of: caller) }
    listen(client, to: call.manager, into: &outputs)
    let recipient = Recipient(client: client, manager: call.manager)
    guard verdict != .ask else {
      keep(regions, of: app, for: recipient)
      return .done
    }
    monitor(regions, shapes, of: app, for: recipient, call.id, at: now, into: &outputs)
    decideMonitoring(of: app)
    return nil
  }

  private func checkRoom(for regions: [Region], of caller: Caller) throws(Refusal) {
    let app = caller.owner
    func known(_ identifier: String) -> Region? {
      registrations[app]?[identifier]?.region ?? undecided[app, identifier]?.region
    }
    let identifiers = Set(regions.map(\.identifier))
    let limit = settings.limits.regionsPerApp
    let before = (registrations[app]?.regions.count ?? 0) + (undecided.regions[app]?.count ?? 0)
    guard limit == 0 || before + identifiers.count(where: { known($0) == nil }) <= limit else {
      throw Refusal(
        .regionMonitoringFailure,
        "An app monitors at most \(Count(limit, "region")) here;"
          + " RegionsPerApp= sets it, in [Limits].")
    }
    guard isLimited(caller) else { return }
    let totalBefore = regionTotals[caller.uid] ?? RegionTotal()
    var total = totalBefore
    for identifier in identifiers {
      if let region = known(identifier) { total -= RegionTotal(region, of: app) }
    }
    for region in regions { total += RegionTotal(region, of: app) }
    try total.check(settings.limits, since: totalBefore)
  }

  /// Watches them, and has written what is new of them.
  mutating func monitor(
    _ regions: [Region], _ shapes: [RegionShape], of app: App, for recipient: Recipient,
    _ call: JSON? = nil, at now: Instant, into outputs: inout [Output]
  ) {
    var changes: [Change] = []
    for (region, shape) in zip(regions, shapes) {
      let state: RegionState
      if let before = registrations[app]?[region.identifier], before.region.shape == region.shape {
        // An app that begins anew registers all it has anew: what is known of it still holds.
        if before.region == region { continue }
        state = monitors.board.state(of: before.slot)
        registrations[app]?[region.identifier]?.region = region
        monitors.relisted.insert(app)
      } else {
        unwatch(region.identifier, of: app)
        state = known(shape, at: now)
        watch(region, shape, for: app, state)
      }
      changes.append(
        .put(app, kind: Kept.region, key: region.identifier, Kept.bytes(of: region, state)))
    }
    let written = changes.compactMap { if case .put(_, _, let key, _) = $0 { key } else { nil } }
    commit(
      changes,
      then: .startedMonitoring(app, regions.map(\.identifier), written: written, recipient),
      for: recipient.client, call, into: &outputs)
  }

  /// On which side of it we are by what came last, if that says so.
  private func known(_ shape: RegionShape, at now: Instant) -> RegionState {
    guard let location = sources.location(within: Delivery.freshToStart, at: now) else {
      return .unknown
    }
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
    count(region, of: app)
    registrations[app, default: Registration()][region.identifier] = Registration.Monitored(
      region: region, slot: slot)
  }

  mutating func unwatch(_ identifier: String, of app: App) {
    guard let monitored = registrations[app]?[identifier] else { return }
    registrations[app]?[identifier] = nil
    monitors.owners[monitored.slot] = nil
    if monitors.owners.isEmpty { monitors.owners = [:] }
    monitors.relisted.insert(app)
    monitors.board.remove(monitored.slot)
    uncount(monitored.region, of: app)
  }

  mutating func tellRegionsChanged(into outputs: inout [Output]) {
    if monitors.relisted.isEmpty { return }
    for app in monitors.relisted.sorted() { outputs.append(.regionsChanged(app)) }
    monitors.relisted = []
  }

  /// A page holds as many as are asked for, as long as that is no flood.
  mutating func page(of app: App, after: String?, limit: Int) -> Reply {
    let waiting = undecided.regions[app]
    let identifiers = waiting?.keys.sorted() ?? registrations[app]?.identifiers() ?? []
    var low = 0
    var high = identifiers.count
    while let after, low < high {
      let middle = (low + high) / 2
      if identifiers[middle] <= after { low = middle + 1 } else { high = middle }
    }
    var regions: [Region] = []
    var corners = 0
    while low < identifiers.count, regions.count < min(limit, 1000), corners < 10_000 {
      let identifier = identifiers[low]
      if let region = waiting?[identifier]?.region ?? registrations[app]?[identifier]?.region {
        regions.append(region)
        corners += region.corners
      }
      low += 1
    }
    return .regions(regions, more: low < identifiers.count)
  }

  mutating func state(
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
