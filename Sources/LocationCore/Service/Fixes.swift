import LocationModel

extension LocationService {
  mutating func take(
    _ fix: Fix, from source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    counters.fixes += 1
    guard fix.location.isValid else {
      counters.refused += 1
      return
    }
    let seen = Point(fix.location.coordinate)
    let believed = sources.believe(
      fix, seen, from: source, at: now, filtered: settings.isFiltered)
    guard let believed else { return }
    // Detectors have their own ways to calm what they see.
    let sighting =
      monitors.isNeeded || sessions.contains(where: \.mayPause)
      ? monitors.sight(believed, seen, at: now) : nil
    if let sighting { rest(sighting, into: &outputs) }
    let calmed = settings.isFiltered ? whereabouts.calm(believed, seen, from: source) : nil
    let (location, point) = calmed ?? (believed, seen)
    tell(location, point, from: source, at: now, into: &outputs)
    if let sighting { monitor(believed, sighting, at: now, into: &outputs) }
  }

  /// Tells it to who wants it now.
  private mutating func tell(
    _ location: Location, _ point: Point, from source: SourceID, at now: Instant,
    into outputs: inout [Output]
  ) {
    newest = Newest(location: location, arrival: now.boottime, source: source)
    // In the memory of those before: nobody waits for some to be looked for.
    told.removeAll(keepingCapacity: true)
    for i in sessions.indices where sessions[i].isActive && !sessions[i].isPaused {
      if sessions[i].isCoarse {
        tellCoarse(location, i, at: now, into: &outputs)
      } else if sessions[i].takes(location, point) {
        told.append(sessions[i].recipient)
      }
    }
    tell(told, .didUpdateLocations(location, .standard), into: &outputs)

    for i in oneShots.indices.reversed() where oneShots[i].isMet(by: location) {
      let met = oneShots.remove(at: i)
      answer(met, location, at: now, into: &outputs)
    }
  }

  /// Pauses who stands still and wants to be, and resumes who moves on.
  private mutating func rest(_ sighting: Sighting, into outputs: inout [Output]) {
    for i in sessions.indices where sessions[i].mayPause {
      switch sessions[i].rests(sighting) {
      case .paused: tell([sessions[i].recipient], .didPauseLocationUpdates, into: &outputs)
      case .resumed: tell([sessions[i].recipient], .didResumeLocationUpdates, into: &outputs)
      case nil: break
      }
    }
  }

  mutating func tell(
    _ recipients: [Recipient], _ event: Event, into outputs: inout [Output]
  ) {
    guard !recipients.isEmpty else { return }
    counters.told += recipients.count
    outputs.append(.tell(recipients, event))
  }

  mutating func tellCoarse(
    _ location: Location, _ i: Int, at now: Instant, into outputs: inout [Output]
  ) {
    let recipient = sessions[i].recipient
    guard let place = coarse(location, for: recipient.client, at: now),
      sessions[i].takesCoarse(place)
    else { return }
    tell([recipient], .didUpdateLocations(place, .standard), into: &outputs)
  }

  static let noSource = Event.didFail(
    Refusal(.locationUnknown, "No source can give a location now; locationd keeps trying."))

  mutating func fail(
    _ source: SourceID, _ reason: String, at now: Instant, into outputs: inout [Output]
  ) {
    let hadAllFailed = sources.haveAllFailed
    sources.fail(source, reason, at: now)
    tellIfAllHaveFailed(unless: hadAllFailed, into: &outputs)
  }

  mutating func tellIfAllHaveFailed(unless hadAllFailed: Bool, into outputs: inout [Output]) {
    guard sources.haveAllFailed, !hadAllFailed else { return }
    tell(sessions.filter(\.isActive).map(\.recipient), Self.noSource, into: &outputs)
  }
}
