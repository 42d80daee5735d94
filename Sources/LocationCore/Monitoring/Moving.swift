import LocationModel

/// The registrations and events of a program that was `user:NAME` until its agent came, on the way to its own name.
///
/// * Only what this process has asked for moves; what another nameless one asked for too stays as well.
/// * All of it is one commit: after a kill it is the old name's or the new one's, never both or neither.
/// * Nothing is watched twice: where the name has the same region, its own watch goes on.
/// * An event that this connection was told is not told again under the other name.
/// * Numbers grow on each connection: events that it was not told get higher ones than those that it was.
struct Move {
  var process: ProcessID
  var old: App
  var new: App
  /// The numbered events that the connection was told, with the highest number.
  var heard = HeardEvents()
  /// The name may not have anything: what it asked for ends.
  var isRefused: Bool
  /// The limits of a user hold.
  var isLimited: Bool
  var now: Instant

  /// The changes to write in one piece.
  private(set) var changes: [Change] = []
  /// Events that are told once that is done.
  private(set) var numbered: [(app: App, number: UInt64)] = []
  /// Regions for which there is no room.
  private(set) var failed: [String] = []
  private var moved: Set<Registration.Wish> = []
  /// Those of them that another program asked for, too.
  private var shared: Set<Registration.Wish> = []

  init(
    _ process: ProcessID, from old: App, to new: App, heard: HeardEvents, isRefused: Bool,
    isLimited: Bool, at now: Instant
  ) {
    self.process = process
    self.old = old
    self.new = new
    self.heard = heard
    self.isRefused = isRefused
    self.isLimited = isLimited
    self.now = now
  }
}

extension Registration.Wish {
  /// The key of its record.
  fileprivate var key: String {
    switch self {
    case .significant: StoredRecord.significant
    case .visits: StoredRecord.visits
    case .region(let identifier): "\(StoredRecord.region) \(identifier)"
    }
  }

  fileprivate init?(key: String) {
    switch key {
    case StoredRecord.significant: self = .significant
    case StoredRecord.visits: self = .visits
    case _ where key.hasPrefix("\(StoredRecord.region) "):
      self = .region(String(key.dropFirst(StoredRecord.region.count + 1)))
    default: return nil
    }
  }
}

extension Monitoring {
  /// A program without a name of its own takes what it asked for with it when it has one. Gives what is to be
  /// written for that.
  mutating func note(
    _ caller: Caller?, of app: App, for wish: Registration.Wish
  ) -> [Change] {
    guard let caller, caller.wantsClue, let process = caller.process,
      registrations[app]?.note(process, for: wish) == true
    else { return [] }
    return [registrants(of: app, for: wish)]
  }

  /// The record of who asked for it.
  func registrants(of app: App, for wish: Registration.Wish) -> Change {
    guard let processes = registrations[app]?.registrants[wish] else {
      return .remove(app, kind: StoredRecord.asked, key: wish.key)
    }
    let json = JSON.array(processes.map(\.json))
    return .put(app, kind: StoredRecord.asked, key: wish.key, StoredRecord.bytes(of: json))
  }

  mutating func restoreRegistrants(_ remembered: StoreSnapshot) {
    for (record, bytes) in remembered.records where record.kind == StoredRecord.asked {
      guard let wish = Registration.Wish(key: record.key),
        registrations[record.app]?.has(wish) == true
      else { continue }
      let processes = (StoredRecord.json(bytes)?.array ?? []).compactMap(ProcessID.init)
      registrations[record.app]?.registrants[wish] = processes
    }
  }

  /// The nameless app of the user for which the process has registered something.
  func nameless(of uid: UInt32, registeredBy process: ProcessID) -> App? {
    registrations.first { app, registration in
      app.uid == uid && registration.registrants.values.contains { $0.contains(process) }
    }?.key
  }

  /// Moves all that the process has registered.
  mutating func move(_ move: inout Move) {
    move.services(&self)
    move.regions(&self)
    move.events(&self)
    let rest = retireIfIdle(move.old)
    move.retire(rest)
  }
}

extension Move {
  fileprivate mutating func retire(_ rest: [Change]) { changes += rest }

  /// Whether the process has asked for it; what nobody else has asked for leaves the old name.
  private mutating func takes(_ wish: Registration.Wish, _ monitoring: inout Monitoring) -> Bool {
    guard var askers = monitoring.registrations[old]?.registrants[wish], askers.contains(process)
    else { return false }
    askers.removeAll { $0 == process }
    monitoring.registrations[old]?.registrants[wish] = askers.isEmpty ? nil : askers
    changes.append(monitoring.registrants(of: old, for: wish))
    moved.insert(wish)
    if !askers.isEmpty { shared.insert(wish) }
    return true
  }

