package import LocationModel

/// The date from which the age of entries is counted: the clock's, unless it is far ahead of the newest entry. Such
/// a clock may be wrong: it is believed after a day in which no entry says another date.
package struct RetentionClock: Sendable {
  private var newest: Timestamp?
  private var since: Boottime?

  private static let ahead: Duration = .seconds(86_400)
  private static let doubt: Duration = .seconds(86_400)

  package init() {}

  package mutating func reference(at now: Instant, newest: Timestamp) -> Timestamp {
    if newest != self.newest { since = nil }
    self.newest = newest
    guard now.utc - newest > Self.ahead else {
      since = nil
      return now.utc
    }
    let begin = since ?? now.boottime
    since = begin
    return now.boottime - begin >= Self.doubt ? now.utc : newest
  }
}
