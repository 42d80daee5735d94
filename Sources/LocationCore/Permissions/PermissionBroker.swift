import LocationModel

/// Decides which apps may know the location: by what is remembered and ruled, by what is in use, and by
/// asking people.
struct PermissionBroker {
  var book: PermissionBook
  var use: InUseTracker
  var questions = Questions()
  var askedToday: AskedToday
  /// Programs at locationd-share's doors that watch, undecided: a person is asked as soon as one can be.
  var wishes: Set<ClientID> = []
  var consents = ConsentRequests()
  var observers = PermissionObservers()
  var usage: UsageLog
  var pauses: Pauses
  /// Apps with a provisional Always that have come to need it.
  var toConfirm: Set<App> = []
  /// Apps with full accuracy for as long as they are in use.
  private(set) var temporaryFull: Set<App> = []
  /// The apps with something for as long as they are in use that have been in use since.
  private var grantsInUse: Set<App> = []
  private(set) var policy: Policy
  /// The daemon's own user.
  private let uid: UInt32
  let controlApp: String?
  private var longestHold: Duration
  private(set) var questionsPerUser: Int

  init(
    _ settings: LocationService.Settings, _ remembered: StoreSnapshot, at now: Instant
  ) {
    askedToday = AskedToday(remembered, at: now)
    book = PermissionBook(remembered)
    usage = UsageLog(remembered.usage)
    pauses = Pauses(remembered, at: now)
    use = InUseTracker(rule: settings.use)
    uid = settings.uid
    controlApp = settings.controlApp
    policy = settings.policy
    longestHold = settings.longestHold
    questionsPerUser = settings.limits.questionsPerUser
  }

  mutating func configure(
    _ settings: LocationService.Settings, _ clients: ClientRegistry, into outputs: inout [Output]
  ) {
    let before = policy
    policy = settings.policy
    longestHold = settings.longestHold
    questionsPerUser = settings.limits.questionsPerUser
    use.rule = settings.use
    if policy != before { notifyObservers(of: knownApps, clients, into: &outputs) }
  }

  /// When something is due.
  var wakesAt: Boottime? {
    earliest(
      earliest(questions.nextDeadline, use.endsAt), earliest(usage.dueAt, pauses.wakesAt))
  }

  /// When the app's next question may be put; nil where that is now.
  func asksAgain(about app: App, after now: Instant) -> Boottime? {
    [questions.restEnd(of: app, after: now), askedToday.end(of: app, after: now)]
      .compactMap(\.self).max()
  }

  var knownApps: Set<App> { Set(book.permissions.keys).union(usage.entries.keys) }
}

// MARK: - Who may what, now

extension PermissionBroker {
  /// The master switch.
  var isEnabled: Bool { book.servicesEnabled }

  /// All that decides about an app.
  private func standing(of app: App) -> Standing {
    var standing = Standing()
    standing.servicesEnabled = book.servicesEnabled && !pauses.isPaused(app.uid)
    let isGoverned = isGoverned(app)
    standing.rule = rule(about: app)?.rule
    standing.isRestricted =
      book.isRestricted(app) || isGoverned && !book.restrictions(ofAllOf: app.uid).isEmpty
    standing.permission =
      (isGoverned ? book.permission(ofAllOf: app.uid) : nil) ?? book.permission(of: app)
    standing.hasTemporaryFull = temporaryFull.contains(app)
    return standing
  }

  /// Whether what an administrator decides about `user:NAME` is for it: a program that its user's agent or
  /// desktop tells, and nothing of its own is decided.
  func isGoverned(_ app: App) -> Bool {
    AppName(app.name)?.isOfUser == true && policy.entry(for: app) == nil
      && book.permission(of: app).authorization == .notDetermined
  }

  /// True where `user` is `user:NAME`, and what an administrator decides about it is for the app.
  func governs(_ user: App, _ app: App) -> Bool {
    user.uid == app.uid && AppName(user.name)?.kind == .user && isGoverned(app)
  }

  func rule(about app: App) -> Policy.Entry? {
    policy.entry(for: app) ?? (isGoverned(app) ? policy.entry(forAllOf: app.uid) : nil)
  }

  /// The access of a client.
  func access(of client: ClientID, _ caller: Caller) -> Access {
    var standing = standing(of: caller.owner)
    standing.isTrusted = caller.isTrusted(by: uid) || caller.entry == .line
    standing.isAnonymous = caller.isAnonymous
    standing.isInUse = use.isInUse(client, caller)
    return Access(standing)
  }

  /// The access of an app, whether or not it is there.
  func access(of app: App, isInUse: Bool) -> Access {
    var standing = standing(of: app)
    standing.isInUse = isInUse
    standing.isTrusted = isTrusted(app)
    return Access(standing)
  }

