import LocationModel

// Significant changes, visits and regions: what a fix or a silence means for those who registered.
extension LocationService {
  mutating func monitor(
    _ location: Location, _ sighting: Sighting, at now: Instant, into outputs: inout [Output]
  ) {
    guard monitors.isNeeded else { return }
    if monitors.needed.contains(.significant) { change(location, sighting, at: now) }

    var visits: [Visit] = []
    if monitors.needed.contains(.visits) || monitors.needed.contains(.regions) {
      monitors.visits.take(sighting, into: &visits)
    }
    for visit in visits { report(visit, at: now) }

    if monitors.needed.contains(.regions) {
      var crossings: [(slot: Int32, before: RegionState)] = []
      let steadied = monitors.visits.steadied(sighting)
      monitors.board.take(steadied, at: location.coordinate) { crossings.append(($0, $1)) }
      for (slot, before) in crossings {
        cross(slot, from: before, at: sighting.date, now, into: &outputs)
      }
    }
    keepStay(always: !visits.isEmpty)
    write(at: now, into: &outputs)
  }

  /// Time passes without a fix.
  mutating func monitorSilence(at now: Instant, into outputs: inout [Output]) {
    guard let due = silenceEnds, due <= now.boottime else { return }
    monitors.clock.turn(to: now)
    var visits: [Visit] = []
    monitors.visits.wait(until: monitors.clock.time, into: &visits)
    for visit in visits { report(visit, at: now) }
    var crossings: [(slot: Int32, before: RegionState)] = []
    monitors.board.wait(until: monitors.clock.time) { crossings.append(($0, $1)) }
    for (slot, before) in crossings {
      cross(slot, from: before, at: monitors.clock.date, now, into: &outputs)
    }
    waitForChanges(at: now)
    keepStay(always: !visits.isEmpty)
    write(at: now, into: &outputs)
  }

  /// When silence says something, in boottime.
  var silenceEnds: Int64? {
    mutating get {
      guard monitors.isNeeded else { return nil }
      let visits = monitors.visits.wakesAt.flatMap(monitors.clock.boottime)
      guard let decided = decidedAt else { return visits }
      return min(visits ?? decided, decided)
    }
  }

  /// When something that is decided already is told, if nothing comes before that speaks against it.
  package var decidedAt: Int64? {
    mutating get {
      let crossing = monitors.board.wakesAt.flatMap(monitors.clock.boottime)
      let change = monitors.changeBoard.wakesAt.flatMap(monitors.clock.boottime)
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
    _ slot: Int32, from before: RegionState, at moment: Timestamp, _ now: Instant,
    into outputs: inout [Output]
  ) {
    guard let (app, identifier) = monitors.owners[slot],
      let monitored = registrations[app]?[identifier]
    else { return }
    let state = monitors.board.state(of: slot)
    let region = monitored.region
    monitors.changes.append(
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
    outputs.tell(listeners(of: app, event), event)
  }
}
