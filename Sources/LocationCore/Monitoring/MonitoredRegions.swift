import LocationModel

// Regions: what an app asks for is checked, watched and written, and listed.
extension Monitoring {
  static func shapes(of regions: [Region]) throws(Refusal) -> [WatchedShape] {
    var shapes: [WatchedShape] = []
    for region in regions {
      guard let shape = WatchedShape(region.shape) else {
        throw Refusal(
          .regionMonitoringFailure,
          "The region '\(region.identifier)' is none: a circle has a place on the Earth and a radius"
            + " in metres, a polygon three corners or more, not on one line, that are all on one side"
            + " of the Earth.")
      }
      shapes.append(shape)
    }
    return shapes
  }

  /// `isLimited`: the limits of a user hold, beside that of an app.
  func checkRoom(for regions: [Region], of app: App, isLimited: Bool) throws(Refusal) {
    func known(_ identifier: String) -> Region? {
      registrations[app]?[identifier]?.region ?? undecided[app, identifier]?.region
    }
    let identifiers = Set(regions.map(\.identifier))
    let limit = limits.regionsPerApp
    let before = (registrations[app]?.regions.count ?? 0) + (undecided.regions[app]?.count ?? 0)
    guard limit == 0 || before + identifiers.count(where: { known($0) == nil }) <= limit else {
      throw Refusal(
        .regionMonitoringFailure,
        "An app monitors at most \(Count(limit, "region")) here;"
          + " RegionsPerApp= sets it, in [Limits].")
    }
    guard isLimited else { return }
    let totalBefore = regionTotals[app.uid] ?? RegionTotal()
    var total = totalBefore
    for identifier in identifiers {
      if let region = known(identifier) { total -= RegionTotal(region, of: app) }
    }
    for region in regions { total += RegionTotal(region, of: app) }
    try total.check(limits, since: totalBefore)
  }

  /// Watches the regions, and gives what is to be written of them. `location`: the newest one.
  mutating func monitor(
    _ regions: [Region], _ shapes: [WatchedShape], of app: App, for recipient: Recipient,
    _ caller: Caller?, _ location: Location?, at now: Instant
  ) -> (changes: [Change], continuation: Continuation) {
    var changes: [Change] = []
    var written: [String] = []
    for (region, shape) in zip(regions, shapes) {
      let state: RegionState
      if let before = registrations[app]?[region.identifier], before.region.shape == region.shape {
        // An app that begins anew registers all it has anew: what is known of it still holds.
        if before.region == region { continue }
        state = detectors.state(of: before.slot)
        registrations[app]?[region.identifier]?.region = region
        changedRegions.insert(app)
      } else {
        unwatch(region.identifier, of: app)
        state = self.state(of: shape, at: location, now)
        watch(region, shape, for: app, state, at: now)
      }
      written.append(region.identifier)
      changes.append(
        .put(
          app, kind: StoredRecord.region, key: region.identifier,
          StoredRecord.bytes(of: region, state)))
    }
    changes += regions.flatMap { note(caller, of: app, for: .region($0.identifier)) }
    let continuation = Continuation.startedMonitoring(
      app, regions.map(\.identifier), written: written, recipient)
    return (changes, continuation)
  }

  /// The regions are on the disk, or those that could not be written are monitored no more.
  mutating func finishStart(
    of identifiers: [String], _ written: [String], of app: App, for recipient: Recipient,
    _ trouble: String?, into outputs: inout [Output]
  ) {
    for identifier in trouble == nil ? identifiers : written {
      guard registrations[app]?[identifier] != nil else { continue }
      if let trouble {
        unwatch(identifier, of: app)
        let refusal = Refusal(.regionMonitoringFailure, "It could not be written: \(trouble).")
        outputs.tell([recipient], .monitoringDidFail(identifier: identifier, refusal))
      } else {
        outputs.tell([recipient], .didStartMonitoring(identifier: identifier))
      }
    }
  }

  /// The side of the region on which the device is, if the location says so, or beacons that are heard.
  private func state(
    of shape: WatchedShape, at location: Location?, _ now: Instant
  ) -> RegionState {
    switch shape {
    case .beacon(let constraint): detectors.beacons.state(of: constraint, at: now.boottime)
    case .place(let shape): location.map { Self.state(of: shape, at: $0) } ?? .unknown
    }
  }

  private static func state(of shape: RegionShape, at location: Location) -> RegionState {
    var watch = RegionWatch()
    let depth = shape.depth(of: Point(location.coordinate), at: location.coordinate)
    if let change = watch.observe(depth, location.horizontalAccuracy, after: .init(seconds: 0)) {
      watch.make(change)
    }
    return watch.state
  }

  mutating func watch(
    _ region: Region, _ shape: WatchedShape, for app: App, _ state: RegionState,
    at now: Instant? = nil
  ) {
    let slot = detectors.add(shape, state, at: now?.boottime)
    detectors.owners[slot] = (app, region.identifier)
    changedRegions.insert(app)
    count(region, of: app)
    registrations[app, default: Registration()][region.identifier] = Registration.Monitored(
      region: region, slot: slot)
  }

  mutating func unwatch(_ identifier: String, of app: App) {
    guard let monitored = registrations[app]?[identifier] else { return }
    registrations[app]?[identifier] = nil
    detectors.owners[monitored.slot] = nil
    if detectors.owners.isEmpty { detectors.owners = [:] }
    changedRegions.insert(app)
    detectors.remove(monitored.slot)
    uncount(monitored.region, of: app)
  }

  /// Stops monitoring those of the regions that are known; gives what is to be written.
  mutating func stop(_ identifiers: [String], of app: App) -> [Change] {
    for identifier in identifiers { forgetUndecided(identifier, of: app) }
    let known = identifiers.filter { registrations[app]?[$0] != nil }
    let asked = known.filter { registrations[app]?.registrants[.region($0)] != nil }
    for identifier in known { unwatch(identifier, of: app) }
    return known.map { .remove(app, kind: StoredRecord.region, key: $0) }
      + asked.map { registrants(of: app, for: .region($0)) }
  }

  mutating func notifyChangedRegions(into outputs: inout [Output]) {
    if changedRegions.isEmpty { return }
    for app in changedRegions.sorted() { outputs.append(.regionsChanged(app)) }
    changedRegions = []
  }

  /// A page holds as many as are asked for, as long as that is no flood.
  mutating func page(of app: App, after: String?, limit: Int) -> Reply {
    let waiting = undecided.regions[app]
    let identifiers = waiting?.keys.sorted() ?? registrations[app]?.identifiers() ?? []
    var next = after.map { after in identifiers.partitioningIndex { $0 > after } } ?? 0
    var regions: [Region] = []
    var corners = 0
    while next < identifiers.count, regions.count < min(limit, 1000), corners < 10_000 {
      let identifier = identifiers[next]
      if let region = waiting?[identifier]?.region ?? registrations[app]?[identifier]?.region {
        regions.append(region)
        corners += region.corners
      }
      next += 1
    }
    return .regions(regions, more: next < identifiers.count)
  }

  /// The state, which is told later where it is not known yet.
  mutating func state(of identifier: String, _ app: App) throws(Refusal) -> RegionState {
    guard let slot = registrations[app]?[identifier]?.slot else {
      throw Refusal(.regionMonitoringFailure, "No region '\(identifier)' is monitored.")
    }
    let state = detectors.state(of: slot)
    if state == .unknown { registrations[app]?[identifier]?.isAsked = true }
    return state
  }
}
