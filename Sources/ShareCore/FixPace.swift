package import LocationModel

/// Tells when a fix is missing: the receiver's own pauses say how long the next one may take.
package struct FixPace: Equatable, Sendable {
  private var last: Boottime?
  private var newest = Self.shortest
  private var before = Self.shortest

  private static let shortest: Duration = .seconds(1)
  /// A receiver that is slower is missed meanwhile: programs of NMEA look for another after 8 s without a word.
  private static let longest: Duration = .seconds(5)

  package init() {}

  package mutating func note(at now: Boottime) {
    if let last { (newest, before) = (now - last, newest) }
    last = now
  }

  /// A fix is late by half a pause. The shorter of two pauses counts: the other may have been a tunnel.
  package func isMissing(at now: Boottime) -> Bool {
    guard let last else { return true }
    let pause = min(max(min(newest, before), Self.shortest), Self.longest)
    return now - last > pause * 3 / 2
  }
}
