import LocationModel

// Significant changes, visits and regions: what a fix or a silence means for the apps that registered.
extension Monitoring {
  mutating func observe(
    _ location: Location, _ sighting: Sighting, _ clients: ClientRegistry,
    _ places: inout CoarsePlaces, at now: Instant, into outputs: inout [Output]
  ) {
    guard detectors.isNeeded else { return }
    if detectors.needed.contains(.significant) {
      var due: [App] = []
      detectors.changes.observe(location, sighting, at: now) { due.append($0) }
      for app in due { reportChange(to: app, &places, at: now) }
    }

    var visits: [Visit] = []
    if detectors.needed.contains(.visits) || detectors.needed.contains(.regions) {
      detectors.visits.observe(sighting, into: &visits)
    }
    for visit in visits { report(visit, at: now) }

    if detectors.needed.contains(.regions) {
      var crossings: [(slot: Int32, before: RegionState)] = []
      let steadied = detectors.visits.steadied(sighting)
      detectors.regions.observe(steadied, at: location.coordinate) { crossings.append(($0, $1)) }
      for (slot, before) in crossings {
        cross(slot, from: before, at: sighting.date, clients, at: now, into: &outputs)
      }
    }
    keepStay(always: !visits.isEmpty)
  }

  /// Time passes without a fix.
  mutating func observeSilence(
    _ clients: ClientRegistry, _ places: inout CoarsePlaces, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let due = silenceEnds, due <= now.boottime else { return }
    detectors.clock.turn(to: now)
    var visits: [Visit] = []
    detectors.visits.wait(until: detectors.clock.time, into: &visits)
    for visit in visits { report(visit, at: now) }
    var crossings: [(slot: Int32, before: RegionState)] = []
    detectors.regions.wait(until: detectors.clock.time) { crossings.append(($0, $1)) }
    for (slot, before) in crossings {
      cross(slot, from: before, at: detectors.clock.date, clients, at: now, into: &outputs)
    }
    var gone: [App] = []
    detectors.changes.wait(until: detectors.clock.time) { gone.append($0) }
    for app in gone { reportChange(to: app, &places, at: now) }
    keepStay(always: !visits.isEmpty)
  }

  /// When silence says something.
  var silenceEnds: Boottime? {
    mutating get {
      guard detectors.isNeeded else { return nil }
      let visits = detectors.visits.wakesAt.flatMap(detectors.clock.boottime)
      guard let decided = decidedAt else { return visits }
      return min(visits ?? decided, decided)
    }
  }

  /// When something that is decided already is told, if nothing comes before that speaks against it.
  var decidedAt: Boottime? {
    mutating get {
      let crossing = detectors.regions.wakesAt.flatMap(detectors.clock.boottime)
      let change = detectors.changes.wakesAt.flatMap(detectors.clock.boottime)
      guard let crossing, let change else { return crossing ?? change }
      return min(crossing, change)
    }
  }

  private mutating func report(_ visit: Visit, at now: Instant) {
    for app in registrations.keys.sorted() where registrations[app]?.needs.contains(.visits) == true
    {
      var visit = visit
      if registrations[app]?.accuracy == .reduced { visit = visit.coarse }
      note(.didVisit(visit), to: app, at: now)
    }
  }

  private mutating func cross(
    _ slot: Int32, from before: RegionState, at moment: Timestamp, _ clients: ClientRegistry,
    at now: Instant, into outputs: inout [Output]
  ) {
    guard let (app, identifier) = detectors.owners[slot],
      let monitored = registrations[app]?[identifier]
    else { return }
    let state = detectors.regions.state(of: slot)
    let region = monitored.region
    changes.append(
      .put(app, kind: Kept.region, key: identifier, Kept.bytes(of: region, state)))
    guard registrations[app]?.follows(.regions) == true else { return }
    if before == .inside, region.notifyOnExit {
      note(.didExitRegion(identifier: identifier, moment), to: app, at: now)
    } else if before == .outside, region.notifyOnEntry {
      note(.didEnterRegion(identifier: identifier, moment), to: app, at: now)
    }
    guard before != .unknown || monitored.isAsked else { return }
    registrations[app]?[identifier]?.isAsked = false
    let event = Event.didDetermineState(identifier: identifier, state)
    outputs.tell(listeners(of: app, event, clients), event)
  }

  private mutating func reportChange(
    to app: App, _ places: inout CoarsePlaces, at now: Instant
  ) {
    guard let location = detectors.changes[app]?.last else { return }
    let isFull = registrations[app]?.accuracy == .full
    let told = isFull ? location : places.place(location, of: app, at: now)
    changes.append(
      .put(app, kind: Kept.significant, key: "", Kept.bytes(of: location, told: now)))
    note(.didUpdateLocations(told, .significant), to: app, at: now)
  }

  /// The newest known location is the first change.
  mutating func reportFirstChange(
    to app: App, _ location: Location?, _ places: inout CoarsePlaces, at now: Instant
  ) {
    guard let location,
      let sighting = detectors.sight(location, Point(location.coordinate), at: now),
      registrations[app]?.allowed.contains(.significant) == true,
      detectors.changes[app]?.takes(location, sighting, at: now) == true
    else { return }
    reportChange(to: app, &places, at: now)
  }

  /// Has the stay written every few minutes, and when it begins or ends.
  private mutating func keepStay(always: Bool) {
    let time = detectors.clock.time
    guard always || detectors.visits.stay != nil && time - stayKeptAt > Self.stayInterval else {
      return
    }
    stayKeptAt = time
    if let stay = detectors.visits.stay {
      changes.append(.put(Kept.house, kind: Kept.stay, key: "", Kept.bytes(of: stay.json)))
    } else {
      changes.append(.remove(Kept.house, kind: Kept.stay, key: ""))
    }
  }

  /// A stay is forgotten once no app monitors what it is kept for.
  mutating func forgetStay() {
    guard !registrations.values.contains(where: { $0.visits || !$0.regions.isEmpty }),
      detectors.visits.stay != nil
    else { return }
    detectors.visits = VisitDetector()
    keepStay(always: true)
  }

  /// Seconds.
  private static let stayInterval = 300.0
}
