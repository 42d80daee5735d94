/// How much there is of something, and whether most of it has gone since there was most.
struct HighWater {
  /// Less is no crowd.
  let least: Int
  private var most = 0

  init(least: Int) { self.least = least }

  /// Whether most of a crowd has gone by now.
  mutating func didDrop(to count: Int) -> Bool {
    most = max(most, count)
    guard most >= least, count <= most / 4 else { return false }
    most = count
    return true
  }
}
