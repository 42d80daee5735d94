import LocationModel

/// Dijkstra's search over states, on the overlay where it can: the one of a whole way, of a hop within a cell, and of
/// what a cell's passages cost.
package struct RoadExpansion {
  let network: RoadNetwork
  let mode: RoadMode
  let overlay: RoadOverlay
  /// Levels of the overlay that it may use, counted from the lowest.
  let top: Int
  /// States that lead out of these junctions are reached, and go no further.
  let bounds: Range<UInt32>
  let labels: RoadLabels
  private let turns: RoadTurns
  /// Roads with these are not used.
  var avoiding: UInt32 = 0
  /// How often the cost of a chain is made two fifths dearer.
  var dearer: [UInt32: Int] = [:]
  /// Where it leads; it goes there first. Nil: to all sides.
  private var goal: RoadGoal?
  /// Starts in the midst of an arc: states beyond all others.
  private(set) var seeds: [UInt32] = []
  /// By level, the cells that must be gone through road by road.
  private var open: [[Bool]] = []

  package init(
    _ network: RoadNetwork, _ mode: RoadMode, _ overlay: RoadOverlay? = nil, top: Int? = nil,
    bounds: Range<UInt32>? = nil, _ labels: RoadLabels = RoadLabels()
  ) {
    (self.network, self.mode, self.labels) = (network, mode, labels)
    self.overlay = overlay ?? network.overlay(mode)
    self.top = min(top ?? .max, self.overlay.levels.count)
    self.bounds = bounds ?? 0..<network.junctionCount
    turns = RoadTurns.of(mode)
  }

  // MARK: - Starts

  /// Begins in the midst of an arc, so far from its end.
  mutating func begin(on arc: UInt32, cost: UInt32) {
    seeds.append(arc)
    reach(seedState(seeds.count - 1), arc, RoadCost(cost, 0), from: 0, level: 0)
  }

  /// Reaches all that can be reached within the bounds.
  package func exhaust() { while advance() != nil {} }

  /// Begins at the end of a state.
  package func begin(at state: UInt32) {
    reach(state, network.base(state), RoadCost(0, 0), from: state, level: 0)
  }

  /// Call it before `begin`.
  mutating func lead(to places: [Coordinate]) {
    goal = RoadGoal(places, pace: network.leastPace(mode, avoiding: avoiding))
  }

  @inline(__always)
  private func reach(
    _ state: UInt32, _ arc: @autoclosure () -> UInt32, _ cost: RoadCost, from: UInt32, level: Int
  ) {
    labels.reach(
      state, cost, from: from, level: level,
      left: goal.map { $0.least(from: network.junction(network.head(arc()))) } ?? 0)
  }

  private func seedState(_ number: Int) -> UInt32 { network.stateCount &+ UInt32(number) }

  func isSeed(_ state: UInt32) -> Bool { state >= network.stateCount }

  func arc(of state: UInt32) -> UInt32 {
    let number = Int(state) - Int(network.stateCount)
    return seeds.indices.contains(number) ? seeds[number] : network.base(state)
  }

  /// The search goes road by road around a junction.
  mutating func open(around junction: UInt32) {
    guard top > 0 else { return }
    if open.isEmpty {
      open = overlay.levels[..<top].map { [Bool](repeating: false, count: $0.cells.count) }
    }
    let cell = network.junction(junction).cell
    for level in 0..<top { open[level][Int(overlay.levels[level].home(of: cell))] = true }
  }

  // MARK: - Steps

  /// Goes on from the cheapest state, which it answers with.
  @inline(__always)
  package func advance() -> (state: UInt32, cost: RoadCost)? {
    guard let (state, cost) = labels.pop() else { return nil }
    let arc = arc(of: state)
    let junction = network.head(arc)
    guard bounds.contains(junction) else { return (state, cost) }
    var level = isSeed(state) ? 0 : top
    if level > 0 {
      let cell = network.junction(junction).cell
      let before = network.junction(network.tail(arc)).cell
      while level > 0 {
        let cells = overlay.levels[level - 1]
        let here = cells.home(of: cell)
        if here != cells.home(of: before), !isOpen(here, at: level),
          pass(state, cost, cells, here, level)
        {
          return (state, cost)
        }
        level -= 1
      }
    }
    turn(state, cost, arc, junction)
    return (state, cost)
  }

  @inline(__always)
  private func isOpen(_ cell: UInt32, at level: Int) -> Bool {
    guard !open.isEmpty else { return false }
    return open[level - 1][Int(cell)]
  }

  /// To the exits of a cell. The answer is false where something within must be avoided: the level below is asked, too.
  @inline(__always)
  private func pass(
    _ state: UInt32, _ cost: RoadCost, _ level: RoadOverlay.Level, _ number: UInt32, _ height: Int
  ) -> Bool {
    let cell = level.cells[number]
    let (first, end) = (cell.first, cell.first &+ cell.entries)
    var (low, high) = (first, max(first, end))
    while low < high {
      let middle = low + (high - low) / 2
      if level.states[middle] < state { low = middle + 1 } else { high = middle }
    }
    guard low < end, level.states[low] == state else { return false }
    let exits = level.cells[number &+ 1].first &- end
    let row = level.costs.row(from: cell.costs &+ (low - first) &* exits, count: exits)
    let known = labels.exits(of: number, at: height, count: row.count)
    var isWhole = true
    for column in 0..<min(row.count, known.count) {
      let passage = row[column]
      let sum = cost.cost &+ passage.cost
      guard sum < known[column] else { continue }
      guard passage.traits & avoiding == 0 else {
        isWhole = false
        continue
      }
      known[column] = sum
      let exit = min(level.states[end &+ UInt32(column)], network.stateCount - 1)
      reach(
        exit, network.base(exit), RoadCost(sum, cost.traits | passage.traits), from: state,
        level: height)
    }
    return isWhole
  }

  /// Over a junction to the roads that leave it. Back only where nothing else is left.
  @inline(__always)
  private func turn(_ state: UInt32, _ cost: RoadCost, _ arc: UInt32, _ junction: UInt32) {
    let chain = network.chain(arc >> 1)
    let from = (arc: arc, chain: chain, traits: network.traits(of: chain))
    // A start remembers no road before it.
    let known = isSeed(state) ? arc : state
    let hasExceptions = network.hasExceptions(known, mode)
    var isDeadEnd = true
    if !network.isBarred(junction, mode) {
      let roads = network.roads(at: junction, mode)
      for number in network.leaving(junction) {
        let next = network.end(number)
        guard next != arc ^ 1 else { continue }
        var target = next
        if hasExceptions {
          guard let other = network.next(known, over: next, mode) else { continue }
          target = other
        }
        let chain = network.chain(next >> 1)
        guard let length = length(next, chain) else { continue }
        isDeadEnd = false
        go(state, cost, from, (next, chain, network.traits(of: chain)), target, length, roads)
      }
    }
    let back = arc ^ 1
    if isDeadEnd, let target = hasExceptions ? network.next(known, over: back, mode) : back,
      let length = length(back, chain)
    {
      go(state, cost, from, (back, chain, from.traits), target, length, 1)
    }
  }

  /// Nil: nobody of this mode goes there.
  @inline(__always)
  private func length(_ arc: UInt32, _ chain: RoadChain) -> UInt32? {
    let cost = network.taking(chain, arc, mode)
    return cost == 0 ? nil : cost
  }

  @inline(__always)
  private func go(
    _ state: UInt32, _ cost: RoadCost, _ from: (arc: UInt32, chain: RoadChain, traits: RoadTraits),
    _ to: (arc: UInt32, chain: RoadChain, traits: RoadTraits), _ target: UInt32, _ length: UInt32,
    _ roads: Int
  ) {
    let traits = to.traits.rawValue & RoadTraits.avoidable.rawValue
    guard traits & avoiding == 0 else { return }
    var length = length
    if !dearer.isEmpty {
      for _ in 0..<(dearer[to.arc >> 1] ?? 0) {
        length = min(length + length / 5 * 2, RoadNetwork.most)
      }
    }
    let turn = turns.turn(from: from, to: to, roads: roads).cost
    reach(
      target, to.arc, RoadCost(cost.cost + turn + length, cost.traits | traits), from: state,
      level: 0)
  }
}
