import LocationModel

/// On which side of one region's edge someone is, told only when it is sure.
///
/// A change wants several fixes, some seconds on the other side, and more than their accuracies
/// between them and the edge; or to be a little over it for minutes.
///
/// Its numbers are fixed by made-up tracks (`CrossingTrace`): crossings missed against crossings that are none.
struct RegionWatch: Sendable {
  private(set) var state: RegionState
  /// Fixes on the other side, lately, and how many of them were surely there.
  private var fixes: UInt16 = 0
  private var sure: UInt16 = 0
  /// Seconds on the other side, less those back on this one.
  private var seconds: Float = 0
  /// Metres over the edge, times seconds.
  private var over: Float = 0
  /// Whether the first one there was far from the edge, as a wrong one may be.
  private var hasLeapt = false

  init(_ state: RegionState = .unknown) {
    self.state = state
  }

  /// Whether something speaks for a change, so that fixes must be looked at wherever they are.
  var isPending: Bool { fixes > 0 }

  /// Whether a fix so deep inside is the first over the edge.
  func begins(with depth: Double) -> Bool {
    !isPending && state != .unknown && (depth > 0) != (state == .inside)
  }

  /// How someone came here since the last fix.
  struct Step {
    var seconds: Double
    /// How deep inside he was then, and half way, where that is long ago.
    var from: Double?
    var middle: Double?

    init(seconds: Double, from: Double? = nil, middle: Double? = nil) {
      self.seconds = seconds
      self.from = from
      self.middle = middle
    }
  }

  /// The other side, once it is decided, and for how many seconds more one has to stay there for
  /// that to be worth telling.
  struct Crossing {
    var state: RegionState
    var seconds = 0.0
  }

  /// Takes a fix that lies so deep inside.
  mutating func observe(_ depth: Double, _ accuracy: Double, after step: Step) -> Crossing? {
    let vagueness = accuracy * (Self.good + min(accuracy, Self.vague) * Self.worsening)
    guard state != .unknown else {
      // A place so far from the border is known at once, without a crossing.
      guard depth.magnitude > Self.narrow + vagueness else { return nil }
      return Crossing(state: depth > 0 ? .inside : .outside)
    }
    let margin = Self.wide + vagueness
    let side = state == .inside ? -1.0 : 1
    let beyond = side * depth
    // A coarse one says nothing of an edge that it may lie on either side of.
    guard accuracy <= Sighting.coarse || beyond.magnitude >= margin else { return nil }
    guard beyond > -margin, beyond > 0 || isPending else {
      forget()
      return nil
    }
    if isPending {
      let passed = min(step.seconds, Self.longestStep)
      seconds += Float(passed * (beyond / (Self.part * margin)).clamped(to: -1...1))
      over += Float(passed * beyond)
    } else {
      begin(beyond, margin, step, from: step.from.map { side * $0 }, side * (step.middle ?? -side))
    }
    fixes = min(fixes + 1, Self.most)
    if beyond >= margin { sure = min(sure + 1, Self.most) }
    guard seconds > 0 else {
      forget()
      return nil
    }
    return isDecided(margin) ? crossing : nil
  }

  /// The first one over the edge: when that was crossed is a guess.
  private mutating func begin(
    _ beyond: Double, _ margin: Double, _ step: Step, from: Double?, _ middle: Double
  ) {
    hasLeapt = beyond > margin
    if middle >= margin, beyond >= margin / 2 {
      // The way here led right across.
      sure = Self.fewest
      seconds = Float(min(step.seconds / 2, Self.longestStep))
      return
    }
    let share = from.map { beyond / max(beyond - $0, beyond) } ?? 0.5
    let passed = min(step.seconds * share, Self.longestStep)
    seconds = Float(passed * min(beyond / (Self.part * margin), 1))
    over = Float(passed * beyond)
  }

  private var crossing: Crossing {
    Crossing(
      state: state == .inside ? .outside : .inside,
      seconds: Double(max(0, Self.longEnough - seconds))
    )
  }

  /// After how many seconds without a fix it is decided all the same: who goes in is often heard of no
  /// more.
  var patience: Double? {
    guard sure >= Self.fewest, !hasLeapt, seconds < Self.shortest else { return nil }
    return Double(Self.shortest - seconds)
  }

  /// Nothing has come for so long.
  func wait() -> Crossing? { patience.map { _ in crossing } }

  mutating func make(_ change: Crossing) {
    state = change.state
    forget()
  }

  private func isDecided(_ margin: Double) -> Bool {
    guard fixes >= (hasLeapt ? Self.fewestAfterLeap : Self.fewest), seconds >= Self.shortest else {
      return false
    }
    return sure >= Self.fewest || seconds >= Self.lingering && Double(over / seconds) >= margin
  }

  private mutating func forget() {
    fixes = 0
    sure = 0
    seconds = 0
    over = 0
    hasLeapt = false
  }

  /// Metres beyond what accuracies say, to be sure of where one is, and of having crossed an edge.
  private static let narrow = 14.0
  private static let wide = 18.0
  private static let longestStep = 20.0
  /// Times its accuracy that a fix may be off: the more, the vaguer it is, up to so many metres.
  private static let good = 0.7
  private static let worsening = 0.02
  private static let vague = 80.0
  /// Beyond this part of what makes it sure, a second there counts as one.
  private static let part = 0.3
  private static let fewest: UInt16 = 2
  private static let fewestAfterLeap: UInt16 = 4
  private static let most: UInt16 = 1000
  /// With 22 s, 4.7 % of crossings on made-up tracks (`CrossingTrace`) are missed; with 20 s, 3.5 %.
  private static let longEnough: Float = 20
  private static let shortest: Float = 13
  private static let lingering: Float = 150
}
