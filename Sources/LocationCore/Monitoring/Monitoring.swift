import LocationModel

/// The services that run whether or not the app does: registrations, the detectors, and the events that
/// wait to be acknowledged.
struct Monitoring {
  var registrations: [App: Registration] = [:]
  var detectors = Detectors()
  var undecided = UndecidedRegions()
  var regionTotals: [UInt32: RegionTotal] = [:]
  var eventTotals = EventTotals()
  var limits: LocationService.Limits
  /// Events for apps whose Always is provisional.
  var held = HeldEvents()
  /// Apps whose provisional Always is needed now.
  var unconfirmed: Set<App> = []
  /// Apps that are gone and that nothing starts: nothing is powered for them.
  private var resting: Set<App> = []
  /// Apps that monitor other regions than was told last.
  var changedRegions: Set<App> = []
  /// Apps without a decision that the disk still has records of.
  var undecidedRecords: Set<App> = []
  /// The changes to write, and the events to tell then.
  var changes: [Change] = []
  var eventsToReport: [(app: App, number: UInt64)] = []
  /// When the stay was last written, in the track's time.
  var stayKeptAt = 0.0

  init(limits: LocationService.Limits) { self.limits = limits }

  var apps: some Collection<App> { registrations.keys }

  /// Apps that have registered something, or have yet to be told of it.
  var registeredApps: [App] { registrations.filter { $0.value.isAny }.map(\.key) }

  func isRegistered(_ app: App) -> Bool { registrations[app]?.isAny == true }

  /// An event waits for the app that it may be told though it is gone, which only Always allows.
  func isAwaiting(_ app: App) -> Bool {
    guard let registration = registrations[app] else { return false }
    return registration.pending.contains {
      $0.isWritten && registration.allowed.contains($0.event.service)
    }
  }

  var heldBytes: Int {
    regionTotals.values.reduce(0) { $0 + $1.bytes } + eventTotals.bytes.values.reduce(0, +)
  }

  var status: [MonitorStatus] {
    registeredApps.sorted().compactMap { app in
      registrations[app].map {
        var status = MonitorStatus(app: app.name, uid: app.uid)
        status.regions = $0.regions.count
        status.significant = $0.significant
        status.visits = $0.visits
        status.waiting = $0.pending.count
        status.isResting = resting.contains(app)
        return status
      }
    }
  }
}

// MARK: - What was remembered

extension Monitoring {
  /// Restores what the disk has; a record that makes no sense is left where it is.
  mutating func restore(_ remembered: StoreSnapshot, by permissions: PermissionBroker) {
    for (record, bytes) in remembered.records
    where !record.isOfUser && record.kind != AskedToday.kind {
      guard record.app == StoredRecord.global || permissions.isDecided(record.app) else {
        undecidedRecords.insert(record.app)
        continue
      }
      restore(record, StoredRecord.json(bytes))
    }
    for kept in remembered.events {
      guard permissions.isDecided(kept.app) else {
        undecidedRecords.insert(kept.app)
        continue
      }
      guard let event = StoredRecord.event(kept.bytes) else { continue }
      let size = NumberedEvent.size(of: kept.app, kept.bytes)
      registrations[kept.app, default: Registration()].pending.append(
        NumberedEvent(number: kept.number, event: event, size: size, isWritten: true))
      eventTotals.add(size, of: kept.app.uid)
    }
    restoreRegistrants(remembered)
    for (app, number) in remembered.lastEvents {
      registrations[app]?.lastEvent = number
      if registrations[app] == nil { eventTotals.raiseFloor(of: app.uid, to: number) }
    }
    changedRegions = []
  }

  private mutating func restore(_ record: StoreSnapshot.Record, _ json: JSON?) {
    switch record.kind {
    case StoredRecord.visits: registrations[record.app, default: Registration()].visits = true
    case StoredRecord.significant: follow(record.app, StoredRecord.change(json))
    case StoredRecord.region:
      guard let region = json?["region"].flatMap({ try? Region($0) }),
        let shape = WatchedShape(region.shape)
      else { return }
      let state = json?["state"]?.string.flatMap(RegionState.init(rawValue:))
      watch(region, shape, for: record.app, state ?? .unknown)
    case StoredRecord.stay: detectors.visits = VisitDetector(json.flatMap(StoredStay.init))
    default: break
    }
  }

