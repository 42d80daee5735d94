package import LocationModel

/// On which side of one region's edge someone is, told only when it is sure.
///
/// A change wants several fixes, some seconds, and more than their accuracies between them and the
/// edge; being deep on the other side counts for more than being just over it.
package struct RegionWatch: Sendable {
  package private(set) var state: RegionState
  /// Seconds' worth of being on the other side.
  private var evidence: Float = 0
  private var fixes: UInt16 = 0
  private var first = -Double.infinity

  package init(_ state: RegionState = .unknown) {
    self.state = state
  }

  /// Whether something speaks for a change, so that fixes must be looked at wherever they are.
  package var isPending: Bool { fixes > 0 }

  /// Takes a fix that lies so deep inside; true where the state is another one now.
  package mutating func take(_ depth: Double, _ accuracy: Double, at time: Double, after seconds: Double)
    -> Bool
  {
    let margin = Self.margin(accuracy)
    guard state != .unknown else {
      // What is known at once about a place needs no crossing to be sure of.
      guard depth.magnitude > margin else { return false }
      state = depth > 0 ? .inside : .outside
      return true
    }
    let beyond = state == .inside ? -depth : depth
    guard beyond > margin else {
      // On its own side again, as far as this fix can say.
      if beyond < -margin / 2 || beyond < 0 && accuracy < 25 { forget() }
      return false
    }
    if fixes == 0 { first = time }
    fixes = min(fixes + 1, 1000)
    let weight = (beyond / (2 * margin)).clamped(to: 0.5...2)
    evidence += Float(weight * (fixes == 1 ? 1 : seconds.clamped(to: 0...15)))
    guard fixes >= 3 || fixes == 2 && seconds > 8, time - first >= Self.shortest,
      evidence >= Self.enough
    else { return false }
    state = state == .inside ? .outside : .inside
    forget()
    return true
  }

  private mutating func forget() {
    evidence = 0
    fixes = 0
  }

  private static func margin(_ accuracy: Double) -> Double { 4 + 0.6 * accuracy }
  private static let shortest = 6.0
  private static let enough: Float = 10
}
