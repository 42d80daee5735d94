package import LocationModel

/// How often fixes come and what the last one rested on, for `status`.
package struct FixRecord {
  /// The newest fix has these.
  private var kind: Fix.Kind?
  private var satellitesUsed: Int?
  private var satellitesInView: Int?
  private var dilution = Dilution()
  /// When the last ones came, in boottime; the oldest gives its place to the newest.
  private var arrivals: [Int64] = []
  private var newest = 0

  private static let most = 10
  /// Longer than this without a fix, they come no more.
  private static let silence: Int64 = 3_000_000_000

  package init() {}

  package mutating func note(_ fix: Fix, at now: Int64) {
    kind = fix.kind
    satellitesUsed = fix.satellitesUsed
    satellitesInView = fix.satellitesInView
    dilution = fix.dilution
    newest = (newest + 1) % Self.most
    if arrivals.count < Self.most {
      newest = arrivals.count
      arrivals.append(now)
    } else {
      arrivals[newest] = now
    }
  }

  /// Whether fixes come, as far as the last ones let expect.
  package func isFlowing(at now: Int64) -> Bool {
    guard arrivals.count > newest else { return false }
    let latest = arrivals[newest]
    return now - latest <= max(Self.silence, 3 * (period ?? 0))
  }

  private var period: Int64? {
    guard arrivals.count > 1 else { return nil }
    return (arrivals[newest] - arrivals[(newest + 1) % arrivals.count]) / Int64(arrivals.count - 1)
  }

  package func describe(into details: inout SourceDetails, at now: Int64) {
    if let period, period > 0, isFlowing(at: now) { details.rate = 1e9 / Double(period) }
    details.kind = kind?.rawValue
    details.satellitesUsed = satellitesUsed
    details.satellitesInView = satellitesInView
    details.dilution = dilution
  }
}