  /// All that the disk is to have of an app.
  func records(of app: App, at now: Instant) -> [Change] {
    func put(_ kind: String, _ bytes: [UInt8], key: String = "") -> Change {
      .put(app, kind: kind, key: key, bytes)
    }
    var changes: [Change] = []
    if app == StoredRecord.global, let stay = detectors.visits.stay {
      changes.append(put(StoredRecord.stay, StoredRecord.bytes(of: stay.json)))
    }
    guard let registration = registrations[app] else {
      if let floor = eventTotals.floors[app.uid] {
        let user = App(uid: app.uid, name: "")
        changes += [.event(user, number: floor, []), .acknowledged(user, through: floor)]
      }
      return changes
    }
    if registration.visits { changes.append(put(StoredRecord.visits, [])) }
    if let change = detectors.changes[app] {
      // As if told now: rather too late than too soon.
      let told =
        change.last.map { StoredRecord.bytes(of: $0, told: now) } ?? StoredRecord.bytes(of: [:])
      changes.append(put(StoredRecord.significant, told))
    }
    for (identifier, monitored) in registration.regions {
      let state = detectors.state(of: monitored.slot)
      changes.append(
        put(StoredRecord.region, StoredRecord.bytes(of: monitored.region, state), key: identifier))
    }
    changes += registration.registrants.keys.map { registrants(of: app, for: $0) }
    for one in registration.pending {
      changes.append(.event(app, number: one.number, StoredRecord.bytes(of: one.event)))
    }
    // No number is given twice, also where the last event has been acknowledged since.
    let last = registration.lastEvent
    if last > 0, registration.pending.last?.number != last {
      changes += [.event(app, number: last, []), .acknowledged(app, through: last)]
    }
    return changes
  }
}

// MARK: - Who may

extension Monitoring {
  /// Decides again what an app that has registered may have, or what all may.
  mutating func decide(
    of app: App?, by permissions: PermissionBroker, _ clients: ClientRegistry
  ) {
    if let app, registrations[app] == nil { return }
    let apps = app.map { [$0] } ?? Array(registrations.keys)
    for app in apps {
      let access = permissions.access(of: app, clients)
      registrations[app]?.accuracy = access.accuracy
      registrations[app]?.allowed = ServiceSet { access.verdict(for: $0).isAllowed }
      registrations[app]?.unconfirmed = ServiceSet { access.verdict(for: $0) == .confirm }
      detectors.changes.turn(registrations[app]?.follows(.significant) == true, app)
    }
    decideNeeds()
  }

  private mutating func decideNeeds() {
    detectors.needed = registrations.reduce(into: ServiceSet()) {
      if resting.isEmpty || !resting.contains($1.key) { $0.formUnion($1.value.needs) }
    }
  }

  mutating func rest(_ apps: Set<App>) {
    guard apps != resting else { return }
    resting = apps
    decideNeeds()
  }

  /// The app follows the service beside its regions.
  func isFollowing(_ service: Service, _ app: App) -> Bool {
    registrations[app]?.has(.init(service)) == true
  }

  /// Gives what is to be written. `caller`: the program that asks.
  mutating func follow(_ service: Service, of app: App, for caller: Caller? = nil) -> [Change] {
    var changes: [Change] = []
    if !isFollowing(service, app) {
      if service == .visits {
        registrations[app, default: Registration()].visits = true
        changes.append(.put(app, kind: StoredRecord.visits, key: "", []))
      } else {
        follow(app, SignificantChange())
        changes.append(
          .put(app, kind: StoredRecord.significant, key: "", StoredRecord.bytes(of: [:])))
      }
    }
    return changes + note(caller, of: app, for: .init(service))
  }

  private mutating func follow(_ app: App, _ change: SignificantChange) {
    registrations[app, default: Registration()].significant = true
    detectors.changes[app] = change
  }

  mutating func unfollow(_ service: Service, of app: App) -> [Change] {
    guard isFollowing(service, app) else { return [] }
    if service == .visits {
      registrations[app]?.visits = false
      return [.remove(app, kind: StoredRecord.visits, key: "")]
    }
    registrations[app]?.significant = false
    detectors.changes[app] = nil
    return [.remove(app, kind: StoredRecord.significant, key: "")]
  }

  /// An app that has nothing registered and no event to be told is none to remember. Its numbers go on.
  mutating func retireIfIdle(_ app: App) -> [Change] {
    guard let registration = registrations[app], !registration.isAny else { return [] }
    forgetEvents(of: app)
    registrations[app] = nil
    decideNeeds()
    return registration.lastEvent > 0 ? [.retire(app)] : []
  }

  mutating func forget(_ app: App) {
    guard let registration = registrations[app] else { return }
    for identifier in registration.regions.keys { unwatch(identifier, of: app) }
    _ = unfollow(.significant, of: app)
    forgetEvents(of: app)
    registrations[app] = nil
    if registrations.isEmpty { registrations = [:] }
    decideNeeds()
  }
}
