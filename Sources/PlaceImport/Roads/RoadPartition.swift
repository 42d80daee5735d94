internal import Geodesy
internal import PlaceCore
internal import Platform

/// Divides junctions into cells with few roads between them: each part is cut in two until it is small enough.
///
/// A cut holds a third on one end of the part's longer side and a third on the other apart, through as few roads
/// as can be: as many as a flow from one to the other fills, as Ford and Fulkerson found. Towns stay whole
/// where a straight line would pass through them.
struct RoadPartition {
  /// The draft's junctions; those of a cell follow each other.
  let order: ScratchArray<UInt32>
  /// Where the cells of each level begin in the order, the lowest level first; the last is where all end.
  private(set) var levels: [[UInt32]]

  private let sizes: [UInt32]
  private let junctions: UnsafeMutableBufferPointer<RoadJunction>
  private let roads: JunctionRoads
  /// By chain: how much flows ahead, -1, 0 or 1, or that it is cut.
  private let flows: ScratchArray<Int8>
  private let roles: ScratchArray<Role>
  /// The arc by which a junction was reached.
  private let arrivals: ScratchArray<UInt32>
  /// Junctions that are reached in a round, after those of the source that have others beside them.
  private let queue: ScratchArray<UInt32>

  private enum Role: UInt8, BitwiseCopyable { case free, reached, source, sink }

  private static let cut: Int8 = 2
  /// A million junctions take 18; where more are needed, a straight line must do.
  private static let mostRounds = 100

  /// `sizes`: junctions that a cell has at most, by level.
  init(_ draft: RoadDraft, _ sizes: [UInt32], in folder: String) throws(SystemError) {
    self.sizes = sizes
    junctions = draft.junctions.buffer
    roads = try JunctionRoads(draft, in: folder)
    order = try ScratchArray(in: folder)
    flows = try ScratchArray(in: folder)
    roles = try ScratchArray(in: folder)
    arrivals = try ScratchArray(in: folder)
    queue = try ScratchArray(in: folder)
    try order.resize(junctions.count)
    for number in 0..<junctions.count { order[number] = UInt32(number) }
    try flows.resize(draft.chains.count)
    try roles.resize(junctions.count)
    try arrivals.resize(junctions.count)
    try queue.reserve(junctions.count)
    levels = sizes.map { _ in [] }
    try divide(0..<junctions.count, sizes.count - 1)
    for level in levels.indices { levels[level].append(UInt32(junctions.count)) }
  }

  /// `level` and those below are still to be made of it.
  private mutating func divide(_ part: Range<Int>, _ level: Int) throws(SystemError) {
    var level = level
    while level >= 0, part.count <= max(sizes[level], 1) {
      levels[level].append(UInt32(part.lowerBound))
      level -= 1
    }
    guard level >= 0 else { return }
    let middle = try cut(part)
    try divide(part.lowerBound..<middle, level)
    try divide(middle..<part.upperBound, level)
  }
}

// MARK: - The cut

extension RoadPartition {
  /// Where the second half of a part begins.
  private func cut(_ part: Range<Int>) throws(SystemError) -> Int {
    let (order, roles, flows) = (order.buffer, roles.buffer, flows.buffer)
    let third = max(part.count / 3, 1)
    let free = part.lowerBound + third..<part.upperBound - third
    line(part, free)
    for i in part {
      roles[Int(order[i])] = i < free.lowerBound ? .source : i < free.upperBound ? .free : .sink
    }
    try queue.resize(0)
    for junction in order[part.lowerBound..<free.lowerBound] {
      let isBesideOthers = roads[junction].contains {
        flows[Int($0.arc >> 1)] != Self.cut && roles[Int($0.head)] != .source
      }
      if isBesideOthers { try queue.append(junction) }
    }
    let starts = queue.count
    var (middle, rounds) = (free.lowerBound, 0)
    while try flow(from: starts, free) {
      rounds += 1
      if rounds == Self.mostRounds { break }
    }
    if rounds < Self.mostRounds {
      for i in free where roles[Int(order[i])] == .reached {
        order.swapAt(i, middle)
        middle += 1
      }
    }
    for i in part { roles[Int(order[i])] = i < middle ? .source : .sink }
    for junction in order[part] {
      for road in roads[junction] where flows[Int(road.arc >> 1)] != Self.cut {
        let isWhole = roles[Int(road.head)] == roles[Int(junction)]
        flows[Int(road.arc >> 1)] = isWhole ? 0 : Self.cut
      }
    }
    return middle
  }

