import LocationModel

// Significant changes, visits and regions: what a finding means for the apps that registered.
extension Monitoring {
  mutating func observe(
    _ seen: Observation, _ clients: ClientRegistry, _ places: inout CoarsePlaces,
    into outputs: inout [Output]
  ) {
    guard detectors.isNeeded else { return }
    var findings: [Finding] = []
    detectors.observe(seen, into: &findings)
    report(findings, clients, &places, at: seen.now, into: &outputs)
  }

  /// Beacons are heard.
  mutating func observe(
    _ scan: BeaconScan, _ clients: ClientRegistry, _ places: inout CoarsePlaces, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard detectors.needed.contains(.beacons) else { return }
    var findings: [Finding] = []
    for report in scan.reports {
      detectors.beacons.hear(report.frame.identity, at: now.boottime, into: &findings)
    }
    report(findings, clients, &places, at: now, into: &outputs)
  }

  /// Time passes without a fix.
  mutating func observeSilence(
    _ clients: ClientRegistry, _ places: inout CoarsePlaces, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let due = detectors.wakesAt, due <= now.boottime else { return }
    var findings: [Finding] = []
    detectors.wait(until: now, into: &findings)
    report(findings, clients, &places, at: now, into: &outputs)
  }

  private mutating func report(
    _ findings: [Finding], _ clients: ClientRegistry, _ places: inout CoarsePlaces,
    at now: Instant, into outputs: inout [Output]
  ) {
    for finding in findings {
      switch finding {
      case .change(let app): reportChange(to: app, &places, at: now)
      case .visit(let visit): report(visit, at: now)
      case .crossing(let slot, let before):
        cross(slot, from: before, clients, at: now, into: &outputs)
      }
    }
    keepStay(always: findings.contains(where: \.isVisit))
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
    _ slot: RegionSlot, from before: RegionState, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let (app, identifier) = detectors.owners[slot],
      let monitored = registrations[app]?[identifier]
    else { return }
    let state = detectors.state(of: slot)
    let region = monitored.region
    // A beacon is heard now, and its first report is an entry.
    var (moment, begins) = (detectors.clock.date, before == .outside)
    if case .beacon = slot { (moment, begins) = (now.utc, true) }
    changes.append(
      .put(app, kind: StoredRecord.region, key: identifier, StoredRecord.bytes(of: region, state)))
    guard registrations[app]?.follows(.regions) == true else { return }
    if before == .inside, region.notifyOnExit {
      note(.didExitRegion(identifier: identifier, moment), to: app, at: now)
    } else if state == .inside, begins, region.notifyOnEntry {
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
      .put(
        app, kind: StoredRecord.significant, key: "", StoredRecord.bytes(of: location, told: now)))
    note(.didUpdateLocations(told, .significant), to: app, at: now)
  }

  /// The newest known location is the first change.
  mutating func reportFirstChange(
    to app: App, _ location: Location?, _ places: inout CoarsePlaces, at now: Instant
  ) {
    guard let location, registrations[app]?.allowed.contains(.significant) == true else { return }
    let seen = Observation(
      location: location, sighting: detectors.sightAgain(location, at: now), now: now)
    guard detectors.changes[app]?.admits(seen) == true else { return }
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
      changes.append(
        .put(
          StoredRecord.global, kind: StoredRecord.stay, key: "", StoredRecord.bytes(of: stay.json)))
    } else {
      changes.append(.remove(StoredRecord.global, kind: StoredRecord.stay, key: ""))
    }
  }

  /// A stay is forgotten once no app monitors what it is kept for.
  mutating func forgetStay() {
    guard !registrations.values.contains(where: { $0.visits || $0.hasPlaces }),
      detectors.visits.stay != nil
    else { return }
    detectors.visits = VisitDetector()
    keepStay(always: true)
  }

  /// Seconds.
  private static let stayInterval = 300.0
}
