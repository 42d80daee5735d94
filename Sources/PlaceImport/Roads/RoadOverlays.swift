internal import PlaceCore
internal import Platform

/// The overlays of a network, for each mode and level.
struct RoadOverlays {
  private(set) var levels: [RoadLevel] = []
  let cells: ScratchArray<RoadCell>
  let states: ScratchArray<UInt32>
  let costs: ScratchArray<RoadCost>

  struct Sizes {
    /// A network of fewer junctions has no overlay.
    var fewest: UInt32
    /// Junctions of a cell by level, the lowest first.
    var cells: [UInt32]

    /// Smaller networks are searched in a few milliseconds as they are.
    static let usual = Sizes(fewest: 20_000, cells: [256, 2048, 16384])
  }

  /// Nil where the work is cancelled.
  init?(
    of network: RoadNetwork, _ sizes: Sizes, in folder: String, _ show: (_ percent: Int) -> Bool
  ) throws(SystemError) {
    cells = try ScratchArray(in: folder)
    states = try ScratchArray(in: folder)
    costs = try ScratchArray(in: folder)
    guard network.junctionCount >= sizes.fewest else { return }
    let copies = Self.copies(network)
    for mode in RoadMode.allCases {
      var made: [OverlayLevel] = []
      for (height, size) in sizes.cells.enumerated() {
        var depth: UInt32 = 0
        while network.junctionCount >> depth > size { depth += 1 }
        guard depth > 0 else { break }
        let below = RoadOverlay(
          levels: made.compactMap(\.level), junctions: network.junctionCount)
        let step = (
          mode.rawValue * sizes.cells.count + height, RoadMode.allCases.count * sizes.cells.count
        )
        let passages = CellPassages(network, mode, below, depth: depth, copies)
        guard
          let level = try OverlayLevel(
            passages, in: folder, show: { show(20 + 80 * (step.0 * 100 + $0) / (step.1 * 100)) })
        else { return nil }
        made.append(level)
      }
      // Feet and bicycles go less far: they do without the lowest level.
      for level in made.dropFirst(mode == .car ? 0 : 1) { try keep(level, mode) }
    }
  }

  private mutating func keep(_ level: OverlayLevel, _ mode: RoadMode) throws(SystemError) {
    levels.append(
      RoadLevel(
        mode: UInt32(mode.rawValue), depth: level.depth, cells: UInt64(cells.count),
        states: UInt64(states.count), costs: UInt64(costs.count)))
    try cells.append(level.cells.buffer)
    try states.append(level.states.buffer)
    try costs.append(level.costs.buffer)
  }

  /// The states of arcs that have copies.
  private static func copies(_ network: RoadNetwork) -> [UInt32: [UInt32]] {
    var copies: [UInt32: [UInt32]] = [:]
    for state in network.chainCount * 2..<network.stateCount {
      copies[network.base(state), default: []].append(state)
    }
    return copies
  }
}
