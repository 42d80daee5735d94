import LocationModel

// Numbered events: written, told, and told again to who comes back, until they are acknowledged.
extension LocationService {
  /// Gives an event of an app its number. It is told once that is on the disk.
  mutating func note(_ event: Event, to app: App, at now: Instant) {
    guard registrations[app] != nil else { return }
    if registrations[app]?.unconfirmed.contains(event.service) == true {
      toConfirm.insert(app)
      return held.hold(event, of: app, at: now)
    }
    let number = eventTotals.next(of: app, after: registrations[app]?.lastEvent ?? 0)
    let bytes = Kept.bytes(of: event)
    let size = NumberedEvent.size(of: app, bytes)
    registrations[app]?.lastEvent = number
    registrations[app]?.pending.append(NumberedEvent(number: number, event: event, size: size))
    eventTotals.add(size, of: app.uid)
    monitors.changes.append(.event(app, number: number, bytes))
    monitors.happened.append((app, number))
    dropEvents(after: app)
  }

  /// Has what was found out written, in one piece.
  mutating func write(at now: Instant, into outputs: inout [Output]) {
    guard !monitors.changes.isEmpty else { return }
    let happened = monitors.happened
    commit(
      monitors.changes, then: happened.isEmpty ? nil : .happened(happened), into: &outputs)
    monitors.changes.removeAll(keepingCapacity: true)
    monitors.happened.removeAll(keepingCapacity: true)
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
    if trouble != nil { decideMonitoring(of: app) }
  }

  mutating func stopFollowing(_ service: Service, of app: App) {
    if service == .visits { registrations[app]?.visits = false } else { unfollow(app) }
    decideMonitoring(of: app)
  }

  mutating func report(_ number: UInt64, of app: App, into outputs: inout [Output]) {
    guard let i = registrations[app]?.pending.lastIndex(where: { $0.number == number }) else {
      return
    }
    registrations[app]?.pending[i].isWritten = true
    guard let event = registrations[app]?.pending[i].event,
      registrations[app]?.allowed.contains(event.service) == true
    else { return }
    let recipients = listeners(of: app, event)
    guard !recipients.isEmpty else { return }
    let isReduced = registrations[app]?.accuracy == .reduced
    outputs.append(.report(recipients, isReduced ? event.coarse : event, number: number))
  }

  func listeners(of app: App, _ event: Event) -> [Recipient] {
    var recipients: [Recipient] = []
    for (id, client) in clients.all
    where client.listening.isOn && client.caller.owner == app
      && client.access.verdict(for: event.service).isAllowed
    {
      for manager in client.listening.managers(for: event) {
        recipients.append(Recipient(client: id, manager: manager))
      }
    }
    return recipients.sorted { ($0.client.number, $0.manager) < ($1.client.number, $1.manager) }
  }

  /// From now on the connection is told its app's events; those that it missed, at once. A manager
  /// that monitors is told rather than the one that greets.
  mutating func listen(
    _ id: ClientID, to manager: Int?, significant: Bool? = nil, into outputs: inout [Output]
  ) {
    guard let client = clients[id] else { return }
    if let manager {
      let wants = significant ?? client.listening.managers[manager] ?? false
      guard
        client.listening.managers[manager] != nil
          || listeningManagers(of: client.caller.uid) < settings.limits.managersPerUser
      else { return }
      clients[id]?.listening.managers[manager] = wants
    } else {
      clients[id]?.listening.hasGreeted = true
    }
    if !client.listening.isOn { tellMissed(to: id, Service.allCases, into: &outputs) }
  }

  private func listeningManagers(of uid: UInt32) -> Int {
    clients.all.values.reduce(0) { $1.caller.uid == uid ? $0 + $1.listening.managers.count : $0 }
  }

  /// What could not be told while it was not in use, or less was allowed.
  mutating func retell(_ id: ClientID, from before: Access, into outputs: inout [Output]) {
    guard let client = clients[id], client.listening.isOn else { return }
    let regained = Service.allCases.filter {
      client.access.verdict(for: $0).isAllowed && !before.verdict(for: $0).isAllowed
    }
    tellMissed(to: id, regained, into: &outputs)
  }

  private func tellMissed(to id: ClientID, _ services: [Service], into outputs: inout [Output]) {
    guard let client = clients[id], !services.isEmpty,
      let pending = registrations[client.caller.owner]?.pending
    else { return }
    for missed in pending where missed.isWritten && services.contains(missed.event.service) {
      guard case .allow(let accuracy) = client.access.verdict(for: missed.event.service) else {
        continue
      }
      let recipients = client.listening.managers(for: missed.event).map {
        Recipient(client: id, manager: $0)
      }
      let event = accuracy == .reduced ? missed.event.coarse : missed.event
      outputs.append(.report(recipients, event, number: missed.number))
    }
  }

  mutating func acknowledge(
    through number: UInt64, of app: App, at now: Instant, into outputs: inout [Output]
  ) {
    guard let pending = registrations[app]?.pending, let first = pending.first?.number,
      let last = pending.last?.number, first <= number
    else { return }
    // Of what is not told yet nothing is acknowledged, whatever number that may be.
    let number = min(number, last)
    forgetEvents(of: app, through: number)
    launches.calm(app, at: now.boottime)
    commit([.acknowledged(app, through: number)], into: &outputs)
    retireIfIdle(app, at: now, into: &outputs)
  }
}

extension Event {
  /// Which service tells it.
  var service: Service {
    switch self {
    case .didUpdateLocations(_, let service): service
    case .didVisit: .visits
    default: .regions
    }
  }
}
