import LocationModel

/// Lets receivers rest between fixes where all that need them are content with less.
package struct Duty {
  package struct Settings: Equatable, Sendable {
    /// No pause is longer; 0 for never to rest. Nanoseconds, as all here.
    package var longestPause: Int64 = 300_000_000_000
    /// How long a fix that is good enough is sought before a pause.
    package var search: Int64 = 60_000_000_000

    package init() {}
  }

  /// The demand now: the best of the accuracies, the shortest of the pauses.
  private(set) var accuracy = 0.0
  private(set) var pause = 0.0
  private(set) var restsUntil: Int64?
  private var seeksSince: Int64?

  mutating func heed(
    _ demand: Demand, since newest: SourceSelection.NewestLocation?, at now: Int64,
    _ settings: Settings
  ) {
    accuracy = demand.accuracy
    pause = min(demand.pause, Double(settings.longestPause) / 1e9)
    let length = Int64(nanosecondsIn: self.pause)
    guard length >= Self.worthwhile else { return end() }
    let begun = seeksSince ?? now
    if let newest, newest.location.horizontalAccuracy <= accuracy, newest.arrival + length > now {
      restsUntil = newest.arrival + length
      seeksSince = nil
    } else if let restsUntil, restsUntil > now, restsUntil <= now + length {
      return
    } else if now - begun >= settings.search {
      // Nothing is to be had here; perhaps later.
      restsUntil = now + length
      seeksSince = nil
    } else {
      restsUntil = nil
      seeksSince = begun
    }
  }

  mutating func end() {
    restsUntil = nil
    seeksSince = nil
  }

  func wakes(_ settings: Settings) -> Int64? {
    restsUntil ?? seeksSince.map { $0 + settings.search }
  }

  /// Receivers that take some seconds to find a place again would rest for nothing.
  private static let worthwhile: Int64 = 15_000_000_000
}
