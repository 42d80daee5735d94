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

  /// Takes away those of an app, and gives what is not stale.
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
