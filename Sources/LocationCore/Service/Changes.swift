import LocationModel

// Significant changes: who is told of which place.
extension LocationService {
  mutating func change(_ location: Location, _ sighting: Sighting, at now: Instant) {
    monitors.changesAt = nil
    var i = registrations.startIndex
    while i != registrations.endIndex {
      if registrations.values[i].follows(.significant) {
        if registrations.values[i].significant?.takes(location, sighting, at: now) == true {
          tellChange(to: registrations.keys[i], at: now)
        }
        wake(for: registrations.values[i].significant)
      }
      registrations.formIndex(after: &i)
    }
  }

  /// Nothing has come until now, and who has surely gone is told once the wait is over.
  mutating func waitForChanges(at now: Instant) {
    guard let due = monitors.changesAt, due <= monitors.clock.time else { return }
    monitors.changesAt = nil
    for app in registrations.keys.sorted()
    where registrations[app]?.follows(.significant) == true {
      if registrations[app]?.significant?.wait(until: monitors.clock.time) == true {
        tellChange(to: app, at: now)
      }
      wake(for: registrations[app]?.significant)
    }
  }

  private mutating func wake(for change: SignificantChange?) {
    guard let due = change?.due else { return }
    monitors.changesAt = min(monitors.changesAt ?? due, due)
  }

  /// The newest known, to begin with.
  mutating func tellNewestChange(to app: App, at now: Instant, into outputs: inout [Output]) {
    guard let location = newest?.location,
      let sighting = monitors.sight(location, Point(location.coordinate), at: now),
      registrations[app]?.allowed.contains(.significant) == true,
      registrations[app]?.significant?.takes(location, sighting, at: now) == true
    else { return }
    tellChange(to: app, at: now)
    write(at: now, into: &outputs)
  }

  private mutating func tellChange(to app: App, at now: Instant) {
    guard let location = registrations[app]?.significant?.last else { return }
    let told = registrations[app]?.accuracy == .full ? location : coarse(location, of: app, at: now)
    monitors.changes.append(
      .put(app, kind: Kept.significant, key: "", Kept.bytes(of: location, told: now)))
    note(.didUpdateLocations(told, .significant), to: app, at: now)
  }
}
