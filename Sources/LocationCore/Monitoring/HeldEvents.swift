import LocationModel

/// Events that came while an app with a provisional Always was not in use. They wait, for a while, for
/// the person to say Always again.
struct HeldEvents {
  private struct Held {
    var event: Event
    var since: Boottime
  }

  private var held: [App: [Held]] = [:]
  /// Something is held that nobody has been asked about yet.
  var hasNews = false

  private static let most = 20
  static let longest: Duration = .seconds(3600)

  mutating func hold(_ event: Event, of app: App, at now: Instant) {
    hasNews = true
    held[app, default: []].append(Held(event: event, since: now.boottime))
    if held[app]?.count ?? 0 > Self.most { held[app]?.removeFirst() }
  }

  /// Gives those of an app that are not stale, and holds none of it any more.
  mutating func release(of app: App, at now: Instant) -> [Event] {
    (held.removeValue(forKey: app) ?? [])
      .filter { now.boottime - $0.since < Self.longest }.map(\.event)
  }

  mutating func dropStale(at now: Instant) {
    for app in held.keys {
      held[app]?.removeAll { now.boottime - $0.since >= Self.longest }
      if held[app]?.isEmpty == true { held[app] = nil }
    }
  }
}

extension Monitoring {
  /// The apps that have come to need a provisional Always.
  mutating func drainUnconfirmed(at now: Instant) -> Set<App> {
    held.hasNews = false
    held.dropStale(at: now)
    defer { unconfirmed = [] }
    return unconfirmed
  }

  /// A decision about the app notes what was held for it, or drops it.
  mutating func release(of app: App, isAllowed: Bool, at now: Instant) {
    let events = held.release(of: app, at: now)
    if isAllowed { for event in events { note(event, to: app, at: now) } }
  }
}
