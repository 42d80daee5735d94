import LocationModel

/// So many entries in a second at most, after an outage too: what was not used in the last second is used at once.
package struct UplinkRate: Equatable, Sendable {
  private let pause: Duration
  /// The moment up to which the rate is used.
  private var used = Boottime.start

  /// As `5/s`; nil where it is none.
  package init?(text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1] == "s", let rate = Double(parts[0]),
      (0.001...1e5).contains(rate)
    else { return nil }
    pause = .seconds(1 / rate)
  }

  /// Nil where more may go out now.
  func resumesAt(after now: Boottime) -> Boottime? { used > now ? used : nil }

  mutating func take(_ entries: Int, at now: Boottime) {
    used = max(used, now - .seconds(1)) + pause * entries
  }
}
