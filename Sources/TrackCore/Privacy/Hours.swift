import LocationModel

/// Hours of some days of the week, in local time: `07:00-19:00 Mon-Fri`. Hours that end before they begin reach into
/// the next day.
package struct Hours: Equatable, Sendable {
  /// Minutes since the midnight of the day on which they begin.
  private let minutes: Range<Int64>
  /// Days since Monday.
  private let days: Set<Int64>

  private static let day: Int64 = 1440
  private static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  package init?(text: String) {
    let words = text.split(separator: " ")
    guard (1...2).contains(words.count) else { return nil }
    let ends = words[0].split(separator: "-").map(Self.minutes)
    guard ends.count == 2, let begin = ends[0], let end = ends[1], begin != end, begin < Self.day
    else { return nil }
    minutes = begin..<(end > begin ? end : end + Self.day)
    guard let days = words.count == 2 ? Self.days(words[1]) : Set(0..<7) else { return nil }
    self.days = days
  }

  private static func minutes(_ text: Substring) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isNumber) }),
      let hour = Int64(parts[0]), let minute = Int64(parts[1]), minute < 60,
      hour * 60 + minute <= day
    else { return nil }
    return hour * 60 + minute
  }

  private static func days(_ text: Substring) -> Set<Int64>? {
    var days: Set<Int64> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
        .map { name in names.firstIndex(of: name.lowercased()).map(Int64.init) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1]
      else { return nil }
      for day in first...(last < first ? last + 7 : last) { days.insert(day % 7) }
    }
    return days
  }

  /// `offset`: of local time from UTC.
  func contains(_ date: Timestamp, _ offset: Duration) -> Bool {
    let local = date + offset
    let day = Int64(local.dayNumber)
    let minute = local.microsecondsOfDay / 60_000_000
    return begins(on: day) && minutes.contains(minute)
      || begins(on: day - 1) && minutes.contains(minute + Self.day)
  }

  /// The first of the Unix epoch's days was a Thursday.
  private func begins(on day: Int64) -> Bool { days.contains(((day + 3) % 7 + 7) % 7) }

  /// The moments at which they begin or end in the week from a date on.
  func edges(after date: Timestamp, _ offset: Duration) -> [Timestamp] {
    let today = (date + offset).dayNumber
    return (today - 1...today + 7).flatMap { day in
      begins(on: Int64(day))
        ? [minutes.lowerBound, minutes.upperBound].map {
          Timestamp(day: day) + .seconds($0 * 60) - offset
        } : []
    }
    .filter { $0 > date }
  }
}
