import LocationModel

/// When apps are started, and how often at most: one at a time of each app, and ever more rarely one
/// that crashes or does not come.
struct LaunchSchedule {
  struct UnderWay {
    var number: Int64
    /// Then it is taken for failed, whoever was to start it.
    var deadline: Boottime
    /// Nil where the daemon itself starts it.
    var agent: ClientID?
  }

  private struct Entry {
    var launch: Launch
    /// Connections that it has.
    var connections: Int
    /// Not before.
    var next: Boottime
    /// Before the try after the next one.
    var pause = LaunchSchedule.firstPause
    /// Since it last acknowledged something.
    var tries = 0
    /// The agent that could not start it, and when another one may try.
    var failure: (agent: ClientID?, retryAt: Boottime)?
    var underWay: UnderWay?
  }

  private var entries: [App: Entry] = [:]
  /// The launches of the last minute.
  private var recent: [(at: Boottime, uid: UInt32)] = []
  private var last: Int64 = 0
  /// When the next one is due, as of the last look.
  var wakesAt: Boottime?

  static let firstPause: Duration = .seconds(10)
  static let longestPause: Duration = .seconds(3600)
  static let patience: Duration = .seconds(120)
  /// An app that has just gone may be on the way back, as all are while the daemon restarts.
  static let settling: Duration = .seconds(5)
  static let mostPerMinute = 30
  static let mostPerMinuteAndUser = 10
  private static let minute: Duration = .seconds(60)
}

extension LaunchSchedule {
  var isEmpty: Bool { entries.isEmpty }
  var apps: [App] { entries.keys.sorted() }
  subscript(app: App) -> Launch? { entries[app]?.launch }

  /// `connections`: that the app has now. What is known of its crashes is known of it, however it is
  /// started.
  mutating func set(_ launch: Launch, of app: App, connections: Int, at now: Boottime) {
    var entry = entries[app] ?? Entry(launch: launch, connections: connections, next: now)
    entry.launch = launch
    entries[app] = entry
  }

  /// A launch that is under way cannot be called back; its end is of no interest any more.
  mutating func forget(_ app: App) { entries[app] = nil }

  mutating func didConnect(_ app: App) { entries[app]?.connections += 1 }

  mutating func didDisconnect(_ app: App, at now: Boottime) {
    entries[app]?.connections -= 1
    delay(app, at: now)
  }

  /// It was there until now.
  mutating func delay(_ app: App, at now: Boottime) {
    guard let next = entries[app]?.next else { return }
    entries[app]?.next = max(next, now + Self.settling)
  }

  /// It does what it is started for.
  mutating func resetBackoff(_ app: App, at now: Boottime) {
    guard let next = entries[app]?.next else { return }
    entries[app]?.next = min(next, now + Self.firstPause)
    entries[app]?.pause = Self.firstPause
    entries[app]?.tries = 0
    entries[app]?.failure = nil
  }

  /// The apps that are gone and not being started, the least tried first: one that crashes waits for others.
  var idle: [App] {
    entries.filter { $0.value.connections == 0 && $0.value.underWay == nil }
      .sorted { ($0.value.tries, $0.key) < ($1.value.tries, $1.key) }.map(\.key)
  }

  /// When it may be started: now, or later. What one agent could not, another one may sooner.
  func next(_ app: App, by agent: ClientID?, at now: Boottime) -> Boottime {
    guard let entry = entries[app] else { return now }
    var next = entry.next
    if let failure = entry.failure, failure.agent != agent { next = min(next, failure.retryAt) }
    return max(next, free(for: app.uid, at: now))
  }

  var nextDeadline: Boottime? { entries.values.lazy.compactMap(\.underWay?.deadline).min() }

  /// When one more may be started for this user.
  private func free(for uid: UInt32, at now: Boottime) -> Boottime {
    let all = recent.filter { $0.at + Self.minute > now }
    let own = all.filter { $0.uid == uid }
    var free = now
    if all.count >= Self.mostPerMinute {
      free = all[all.count - Self.mostPerMinute].at + Self.minute
    }
    if own.count >= Self.mostPerMinuteAndUser {
      free = max(free, own[own.count - Self.mostPerMinuteAndUser].at + Self.minute)
    }
    return free
  }

  mutating func begin(_ app: App, by agent: ClientID?, at now: Boottime) -> Int64 {
    last += 1
    recent.removeAll { $0.at + Self.minute <= now }
    recent.append((now, app.uid))
    entries[app]?.underWay = UnderWay(
      number: last, deadline: now + Self.patience, agent: agent)
    entries[app]?.tries += 1
    return last
  }

  /// It is being started, or could not be; the app, if this was waited for from there. It has a while
  /// to come, and to acknowledge, before it is started again.
  mutating func end(_ number: Int64, by agent: ClientID?, failed: Bool, at now: Boottime) -> App? {
    guard
      let app = entries.first(where: {
        $0.value.underWay?.number == number && $0.value.underWay?.agent == agent
      })?.key
    else { return nil }
    conclude(app, failed: failed, at: now)
    return app
  }

  private mutating func conclude(_ app: App, failed: Bool, at now: Boottime) {
    guard var entry = entries[app] else { return }
    entry.failure = failed ? (entry.underWay?.agent, now + Self.settling) : nil
    entry.underWay = nil
    entry.next = now + entry.pause
    entry.pause = min(entry.pause * 2, Self.longestPause)
    entries[app] = entry
  }

  /// Gives up the launches whose agent has gone, or that have had no answer for too long.
  mutating func giveUp(agent: ClientID? = nil, at now: Boottime) -> [(app: App, agent: ClientID?)] {
    let lost = entries.filter { _, entry in
      guard let underWay = entry.underWay else { return false }
      return underWay.deadline <= now || agent != nil && underWay.agent == agent
    }
    for app in lost.keys { conclude(app, failed: true, at: now) }
    return lost.keys.sorted().map { ($0, lost[$0]?.underWay?.agent) }
  }
}
