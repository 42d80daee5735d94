package import LocationModel

/// Now, as an argument: what is thought never asks a clock.
package struct Instant: Sendable {
  /// Nanoseconds since the machine started, running on through suspend. Order and freshness go by it.
  package var boottime: Int64
  package var utc: Timestamp
  /// Whether the system's clock has been set by something better than a guess.
  package var utcTrusted: Bool

  package init(boottime: Int64, utc: Timestamp, utcTrusted: Bool) {
    self.boottime = boottime
    self.utc = utc
    self.utcTrusted = utcTrusted
  }
}
