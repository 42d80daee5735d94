import LocationModel

// Programs at locationd-share's doors that watch, and that nobody has decided about.
extension LocationService {
  /// Asks about those that could not be asked about before: no agent was there, or no person.
  mutating func askAboutWatchers(at now: Instant, into outputs: inout [Output]) {
    if permissions.wishes.isEmpty || commits.trouble != nil { return }
    let watching = Set(delivery.sessions.lazy.map(\.recipient.client))
    for id in permissions.wishes.sorted() {
      guard let client = clients[id], client.access.authorization == .notDetermined,
        watching.contains(id), !permissions.askedToday.contains(client.caller.owner, at: now)
      else {
        permissions.wishes.remove(id)
        continue
      }
      guard client.access.isInUse, permissions.isAskable(client.caller, clients, at: now) else {
        continue
      }
      let call = Call(id: nil, .requestAuthorization(.authorizedWhenInUse))
      try? ask(
        .whenInUse, for: id, call, client.caller, client.access, at: now, into: &outputs)
    }
  }
}