  /// More that flows from the source to the sink. False where there is none.
  private func flow(from starts: Int, _ free: Range<Int>) throws(SystemError) -> Bool {
    let (order, roles, flows) = (order.buffer, roles.buffer, flows.buffer)
    for junction in order[free] { roles[Int(junction)] = .free }
    try queue.resize(starts)
    var (i, isMore) = (0, false)
    while i < queue.count {
      let junction = queue[i]
      i += 1
      for road in roads[junction] where hasRoom(road.arc, flows) {
        switch roles[Int(road.head)] {
        case .source, .reached: continue
        case .free:
          roles[Int(road.head)] = .reached
          arrivals[Int(road.head)] = road.arc
          try queue.append(road.head)
        case .sink:
          guard fill(to: junction, flows) else { break }
          flows[Int(road.arc >> 1)] += road.arc & 1 == 0 ? 1 : -1
          isMore = true
        }
      }
    }
    return isMore
  }

  @inline(__always)
  private func hasRoom(_ arc: UInt32, _ flows: UnsafeMutableBufferPointer<Int8>) -> Bool {
    let flow = flows[Int(arc >> 1)]
    return arc & 1 == 0 ? flow < 1 : flow == 0 || flow == 1
  }

  /// Lets it flow from the source. False where another has filled a road on the way.
  private func fill(to junction: UInt32, _ flows: UnsafeMutableBufferPointer<Int8>) -> Bool {
    func forEach(_ body: (UInt32) -> Bool) -> Bool {
      var junction = junction
      while roles[Int(junction)] != .source {
        let arc = arrivals[Int(junction)]
        guard body(arc) else { return false }
        junction = roads.tail(arc)
      }
      return true
    }
    guard forEach({ hasRoom($0, flows) }) else { return false }
    return forEach { arc in
      flows[Int(arc >> 1)] += arc & 1 == 0 ? 1 : -1
      return true
    }
  }
}

// MARK: - The thirds

extension RoadPartition {
  /// Puts the junctions that lie before, between and behind two lines across the longer side of a part in their places.
  private func line(_ part: Range<Int>, _ between: Range<Int>) {
    var box = (south: Int32.max, north: Int32.min, west: Int32.max, east: Int32.min)
    for number in order.buffer[part] {
      let junction = junctions[Int(number)]
      box.south = min(box.south, junction.latitude)
      box.north = max(box.north, junction.latitude)
      box.west = min(box.west, junction.longitude)
      box.east = max(box.east, junction.longitude)
    }
    let height = Double(box.north) - Double(box.south)
    let width = Double(box.east) - Double(box.west)
    let middle = (Double(box.north) + Double(box.south)) / 2e7
    let isHigh = height > width * LocalPlane.cosine(middle)
    let key: (UInt32) -> Int32 = { [junctions] number in
      isHigh ? junctions[Int(number)].latitude : junctions[Int(number)].longitude
    }
    select(part, between.lowerBound, key)
    select(between.lowerBound..<part.upperBound, between.upperBound, key)
  }

  /// Puts the junctions before `middle` that belong there. Equal ones are divided, so that many at one place take no
  /// longer.
  private func select(_ part: Range<Int>, _ middle: Int, _ key: (UInt32) -> Int32) {
    let order = order.buffer
    var (low, high) = (part.lowerBound, part.upperBound - 1)
    while low < high {
      let three = [key(order[low]), key(order[(low + high) / 2]), key(order[high])].sorted()
      let pivot = three[1]
      var (left, right) = (low, high)
      while left <= right {
        while key(order[left]) < pivot { left += 1 }
        while key(order[right]) > pivot { right -= 1 }
        if left <= right {
          order.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if middle <= right { high = right } else if middle >= left { low = left } else { return }
    }
  }
}
