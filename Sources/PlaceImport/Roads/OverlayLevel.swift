internal import PlaceCore
internal import Platform
internal import Synchronization

/// The costs of passing the cells of one level, by the level below.
struct CellPassages: Sendable {
  let network: RoadNetwork
  let mode: RoadMode
  let below: RoadOverlay
  /// Where the cells begin; the last is where all end.
  let starts: [UInt32]
  private let copies: [UInt32: [UInt32]]

  init(
    _ network: RoadNetwork, _ mode: RoadMode, _ below: RoadOverlay, _ starts: [UInt32],
    _ copies: [UInt32: [UInt32]]
  ) {
    (self.network, self.mode, self.below) = (network, mode, below)
    (self.starts, self.copies) = (starts, copies)
  }

  func junctions(of cell: Int) -> Range<UInt32> { starts[cell]..<starts[cell + 1] }

  /// The states that come into a cell, in order, and those that leave it.
  func border(of junctions: Range<UInt32>) -> (entries: [UInt32], exits: [UInt32]) {
    var (entries, exits): ([UInt32], [UInt32]) = ([], [])
    for junction in junctions {
      for number in network.leaving(junction) {
        let arc = network.end(number)
        guard !junctions.contains(network.head(arc)) else { continue }
        if network.cost(arc, mode) > 0 { exits += [arc] + copies[arc, default: []] }
        if network.cost(arc ^ 1, mode) > 0 { entries += [arc ^ 1] + copies[arc ^ 1, default: []] }
      }
    }
    return (entries.sorted(), exits)
  }

  /// From one entry to each exit.
  func row(
    from entry: UInt32, to exits: [UInt32], within junctions: Range<UInt32>, _ labels: RoadLabels
  ) -> [RoadCost] {
    labels.removeAll()
    let expansion = RoadExpansion(network, mode, below, bounds: junctions, labels)
    expansion.begin(at: entry)
    expansion.exhaust()
    return exits.map { labels.find($0)?.cost ?? .none }
  }
}

/// A level of one mode, made by all processors: each makes cells that follow each other.
final class OverlayLevel {
  let cells: ScratchArray<RoadCell>
  let homes: ScratchArray<UInt32>
  let states: ScratchArray<UInt32>
  let costs: ScratchArray<RoadCost>

  /// The share of one thread.
  // Unchecked: others touch it after the thread has ended.
  private final class Share: @unchecked Sendable {
    let cells: ScratchArray<RoadCell>
    let states: ScratchArray<UInt32>
    let costs: ScratchArray<RoadCost>
    var trouble: SystemError?
    /// Costs of a cell: one of more, where nobody maps so many roads, is gone through road by road.
    private func most(of junctions: Int) -> Int { min(max(junctions * 16, 1024), 1 << 21) }

    init(in folder: String) throws(SystemError) {
      cells = try ScratchArray(in: folder)
      states = try ScratchArray(in: folder)
      costs = try ScratchArray(in: folder)
    }

    func make(
      _ passages: CellPassages, _ numbers: Range<Int>, goOn: (_ percent: Int) -> Bool
    ) {
      let labels = RoadLabels()
      do throws(SystemError) {
        for number in numbers {
          let done = (number - numbers.lowerBound) * 100 / numbers.count
          guard goOn(done) else { return }
          let junctions = passages.junctions(of: number)
          var (entries, exits) = passages.border(of: junctions)
          if entries.count * exits.count > most(of: junctions.count) {
            (entries, exits) = ([], [])
          }
          try cells.append(
            RoadCell(
              junctions: junctions.lowerBound, first: UInt32(clamping: states.count),
              entries: UInt32(entries.count), costs: UInt32(clamping: costs.count)))
          try states.append(entries)
          try states.append(exits)
          for entry in entries {
            try costs.append(passages.row(from: entry, to: exits, within: junctions, labels))
          }
        }
      } catch { trouble = error }
    }
  }

  /// Nil where the work is cancelled.
  init?(
    _ passages: CellPassages, in folder: String, smallest: [UInt32],
    show: (_ percent: Int) -> Bool
  ) throws(SystemError) {
    cells = try ScratchArray(in: folder)
    homes = try ScratchArray(in: folder)
    states = try ScratchArray(in: folder)
    costs = try ScratchArray(in: folder)
    let all = passages.starts.count - 1
    let width = ParallelWork.width
    var shares: [(numbers: Range<Int>, share: Share)] = []
    for number in 0..<width {
      shares.append((all * number / width..<all * (number + 1) / width, try Share(in: folder)))
    }
    let isCancelled = Atomic(false)
    let others = shares.dropFirst().map { numbers, share in
      { @Sendable in share.make(passages, numbers) { _ in !isCancelled.load(ordering: .relaxed) } }
    }
    ParallelWork.run(
      {
        shares[0].share.make(passages, shares[0].numbers) {
          if !show($0) { isCancelled.store(true, ordering: .relaxed) }
          return !isCancelled.load(ordering: .relaxed)
        }
      }, others)
    if isCancelled.load(ordering: .relaxed) { return nil }
    for (_, share) in shares { try take(share) }
    try cells.append(
      RoadCell(
        junctions: passages.network.junctionCount, first: UInt32(clamping: states.count),
        entries: 0, costs: UInt32(clamping: costs.count)))
    try states.append(0)
    try costs.append(.none)
    var home = 0
    for start in smallest.dropLast() {
      while passages.starts[home + 1] <= start { home += 1 }
      try homes.append(UInt32(home))
    }
  }

  private func take(_ share: Share) throws(SystemError) {
    if let trouble = share.trouble { throw trouble }
    let (first, cost) = (UInt32(clamping: states.count), UInt32(clamping: costs.count))
    for cell in share.cells.buffer {
      try cells.append(
        RoadCell(
          junctions: cell.junctions, first: cell.first &+ first, entries: cell.entries,
          costs: cell.costs &+ cost))
    }
    try states.append(share.states.buffer)
    try costs.append(share.costs.buffer)
  }

  /// The finished level, to be read.
  var level: RoadOverlay.Level? {
    guard let cells = RoadTable(cells.buffer), let homes = RoadTable(homes.buffer),
      let states = RoadTable(states.buffer), let costs = RoadTable(costs.buffer)
    else { return nil }
    return RoadOverlay.Level(cells: cells, homes: homes, states: states, costs: costs)
  }
}
