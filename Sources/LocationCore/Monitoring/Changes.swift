import LocationModel

// Significant changes: who is told of which place.
extension LocationService {
  mutating func change(_ location: Location, _ sighting: Sighting, at now: Instant) {
    var told: [App] = []
    monitors.changeBoard.take(location, sighting, at: now) { told.append($0) }
    for app in told { tellChange(to: app, at: now) }
  }

  /// Nothing has come until now, and who has surely gone is told once the wait is over.
  mutating func waitForChanges(at now: Instant) {
    var told: [App] = []
    monitors.changeBoard.wait(until: monitors.clock.time) { told.append($0) }
    for app in told { tellChange(to: app, at: now) }
  }

  mutating func follow(_ app: App, _ change: SignificantChange) {
    registrations[app, default: Registration()].significant = true
    monitors.changeBoard[app] = change
  }

  mutating func unfollow(_ app: App) {
    registrations[app]?.significant = false
    monitors.changeBoard[app] = nil
  }

  /// The newest known, to begin with.
  mutating func tellNewestChange(to app: App, at now: Instant, into outputs: inout [Output]) {
    guard let location = sources.newest?.location,
      let sighting = monitors.sight(location, Point(location.coordinate), at: now),
      registrations[app]?.allowed.contains(.significant) == true,
      monitors.changeBoard[app]?.takes(location, sighting, at: now) == true
    else { return }
    tellChange(to: app, at: now)
    write(at: now, into: &outputs)
  }

  private mutating func tellChange(to app: App, at now: Instant) {
    guard let location = monitors.changeBoard[app]?.last else { return }
    let isFull = registrations[app]?.accuracy == .full
    let told = isFull ? location : delivery.coarsePlaces.place(location, of: app, at: now)
    monitors.changes.append(
      .put(app, kind: Kept.significant, key: "", Kept.bytes(of: location, told: now)))
    note(.didUpdateLocations(told, .significant), to: app, at: now)
  }
}
