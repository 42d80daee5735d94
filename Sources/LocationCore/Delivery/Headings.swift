import LocationModel

// Headings: true north shows where the device is, and so does how far a heading may be off.
extension Delivery {
  /// Tells the heading to each client that is due, as far as the client may know the place.
  mutating func deliver(
    _ newest: SourceSelection.NewestHeading, by sources: inout SourceSelection,
    to clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) {
    var informed: [Recipient] = []
    var others: [Recipient] = []
    let unplaced = newest.said.withoutPlace
    for i in headings.indices {
      let recipient = headings[i].recipient
      switch clients[recipient.client]?.access.verdict(for: .heading) {
      case .allow(.full): if headings[i].admits(newest.heading) { informed.append(recipient) }
      case .allow(.reduced):
        let coarse = coarse(newest.said, by: &sources, for: recipient.client, clients, at: now)
        if let coarse, headings[i].admits(coarse) {
          outputs.tell([recipient], .didUpdateHeading(coarse))
        }
      default:
        if let unplaced, headings[i].admits(unplaced) { others.append(recipient) }
      }
    }
    outputs.tell(informed, .didUpdateHeading(newest.heading))
    if let unplaced { outputs.tell(others, .didUpdateHeading(unplaced)) }
  }

  /// False where the manager has no session yet.
  mutating func change(_ session: HeadingSession) -> Bool {
    guard let i = headings.firstIndex(where: { $0.recipient == session.recipient }) else {
      return false
    }
    headings[i].request = session.request
    return true
  }

  mutating func start(
    _ session: HeadingSession, by sources: inout SourceSelection, _ clients: ClientRegistry,
    at now: Instant, into outputs: inout [Output]
  ) {
    headings.append(session)
    guard let newest = sources.freshHeading(at: now),
      let heading = seen(newest, by: &sources, session.recipient.client, clients, at: now),
      headings[headings.count - 1].admits(heading)
    else { return }
    outputs.tell([session.recipient], .didUpdateHeading(heading))
  }

  mutating func stopHeading(_ recipient: Recipient) {
    headings.removeAll { $0.recipient == recipient }
  }

  private mutating func seen(
    _ newest: SourceSelection.NewestHeading, by sources: inout SourceSelection,
    _ client: ClientID, _ clients: ClientRegistry, at now: Instant
  ) -> Heading? {
    switch clients[client]?.access.verdict(for: .heading) {
    case .allow(.full): newest.heading
    case .allow(.reduced): coarse(newest.said, by: &sources, for: client, clients, at: now)
    default: newest.said.withoutPlace
    }
  }

  private mutating func coarse(
    _ said: Heading, by sources: inout SourceSelection, for client: ClientID,
    _ clients: ClientRegistry, at now: Instant
  ) -> Heading? {
    guard let location = sources.newest?.location, let app = clients.owner(of: client) else {
      return said.withoutPlace
    }
    let place = coarsePlaces.place(location, of: app, at: now)
    return sources.heading(said, near: place, at: now)
  }
}

extension Heading {
  /// The heading for a client that may not know the place; nil where nothing may be told.
  fileprivate var withoutPlace: Heading? {
    guard magneticHeading != nil else { return nil }
    var heading = self
    heading.trueHeading = nil
    return heading
  }
}
