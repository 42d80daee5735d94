package import LocationModel

/// How often fixes come and what the last one rested on, for `status`.
package struct FixRecord {
  /// Of the newest.
  private var kind: Fix.Kind?
  private var satellitesUsed: Int?
  private var satellitesInView: Int?
  private var horizontalDilution: Double?
  /// When the last ones came, in boottime.
  private var arrivals: [Int64] = []

  private static let most = 10
  /// Longer than this without a fix, they come no more.
  private static let silence: Int64 = 3_000_000_000

  package init() {}

  package mutating func note(_ fix: Fix, at now: Int64) {
    kind = fix.kind
    satellitesUsed = fix.satellitesUsed
    satellitesInView = fix.satellitesInView
    horizontalDilution = fix.horizontalDilution
    if arrivals.count == Self.most { arrivals.removeFirst() }
    arrivals.append(now)
  }

  /// Whether fixes come, as far as the last ones let expect.
  package func isFlowing(at now: Int64) -> Bool {
    guard let latest = arrivals.last else { return false }
    return now - latest <= max(Self.silence, 3 * (period ?? 0))
  }

  private var period: Int64? {
    guard arrivals.count > 1, let first = arrivals.first, let latest = arrivals.last else {
      return nil
    }
    return (latest - first) / Int64(arrivals.count - 1)
  }

  package func describe(into details: inout SourceDetails, at now: Int64) {
    if let period, period > 0, isFlowing(at: now) { details.rate = 1e9 / Double(period) }
    details.kind = kind?.rawValue
    details.satellitesUsed = satellitesUsed
    details.satellitesInView = satellitesInView
    details.horizontalDilution = horizontalDilution
  }
}
