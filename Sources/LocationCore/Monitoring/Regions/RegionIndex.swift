/// Finds the regions that a place may lie in without looking at the others.
///
/// Cubes of space, larger ones for larger regions: a region is in the few cubes that it touches, a
/// place in one cube of each size.
struct RegionIndex: Sendable {
  /// The first node of each cube's list.
  private var heads: [UInt64: Int32] = [:]
  private var nodes: [Node] = []
  private var free: Int32 = -1
  /// How many regions have cubes of a size.
  private var sizes = [Int](repeating: 0, count: 26)

  private struct Node {
    var slot: Int32
    var next: Int32
  }

  /// As powers of two, in metres.
  private static let smallest = 8

  mutating func insert(_ slot: Int32, _ middle: Point, _ extent: Double) {
    let level = Self.level(extent)
    sizes[level] += 1
    Self.forEachCube(middle, extent, level) { key in
      let node = Node(slot: slot, next: heads[key] ?? -1)
      if free >= 0 {
        heads[key] = free
        (free, nodes[Int(free)]) = (nodes[Int(free)].next, node)
      } else {
        heads[key] = Int32(nodes.count)
        nodes.append(node)
      }
    }
  }

  mutating func remove(_ slot: Int32, _ middle: Point, _ extent: Double) {
    let level = Self.level(extent)
    sizes[level] -= 1
    Self.forEachCube(middle, extent, level) { key in
      guard var at = heads[key] else { return }
      var previous: Int32 = -1
      while at >= 0, nodes[Int(at)].slot != slot { (previous, at) = (at, nodes[Int(at)].next) }
      guard at >= 0 else { return }
      let next = nodes[Int(at)].next
      if previous >= 0 {
        nodes[Int(previous)].next = next
      } else {
        heads[key] = next >= 0 ? next : nil
      }
      nodes[Int(at)] = Node(slot: -1, next: free)
      free = at
    }
  }

  /// Hands over each region whose cube the place lies in, once.
  func forEach(at point: Point, _ body: (Int32) -> Void) {
    for level in Self.smallest..<sizes.count where sizes[level] > 0 {
      let size = Double(1 << level)
      let key = Self.key(
        level, Self.cell(point.x, size), Self.cell(point.y, size), Self.cell(point.z, size))
      guard var at = heads[key] else { continue }
      while at >= 0 {
        let node = nodes[Int(at)]
        body(node.slot)
        at = node.next
      }
    }
  }

  /// Cubes at least twice as wide as the region, so that it touches few.
  private static func level(_ extent: Double) -> Int {
    var level = smallest
    while level < 25, Double(1 << level) < 4 * extent { level += 1 }
    return level
  }

  private static func cell(_ metres: Double, _ size: Double) -> Int {
    Int((metres / size).rounded(.down)) + 1 << 16
  }

  private static func key(_ level: Int, _ x: Int, _ y: Int, _ z: Int) -> UInt64 {
    UInt64(level) << 51 | UInt64(x) << 34 | UInt64(y) << 17 | UInt64(z)
  }

  private static func forEachCube(
    _ middle: Point, _ extent: Double, _ level: Int, _ body: (UInt64) -> Void
  ) {
    let size = Double(1 << level)
    func cells(_ metres: Double) -> ClosedRange<Int> {
      cell(metres - extent, size)...cell(metres + extent, size)
    }
    for x in cells(middle.x) {
      for y in cells(middle.y) {
        for z in cells(middle.z) { body(key(level, x, y, z)) }
      }
    }
  }
}
