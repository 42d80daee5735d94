/// The cost of a turn, by OSRM's profiles.
package enum TurnCosts {
  /// Hundredths of a second. `angle`: degrees from straight on, to the right positive, within 180. `roads`: how many
  /// meet there. `isRoundabout`: one of the two roads lies in one.
  package static func turn(
    angle: Double, mode: RoadMode, isLeftHand: Bool, roads: Int, isUTurn: Bool, isRoundabout: Bool
  ) -> UInt32 {
    let seconds: Double
    switch mode {
    case .car:
      let isJunction = roads > 2 && !isUTurn && !isRoundabout
      seconds = roads > 2 || isUTurn ? car(angle, isLeftHand, isJunction) + (isUTurn ? 20 : 0) : 0
    case .foot:
      seconds = isUTurn ? 2 : 0
    case .bicycle:
      let quarters = angle / 90
      let lean = angle < 0 ? 1.4 : 1 / 1.4
      seconds = quarters * quarters * 6 * lean + (isUTurn ? 20 : 0)
    }
    return UInt32(min(max((seconds * 100).rounded(), 0), 1e6))
  }

  /// From nothing straight on to 7.5 s backwards, steepest at some 90 degrees. Half of two seconds and more are for
  /// the gap in the traffic that a turn crosses.
  private static func car(_ angle: Double, _ isLeftHand: Bool, _ isJunction: Bool) -> Double {
    // A turn away from the traffic takes less.
    let lean = (angle < 0) == isLeftHand ? 1.075 : 1 / 1.075
    let part = abs(angle) / 180
    let turning = 7.5 * sigmoid(13 / lean * part - 6.5 * lean)
    let isCrossing = isLeftHand ? angle > 0 : angle < 0
    return turning + (isJunction && isCrossing ? 2 * sigmoid(13 * part - 3.25) : 0)
  }

  private static func sigmoid(_ x: Double) -> Double { 1 / (1 + exponential(-x)) }

  /// By its series, exact to 1e-9 within 20.
  private static func exponential(_ x: Double) -> Double {
    let small = x / 1024
    var power = 1 + small * (1 + small / 2 * (1 + small / 3 * (1 + small / 4)))
    for _ in 0..<10 { power *= power }
    return power
  }
}
