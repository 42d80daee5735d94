import LocationModel

// Numbered events: written, told, and told again to a client that comes back, until they are acknowledged.
extension Monitoring {
  /// Gives an event of an app its number. It is told once that is on the disk.
  mutating func note(_ event: Event, to app: App, at now: Instant) {
    guard registrations[app] != nil else { return }
    if registrations[app]?.unconfirmed.contains(event.service) == true {
      unconfirmed.insert(app)
      return held.hold(event, of: app, at: now)
    }
    let number = eventTotals.next(of: app, after: lastNumber(of: app))
    let bytes = StoredRecord.bytes(of: event)
    let size = NumberedEvent.size(of: app, bytes)
    registrations[app]?.lastEvent = number
    registrations[app]?.pending.append(NumberedEvent(number: number, event: event, size: size))
    eventTotals.add(size, of: app.uid)
    changes.append(.event(app, number: number, bytes))
    eventsToReport.append((app, number))
    dropEvents(after: app)
  }

  /// An event of a program without a name of its own has a higher number than any of its user's: it may
  /// move to the name of a program that was told those.
  private func lastNumber(of app: App) -> UInt64 {
    guard AppName(app.name)?.kind == .user else { return registrations[app]?.lastEvent ?? 0 }
    return registrations.lazy.filter { $0.key.uid == app.uid }.map(\.value.lastEvent).max() ?? 0
  }

  /// The changes to write in one piece, and what follows then.
  mutating func drainChanges() -> (changes: [Change], continuation: Continuation?) {
    defer {
      changes.removeAll(keepingCapacity: true)
      eventsToReport.removeAll(keepingCapacity: true)
    }
    return (changes, eventsToReport.isEmpty ? nil : .report(eventsToReport))
  }

  /// The event is written, or could not be: it grants nothing, so that it is told all the same.
  mutating func report(
    _ number: UInt64, of app: App, to clients: ClientRegistry, into outputs: inout [Output]
  ) {
    guard let i = registrations[app]?.pending.lastIndex(where: { $0.number == number }) else {
      return
    }
    registrations[app]?.pending[i].isWritten = true
    guard let event = registrations[app]?.pending[i].event,
      registrations[app]?.allowed.contains(event.service) == true
    else { return }
    let recipients = listeners(of: app, event, clients)
    guard !recipients.isEmpty else { return }
    let isReduced = registrations[app]?.accuracy == .reduced
    outputs.append(.report(recipients, isReduced ? event.coarse : event, number: number))
  }

  func listeners(of app: App, _ event: Event, _ clients: ClientRegistry) -> [Recipient] {
    var recipients: [Recipient] = []
    for (id, client) in clients.all
    where client.listening.isOn && client.caller.owner == app
      && client.access.verdict(for: event.service).isAllowed
    {
      for manager in client.listening.managers(for: event) {
        recipients.append(Recipient(client: id, manager: manager))
      }
    }
    return recipients.sorted()
  }

  /// The client listens from now on: what it missed is told at once.
  func deliverMissed(
    to id: ClientID, _ client: Client, _ services: [Service], after number: UInt64 = 0,
    into outputs: inout [Output]
  ) {
    guard !services.isEmpty, let pending = registrations[client.caller.owner]?.pending else {
      return
    }
    for missed in pending
    where missed.isWritten && missed.number > number && services.contains(missed.event.service) {
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

  /// Tells the events that came while the client was not in use, or was allowed less.
  func deliverRegained(
    to id: ClientID, _ client: Client, before: Access, into outputs: inout [Output]
  ) {
    guard client.listening.isOn else { return }
    let regained = Service.allCases.filter {
      client.access.verdict(for: $0).isAllowed && !before.verdict(for: $0).isAllowed
    }
    deliverMissed(to: id, client, regained, into: &outputs)
  }

  /// Nil where there is nothing to acknowledge.
  mutating func acknowledge(through number: UInt64, of app: App) -> [Change]? {
    guard let pending = registrations[app]?.pending, let first = pending.first?.number,
      let last = pending.last?.number, first <= number
    else { return nil }
    // An event that is not told yet is not acknowledged, whatever the number.
    let number = min(number, last)
    forgetEvents(of: app, through: number)
    return [.acknowledged(app, through: number)]
  }
}

extension Event {
  /// The service that tells it.
  var service: Service {
    switch self {
    case .didUpdateLocations(_, let service): service
    case .didVisit: .visits
    case .didRangeBeacons, .rangingDidFail, .didStartAdvertising, .advertisingDidFail: .beacons
    default: .regions
    }
  }
}

/// The numbered events that a connection was told while it had no name of its own.
struct HeardEvents {
  private(set) var events: [Event] = []
  private(set) var last: UInt64 = 0

  private static let most = 32

  mutating func note(_ event: Event, _ number: UInt64) {
    last = max(last, number)
    events.append(event)
    if events.count > Self.most { events.removeFirst() }
  }

  mutating func add(_ other: Self) {
    for event in other.events { note(event, other.last) }
    last = max(last, other.last)
  }

  func contains(_ event: Event) -> Bool { events.contains { $0 == event || $0 == event.coarse } }
}
