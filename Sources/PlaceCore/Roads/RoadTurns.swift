/// The costs of turns, made once: a number for each of 256 angles.
struct RoadTurns: Sendable {
  private let mode: RoadMode
  /// By whether traffic keeps to the left, and whether there is traffic to cross.
  private let table: [UInt32]
  private let back: [UInt32]

  /// Coming into a road only for those who have business there, hundredths of a second: such a road is no short cut.
  private static let intoLocal: UInt32 = 327_670

  private static let all = RoadMode.allCases.map(RoadTurns.init)

  @inline(__always)
  static func of(_ mode: RoadMode) -> RoadTurns { all[mode.rawValue] }

  private init(_ mode: RoadMode) {
    self.mode = mode
    var table: [UInt32] = []
    for isLeftHand in [false, true] {
      for isCrossing in [false, true] {
        for angle in 0..<256 {
          table.append(
            TurnCosts.turn(
              angle: Double(Int8(truncatingIfNeeded: angle)) * 360 / 256, mode: mode,
              isLeftHand: isLeftHand, roads: 3, isUTurn: false, isRoundabout: !isCrossing))
        }
      }
    }
    self.table = table
    back = [false, true].map {
      TurnCosts.turn(
        angle: 180, mode: mode, isLeftHand: $0, roads: 1, isUTurn: true, isRoundabout: false)
    }
  }

  /// `roads`: how many of the mode meet there.
  @inline(__always)
  func turn(
    from: (arc: UInt32, chain: RoadChain, traits: RoadTraits),
    to: (arc: UInt32, chain: RoadChain, traits: RoadTraits), roads: Int
  ) -> (cost: UInt32, time: UInt32) {
    let isAhead = from.arc & 1 == 0
    let delay = isAhead ? from.chain.endDelays.ahead : from.chain.endDelays.back
    var time = RoadDelay.seconds(delay, mode) * 100
    let side = from.traits.contains(.leftHand) ? 1 : 0
    if to.arc == from.arc ^ 1 {
      time += back[side]
    } else if roads > 2 || changesMode(from, to) {
      let arriving =
        isAhead ? from.chain.bearings.reaching : from.chain.bearings.leaving &+ 128
      let departing =
        to.arc & 1 == 0 ? to.chain.bearings.leaving : to.chain.bearings.reaching &+ 128
      let isCrossing = roads > 2 && !from.traits.union(to.traits).contains(.roundabout)
      time += table[side * 512 + (isCrossing ? 256 : 0) + Int(departing &- arriving)]
    }
    let isEntering = !isLocal(from.arc, from.traits) && isLocal(to.arc, to.traits)
    return (isEntering ? Self.intoLocal : time, time)
  }

  @inline(__always)
  private func isLocal(_ arc: UInt32, _ traits: RoadTraits) -> Bool {
    traits.rawValue & RoadTraits.local(mode.rawValue, isBack: arc & 1 == 1).rawValue != 0
  }

  /// Boarding a ferry, or pushing a bicycle, is a turn where only two roads meet, too.
  @inline(__always)
  private func changesMode(
    _ from: (arc: UInt32, chain: RoadChain, traits: RoadTraits),
    _ to: (arc: UInt32, chain: RoadChain, traits: RoadTraits)
  ) -> Bool {
    if from.traits.contains(.ferry) != to.traits.contains(.ferry) { return true }
    func isPushed(_ arc: UInt32, _ traits: RoadTraits) -> Bool {
      traits.contains(arc & 1 == 0 ? .pushedAhead : .pushedBack)
    }
    return mode == .bicycle && isPushed(from.arc, from.traits) != isPushed(to.arc, to.traits)
  }
}
