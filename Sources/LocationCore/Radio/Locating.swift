import LocationModel

// A named server's word of where the machine is.

extension SourceSelection {
  mutating func hear(_ scan: NetworkScan, from source: SourceID, at now: Instant) {
    known.locator.hear(scan, simulated: table.isSimulated(source), at: now)
  }
}

extension LocationService {
  /// Puts the next question, if one is due.
  mutating func askLocator(at now: Instant, into outputs: inout [Output]) {
    guard !sources.known.locator.isIdle else {
      return sources.known.locator.wait(delivery.needsFixes, at: now.boottime)
    }
    if let (number, question) = sources.known.locator.next(for: locatorWant, at: now.boottime) {
      outputs.append(.locate(number, question))
    }
  }

  /// Nil where no client wants a place. Monitoring believes no server.
  private var locatorWant: LocatorQuestions.Want? {
    guard delivery.needsFixes else { return nil }
    var demand = Demand(pace: 0)
    delivery.add(to: &demand)
    let newest = sources.newest
    return LocatorQuestions.Want(
      accuracy: demand.accuracy,
      betterAt: newest.flatMap {
        $0.location.horizontalAccuracy <= LocatorQuestions.better ? $0.arrival : nil
      })
  }

  mutating func locate(
    _ number: Int64, _ result: Result<RadioPlace, Refusal>, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard sources.known.locator.conclude(number, result, at: now.boottime) else { return }
    sources.known.noteAsked(after: sources.newest, at: now)
    delivery.deliverMeanwhile(sources, clients, at: now, into: &outputs)
  }
}

extension KnownPlaces {
  /// The networks around speak against the set place, or for it, where no receiver has just done so.
  mutating func noteAsked(after newest: SourceSelection.NewestLocation?, at now: Instant) {
    guard let place = locator.place(at: now), place.kind == .askedNetworks,
      newest.map({ now.boottime - $0.arrival > Delivery.freshToStart }) ?? true
    else { return }
    note(place, Point(place.coordinate))
  }
}
