import LocationModel

/// The services of the machine that have registered something and are not there. What such a service has
/// registered powers nothing while nothing starts the service, and lapses after a day of that.
///
/// systemd is asked when the service has gone, when the daemon starts, and from then on every quarter of an
/// hour until the service is back.
struct UnitWatch {
  private struct Entry {
    var asksAt: Boottime
    var isAsked = false
    /// The service is not there, and nothing starts it.
    var isIdle = false
    /// How long that has been so, by the time that the daemon has run; and when that was reckoned.
    var idle: Duration = .zero
    var reckonedAt: Boottime?
    /// As far as the disk has it.
    var kept: Duration = .zero
  }

  private var entries: [App: Entry] = [:]
  private var changes: [Change] = []

  /// A service that is started again is back by then.
  static let settling: Duration = .seconds(5)
  /// On its way up or down.
  static let changing: Duration = .seconds(10)
  static let interval: Duration = .seconds(900)
  static let longestIdle: Duration = .seconds(86_400)
  private static let patience: Duration = .seconds(120)
  private static let keeping: Duration = .seconds(3600)
}

// MARK: - Who is there

extension UnitWatch {
  static func unit(of app: App) -> String? {
    AppName(app.name).flatMap { $0.kind == .unit ? $0.name : nil }
  }

  /// A connection of the app has ended, or, as the daemon starts, there is none.
  mutating func didDisconnect(_ app: App, asksAt: Boottime) {
    guard Self.unit(of: app) != nil else { return }
    entries[app, default: Entry(asksAt: asksAt)].asksAt = asksAt
  }

  mutating func didConnect(_ app: App) {
    guard let entry = entries.removeValue(forKey: app) else { return }
    if entry.kept > .zero { changes.append(.remove(app, kind: StoredRecord.idle, key: "")) }
  }

  /// Nothing of it is registered any more, or kept.
  mutating func forget(_ app: App) { entries[app] = nil }

  /// The apps that power nothing.
  var idle: Set<App> { Set(entries.lazy.filter(\.value.isIdle).map(\.key)) }

  mutating func drainChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }
}

// MARK: - Questions and answers

extension UnitWatch {
  var wakesAt: Boottime? { entries.isEmpty ? nil : entries.values.lazy.map(\.asksAt).min() }

  func due(at now: Boottime) -> [App] {
    entries.filter { $0.value.asksAt <= now }.map(\.key)
  }

  /// The units that systemd is asked about for these apps, which are not there and have registered
  /// something.
  mutating func ask(about apps: [App], at now: Boottime) -> [String] {
    var units: Set<String> = []
    for app in apps {
      guard let unit = Self.unit(of: app) else { continue }
      entries[app]?.asksAt = now + Self.patience
      entries[app]?.isAsked = true
      units.insert(unit)
    }
    return units.sorted()
  }

  /// `state`: nil where there is no systemd to ask, or it could not say. `launched`: the apps that
  /// locationd itself starts for their events.
  mutating func answer(
    _ unit: String, _ state: UnitState?, launched: Set<App>, at now: Boottime
  ) {
    for app in entries.keys where Self.unit(of: app) == unit && entries[app]?.isAsked == true {
      guard var entry = entries[app] else { continue }
      entry.isAsked = false
      entry.asksAt = now + (state?.isChanging == true ? Self.changing : Self.interval)
      let wasIdle = entry.isIdle
      if let state {
        entry.isIdle = !state.isActive && !state.mayStart(isLaunched: launched.contains(app))
      }
      if entry.isIdle {
        // The time in which the daemon itself was gone does not count.
        if let before = entry.reckonedAt, wasIdle { entry.idle = entry.idle + (now - before) }
        entry.reckonedAt = now
      } else {
        (entry.idle, entry.reckonedAt) = (.zero, nil)
      }
      keep(&entry, of: app)
      entries[app] = entry
    }
  }

  /// Writes it down each hour.
  private mutating func keep(_ entry: inout Entry, of app: App) {
    if entry.idle == .zero, entry.kept > .zero {
      entry.kept = .zero
      changes.append(.remove(app, kind: StoredRecord.idle, key: ""))
    } else if entry.idle - entry.kept >= Self.keeping {
      entry.kept = entry.idle
      changes.append(record(entry, of: app))
    }
  }

  /// The apps whose registrations end.
  var lapsed: [App] { entries.filter { $0.value.idle >= Self.longestIdle }.map(\.key).sorted() }
}

extension UnitState {
  fileprivate func mayStart(isLaunched: Bool) -> Bool { canStart && (isWanted || isLaunched) }
}

// MARK: - On the disk

extension UnitWatch {
  private func record(_ entry: Entry, of app: App) -> Change {
    let json: JSON = ["seconds": .integer(entry.kept.components.seconds)]
    return .put(app, kind: StoredRecord.idle, key: "", StoredRecord.bytes(of: json))
  }

  func records(of app: App) -> [Change] {
    guard let entry = entries[app], entry.kept > .zero else { return [] }
    return [record(entry, of: app)]
  }

  mutating func restore(_ app: App, _ json: JSON?, at now: Boottime) {
    guard let seconds = json?["seconds"]?.integer,
      (1...Self.longestIdle.components.seconds).contains(seconds)
    else { return }
    var entry = Entry(asksAt: now)
    entry.isIdle = true
    entry.idle = .seconds(seconds)
    entry.kept = entry.idle
    entries[app] = entry
  }
}
