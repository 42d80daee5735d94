/// Knows a coarse reading that is said again to the last digit: it is one observation, however often
/// it is said.
///
/// Radio cells are located so. A finer reading that repeats is a receiver that stands.
struct Repeats {
  /// Recent readings, and when each counted as an observation.
  private var recent: [Sighting] = []

  /// Seconds after which the receiver still means it.
  private static let longest = 600.0
  private static let most = 8

  mutating func isRepeat(_ sighting: Sighting) -> Bool {
    guard sighting.isCoarse else { return false }
    recent.removeAll { sighting.time - $0.time >= Self.longest }
    let isKnown = recent.contains {
      $0.point == sighting.point && $0.accuracy == sighting.accuracy
    }
    guard !isKnown else { return true }
    if recent.count == Self.most { recent.removeFirst() }
    recent.append(sighting)
    return false
  }
}
