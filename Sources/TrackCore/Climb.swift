/// The metres upwards of a trip. Altitudes waver: a step that may be noise is none.
package struct Climb: Equatable, Sendable {
  private var sum = 0.0
  private var first: Altitude?
  /// The altitude that steps are counted from; nil until one is known.
  private var level: Double?

  /// A receiver's altitude wavers by so much.
  static let noise = 10.0

  private struct Altitude: Equatable, Sendable {
    var metres: Double
    var accuracy: Double
  }

  package init() {}

  /// Nil where no altitude was kept.
  package var metres: Double? { level.map { _ in sum } }

  package mutating func handle(_ entry: TrackEntry) {
    guard let altitude = entry.altitude else { return }
    handle(Altitude(metres: altitude, accuracy: entry.verticalAccuracy ?? 0))
  }

  private mutating func handle(_ altitude: Altitude) {
    guard let level else {
      (first, self.level) = (altitude, altitude.metres)
      return
    }
    let step = altitude.metres - level
    guard step.magnitude >= max(Self.noise, altitude.accuracy) else { return }
    sum += max(step, 0)
    self.level = altitude.metres
  }

  /// The climb of a trip that goes on, and the step up to its beginning.
  mutating func add(_ next: Climb) {
    if let first = next.first { handle(first) }
    sum += next.sum
    level = next.level ?? level
  }
}
