import LocationModel

/// Lets receivers rest between fixes where all that need them are content with less.
package struct Duty {
  package struct Settings: Equatable, Sendable {
    /// No pause is longer; 0 for never to rest.
    package var longestPause: Duration = .seconds(300)
    /// How long a fix that is good enough is sought before a pause.
    package var search: Duration = .seconds(60)

    package init() {}
  }

  /// The demand now: the best of the accuracies, the shortest of the pauses.
  private(set) var accuracy = 0.0
  private(set) var pause = 0.0
  private(set) var restsUntil: Boottime?
  private var seeksSince: Boottime?

  mutating func update(
    _ demand: Demand, since newest: SourceSelection.NewestLocation?, at now: Boottime,
    _ settings: Settings
  ) {
    accuracy = demand.accuracy
    pause = min(demand.pause, settings.longestPause.seconds)
    let length = Duration(clamping: self.pause)
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

  func wakes(_ settings: Settings) -> Boottime? {
    restsUntil ?? seeksSince.map { $0 + settings.search }
  }

  /// Receivers that take some seconds to find a place again would rest for nothing.
  private static let worthwhile: Duration = .seconds(15)
}
