import LocationModel

/// Events that came while an app with a provisional Always was not in use. They wait, for a while, for
/// the person to say Always again.
struct HeldEvents {
  private struct Held {
    var event: Event
    var since: Int64
  }

  private var held: [App: [Held]] = [:]
  /// Something is held that nobody has been asked about yet.
  var hasNews = false

  private static let most = 20
  static let longest: Int64 = 3_600_000_000_000

  mutating func hold(_ event: Event, of app: App, at now: Instant) {
    hasNews = true
    held[app, default: []].append(Held(event: event, since: now.boottime))
    if held[app]?.count ?? 0 > Self.most { held[app]?.removeFirst() }
  }

  /// Takes away those of an app, and gives what is not stale.
  mutating func take(of app: App, at now: Instant) -> [Event] {
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

/// The second question of a provisional Always: the app sees Always, the person has said While Using.
extension LocationService {
  /// Apps that have come to need what was given provisionally are asked about once somebody is there;
  /// what was decided lets go of what was held for them.
  mutating func confirm(at now: Instant, into outputs: inout [Output]) {
    guard !toConfirm.isEmpty else { return }
    held.hasNews = false
    held.dropStale(at: now)
    for app in toConfirm.sorted() {
      let access = access(of: app, isInUse: true)
      if access.isProvisional {
        askToConfirm(app, access, at: now, into: &outputs)
      } else {
        toConfirm.remove(app)
        let events = held.take(of: app, at: now)
        guard access.authorization == .authorizedAlways else { continue }
        for event in events { note(event, to: app, at: now) }
        write(at: now, into: &outputs)
      }
    }
  }

  private mutating func askToConfirm(
    _ app: App, _ access: Access, at now: Instant, into outputs: inout [Output]
  ) {
    guard use.isSomebodyThere(app.uid), mayAsk(about: app, at: now) else { return }
    let ofApp = clients.clients(of: app).filter { !questions.isAgent($0, app) }
      .compactMap { clients[$0] }
    // It need not run any more.
    let first = ofApp.first?.caller ?? Caller(uid: app.uid, pid: 0, app: app.name)
    guard let agent = agentToAsk(about: [first] + ofApp.dropFirst().map(\.caller)) else { return }
    put(
      .always, about: first, access, to: agent, [], isOurs: true,
      purpose: ofApp.first?.purpose, at: now, into: &outputs)
  }

  private func mayAsk(about app: App, at now: Instant) -> Bool {
    commits.trouble == nil && questions.rests[app].map({ $0.until <= now.boottime }) ?? true
      && !questions.open.values.contains { $0.app == app }
      && questions.open.values.count { $0.app.uid == app.uid } < settings.limits.questionsPerUser
  }
}
