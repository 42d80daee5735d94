/// Now, as an argument: what is thought never asks a clock.
package struct Instant: Sendable {
  package var boottime: Boottime
  package var utc: Timestamp
  /// Whether the system's clock has been set by something better than a guess.
  package var utcTrusted: Bool

  package init(boottime: Boottime, utc: Timestamp, utcTrusted: Bool) {
    self.boottime = boottime
    self.utc = utc
    self.utcTrusted = utcTrusted
  }
}
