import LocationModel

/// When each app last used a service: noted as use begins and ends, never per fix, and written now and
/// then.
struct UsageLog {
  private(set) var entries: [App: Usage]
  private var unwritten: Set<App> = []
  /// When it is to be written.
  private(set) var dueAt: Boottime?

  private static let delay: Duration = .seconds(300)

  init(_ entries: [App: Usage]) { self.entries = entries }

  subscript(app: App) -> Usage? { entries[app] }

  mutating func note(_ app: App, isNew: Bool, at now: Instant) {
    let count = entries[app]?.count ?? 0
    entries[app] = Usage(last: now.utc, count: isNew ? count + 1 : count)
    unwritten.insert(app)
    if dueAt == nil { dueAt = now.boottime + Self.delay }
  }

  mutating func forget(_ app: App) { entries[app] = nil }

  /// The changes to write now.
  mutating func drainDue(at now: Instant) -> [Change] {
    guard let dueAt, dueAt <= now.boottime else { return [] }
    return drain()
  }

  /// All that is not written yet.
  mutating func drain() -> [Change] {
    dueAt = nil
    defer { unwritten = [] }
    return unwritten.sorted().compactMap { app in entries[app].map { .usage(app, $0) } }
  }
}
