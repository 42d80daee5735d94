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
    let point = Point(fix.location.coordinate)
    let believed = sources.believe(
      fix, point, from: source, at: now, filtered: settings.isFiltered)
    guard let location = believed else { return }
    newest = Newest(location: location, arrival: now.boottime, source: source)
    let sighting =
      monitors.isNeeded || sessions.contains(where: \.mayPause)
      ? monitors.sight(location, point, at: now) : nil
    if let sighting { rest(sighting, into: &outputs) }

    var recipients: [Recipient] = []
    for i in sessions.indices where sessions[i].isActive && !sessions[i].isPaused {
      if sessions[i].isCoarse {
        tellCoarse(location, i, at: now, into: &outputs)
      } else if sessions[i].takes(location, point) {
        if recipients.isEmpty { recipients.reserveCapacity(sessions.count - i) }
        recipients.append(sessions[i].recipient)
      }
    }
    tell(recipients, .didUpdateLocations(location, .standard), into: &outputs)

    for i in oneShots.indices.reversed() where oneShots[i].isMet(by: location) {
      let met = oneShots.remove(at: i)
      answer(met, location, at: now, into: &outputs)
    }
    if let sighting { monitor(location, sighting, at: now, into: &outputs) }
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
