package import LocationModel

/// A fault that lasts, and since when.
package struct Trouble: Equatable, Sendable {
  package let reason: String
  package let since: Timestamp

  package init(_ reason: String, since: Timestamp) { (self.reason, self.since) = (reason, since) }

  /// The trouble goes on where there was one, whatever its reason is now.
  package init(_ reason: String, after old: Trouble?, at now: Timestamp) {
    self.init(reason, since: old?.since ?? now)
  }
}
