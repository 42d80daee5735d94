/// The pause before another try: each twice as long as the one before, half of it by chance, so that a
/// fleet does not come back all at once.
struct Backoff: Equatable, Sendable {
  private(set) var failures = 0

  static let shortest: Duration = .seconds(1)
  static let longest: Duration = .seconds(300)

  init() {}

  /// `chance`: from 0 to 1.
  mutating func fail(chance: Double) -> Duration {
    let whole = min(Self.shortest * (1 << min(failures, 20)), Self.longest)
    failures += 1
    return whole / 2 + whole / 2 * min(max(chance, 0), 1)
  }

  mutating func succeed() { failures = 0 }
}
