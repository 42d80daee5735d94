internal import PlaceCore
internal import Platform

/// A draft's junctions in the order of their cells, and all else in the order that follows from it.
struct RoadTables {
  static let noException = RoadException(from: .max, over: .max, to: .max)

  let junctions: ScratchArray<RoadJunction>
  let ends: ScratchArray<UInt32>
  let chains: ScratchArray<RoadChain>
  let points: ScratchArray<UInt8>
  /// Where the cells of each level of the overlay begin.
  private(set) var cells: [[UInt32]] = []
  let kinds: [UInt32]
  private(set) var exceptions: [RoadMode: [RoadException]] = [:]
  /// The arcs of the copies, of all modes.
  private(set) var copies: [UInt32] = []
  /// The draft's forbidden sequences, by the new numbers of their arcs.
  private(set) var sequences: [RoadMode: [[UInt32]]] = [:]

  /// `sizes`: junctions that the overlay's cells have at most, by level.
  init(_ draft: RoadDraft, _ sizes: [UInt32], in folder: String) throws(SystemError) {
    junctions = try ScratchArray(in: folder)
    ends = try ScratchArray(in: folder)
    chains = try ScratchArray(in: folder)
    points = try ScratchArray(in: folder)
    kinds = draft.kinds.flatMap {
      $0.costs.prefix(6) + $0.times.prefix(6) + [$0.traits.rawValue, 0]
    }
    let numbers = try order(draft, sizes, in: folder)
    let places = try arrange(draft, numbers, in: folder)
    try join(in: folder)
    for mode in Restriction.modes {
      let turns = (draft.turns[mode] ?? []).map {
        $0.map { places.buffer[Int($0 >> 1)] * 2 + ($0 & 1) }
      }
      sequences[mode] = turns
      forbid(turns, mode, arcs: UInt32(draft.chains.count) * 2)
    }
  }

  private mutating func forbid(_ turns: [[UInt32]], _ mode: RoadMode, arcs: UInt32) {
    let states = TurnStates(turns, firstCopy: arcs + UInt32(copies.count))
    exceptions[mode] = states.exceptions
    copies += states.copies
    for exception in states.exceptions where exception.from < arcs {
      chains[Int(exception.from >> 1)].exceptional |= RoadChain.exceptionBit(exception.from, mode)
    }
  }

  /// The new number of each junction of the draft.
  private mutating func order(
    _ draft: RoadDraft, _ sizes: [UInt32], in folder: String
  ) throws(SystemError) -> ScratchArray<UInt32> {
    let partition = try RoadPartition(draft, sizes, in: folder)
    cells = partition.levels
    let numbers = try ScratchArray<UInt32>(in: folder)
    try numbers.resize(partition.order.count)
    var cell = 0
    for (number, drafted) in partition.order.buffer.enumerated() {
      numbers[Int(drafted)] = UInt32(number)
      var junction = draft.junctions[Int(drafted)]
      if let starts = cells.first {
        while starts[cell + 1] <= number { cell += 1 }
        junction.cell = UInt32(cell)
      }
      try junctions.append(junction)
    }
    // The one behind the last ends its list.
    try junctions.append(RoadJunction(latitude: 0, longitude: 0, ends: 0))
    return numbers
  }

  /// Chains by the junction of their tail. The new number of each of the draft's.
  private func arrange(
    _ draft: RoadDraft, _ numbers: ScratchArray<UInt32>, in folder: String
  ) throws(SystemError) -> ScratchArray<UInt32> {
    let (drafted, numbers) = (draft.chains.buffer, numbers.buffer)
    let starts = try ScratchArray<UInt32>(in: folder)
    try starts.resize(numbers.count + 1)
    for chain in drafted { starts.buffer[Int(numbers[Int(chain.tail)]) + 1] += 1 }
    for number in 0..<numbers.count { starts.buffer[number + 1] += starts.buffer[number] }
    let (places, from) = (
      try ScratchArray<UInt32>(in: folder), try ScratchArray<UInt32>(in: folder)
    )
    try places.resize(drafted.count)
    try from.resize(drafted.count)
    for (number, chain) in drafted.enumerated() {
      let tail = Int(numbers[Int(chain.tail)])
      let place = starts.buffer[tail]
      starts.buffer[tail] += 1
      places.buffer[number] = place
      from.buffer[Int(place)] = UInt32(number)
    }
    for number in from.buffer {
      var chain = drafted[Int(number)]
      let first = Int(chain.firstPoint)
      let end =
        Int(number) + 1 < drafted.count
        ? Int(drafted[Int(number) + 1].firstPoint) : draft.points.count / 2
      (chain.tail, chain.head) = (numbers[Int(chain.tail)], numbers[Int(chain.head)])
      let tail = junctions[Int(chain.tail)]
      chain.firstPoint = UInt32(clamping: points.count)
      try chains.append(chain)
      var last = (latitude: tail.latitude, longitude: tail.longitude)
      for point in first..<max(end, first) {
        let next = (
          latitude: draft.points[point * 2], longitude: draft.points[point * 2 + 1]
        )
        try points.append(RoadPoints.bytes(of: next, after: last))
        last = next
      }
    }
    try chains.append(
      RoadChain(
        tail: 0, head: 0, length: 0, name: 0, firstPoint: UInt32(clamping: points.count), kind: 0))
    try points.append(0)
    return places
  }

  /// The arcs that leave each junction.
  private func join(in folder: String) throws(SystemError) {
    let (junctions, chains) = (junctions.buffer, chains.buffer.dropLast())
    try ends.resize(chains.count * 2 + 1)
    let ends = ends.buffer
    // The three highest bits say which modes are barred.
    for chain in chains {
      for junction in [chain.tail, chain.head] { junctions[Int(junction) + 1].ends &+= 1 }
    }
    let counts = (1 << 29) - 1 as UInt32
    var sum: UInt32 = 0
    for number in junctions.indices {
      sum += junctions[number].ends & counts
      junctions[number].ends = junctions[number].ends & ~counts | sum
    }
    // Filled from their ends, so that the starts are right in the end.
    let left = try ScratchArray<UInt32>(in: folder)
    try left.append(junctions.lazy.map { $0.ends & counts })
    for (number, chain) in chains.enumerated() {
      for (junction, arc) in [(chain.tail, number * 2), (chain.head, number * 2 + 1)] {
        ends[Int(left[Int(junction)])] = UInt32(arc)
        left[Int(junction)] += 1
      }
    }
  }
}
