import LocationModel

// Clients that leave.

extension LocationService {
  mutating func forget(
    _ client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    let app = clients.owner(of: client)
    launcher.searches.forget(client)
    launcher.forgetAgent(client, at: now, into: &outputs)
    if let app { write(launcher.didDisconnect(app, in: monitoring, at: now), into: &outputs) }
    noteEndOfUse(by: client, at: now)
    permissions.forget(client, clients, at: now, into: &outputs)
    recognition.forget(client)
    if let app { monitoring.forgetUndecided(of: client, app) }
    clients.remove(client)
    delivery.forget(client)
    ranging.forget(client, at: now)
    advertising.forget(client)
    if let app { monitoring.decide(of: app, by: permissions, clients) }
  }

  /// A client that asks nothing more is let go when nothing more is owed to it.
  mutating func hangUp(into outputs: inout [Output]) {
    guard !clients.finished.isEmpty else { return }
    let busy = delivery.clients.union(ranging.sessions.lazy.map(\.recipient.client))
      .union(advertising.clients)
    for client in clients.finished.subtracting(busy).sorted()
    where !commits.isWaiting(client) && !permissions.questions.isWaiting(client)
      && !permissions.consents.isWaiting(client) && !permissions.pauses.isWaiting(client)
      && !launcher.searches.isWaiting(client)
      && !recognition.isHolding(client)
    {
      clients.finished.remove(client)
      outputs.append(.hangUp(client))
    }
  }
}
