/// A moment in UTC, in whole microseconds since the Unix epoch.
package struct Timestamp: Hashable, Comparable, Sendable {
  package var microseconds: Int64

  @inlinable package init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  package static let epoch = Timestamp(microseconds: 0)

  /// The beginning of a day, counted since the Unix epoch.
  package init(day: Int) { microseconds = Int64(day) * Self.microsecondsPerDay }

  /// A day of the Gregorian calendar and the time since its midnight, unchecked.
  package init(year: Int, month: Int, day: Int, microsecondsOfDay: Int64) {
    microseconds =
      Int64(Self.days(year: year, month: month, day: day)) * Self.microsecondsPerDay
      + microsecondsOfDay
  }

  // Other modules call the compiler's and the protocol's functions by way of tables.
  @inlinable package static func == (a: Self, b: Self) -> Bool { a.microseconds == b.microseconds }
  @inlinable package static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }
  @inlinable package static func <= (a: Self, b: Self) -> Bool { a.microseconds <= b.microseconds }
  @inlinable package static func > (a: Self, b: Self) -> Bool { a.microseconds > b.microseconds }
  @inlinable package static func >= (a: Self, b: Self) -> Bool { a.microseconds >= b.microseconds }

  // The result ends at the first or the last moment there is.
  @inlinable package static func + (a: Self, b: Duration) -> Self {
    Self(microseconds: a.microseconds.adding(clamping: b.microseconds))
  }

  @inlinable package static func - (a: Self, b: Duration) -> Self { a + (.zero - b) }

  @inlinable package static func - (a: Self, b: Self) -> Duration {
    .microseconds(a.microseconds.subtracting(clamping: b.microseconds))
  }

  @inlinable package func seconds(since other: Self) -> Double {
    Double(microseconds.subtracting(clamping: other.microseconds)) / 1e6
  }

  @inlinable package static var microsecondsPerDay: Int64 { 86_400_000_000 }
}

extension Timestamp {
  /// Whether a receiver, a recording or another program may say it: from 1950 to 2199. Others stand
  /// for no date: `0001-01-01` is what .NET writes then, `1900-01-01` what databases write.
  ///
  /// Between any two of these lie less nanoseconds than an `Int64` can count. The last half
  /// millisecond would be written as 2200.
  @inlinable package var isPlausible: Bool {
    microseconds >= -7_305 * Self.microsecondsPerDay
      && microseconds < 84_006 * Self.microsecondsPerDay - 500
  }
}

/// The calendar, by Howard Hinnant's `days_from_civil` and `civil_from_days`.
extension Timestamp {
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package var date: (year: Int, month: Int, day: Int) {
    let z = dayNumber + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let m = (5 * dayOfYear + 2) / 153
    let month = m < 10 ? m + 3 : m - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * m + 2) / 5 + 1)
  }

  /// Whole days since the Unix epoch, rounded towards the past.
  package var dayNumber: Int {
    let (day, rest) = microseconds.quotientAndRemainder(dividingBy: Self.microsecondsPerDay)
    return Int(rest < 0 ? day - 1 : day)
  }

  package var microsecondsOfDay: Int64 {
    let rest = microseconds % Self.microsecondsPerDay
    return rest < 0 ? rest + Self.microsecondsPerDay : rest
  }
}
