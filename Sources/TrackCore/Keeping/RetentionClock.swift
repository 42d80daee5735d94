package import LocationModel

/// The date from which the age of entries is counted: the clock's, unless nothing steers it and it is far ahead of the
/// newest entry. Such a clock may be wrong: it is believed after a day in which no entry says another date. Only
/// the time in which the tracker ran counts, over all its starts.
package struct RetentionClock: Equatable, Sendable {
  /// The newest entry's date, and the time for which the clock was far ahead of it.
  private var newest: Timestamp?
  private var doubted: Duration = .zero
  private var countedUpTo: Boottime?

  private static let ahead: Duration = .seconds(86_400)
  private static let doubt: Duration = .seconds(86_400)

  package init() {}

  package mutating func reference(at now: Instant, newest: Timestamp) -> Timestamp {
    if newest != self.newest { (doubted, countedUpTo) = (.zero, nil) }
    self.newest = newest
    guard !now.utcTrusted, now.utc - newest > Self.ahead else {
      (doubted, countedUpTo) = (.zero, nil)
      return now.utc
    }
    countedUpTo = countedUpTo ?? now.boottime
    count(upTo: now.boottime)
    return doubted >= Self.doubt ? now.utc : newest
  }

  /// The program ends, or the disk is told.
  package mutating func count(upTo now: Boottime) {
    guard let start = countedUpTo else { return }
    doubted = min(doubted + max(now - start, .zero), Self.doubt)
    countedUpTo = now
  }
}

// MARK: - On the disk

extension RetentionClock {
  /// The date that is doubted against, in microseconds, and seconds of doubt; nil where there is none.
  package var memory: (newest: Int64, doubted: Int64)? {
    guard let newest, doubted > .zero else { return nil }
    return (newest.microseconds, Int64(doubted.seconds))
  }

  package init(newest: Int64, doubted: Int64) {
    self.newest = Timestamp(microseconds: newest)
    self.doubted = .seconds(Double(min(max(doubted, 0), 86_400)))
  }
}
