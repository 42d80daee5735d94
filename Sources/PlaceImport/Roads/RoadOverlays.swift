internal import PlaceCore
internal import Platform

/// The overlays of a network, for each mode and level.
struct RoadOverlays {
  private(set) var levels: [RoadLevel] = []
  let cells: ScratchArray<RoadCell>
  let homes: ScratchArray<UInt32>
  let states: ScratchArray<UInt32>
  let costs: ScratchArray<RoadCost>

  struct Sizes {
    /// A network of fewer junctions has no overlay.
    var fewest: UInt32
    /// Junctions of a cell by level, the lowest first.
    var cells: [UInt32]
    /// Lower levels only help to make the others. Feet and bicycles go less far.
    var lowest: (cars: Int, others: Int)

    /// Smaller networks are searched in a few milliseconds as they are.
    static let usual = Sizes(
      fewest: 20_000, cells: [64, 512, 4096, 16_384], lowest: (cars: 1, others: 2))

    /// The cells for a network of so many junctions.
    func levels(_ junctions: Int) -> [UInt32] {
      junctions < fewest ? [] : cells.filter { $0 < junctions }
    }

    func lowest(_ mode: RoadMode) -> Int { mode == .car ? lowest.cars : lowest.others }
  }

  /// `starts`: where the cells of each level begin. Nil where the work is cancelled.
  init?(
    of network: RoadNetwork, _ starts: [[UInt32]], _ sizes: Sizes, in folder: String,
    _ show: (_ percent: Int) -> Bool
  ) throws(SystemError) {
    cells = try ScratchArray(in: folder)
    homes = try ScratchArray(in: folder)
    states = try ScratchArray(in: folder)
    costs = try ScratchArray(in: folder)
    for mode in RoadMode.allCases {
      let copies = network.copies(mode)
      var made: [OverlayLevel] = []
      for height in starts.indices {
        let below = RoadOverlay(levels: made.compactMap(\.level))
        let step = (
          mode.rawValue * starts.count + height, RoadMode.allCases.count * starts.count
        )
        let passages = CellPassages(network, mode, below, starts[height], copies)
        guard
          let level = try OverlayLevel(
            passages, in: folder, smallest: starts[0],
            show: { show(20 + 80 * (step.0 * 100 + $0) / (step.1 * 100)) })
        else { return nil }
        made.append(level)
      }
      for level in made.dropFirst(sizes.lowest(mode)) { try keep(level, mode) }
    }
  }

  private mutating func keep(_ level: OverlayLevel, _ mode: RoadMode) throws(SystemError) {
    levels.append(
      RoadLevel(
        mode: UInt32(mode.rawValue), count: UInt32(level.cells.count - 1),
        cells: UInt64(cells.count), homes: UInt64(homes.count), states: UInt64(states.count),
        costs: UInt64(costs.count)))
    try cells.append(level.cells.buffer)
    try homes.append(level.homes.buffer)
    try states.append(level.states.buffer)
    try costs.append(level.costs.buffer)
  }
}
