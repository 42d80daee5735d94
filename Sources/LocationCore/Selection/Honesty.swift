import LocationModel

/// How often a source has contradicted itself of late: fixes it could not have, and ways that are
/// not its speed's. It speaks against a source only where another says something else.
struct Honesty {
  private(set) var strikes = 0
  /// Whether the speeds that it says are not those of the ways that it makes.
  private(set) var isSpeedWrong = false
  private var way: Way?

  mutating func strike(_ count: Int = 1) { strikes = min(strikes + count, Self.most) }

  mutating func begin(at point: TrackPoint) { way = Way(from: point) }

  mutating func refuteSpeed() { isSpeedWrong = true }

  /// Each few seconds, the way that was made is held against the one that was said.
  mutating func weigh(_ point: TrackPoint) {
    guard var way else { return begin(at: point) }
    if isSpeedWrong {
      var step = Way(from: way.end)
      step.add(point)
      // It agrees again where it does so all along.
      if step.refutesSpeed {
        strike()
        return begin(at: point)
      }
    }
    way.add(point)
    self.way = way
    guard way.seconds >= Self.window else { return }
    if way.contradictsSpeed { strike(2) } else { strikes = max(0, strikes - 1) }
    if way.isSaid { isSpeedWrong = way.refutesSpeed }
    begin(at: point)
  }

  private static let most = 4
  private static let window = 15.0
}
