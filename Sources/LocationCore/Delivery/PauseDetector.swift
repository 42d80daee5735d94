import LocationModel

/// When someone who updates locations stands still for so long that they say nothing new, and when he
/// moves on.
struct PauseDetector: Sendable {
  enum Transition { case paused, resumed }

  private(set) var isPaused = false
  private var activity: ActivityType
  private var anchor: Sighting?
  /// Fixes elsewhere, one after the other: a single one may be wrong.
  private var strays = 0

  /// Paused, and nothing speaks for moving on.
  var isResting: Bool { isPaused && strays == 0 }

  init(_ activity: ActivityType) {
    self.activity = activity
  }

  /// Metres that are no way.
  private static let reach = 30.0
  /// Metres within which the device is where it stood.
  private static let there = 10.0
  /// A vaguer fix says nothing.
  private static let vague = 100.0
  private static let enough = 2

  /// True where the device has not left the place where it stands.
  func isThere(_ point: Point, accuracy: Double) -> Bool {
    anchor.map { point.chord(to: $0.point) <= max(Self.there, accuracy) } ?? true
  }

  mutating func observe(_ sighting: Sighting) -> Transition? {
    guard let patience = activity.patience, sighting.accuracy <= Self.vague else { return nil }
    guard let anchor else {
      anchor = sighting
      return nil
    }
    let slack = Self.reach + max(sighting.accuracy, anchor.accuracy)
    strays = sighting.point.chord(to: anchor.point) > slack ? strays + 1 : 0
    if strays >= Self.enough {
      self.anchor = sighting
      strays = 0
      guard isPaused else { return nil }
      isPaused = false
      return .resumed
    }
    guard !isPaused, strays == 0, sighting.time - anchor.time >= patience else { return nil }
    isPaused = true
    return .paused
  }
}

extension ActivityType {
  /// Seconds of standing still after which nothing is expected; nil for never.
  fileprivate var patience: Double? {
    switch self {
    case .fitness: 300
    // A jam lasts longer than a rest.
    case .automotiveNavigation, .otherNavigation: 900
    case .other: 600
    // In the air nobody stands still, and before it one waits long.
    case .airborne: nil
    }
  }
}
