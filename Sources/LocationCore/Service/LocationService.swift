package import LocationModel
import ReceiverCore

/// The daemon's mind: what happens goes in, what is to be done comes out. It knows no machine.
///
/// It routes each input to the parts, which own their state, and carries what one part finds out to the
/// others.
package struct LocationService {
  var settings: Settings
  /// The name of the memory of events.
  let ledger: Int64?
  var clients = ClientRegistry()
  var sources: SourceSelection
  var radio: Radio
  var delivery = Delivery()
  var ranging = Ranging()
  var advertising = Advertising()
  var monitoring: Monitoring
  var permissions: PermissionBroker
  var launcher: AppLauncher
  var commits: CommitLog
  var agents: AgentMemory
  var history: AccessHistory
  var open = OpenSessions()
  var uses = ShownUses()
  var recognition = Recognition()
  /// Clients with a name that had registered something before they had it.
  var heirs: [ClientID] = []
  var counters = Status.Counters()
  private(set) var wakeAsked: Boottime?
  /// When the first of what no fix moves is due.
  private var restWakesAt: Boottime?

  package init(_ settings: Settings, _ remembered: StoreSnapshot = .init(), at now: Instant) {
    self.settings = settings
    ledger = remembered.ledger
    sources = SourceSelection(settings, remembered, at: now)
    radio = Radio(settings, remembered)
    monitoring = Monitoring(limits: settings.limits)
    permissions = PermissionBroker(settings, remembered, at: now)
    launcher = AppLauncher(at: now)
    commits = CommitLog(trouble: remembered.trouble)
    agents = AgentMemory(remembered, at: now)
    history = AccessHistory(settings, remembered, at: now)
    monitoring.restore(remembered, by: permissions)
    monitoring.decide(of: nil, by: permissions, clients)
    for (record, bytes) in remembered.records
    where !record.isOfUser && permissions.isDecided(record.app) {
      launcher.restore(record, StoredRecord.json(bytes), at: now)
    }
    for app in monitoring.registeredApps { launcher.units.didDisconnect(app, asksAt: now.boottime) }
  }

  package mutating func handle(_ input: Input, at now: Instant, into outputs: inout [Output]) {
    let before = outputs.count
    // A fix changes nobody's rights, and most come before anything is due.
    let isFix = input.isFix
    let isEarly = isFix && wakeAsked.map { now.boottime < $0 } ?? true
    route(input, at: now, into: &outputs)
    if !isFix { review(at: now, into: &outputs) }
    if isEarly {
      followFix(at: now, into: &outputs)
    } else {
      followUp(isFix: isFix, at: now, into: &outputs)
    }
    for i in before..<outputs.count { note(outputs[i], at: now, into: &outputs) }
    if !input.isReading { noteEnds(at: now) }
    if commits.trouble == nil { write(history.drainDue(at: now), into: &outputs) }
    let mayShow = !isFix || history.hasNews
    if mayShow { showUses(at: now, into: &outputs) }
    if mayShow || !isEarly { restWakesAt = restDue(after: now) }
    askToWake(into: &outputs)
  }

  /// Hands the input to the part that it is about.
  private mutating func route(
    _ input: Input, at now: Instant, into outputs: inout [Output]
  ) {
    switch input {
    case .reading(let source, .fix(let fix)): accept(fix, from: source, at: now, into: &outputs)
    case .reading(let source, .heading(let heading)):
      guard let newest = sources.accept(heading, from: source, at: now) else { break }
      delivery.deliver(newest, by: &sources, to: clients, at: now, into: &outputs)
    case .reading(let source, .scan(let scan)): hear(scan, by: source, at: now, into: &outputs)
    case .reading(let source, .beacons(let scan)):
      hear(scan, by: source, at: now, into: &outputs)
    case .reading(_, .clock): break
    case .heard(let cell): sources.known.locator.hear(cell, at: now)
    case .located(let number, let result): locate(number, result, at: now, into: &outputs)
    case .scanAnswered(_, let isGranted): radio.noteAnswer(isGranted: isGranted, at: now.boottime)
    case .networks(let rows, let areAll): radio.restore(rows, areAll: areAll)
    case .found(let source):
      sources.table.find(source, at: now)
      listenForBeacons(by: source, at: now)
    case .failed(let source, let reason):
      let hadAllFailed = sources.table.haveAllFailed
      sources.table.fail(source, reason, at: now)
      endListening(by: source, reason, into: &outputs)
      if !hadAllFailed { delivery.deliverNoSource(sources, at: now, into: &outputs) }
    case .advertised(let frame, let trouble): noteAdvertised(frame, trouble, into: &outputs)
    case .connected(let id, let caller):
      welcome(id, caller)
      recognize(id, caller)
      write(launcher.didConnect(caller.owner, in: monitoring, at: now), into: &outputs)
    case .called(let client, let call): answer(call, of: client, at: now, into: &outputs)
    case .finished(let client):
      if clients[client] != nil { clients.finished.insert(client) }
    case .gone(let client): forget(client, at: now, into: &outputs)
    case .present(let users):
      guard users != permissions.use.present else { break }
      permissions.use.present = users
      admit(at: now, into: &outputs)
    case .answered(let agent, .question(let number), let answer):
      conclude(number, by: agent, answer, at: now, into: &outputs)
    case .answered(let agent, .launch(let number), let answer):
      let trouble = answer == nil ? "its user's agent could not" : nil
      launcher.finish(number, by: agent, trouble, at: now, into: &outputs)
    case .answered(_, .program, _): break
    case .looked(let uid, let process, let clue, let socket):
      recognition.end(Recognition.Program(uid: uid, process: process, socket: socket), clue)
    case .consented(let number, let consent):
      handle(consent, for: number, at: now, into: &outputs)
    case .ownerFound(let number, let place): endSearch(number, place, into: &outputs)
    case .launched(let number, let trouble):
      launcher.finish(number, by: nil, trouble, at: now, into: &outputs)
    case .unitFound(let unit, let state):
      launcher.accept(state, of: unit, at: now, into: &outputs)
    case .configured(let settings): configure(settings, at: now, into: &outputs)
    case .committed(let id): finish(id, nil, at: now, into: &outputs)
    case .commitFailed(let id, let trouble): finish(id, trouble, at: now, into: &outputs)
    case .ending:
      for client in clients.inOrder { noteEndOfUse(by: client, at: now) }
      write(permissions.usage.drain() + history.drain(), into: &outputs)
      writePauses(isEnding: true, at: now, into: &outputs)
      write(sources.drainDue(isEnding: true, at: now), into: &outputs)
      write(radio.drainDue(isEnding: true, at: now), into: &outputs)
    case .timer: counters.wakeUps += 1
    }
  }

  /// Changes what apps may do, as time or the input demands.
  private mutating func review(at now: Instant, into outputs: inout [Output]) {
    permissions.giveUpLate(clients, at: now, into: &outputs)
    lookAgain(at: now, into: &outputs)
    rename(at: now, into: &outputs)
    release(at: now, into: &outputs)
    endTemporaryGrants(at: now, into: &outputs)
    endPauses(at: now, into: &outputs)
    permissions.notifyHolds(clients, into: &outputs)
    confirm(at: now, into: &outputs)
    askAboutWatchers(at: now, into: &outputs)
    reviewUnits(at: now, into: &outputs)
    monitoring.forgetStay()
  }

  /// Follows up on a fix before which nothing is due.
  private mutating func followFix(at now: Instant, into outputs: inout [Output]) {
    if monitoring.held.hasNews { confirm(at: now, into: &outputs) }
    writeChanges(into: &outputs)
    supply(at: now, into: &outputs)
    if commits.trouble == nil { write(sources.drainDue(at: now), into: &outputs) }
    monitoring.notifyChangedRegions(into: &outputs)
    hangUp(into: &outputs)
  }

  /// Follows up: silence may say something, and there may be something to write, open or start.
  private mutating func followUp(isFix: Bool, at now: Instant, into outputs: inout [Output]) {
    monitoring.observeSilence(clients, &delivery.coarsePlaces, at: now, into: &outputs)
    if monitoring.held.hasNews { confirm(at: now, into: &outputs) }
    writeChanges(into: &outputs)
    delivery.expire(sources, clients, at: now, into: &outputs)
    ranging.tell(at: now, into: &outputs)
    supply(at: now, into: &outputs)
    if !isFix {
      delivery.settle(sources, clients, at: now, into: &outputs)
      askLocator(at: now, into: &outputs)
    }
    write(permissions.usage.drainDue(at: now), into: &outputs)
    if commits.trouble == nil {
      write(agents.drainDue(at: now), into: &outputs)
      write(permissions.askedToday.drain(), into: &outputs)
      write(sources.drainDue(at: now), into: &outputs)
      write(radio.drainDue(at: now), into: &outputs)
    }
    writeAgain(at: now, into: &outputs)
    // A fix's events are written first, and come back as an input.
    if !isFix { relaunch(at: now, into: &outputs) }
    monitoring.notifyChangedRegions(into: &outputs)
    hangUp(into: &outputs)
  }

  private mutating func askToWake(into outputs: inout [Output]) {
    var next = earliest(restWakesAt, earliest(sources.wakesAt, delivery.wakesAt))
    next = earliest(next, earliest(radio.wakesAt, monitoring.detectors.wakesAt))
    if commits.trouble == nil { next = earliest(next, earliest(history.dueAt, radio.writesAt)) }
    guard next != wakeAsked else { return }
    wakeAsked = next
    outputs.append(.wake(at: next))
  }

  /// When the first of what no fix moves is due.
  private func restDue(after now: Instant) -> Boottime? {
    var next = earliest(permissions.wakesAt, earliest(commits.wakesAt, recognition.wakesAt))
    next = earliest(next, earliest(uses.wakesAt, watchersWakeAt(after: now)))
    next = earliest(next, earliest(ranging.wakesAt, commits.trouble == nil ? agents.wakesAt : nil))
    return earliest(next, launcher.wakesAt(isAnyRegistered: !monitoring.registrations.isEmpty))
  }
}

