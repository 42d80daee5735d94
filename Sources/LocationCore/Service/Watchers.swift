import LocationModel

// Undecided programs at locationd-share's doors that watch.
extension LocationService {
  /// Asks about those that could not be asked about before: no agent was there, or no person, or the day was not over.
  mutating func askAboutWatchers(at now: Instant, into outputs: inout [Output]) {
    if permissions.wishes.isEmpty || commits.trouble != nil { return }
    let watching = Set(delivery.sessions.lazy.map(\.recipient.client))
    for id in permissions.wishes.sorted() {
      guard let client = clients[id], client.access.authorization == .notDetermined,
        watching.contains(id)
      else {
        permissions.wishes.remove(id)
        continue
      }
      guard client.access.isInUse, permissions.isAskable(client.caller, clients, at: now),
        !permissions.askedToday.contains(client.caller.owner, at: now)
      else { continue }
      let call = Call(id: nil, .requestAuthorization(.authorizedWhenInUse))
      try? ask(
        .whenInUse, for: id, call, client.caller, client.access, at: now, into: &outputs)
    }
  }

  /// When a person who let a question be may be asked again about one that watches on.
  func watchersWakeAt(after now: Instant) -> Boottime? {
    var next: Boottime?
    for id in permissions.wishes {
      guard let app = clients[id]?.caller.owner else { continue }
      next = earliest(next, permissions.asksAgain(about: app, after: now))
    }
    return next
  }
}
