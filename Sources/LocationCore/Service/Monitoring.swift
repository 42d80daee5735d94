import LocationModel

// Significant changes, visits and regions: what a fix means for the apps that registered.
extension LocationService {
  mutating func monitor(
    _ location: Location, _ point: Point, at now: Instant, into outputs: inout [Output]
  ) {
    guard registrations.values.contains(where: \.needsFixes),
      let sighting = monitors.sight(location, point, at: now)
    else { return }
    for app in registrations.keys {
      if registrations[app]?.significant?.takes(location, sighting) == true {
        report(.didUpdateLocations(location, .significant), to: app, into: &outputs)
      }
    }
    var visits: [Visit] = []
    monitors.visits.take(sighting, into: &visits)
    for visit in visits { report(visit, into: &outputs) }

    var crossings: [(slot: Int32, before: RegionState)] = []
    let steadied = monitors.visits.steadied(sighting)
    monitors.board.take(steadied, at: location.coordinate) { crossings.append(($0, $1)) }
    for crossing in crossings where crossing.before != .unknown {
      cross(crossing.slot, at: sighting.date, into: &outputs)
    }
  }

  /// Time passes without a fix.
  mutating func monitorSilence(at now: Instant, into outputs: inout [Output]) {
    guard let due = silenceEnds, due <= now.boottime else { return }
    monitors.clock.turn(to: now)
    var visits: [Visit] = []
    monitors.visits.wait(until: monitors.clock.time, into: &visits)
    for visit in visits { report(visit, into: &outputs) }
  }

  /// When silence says something, in boottime.
  var silenceEnds: Int64? {
    monitors.visits.wakesAt.flatMap { monitors.clock.boottime(of: $0) }
  }

  private mutating func report(_ visit: Visit, into outputs: inout [Output]) {
    for app in registrations.keys where registrations[app]?.visits == true {
      report(.didVisit(visit), to: app, into: &outputs)
    }
  }

  private mutating func cross(
    _ slot: Int32, at moment: Timestamp, into outputs: inout [Output]
  ) {
    guard let (app, identifier) = monitors.owners[slot],
      let region = registrations[app]?.regions[identifier]?.region
    else { return }
    let state = monitors.board.state(of: slot)
    if state == .inside, region.notifyOnEntry {
      report(.didEnterRegion(identifier: identifier, moment), to: app, into: &outputs)
    } else if state == .outside, region.notifyOnExit {
      report(.didExitRegion(identifier: identifier, moment), to: app, into: &outputs)
    }
  }

  /// Numbers an event of an app, keeps it until it is acknowledged, and tells who listens.
  private mutating func report(_ event: Event, to app: AppID, into outputs: inout [Output]) {
    guard var registration = registrations.removeValue(forKey: app) else { return }
    registration.lastEvent += 1
    registration.pending.append(NumberedEvent(number: registration.lastEvent, event: event))
    let number = registration.lastEvent
    registrations[app] = registration
    let recipients = listeners(of: app)
    guard !recipients.isEmpty else { return }
    counters.told += recipients.count
    outputs.append(.report(recipients, event, number: number))
  }

  func listeners(of app: AppID) -> [Recipient] {
    clients.filter { $0.value.caller.uid == app.uid && $0.value.caller.app == app.app }.map {
      Recipient(client: $0.key, manager: 0)
    }
  }
}

extension LocationService {
  /// The reply to a request about monitoring.
  mutating func monitoring(
    _ request: Request, of caller: Caller, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply {
    let app = AppID(uid: caller.uid, app: caller.app)
    switch request {
    case .startMonitoringVisits:
      registrations[app, default: Registration()].visits = true
    case .startMonitoringSignificantLocationChanges:
      if registrations[app]?.significant == nil {
        registrations[app, default: Registration()].significant = SignificantChange()
      }
    case .startMonitoring(let regions):
      for region in regions {
        guard let shape = RegionShape(region.shape) else {
          throw Refusal(.regionMonitoringFailure, "bad")
        }
        let slot = monitors.board.add(shape)
        monitors.owners[slot] = (app, region.identifier)
        registrations[app, default: Registration()].regions[region.identifier] = (region, slot)
      }
    default: break
    }
    return .done
  }
}