  fileprivate mutating func services(_ monitoring: inout Monitoring) {
    for service in [Service.visits, .significant] {
      let wish = Registration.Wish(service)
      guard takes(wish, &monitoring) else { continue }
      let change = monitoring.detectors.changes[old]
      if !shared.contains(wish) { changes += monitoring.unfollow(service, of: old) }
      if isRefused { continue }
      changes += monitoring.follow(service, of: new)
      // The last change that it was told counts on.
      guard service == .significant, let change, let last = change.last else { continue }
      monitoring.detectors.changes[new] = change
      let bytes = StoredRecord.bytes(of: last, told: now)
      changes.append(.put(new, kind: StoredRecord.significant, key: "", bytes))
    }
  }

  fileprivate mutating func regions(_ monitoring: inout Monitoring) {
    let all = monitoring.registrations[old]?.regions ?? [:]
    for (identifier, monitored) in all.sorted(by: { $0.key < $1.key })
    where takes(.region(identifier), &monitoring) {
      let region = monitored.region
      let state = monitoring.detectors.state(of: monitored.slot)
      if !shared.contains(.region(identifier)) {
        monitoring.unwatch(identifier, of: old)
        changes.append(.remove(old, kind: StoredRecord.region, key: identifier))
      }
      guard !isRefused else { continue }
      if monitoring.registrations[new]?[identifier]?.region.shape == region.shape {
        monitoring.registrations[new]?[identifier]?.region = region
      } else {
        do throws(Refusal) {
          try monitoring.checkRoom(for: [region], of: new, isLimited: isLimited)
        } catch {
          failed.append(identifier)
          continue
        }
        guard let shape = WatchedShape(region.shape) else { continue }
        monitoring.unwatch(identifier, of: new)
        monitoring.watch(region, shape, for: new, state, at: now)
      }
      if monitored.isAsked { monitoring.registrations[new]?[identifier]?.isAsked = true }
      guard let slot = monitoring.registrations[new]?[identifier]?.slot else { continue }
      let known = monitoring.detectors.state(of: slot)
      changes.append(
        .put(new, kind: StoredRecord.region, key: identifier, StoredRecord.bytes(of: region, known))
      )
    }
  }

  private func concerns(_ event: Event, _ wishes: Set<Registration.Wish>) -> Bool {
    switch event {
    case .didVisit: wishes.contains(.visits)
    case .didUpdateLocations: wishes.contains(.significant)
    case .didEnterRegion(let identifier, _), .didExitRegion(let identifier, _):
      wishes.contains(.region(identifier))
    default: false
    }
  }

  fileprivate mutating func events(_ monitoring: inout Monitoring) {
    let before = monitoring.registrations[old]?.pending ?? []
    let leaving = before.filter { concerns($0.event, moved) }
    let staying = before.filter { !concerns($0.event, moved) || concerns($0.event, shared) }
    if staying.count < before.count {
      monitoring.replaceEvents(of: old, by: staying, &changes)
    }
    guard !isRefused, heard.last > 0 || !leaving.isEmpty else { return }
    var all = leaving
    var last = max(
      heard.last, leaving.last?.number ?? 0, monitoring.registrations[new]?.lastEvent ?? 0)
    for var event in monitoring.registrations[new]?.pending ?? []
    where !heard.contains(event.event) && !leaving.contains(where: { $0.event == event.event }) {
      last += 1
      event.number = last
      event.isWritten = false
      numbered.append((new, last))
      all.append(event)
    }
    guard monitoring.registrations[new] != nil || !all.isEmpty else { return }
    monitoring.replaceEvents(of: new, by: all, through: last, &changes)
  }
}

extension Monitoring {
  /// These wait for the app from now on, and no others. `last`: numbers go on after it.
  fileprivate mutating func replaceEvents(
    of app: App, by events: [NumberedEvent], through last: UInt64 = 0, _ changes: inout [Change]
  ) {
    let before = registrations[app]?.pending ?? []
    for event in before { eventTotals.remove(event.size, of: app.uid) }
    let highest = max(last, registrations[app]?.lastEvent ?? 0)
    changes.append(.acknowledged(app, through: highest))
    var new: [NumberedEvent] = []
    for var event in events {
      let bytes = StoredRecord.bytes(of: event.event)
      event.size = NumberedEvent.size(of: app, bytes)
      eventTotals.add(event.size, of: app.uid)
      new.append(event)
      changes.append(.event(app, number: event.number, bytes))
    }
    registrations[app, default: Registration()].pending = new
    if let last = new.last?.number { registrations[app]?.lastEvent = last }
    // The last number of those that wait is the app's last, so that a higher one is kept as its user's.
    if highest > registrations[app]?.lastEvent ?? 0, highest > eventTotals.floors[app.uid] ?? 0 {
      eventTotals.raiseFloor(of: app.uid, to: highest)
      let user = App(uid: app.uid, name: "")
      changes += [.event(user, number: highest, []), .acknowledged(user, through: highest)]
    }
    for _ in new { dropEvents(after: app) }
  }
}
