package import LocationModel

extension LocationService {
  /// The most that one user's programs may hold of the daemon, all of them together but for
  /// `regionsPerApp`.
  package struct Limits: Equatable, Sendable {
    package var managersPerUser = 1024
    package var waitingPerUser = 1024
    /// From here to `appsPerUser`, 0 is no limit.
    package var regionsPerApp = 20
    package var regionsPerUser = 2000
    package var cornersPerUser = 50_000
    package var regionBytesPerUser = 4 << 20
    package var eventBytesPerUser = 4 << 20
    package var appsPerUser = 256
    package var questionsPerUser = 8
    /// Bytes that wait for the disk.
    package var bytesPerUser = 4 << 20

    package init() {}
  }
}

extension Refusal {
  /// More than `key` allows.
  package static func limit(_ problem: String, _ key: String) -> Refusal {
    Refusal(.limitExceeded, "\(problem); \(key)= in [Limits] of locationd.conf sets it.")
  }
}

extension LocationService {
  /// Root, and the daemon's own user, could stop the daemon: limits protect nobody from them.
  func isLimited(_ caller: Caller) -> Bool { !caller.isTrusted(by: settings.uid) }

  /// The number of a user's apps of which anything is kept grows no further than it may.
  func checkRoom(for app: App, of caller: Caller) throws(Refusal) {
    let most = settings.limits.appsPerUser
    guard isLimited(caller), most > 0, !isRemembered(app) else { return }
    let apps = rememberedApps(of: app.uid)
    guard apps.count >= most, !apps.contains(app) else { return }
    throw .limit("\(Count(most, "app")) of uid \(app.uid) are remembered already", "AppsPerUser")
  }

  func hasRoom(for app: App, of caller: Caller) -> Bool {
    (try? checkRoom(for: app, of: caller)) != nil
  }

  private func isRemembered(_ app: App) -> Bool {
    permissions.book.permissions[app] != nil || permissions.usage[app] != nil
      || monitoring.registrations[app] != nil || launcher.schedule[app] != nil
      || launcher.lastSeen[app] != nil
  }

  private func rememberedApps(of uid: UInt32) -> Set<App> {
    var apps = permissions.book.apps(of: uid)
    func add(_ others: some Sequence<App>) {
      for app in others where app.uid == uid { apps.insert(app) }
    }
    add(permissions.usage.entries.keys)
    add(monitoring.registrations.keys)
    add(launcher.schedule.apps)
    add(launcher.lastSeen.apps)
    return apps
  }

  /// Bytes of all that may become much: once most of it has gone, so may its memory.
  package var heldBytes: Int { monitoring.heldBytes }

  /// Changes that wait for a slow disk are bounded, too.
  func checkQueue(of caller: Caller) throws(Refusal) {
    let most = settings.limits.bytesPerUser
    guard isLimited(caller), commits.queuedBytes(of: caller.uid) >= most else { return }
    throw .limit(
      "\(most) bytes of your programs wait to be written; ask again later", "BytesPerUser")
  }
}
