package import LocationModel

/// On which side of one region's edge someone is, told only when it is sure.
///
/// A change wants several fixes, some seconds on the other side, and more than their accuracies
/// between them and the edge; or to be a little over it for minutes.
package struct RegionWatch: Sendable {
  package private(set) var state: RegionState
  /// Fixes on the other side, lately, and how many of them were surely there.
  private var fixes: UInt16 = 0
  private var sure: UInt16 = 0
  /// Seconds on the other side, less those back on this one.
  private var seconds: Float = 0
  /// Metres over the edge, times seconds.
  private var over: Float = 0

  /// How far over it was last, and how fast it goes further.
  private var last: Float = 0
  private var pace: Float = 0

  package init(_ state: RegionState = .unknown) {
    self.state = state
  }

  /// Whether something speaks for a change, so that fixes must be looked at wherever they are.
  package var isPending: Bool { fixes > 0 }

  /// Takes a fix that lies so deep inside, so many seconds after the last; true where the state is
  /// another one now.
  package mutating func take(_ depth: Double, _ accuracy: Double, after pause: Double) -> Bool {
    let margin = 11 + accuracy * (0.7 + min(accuracy, 80) / 50)
    guard state != .unknown else {
      // What is known at once about a place needs no crossing to be sure of.
      guard depth.magnitude > margin else { return false }
      state = depth > 0 ? .inside : .outside
      return true
    }
    let beyond = state == .inside ? -depth : depth
    guard beyond > -margin, beyond > 0 || isPending else {
      forget()
      return false
    }
    if fixes == 0 { last = Float(beyond) }
    let passed = fixes == 0 ? min(pause / 2, 10) : min(pause, 20)
    seconds += Float(passed * (beyond / (0.3 * margin)).clamped(to: -1...1))
    over += Float(passed * beyond)
    fixes = min(fixes + 1, 1000)
    if beyond >= margin { sure = min(sure + 1, 1000) }
    let step = (beyond - Double(last)) / max(pause, 0.1)
    pace += Float((step - Double(pace)) * pause / (pause + 3))
    last = Float(beyond)
    guard seconds > 0 else {
      forget()
      return false
    }
    guard isDecided(margin), !isAboutToEnd else { return false }
    state = state == .inside ? .outside : .inside
    forget()
    return true
  }

  private func isDecided(_ margin: Double) -> Bool {
    guard fixes >= 2, seconds >= Self.shortest else { return false }
    return sure >= 2 || seconds >= Self.patience && Double(over / seconds) >= 0.7 * margin
  }

  /// Whether it will be back before it was away for long enough to be told, if it goes on like this.
  private var isAboutToEnd: Bool {
    pace < 0 && seconds < Self.longEnough && last < -pace * (Self.longEnough - seconds)
  }

  private mutating func forget() {
    pace = 0

    fixes = 0
    sure = 0
    seconds = 0
    over = 0
  }

  private static let longEnough: Float = 23
  private static let shortest: Float = 13.0
  private static let patience: Float = 150
}
