/// The metres upwards of a trip. Altitudes waver: a step that may be noise is none.
package struct Climb: Equatable, Sendable {
  private var sum = 0.0
  /// The altitude that steps are counted from; nil until one is known.
  private var level: Double?

  /// A receiver's altitude wavers by so much.
  static let noise = 10.0

  package init() {}

  /// Nil where no altitude was kept.
  package var metres: Double? { level.map { _ in sum } }

  package mutating func handle(_ entry: TrackEntry) {
    guard let altitude = entry.altitude else { return }
    guard let level else {
      self.level = altitude
      return
    }
    let step = altitude - level
    guard step.magnitude >= max(Self.noise, entry.verticalAccuracy ?? 0) else { return }
    sum += max(step, 0)
    self.level = altitude
  }

  /// The climb of a trip that goes on.
  mutating func add(_ next: Climb) {
    sum += next.sum
    level = next.level ?? level
  }
}
