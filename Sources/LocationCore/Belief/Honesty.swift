import LocationModel

/// How often a source has contradicted itself of late: fixes it could not have, and ways that are
/// not its speed's. It speaks against a source only where another says something else.
struct Honesty {
  private(set) var strikes = 0
  private var from: TrackPoint?
  /// Metres by the speeds that were said since then; nil where one was not, or long ago.
  private var said: Double? = 0
  private var last: TrackPoint?

  mutating func strike(_ count: Int = 1) { strikes = min(strikes + count, Self.most) }

  mutating func begin(at point: TrackPoint) {
    from = point
    last = point
    said = 0
  }

  /// Each few seconds, the way that was made is held against the one that was said.
  mutating func weigh(_ point: TrackPoint) {
    guard let from, let last else { return begin(at: point) }
    let seconds = max(0, Double(point.timestamp - last.timestamp) / 1e6)
    said = said.flatMap { sum in
      seconds <= Self.step ? point.speed.map { sum + $0 * seconds } : nil
    }
    self.last = point
    let window = point.timestamp - from.timestamp
    guard window >= Self.window else { return }
    let made = from.point.chord(to: point.point)
    let isOff =
      said.map { said in
        // Turning round makes a way short, but not this short.
        let beyond = max(made - said, made < said / 5 ? said - made : 0)
        return beyond > Self.spread * (from.accuracy + point.accuracy) + 0.1 * said
      } ?? false
    if isOff { strike(2) } else { strikes = max(0, strikes - 1) }
    begin(at: point)
  }

  private static let most = 4
  private static let spread = 1.5
  private static let window: Int64 = 15_000_000
  /// Seconds for which a speed holds.
  private static let step = 2.0
}
