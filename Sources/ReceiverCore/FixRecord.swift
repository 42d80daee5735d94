package import LocationModel

/// How often fixes come and what the last one rested on, for `status`.
package struct FixRecord {
  /// The newest fix has these.
  private var kind: Fix.Kind?
  private var satellitesUsed: Int?
  private var satellitesInView: Int?
  private var dilution = Dilution()
  /// When the last ones came; the oldest gives its place to the newest.
  private var arrivals: [Boottime] = []
  private var newest = 0

  private static let most = 10
  /// Longer than this without a fix, they come no more.
  private static let silence: Duration = .seconds(3)

  package init() {}

  package mutating func note(_ fix: Fix, at now: Boottime) {
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
  package func isFlowing(at now: Boottime) -> Bool {
    guard arrivals.count > newest else { return false }
    let latest = arrivals[newest]
    return now - latest <= max(Self.silence, (period ?? .zero) * 3)
  }

  private var period: Duration? {
    guard arrivals.count > 1 else { return nil }
    return (arrivals[newest] - arrivals[(newest + 1) % arrivals.count]) / (arrivals.count - 1)
  }

  package func describe(into details: inout SourceDetails, at now: Boottime) {
    if let period, period > .zero, isFlowing(at: now) { details.rate = 1 / period.seconds }
    details.kind = kind?.rawValue
    details.satellitesUsed = satellitesUsed
    details.satellitesInView = satellitesInView
    details.dilution = dilution
  }
}
