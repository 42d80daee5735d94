import LocationModel

/// The programs at locationd-share's doors about which a person was asked and has decided nothing. The person is not
/// asked about them again on that day, over restarts of the daemon, too.
struct AskedToday {
  private var until: [App: Boottime] = [:]
  private var unwritten: [Change] = []

  static let kind = "unanswered"
  private static let day: Duration = .seconds(86_400)
  /// The most of one user.
  static let most = 64

  init(_ remembered: StoreSnapshot, at now: Instant) {
    for (record, bytes) in remembered.records where record.kind == Self.kind {
      guard let json = StoredRecord.json(bytes), case let end = Self.end(of: json, at: now),
        end > now.boottime
      else {
        unwritten.append(.remove(record.app, kind: Self.kind, key: ""))
        continue
      }
      until[record.app] = end
      // Each start of the daemon would begin the day anew by the clock of before.
      if !StoredRecord.isOfThisBoot(json, at: now) {
        unwritten += records(of: record.app, asked: json["utc"], at: now)
      }
    }
  }

  func contains(_ app: App, at now: Instant) -> Bool { end(of: app, after: now) != nil }

  /// When the person may be asked about the app again; nil where that is so now.
  func end(of app: App, after now: Instant) -> Boottime? {
    until[app].flatMap { $0 > now.boottime ? $0 : nil }
  }

  mutating func insert(_ app: App, at now: Instant) {
    for old in until.filter({ $0.value <= now.boottime }).keys.sorted() { remove(old) }
    until[app] = now.boottime + Self.day
    unwritten += records(of: app, at: now)
    let ofUser = until.filter { $0.key.uid == app.uid }
    guard ofUser.count > Self.most, let first = ofUser.min(by: { $0.value < $1.value })?.key else {
      return
    }
    remove(first)
  }

  /// An app that is decided about, or forgotten, may be asked about anew.
  mutating func end(after decision: PermissionBook.Decision) {
    switch decision {
    case .permission(let app, _): remove(app)
    case .forgotten(let apps): for app in apps { remove(app) }
    case .restriction, .servicesEnabled: break
    }
  }

  private mutating func remove(_ app: App) {
    guard until.removeValue(forKey: app) != nil else { return }
    unwritten.append(.remove(app, kind: Self.kind, key: ""))
  }

  /// The changes to write now.
  mutating func drain() -> [Change] {
    defer { unwritten = [] }
    return unwritten
  }

  /// All that the disk is to have of an app. `asked`: the date of the question, for a clock that is not believed now.
  func records(of app: App, asked: JSON? = nil, at now: Instant) -> [Change] {
    guard let end = until[app] else { return [] }
    let left = end - now.boottime
    let json: JSON = [
      "boottime": .integer((now.boottime + left - Self.day).nanoseconds),
      "utc": now.utcTrusted
        ? .integer((now.utc + (left - Self.day)).microseconds) : asked ?? .null,
    ]
    return [.put(app, kind: Self.kind, key: "", StoredRecord.bytes(of: json))]
  }

  /// Another boot's clock says nothing: there the date counts, and without one the day begins anew.
  private static func end(of json: JSON, at now: Instant) -> Boottime {
    if StoredRecord.isOfThisBoot(json, at: now), let boottime = json["boottime"]?.integer {
      return Boottime(nanoseconds: boottime) + day
    }
    guard now.utcTrusted, let utc = json["utc"]?.integer else { return now.boottime + day }
    return now.boottime + day - min(max(now.utc - Timestamp(microseconds: utc), .zero), day)
  }
}
