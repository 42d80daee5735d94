import LocationModel

/// The accesses of each app to the place: for each day and kind how many, how long, from when to when, and never
/// a place. Its beginning is written at once or soon, the end of its last session at once but for a second one of the
/// user's within 45 seconds, all else with what comes later: nothing wakes for it.
struct AccessHistory {
  private(set) var records: [App: AccessRecord] = [:]
  private(set) var unwritten: Set<App> = []
  /// The next writing is due then, but for an end.
  private var restsUntil = Boottime.start
  /// The next end of a user's app is written at once from then on: apps may begin and end in a loop.
  private var endsRestUntil: [UInt32: Boottime] = [:]
  /// When an access that began meanwhile is to be written.
  private(set) var dueAt: Boottime?
  /// The apps that a person may be seeing.
  private(set) var live: Set<App> = []
  /// An app may have begun since the agents heard.
  var hasNews = false
  private var today = 0
  private var lines = BackgroundLines()
  /// From UTC to the clock on the wall.
  var localOffset: Duration
  var mostApps: Int

  /// A kill loses no more than a minute.
  static let delay: Duration = .seconds(45)
  static let mostEntries = 3000
  /// Less than a connection may have waiting.
  static let mostBytes = 768 << 10

  init(_ settings: LocationService.Settings, _ remembered: StoreSnapshot, at now: Instant) {
    localOffset = settings.localOffset
    mostApps = settings.limits.appsPerUser
    for (record, bytes) in remembered.records where record.kind == Self.kind {
      let json = StoredRecord.json(bytes)
      guard let read = AccessRecord(json) else { continue }
      let app = App(uid: record.app.uid, name: record.key)
      records[app] = read
      lines.restore(app, json, at: now)
    }
    expire(at: now)
  }

  func day(at now: Instant) -> Int { (now.utc + localOffset).dayNumber }

  /// The app is told a place. True where an access begins.
  mutating func note(
    _ app: App, _ kind: AppAccess.Kind, _ claim: @autoclosure () -> AppClaim, at now: Instant
  ) -> Bool {
    let before = records.count
    let day = day(at: now)
    guard let news = records[app, default: AccessRecord()].note(kind, claim(), day, at: now) else {
      return false
    }
    if records.count > before { makeRoom(besides: app) }
    if news.isUnwritten { unwritten.insert(app) }
    if news.begins, now.boottime < restsUntil { dueAt = restsUntil }
    if news.appears { live.insert(app) }
    if news.appears || news.begins || news.turns { hasNews = true }
    return news.begins
  }

  /// The journal is to say that the app's access began in the background: once an hour at most.
  mutating func isNews(of app: App, at now: Instant) -> Bool {
    lines.mayTell(of: app, most: mostAppsOfUser, at: now)
  }

  /// The last sessions of the apps have stopped.
  mutating func end(_ apps: Set<App>, at now: Instant) {
    endsRestUntil = endsRestUntil.filter { $0.value > now.boottime }
    let uids = Set(apps.intersection(unwritten).map(\.uid)).subtracting(endsRestUntil.keys)
    guard !uids.isEmpty else { return }
    restsUntil = now.boottime
    for uid in uids { endsRestUntil[uid] = now.boottime + Self.delay }
  }

  /// The person does not see the app any more.
  mutating func endShowing(_ app: App) {
    live.remove(app)
    records[app]?.isLive = false
  }

  /// Days that are over, or that a wrong clock said.
  private mutating func expire(at now: Instant) {
    guard now.utcTrusted else { return }
    today = day(at: now)
    let kept = (today - HistoryQuery.mostDays + 1)...(today + 1)
    for app in records.keys where records[app]?.keep(kept) == true { change(app) }
  }

  /// Beside too many apps of its user's the one that was told longest ago goes.
  private mutating func makeRoom(besides app: App) {
    let all = records.keys.filter { $0.uid == app.uid && $0 != app }
    guard all.count >= mostAppsOfUser,
      let oldest = all.min(by: { (lastTold($0), $0) < (lastTold($1), $1) })
    else { return }
    records[oldest] = nil
    live.remove(oldest)
    unwritten.insert(oldest)
  }

  private func lastTold(_ app: App) -> Timestamp { records[app]?.last ?? .epoch }

  private var mostAppsOfUser: Int { mostApps > 0 ? mostApps : 256 }

  private mutating func change(_ app: App) {
    if records[app]?.isEmpty == true { records[app] = nil }
    unwritten.insert(app)
  }
}

// MARK: - The disk

extension AccessHistory {
  static let kind = "history"

  /// The changes to write now.
  mutating func drainDue(at now: Instant) -> [Change] {
    if day(at: now) != today { expire(at: now) }
    guard !unwritten.isEmpty, restsUntil <= now.boottime else { return [] }
    restsUntil = now.boottime + Self.delay
    return drain()
  }

  /// All that is not written yet.
  mutating func drain() -> [Change] {
    dueAt = nil
    defer { unwritten = [] }
    return unwritten.sorted().map { app in
      records[app]?.isWritten = true
      return record(of: app)
    }
  }

  /// All that the disk is to have of the user.
  func records(of uid: UInt32) -> [Change] {
    records.keys.filter { $0.uid == uid }.sorted().map(record)
  }

  /// The apps are forgotten at once, and on the disk by these changes.
  mutating func forget(_ apps: Set<App>) -> [Change] {
    let known = apps.filter { records[$0] != nil }
    for app in known { records[app] = nil }
    live.subtract(known)
    unwritten.subtract(known)
    return known.sorted().map(record)
  }

  /// An app's decisions go without its accesses, which are its user's.
  private func record(of app: App) -> Change {
    let owner = StoredRecord.owner(app.uid)
    guard let record = records[app] else { return .remove(owner, kind: Self.kind, key: app.name) }
    let json = JSON.object((record.json.members ?? []) + lines.members(of: app))
    return .put(owner, kind: Self.kind, key: app.name, StoredRecord.bytes(of: json))
  }
}

// MARK: - Who asks

extension AccessHistory {
  /// The newest days first, each app's claim once, and whether older ones are left out.
  func entries(
    _ query: HistoryQuery, at now: Instant, of isVisible: (App) -> Bool
  ) -> (entries: [AppAccess], more: Bool) {
    let first = day(at: now) - query.days + 1
    var entries: [AppAccess] = []
    for (app, record) in records where query.app ?? app.name == app.name && isVisible(app) {
      for row in record.rows where row.day >= first {
        entries.append(
          AppAccess(app: app.name, uid: app.uid, day: row.day, kind: row.kind, tally: row.tally))
      }
    }
    entries.sort { a, b in
      (-a.day, a.app, a.uid, a.tally.first, a.kind.service.rawValue)
        < (-b.day, b.app, b.uid, b.tally.first, b.kind.service.rawValue)
    }
    var claimed: Set<App> = []
    var bytes = 0
    for i in entries.indices {
      let app = App(uid: entries[i].uid, name: entries[i].app)
      if claimed.insert(app).inserted, let claim = records[app]?.claim { entries[i].claim = claim }
      bytes += entries[i].json.text.utf8.count + 1
      if i == Self.mostEntries || bytes > Self.mostBytes { return (Array(entries[..<i]), true) }
    }
    return (entries, false)
  }
}
