import LocationModel

/// When a program that has registered something was last there, in days.
///
/// A clock may be wrong for a while, and a machine switched off for months: so it is not gone for long
/// before it has been missed on several days that are days of that clock, too.
struct LastSeen: Equatable {
  /// Since the Unix epoch, UTC.
  var day: Int64
  /// Days since then on which it was looked for and not there.
  private(set) var absences = 0
  private var missedOn: Int64?

  static let longestAbsence: Int64 = 90
  static let fewestAbsences = 7

  init(on day: Int64) { self.day = day }

  /// Whether that says something new.
  mutating func recordSeen(on today: Int64) -> Bool {
    guard day != today || absences > 0 else { return false }
    self = LastSeen(on: today)
    return true
  }

  mutating func miss(on today: Int64) -> Bool {
    // Nobody was there on a day to come: a clock was wrong, and it is counted anew.
    if today < day {
      self = LastSeen(on: today)
      return true
    }
    guard today != day, today != missedOn else { return false }
    missedOn = today
    absences += 1
    return true
  }

  func hasLapsed(on today: Int64) -> Bool {
    today - day >= Self.longestAbsence && absences >= Self.fewestAbsences
  }
}

extension LastSeen {
  var json: JSON {
    [
      "day": .integer(day), "absences": .integer(Int64(absences)),
      "missedOn": missedOn.map(JSON.integer),
    ]
  }

  init?(_ json: JSON) {
    guard let day = json["day"]?.integer, (0...1 << 40).contains(day) else { return nil }
    self.init(on: day)
    absences = Int(min(max(json["absences"]?.integer ?? 0, 0), Int64(Self.fewestAbsences)))
    missedOn = json["missedOn"]?.integer
  }
}

/// The seen of each app, and when to look for the absent ones next.
struct LastSeenTable {
  private var entries: [App: LastSeen] = [:]
  private(set) var looksAt: Boottime

  init(at now: Instant) { looksAt = now.boottime + Self.first }

  /// By then the programs that start with the machine have come.
  private static let first: Duration = .seconds(600)
  private static let interval: Duration = .seconds(72_000)
  private static let untrusted: Duration = .seconds(3600)

  var apps: some Collection<App> { entries.keys }

  subscript(app: App) -> LastSeen? {
    get { entries[app] }
    set { entries[app] = newValue }
  }

  mutating func looked(at now: Instant) {
    looksAt = now.boottime + (now.utcTrusted ? Self.interval : Self.untrusted)
  }

  /// The app is there.
  mutating func recordSeen(_ app: App, at now: Instant) -> [Change] {
    var seen = entries[app]
    let isNews = seen?.recordSeen(on: now.day) ?? true
    return isNews ? [keep(seen ?? LastSeen(on: now.day), of: app)] : []
  }

  /// The app is not there. Whether it has been gone for so long that it lapses.
  mutating func miss(_ app: App, at now: Instant, into changes: inout [Change]) -> Bool {
    guard var seen = entries[app], seen.miss(on: now.day) else { return false }
    if seen.hasLapsed(on: now.day) { return true }
    changes.append(keep(seen, of: app))
    return false
  }

  private mutating func keep(_ seen: LastSeen, of app: App) -> Change {
    entries[app] = seen
    return .put(app, kind: StoredRecord.seen, key: "", StoredRecord.bytes(of: seen.json))
  }
}

extension Instant {
  fileprivate var day: Int64 { utc.microseconds / Timestamp.microsecondsPerDay }
}
