import LocationModel

/// The bytes that a server may be sent in a day or a month, and those that it has been sent.
///
/// Each period has a count of its own, under its name: a clock that jumps ahead and comes back finds the
/// count as it was.
package struct DataBudget: Equatable, Sendable {
  package struct Limit: Equatable, Sendable {
    enum Period: String, Sendable { case day, month }

    var bytes: Int64
    var period: Period

    /// As `100M/month` or `2M/day`; nil where it is none.
    package init?(text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let units: [Character: Int64] = ["K": 10, "M": 20, "G": 30]
      guard parts.count == 2, let period = Period(rawValue: String(parts[1])),
        let shift = parts[0].last.flatMap({ units[$0] }),
        let count = Int64(parts[0].dropLast()), (1...1 << 20).contains(count)
      else { return nil }
      self.period = period
      bytes = count << shift
    }
  }

  let limit: Limit
  /// The one that was counted in last stands at the end.
  private var counts: [Count] = []

  private struct Count: Equatable {
    var period: String
    var bytes: Int64
    /// On the disk: some bytes ahead, so that a killed program has never sent more than it knows of.
    var saved: Int64
  }

  private static let mostPeriods = 4
  /// A clock that says an earlier date was never set.
  private static let earliest = Timestamp(year: 2024, month: 1, day: 1, microsecondsOfDay: 0)

  /// `text`: what was saved before.
  init(_ limit: Limit, text: String? = nil) {
    self.limit = limit
    for part in (text ?? "").split(separator: ",").suffix(Self.mostPeriods) {
      let words = part.split(separator: ":")
      guard words.count == 2, let bytes = Int64(words[1]), bytes >= 0 else { continue }
      counts.append(Count(period: String(words[0]), bytes: bytes, saved: bytes))
    }
  }

  /// What is to be saved.
  var text: String {
    counts.map { "\($0.period):\($0.saved)" }.joined(separator: ",")
  }

  /// True where `text` is to be saved anew.
  mutating func count(_ bytes: Int, at now: Timestamp) -> Bool {
    let period = period(at: now)
    var count = Count(period: period, bytes: 0, saved: 0)
    if let i = counts.firstIndex(where: { $0.period == period }) { count = counts.remove(at: i) }
    count.bytes = Self.sum(count.bytes, Int64(max(bytes, 0)))
    let isNews = count.bytes > count.saved
    if isNews { count.saved = Self.sum(count.bytes, max(4096, limit.bytes / 1000)) }
    counts.append(count)
    if counts.count > Self.mostPeriods { counts.removeFirst() }
    return isNews
  }

  func used(at now: Timestamp) -> Int64 {
    let period = period(at: now)
    return counts.first { $0.period == period }?.bytes ?? 0
  }

  func status(at now: Timestamp) -> JSON {
    [
      "used": .integer(used(at: now)), "bytes": .integer(limit.bytes),
      "period": .string(limit.period.rawValue),
    ]
  }

  /// The next period's beginning, where nothing is left of this one.
  func rest(at now: Timestamp) -> Timestamp? {
    guard used(at: now) >= limit.bytes else { return nil }
    let (year, month, day) = now.date
    switch limit.period {
    case .day:
      return Timestamp(year: year, month: month, day: day, microsecondsOfDay: 0) + .seconds(86_400)
    case .month:
      let isLast = month == 12
      return Timestamp(
        year: isLast ? year + 1 : year, month: isLast ? 1 : month + 1, day: 1,
        microsecondsOfDay: 0)
    }
  }

  /// A month as `2026-11`, a day as `2026-11-24`; UTC.
  private func period(at now: Timestamp) -> String {
    if now < Self.earliest, let last = counts.last { return last.period }
    return String(now.iso8601.prefix(limit.period == .day ? 10 : 7))
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? .max : sum
  }
}