// MARK: - Fixes

extension LocationService {
  mutating func accept(
    _ fix: Fix, from source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    counters.fixes += 1
    guard fix.location.isValid else {
      counters.refused += 1
      return
    }
    guard let fix = sources.accept(fix, from: source, at: now) else { return }
    if radio.isOn { radio.handle(fix.seen, from: source, at: now) }
    // Detectors have their own ways to smooth what they see.
    let sighting =
      monitoring.detectors.isNeeded || delivery.mayPause
      ? monitoring.detectors.sight(fix.seen, fix.seenPoint, at: now) : nil
    if let sighting { delivery.pause(after: sighting, into: &outputs) }
    delivery.deliver(fix.told, fix.toldPoint, to: clients, at: now, into: &outputs)
    guard let sighting else { return }
    monitoring.observe(
      Observation(location: fix.seen, sighting: sighting, now: now), clients,
      &delivery.coarsePlaces, into: &outputs)
  }

  private mutating func supply(at now: Instant, into outputs: inout [Output]) {
    var demand = Demand(pace: sources.newest?.location.speed ?? 0)
    delivery.add(to: &demand)
    if let need = monitoring.detectors.need { demand.add(need) }
    sources.supply(
      delivery.needsFixes || monitoring.detectors.isNeeded ? demand : nil,
      headings: !delivery.headings.isEmpty,
      beacons: needsBeacons ? .beacons(ranging: ranging.isNeeded) : nil, at: now, into: &outputs)
    if !needsBeacons { restBeacons() }
    advertising.supply(into: &outputs)
    if radio.isOn { scan(at: now, into: &outputs) }
  }
}
