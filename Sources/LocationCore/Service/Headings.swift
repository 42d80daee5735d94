import LocationModel

extension LocationService {
  mutating func take(
    _ said: Heading, from source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    guard sources.isHeading(source, at: now),
      let heading = compass.believe(
        said, from: source, near: newest?.location.coordinate, at: now)
    else { return }
    newestHeading = NewestHeading(said: said, heading: heading, arrival: now.boottime)
    var informed: [Recipient] = []
    var others: [Recipient] = []
    let unplaced = said.withoutPlace
    for i in headings.indices {
      let recipient = headings[i].recipient
      switch clients[recipient.client]?.access.verdict(for: .heading) {
      case .allow(.full): if headings[i].takes(heading) { informed.append(recipient) }
      case .allow(.reduced):
        if let coarse = coarse(said, for: recipient.client, at: now), headings[i].takes(coarse) {
          tell([recipient], .didUpdateHeading(coarse), into: &outputs)
        }
      default:
        if let unplaced, headings[i].takes(unplaced) { others.append(recipient) }
      }
    }
    tell(informed, .didUpdateHeading(heading), into: &outputs)
    if let unplaced { tell(others, .didUpdateHeading(unplaced), into: &outputs) }
  }

  mutating func start(
    _ session: HeadingSession, of caller: Caller, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    if let i = headings.firstIndex(where: { $0.recipient == session.recipient }) {
      headings[i].request = session.request
      return
    }
    guard
      count(of: caller, in: headings.lazy.map(\.recipient.client))
        < settings.limits.managersPerUser
    else {
      throw .limit(
        "Your programs already update \(Count(settings.limits.managersPerUser, "manager"))",
        "ManagersPerUser")
    }
    headings.append(session)
    guard let newest = newestHeading, now.boottime - newest.arrival <= Self.freshHeading,
      let heading = seen(newest, by: session.recipient.client, at: now),
      headings[headings.count - 1].takes(heading)
    else { return }
    tell([session.recipient], .didUpdateHeading(heading), into: &outputs)
  }

  /// Beside magnetic north, true north shows where one is, and so does how far it may be off.
  private mutating func seen(
    _ newest: NewestHeading, by client: ClientID, at now: Instant
  ) -> Heading? {
    switch clients[client]?.access.verdict(for: .heading) {
    case .allow(.full): newest.heading
    case .allow(.reduced): coarse(newest.said, for: client, at: now)
    default: newest.said.withoutPlace
    }
  }

  private mutating func coarse(
    _ said: Heading, for client: ClientID, at now: Instant
  ) -> Heading? {
    guard let location = newest?.location, let place = coarse(location, for: client, at: now)
    else { return said.withoutPlace }
    return compass.coarse(said, near: place.coordinate, at: now)
  }

  private static let freshHeading: Int64 = 1_000_000_000
}

/// A heading, and when it came.
struct NewestHeading {
  /// As its source said it.
  var said: Heading
  /// With both norths, where the place is known.
  var heading: Heading
  var arrival: Int64
}

extension Heading {
  /// What may be told of what a source said to someone who may not know the place; nil where that
  /// is nothing.
  fileprivate var withoutPlace: Heading? {
    guard magneticHeading != nil else { return nil }
    var heading = self
    heading.trueHeading = nil
    return heading
  }
}
