package import LocationModel

/// The silence of a program at its connection, and how long it may last.
package struct Silence: Equatable, Sendable {
  private var since: Boottime

  /// A browser speaks first, and at once. Some of gpsd's programs wait for the greeting.
  private static let grace: Duration = .milliseconds(200)
  /// A name is whole where nothing follows for so long.
  private static let rest: Duration = .milliseconds(30)
  /// A program that watches nothing may be idle for so long, as at gpsd.
  private static let longestIdle: Duration = .seconds(900)

  package init(at now: Boottime) { since = now }

  /// The program has said something.
  package mutating func end(at now: Boottime) { since = now }

  /// The program is no browser.
  package func settles(at now: Boottime) -> Bool { now - since >= Self.grace }

  package func endsRequest(at now: Boottime) -> Bool { now - since >= Self.rest }

  package func isTooLong(at now: Boottime, isWatching: Bool) -> Bool {
    !isWatching && now - since >= Self.longestIdle
  }

  /// The moment at which something follows from the silence, if it lasts.
  package func limit(isSettled: Bool, mayRest: Bool, isWatching: Bool) -> Boottime? {
    if !isSettled { return since + Self.grace }
    if mayRest { return since + Self.rest }
    return isWatching ? nil : since + Self.longestIdle
  }
}
