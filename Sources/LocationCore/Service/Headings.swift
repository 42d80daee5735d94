import LocationModel

extension LocationService {
  mutating func take(
    _ heading: Heading, from source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    guard sources.isHeading(source, at: now),
      let heading = compass.believe(
        heading, from: source, near: newest?.location.coordinate, at: now)
    else { return }
    newestHeading = (heading, now.boottime)
    var informed: [Recipient] = []
    var others: [Recipient] = []
    for i in headings.indices {
      let mayKnow = mayKnowPlace(headings[i].recipient.client)
      guard let one = mayKnow ? heading : heading.withoutPlace, headings[i].takes(one) else {
        continue
      }
      if mayKnow {
        informed.append(headings[i].recipient)
      } else {
        others.append(headings[i].recipient)
      }
    }
    tell(informed, .didUpdateHeading(heading), into: &outputs)
    if let rest = heading.withoutPlace { tell(others, .didUpdateHeading(rest), into: &outputs) }
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
      throw Refusal(
        .limitExceeded,
        "Your programs already update \(settings.limits.managersPerUser) managers; stop some.")
    }
    headings.append(session)
    guard let (newest, arrival) = newestHeading, now.boottime - arrival <= Self.freshHeading,
      let heading = mayKnowPlace(session.recipient.client) ? newest : newest.withoutPlace,
      headings[headings.count - 1].takes(heading)
    else { return }
    tell([session.recipient], .didUpdateHeading(heading), into: &outputs)
  }

  /// True north shows, a little, where one is.
  private func mayKnowPlace(_ client: ClientID) -> Bool {
    clients[client]?.access.verdict(for: .heading).isAllowed ?? false
  }

  private static let freshHeading: Int64 = 1_000_000_000
}

extension Heading {
  /// What may be told to someone who may not know the place; nil where that is nothing.
  fileprivate var withoutPlace: Heading? {
    guard magneticHeading != nil else { return nil }
    var heading = self
    heading.trueHeading = nil
    return heading
  }
}