  /// The access of an app: it is in use if one of its clients is.
  func access(of app: App, _ clients: ClientRegistry) -> Access {
    let isInUse = clients.all.contains { id, client in
      client.caller.owner == app && use.isInUse(id, client.caller)
    }
    return access(of: app, isInUse: isInUse)
  }

  /// The access of an app by what is decided, whether or not its user has paused.
  func decidedAccess(of app: App) -> Access {
    var standing = standing(of: app)
    standing.servicesEnabled = book.servicesEnabled
    standing.isTrusted = isTrusted(app)
    return Access(standing)
  }

  private func isTrusted(_ app: App) -> Bool {
    (app.uid == 0 || app.uid == uid) && !app.isSandboxed
  }

  /// It may have nothing, whether or not location is switched on.
  func isRefused(_ app: App) -> Bool {
    var standing = standing(of: app)
    standing.servicesEnabled = true
    let authorization = Access(standing).authorization
    return authorization == .denied || authorization == .restricted
  }

  func isDecided(_ app: App) -> Bool {
    access(of: app, isInUse: false).authorization != .notDetermined
  }

  /// Whether the caller may change what others' programs may do.
  func isAdministrator(_ caller: Caller) -> Bool { caller.isTrusted(by: uid) }
}

// MARK: - In use

extension PermissionBroker {
  /// The client stays in use though the person looks away.
  mutating func beginUse(_ client: ClientID, _ caller: Caller, at now: Instant) throws(Refusal) {
    guard !caller.isService else {
      throw Refusal(.denied, "\(caller.app) is a service, which is in use by nobody.")
    }
    guard use.isInUse(client, caller) else {
      throw Refusal(.denied, "\(caller.app) is not in use now: only while in use may it stay so.")
    }
    // Said again while nobody looks, it prolongs nothing.
    guard use.isPresent(caller) else { return }
    use.holds[client] = now.boottime + longestHold
  }

  /// Shows the person which apps stay in use and may know the place.
  mutating func notifyHolds(_ clients: ClientRegistry, into outputs: inout [Output]) {
    guard use.hasNews else { return }
    use.hasNews = false
    var apps: [UInt32: Set<String>] = [:]
    for client in use.holds.keys {
      guard let caller = clients[client]?.caller,
        clients[client]?.access.authorization.isAuthorized == true
      else { continue }
      apps[caller.uid, default: []].insert(caller.app)
    }
    let holding = apps.mapValues { $0.sorted() }
    for uid in Set(holding.keys).union(use.notified.keys) where holding[uid] != use.notified[uid] {
      for agent in agentsToTell(of: uid) {
        outputs.append(.notify(agent, .holding(apps: holding[uid] ?? [])))
      }
    }
    use.notified = holding
  }

  /// The one that tells programs apart, and the one that asks.
  func agentsToTell(of uid: UInt32) -> [ClientID] {
    Set([questions.agents[uid], questions.askers[uid]?.first].compactMap { $0 }).sorted()
  }

  mutating func giveFullAccuracy(to app: App) { temporaryFull.insert(app) }

  /// A new decision about an app decides about what it was given for a while, too.
  mutating func endTemporaryGrants(after decision: PermissionBook.Decision) {
    if case .permission(_, let permission) = decision, permission.source != .administrator,
      permission.authorization.isAuthorized
    {
      return
    }
    temporaryFull = temporaryFull.filter { !isDecided($0, by: decision) }
  }

  /// The decision is about the app: by its name, or an administrator's by `user:NAME`, which governs it.
  func isDecided(_ app: App, by decision: PermissionBook.Decision) -> Bool {
    func isAbout(_ named: App) -> Bool { named == app || governs(named, app) }
    return switch decision {
    case .permission(let named, let permission):
      permission.source == .administrator && !permission.isOnce ? isAbout(named) : named == app
    case .forgotten(let apps): apps.contains(where: isAbout)
    case .restriction(let restriction, true):
      isAbout(App(uid: restriction.uid ?? app.uid, name: restriction.name))
    default: false
    }
  }

  /// Ends the temporary grants of apps that were in use and are no more: because nobody looks, or because the last
  /// connection is gone. Gives the apps that lose something.
  mutating func endTemporaryGrants(_ clients: ClientRegistry, into outputs: inout [Output]) -> [App]
  {
    let given = book.once.union(temporaryFull)
    guard !given.isEmpty || !grantsInUse.isEmpty else { return [] }
    grantsInUse.formIntersection(given)
    let inUse = Set(clients.all.values.lazy.filter(\.access.isInUse).map(\.caller.owner))
    var ended: [App] = []
    for app in given {
      if inUse.contains(app) {
        grantsInUse.insert(app)
      } else if grantsInUse.remove(app) != nil {
        temporaryFull.remove(app)
        if book.once.contains(app) { notifyObservers(of: [app], clients, into: &outputs) }
        book.endOnce(app)
        ended.append(app)
      }
    }
    return ended
  }
}
