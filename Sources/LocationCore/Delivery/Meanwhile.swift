import LocationModel

/// Known places are told while no source says one.
extension Delivery {
  /// Clients miss no source where the set place or a server says where the machine is.
  func deliverNoSource(
    _ sources: SourceSelection, at now: Instant, into outputs: inout [Output]
  ) {
    guard sources.table.haveAllFailed, sources.known.present(at: now) == nil else { return }
    outputs.tell(sessions.filter(\.isActive).map(\.recipient), Self.noSource)
  }

  /// Tells what is known to those that wait for a fix.
  mutating func deliverMeanwhile(
    _ sources: SourceSelection, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard sources.location(within: Self.freshToStart, at: now) == nil else { return }
    let waiting = sessions.indices.filter { sessions[$0].isActive && !sessions[$0].isPaused }
    deliverMeanwhile(waiting, sources, clients, at: now, into: &outputs)
  }

  mutating func deliverMeanwhile(
    _ waiting: [Int], _ sources: SourceSelection, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    let finest = sources.known.best(for: -1, after: sources.newest, at: now)
    let city = sources.known.best(for: StandardRequest.city, after: sources.newest, at: now)
    for (place, isCity) in [(finest, false), (city, true)] {
      guard let place else { continue }
      due.removeAll(keepingCapacity: true)
      for i in waiting
      where !sessions[i].request.isForReceiver
        && (sessions[i].request.desiredAccuracy >= StandardRequest.city) == isCity
      {
        if sessions[i].isCoarse {
          deliverCoarse(place, i, to: clients, at: now, into: &outputs)
        } else if sessions[i].admits(place, Point(place.coordinate)) {
          due.append(sessions[i].recipient)
        }
      }
      outputs.tell(due, .didUpdateLocations(place, .standard))
    }
  }

  /// Answers those who wait for a fix with the place that a person or a server says, where that meets their wish or no
  /// source can give a fix.
  mutating func settle(
    _ sources: SourceSelection, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard !oneShots.isEmpty, let place = sources.known.present(at: now) else { return }
    let isLast = sources.table.haveAllFailed
    for i in oneShots.indices.reversed()
    where isLast && oneShots[i].isActive || oneShots[i].isSatisfied(by: place) {
      answer(oneShots.remove(at: i), place, clients, at: now, into: &outputs)
    }
  }
}
