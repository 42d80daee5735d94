import LocationModel

/// The accesses of one app.
struct AccessRecord: Equatable {
  struct Row: Equatable {
    var day: Int
    var kind: AppAccess.Kind
    var tally: AppAccess.Tally
  }

  /// An access that goes on, or has ended.
  struct Running: Equatable {
    var kind: AppAccess.Kind
    var since: Timestamp
    var told: Boottime
  }

  /// The news in a place that the app is told.
  struct News {
    /// An access begins.
    var begins: Bool
    /// The disk is to hear of it.
    var isUnwritten: Bool
    /// The person is to see it.
    var appears: Bool
    /// The app is told it as it was not told the place before.
    var turns: Bool
  }

  private(set) var claim = AppClaim()
  /// In the order in which they came.
  private(set) var rows: [Row] = []
  private var running: [Running] = []
  /// The disk has it as it is.
  var isWritten = true
  /// The person may be seeing that the app is told the place.
  var isLive = false
  /// Without a place for so long, the next one begins an access.
  static let silence: Duration = .seconds(60)
  /// A month of some kinds a day.
  static let mostRows = 240
  /// More than one place a second is no news.
  static let grain: Duration = .seconds(1)
  /// Columns of each of an app's own words.
  static let longestClaim = 120

  init() {}

  var isEmpty: Bool { rows.isEmpty }
  var last: Timestamp? { rows.map(\.tally.last).max() }
  /// The newest access; those beside it that look like it began with the first of them.
  var newest: Running? {
    guard var newest = running.max(by: { $0.told < $1.told }) else { return nil }
    for other in running
    where other.kind.looks(like: newest.kind) && newest.told - other.told < Self.silence {
      newest.since = min(newest.since, other.since)
    }
    return newest
  }

  /// A place is told. Nil where it was told just now.
  mutating func note(
    _ kind: AppAccess.Kind, _ said: @autoclosure () -> AppClaim, _ day: Int, at now: Instant
  ) -> News? {
    let before = running.firstIndex { $0.kind == kind }
    let passed = before.map { now.boottime - running[$0].told } ?? Self.silence
    if passed < Self.grain, isLive { return nil }
    let begins = passed >= Self.silence
    let isAlone = before != nil && running.count == 1
    let turns =
      !isAlone && newest.map { !$0.kind.looks(like: kind) && $0.told < now.boottime } ?? false
    if let before {
      running[before].told = now.boottime
      if begins { running[before].since = now.utc }
    } else {
      running.append(Running(kind: kind, since: now.utc, told: now.boottime))
    }
    if begins { hear(said()) }
    var i = rows.lastIndex { $0.day == day && $0.kind == kind }
    if i == nil {
      rows.append(Row(day: day, kind: kind, tally: AppAccess.Tally(at: now.utc)))
      if rows.count > Self.mostRows { rows.removeFirst() }
      i = rows.count - 1
      // An access that goes on at midnight is of either day.
      rows[rows.count - 1].tally.accesses = begins ? 0 : 1
    }
    if let i {
      rows[i].tally.accesses += begins ? 1 : 0
      rows[i].tally.seconds += begins ? 0 : passed.seconds
      rows[i].tally.last = now.utc
    }
    defer { (isWritten, isLive) = (false, true) }
    return News(begins: begins, isUnwritten: isWritten, appears: !isLive, turns: turns)
  }

  private mutating func hear(_ said: AppClaim) {
    if let name = said.name { claim.name = name.plain(atMost: Self.longestClaim) }
    if let purpose = said.purpose { claim.purpose = purpose.plain(atMost: Self.longestClaim) }
  }

  /// True where others go.
  mutating func keep(_ days: ClosedRange<Int>) -> Bool {
    let before = rows.count
    rows.removeAll { !days.contains($0.day) }
    return rows.count < before
  }
}

extension AppAccess.Kind {
  /// A person is shown the same of both.
  fileprivate func looks(like other: Self) -> Bool {
    accuracy == other.accuracy && isBackground == other.isBackground
  }
}

// MARK: - On the disk

extension AccessRecord {
  var json: JSON {
    [
      "name": claim.name.map(JSON.string), "purpose": claim.purpose.map(JSON.string),
      "rows": .array(rows.map(\.json)),
    ]
  }

  init?(_ json: JSON?) {
    guard let json, let list = json["rows"]?.array else { return nil }
    claim = AppClaim(name: json["name"]?.string, purpose: json["purpose"]?.string)
    rows = list.suffix(Self.mostRows).compactMap(Row.init)
  }
}

extension AccessRecord.Row {
  fileprivate var json: JSON {
    let words =
      (kind.accuracy == .reduced ? Self.reduced : 0) | (kind.isBackground ? Self.background : 0)
    return .array([
      .integer(Int64(day)), .string(kind.service.rawValue), .integer(words),
      .integer(Int64(tally.accesses)), .integer(Int64(tally.seconds.rounded())),
      .integer(tally.first.microseconds / 1_000_000), .integer(tally.last.microseconds / 1_000_000),
    ])
  }

  private static let reduced: Int64 = 1
  private static let background: Int64 = 2
  private static let days: ClosedRange<Int64> = -100_000...100_000
  /// Beyond all seconds of a month, and all dates that are plausible.
  private static let numbers: ClosedRange<Int64> = -10_000_000_000...10_000_000_000

  fileprivate init?(_ json: JSON) {
    guard let list = json.array, list.count == 7,
      let service = list[1].string.flatMap(Service.init(rawValue:))
    else { return nil }
    let numbers = list.compactMap(\.integer).filter(Self.numbers.contains)
    guard numbers.count == 6, Self.days.contains(numbers[0]) else { return nil }
    kind = AppAccess.Kind(
      service, numbers[1] & Self.reduced != 0 ? .reduced : .full,
      isBackground: numbers[1] & Self.background != 0)
    day = Int(numbers[0])
    tally = AppAccess.Tally(at: Timestamp(microseconds: numbers[4] * 1_000_000))
    tally.accesses = Int(max(numbers[2], 0))
    tally.seconds = Double(max(numbers[3], 0))
    tally.last = Timestamp(microseconds: numbers[5] * 1_000_000)
  }
}
