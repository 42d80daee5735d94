/// The states that a search has reached, what each costs, and from where; the cheapest comes first.
///
/// A table with open addresses, and a heap that may hold a state more than once: the dearer ones are passed over.
package final class RoadLabels {
  /// Behind a pointer, so that nothing is checked at each access.
  private let table: UnsafeMutablePointer<LabelTable>

  package init() {
    table = .allocate(capacity: 1)
    table.initialize(to: LabelTable())
  }

  deinit {
    table.pointee.labels.deallocate()
    table.deinitialize(count: 1)
    table.deallocate()
  }

  package func removeAll() { table.pointee.removeAll() }

  var count: Int { table.pointee.count }
  /// The least that a way over a state that is still to come costs.
  var least: UInt32? { table.pointee.heap.first.map { UInt32(truncatingIfNeeded: $0 >> 32) } }

  /// The label of a state.
  package func find(_ state: UInt32) -> (cost: RoadCost, from: UInt32, level: Int)? {
    table.pointee.find(state)
  }

  /// The state, of those that are left, over which a way may be cheapest.
  @inline(__always)
  func pop() -> (state: UInt32, cost: RoadCost)? { table.pointee.pop() }

  /// Keeps it if it is cheaper than what is known. `left`: what the way from there costs at least.
  @inline(__always)
  func reach(
    _ state: UInt32, _ cost: RoadCost, from: UInt32, level: Int, left: @autoclosure () -> UInt32
  ) {
    table.pointee.reach(state, cost, from: from, level: level, left: left)
  }

  /// The least cost of each exit of a cell that was passed, by which way ever: none yet at first.
  @inline(__always)
  func exits(of cell: UInt32, at level: Int, count: Int) -> UnsafeMutableBufferPointer<UInt32> {
    table.pointee.exits(of: UInt32(level) << 28 | cell, count: count)
  }
}

private struct LabelTable {
  struct Label {
    var state: UInt32
    var cost: RoadCost
    /// The state before; above it a bit that says that its turn has come, and the level of the overlay that leads
    /// there.
    var from: UInt32

    static let isDone: UInt32 = 1 << 29
  }

  static let free = Label(state: .max, cost: .none, from: .max)
  private static let levelBits: UInt32 = 30

  var labels: UnsafeMutableBufferPointer<Label>
  var heap: [UInt64] = []
  private(set) var count = 0
  private var exits: [UInt32] = []
  /// Where the exits of a cell stand.
  private var cells: [UInt32: Int] = [:]

  init() {
    labels = .allocate(capacity: 1024)
    labels.initialize(repeating: Self.free)
  }

  mutating func removeAll() {
    labels.update(repeating: Self.free)
    heap.removeAll(keepingCapacity: true)
    exits.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Until the next call.
  @inline(__always)
  mutating func exits(of cell: UInt32, count: Int) -> UnsafeMutableBufferPointer<UInt32> {
    var first = exits.count
    if let known = cells[cell] {
      first = known
    } else {
      cells[cell] = first
      exits.append(contentsOf: repeatElement(RoadCost.most, count: count))
    }
    return exits.withUnsafeMutableBufferPointer {
      UnsafeMutableBufferPointer(rebasing: $0[first..<min(first + count, $0.count)])
    }
  }

  @inline(__always)
  private func slot(_ state: UInt32) -> Int {
    let mask = labels.count &- 1
    var slot = Int(state &* 0x9E37_79B1 >> 7) & mask
    while labels[slot].state != state, labels[slot].state != .max { slot = (slot &+ 1) & mask }
    return slot
  }

  func find(_ state: UInt32) -> (cost: RoadCost, from: UInt32, level: Int)? {
    let label = labels[slot(state)]
    guard label.state == state else { return nil }
    return (label.cost, label.from & (Label.isDone - 1), Int(label.from >> Self.levelBits))
  }

  @inline(__always)
  mutating func reach(
    _ state: UInt32, _ cost: RoadCost, from: UInt32, level: Int, left: () -> UInt32
  ) {
    var slot = slot(state)
    if labels[slot].state == state {
      guard cost.cost < labels[slot].cost.cost else { return }
    } else {
      if (count &+ 1) &* 4 > labels.count &* 3 {
        grow()
        slot = self.slot(state)
      }
      count &+= 1
    }
    let before = from & (Label.isDone - 1) | UInt32(level) << Self.levelBits
    labels[slot] = Label(state: state, cost: cost, from: before)
    push(UInt64(cost.cost &+ left()) << 32 | UInt64(state))
  }

  private mutating func grow() {
    let old = labels
    labels = .allocate(capacity: old.count * 2)
    labels.initialize(repeating: Self.free)
    for label in old where label.state != .max { labels[slot(label.state)] = label }
    old.deallocate()
  }

  @inline(__always)
  mutating func pop() -> (state: UInt32, cost: RoadCost)? {
    while let first = popHeap() {
      let state = UInt32(truncatingIfNeeded: first)
      let slot = slot(state)
      guard labels[slot].from & Label.isDone == 0 else { continue }
      labels[slot].from |= Label.isDone
      return (state, labels[slot].cost)
    }
    return nil
  }

  // MARK: - The heap, four children a node

  @inline(__always)
  private mutating func push(_ item: UInt64) {
    heap.append(item)
    heap.withUnsafeMutableBufferPointer { heap in
      var child = heap.count &- 1
      while child > 0 {
        let parent = (child &- 1) / 4
        guard item < heap[parent] else { break }
        heap[child] = heap[parent]
        child = parent
      }
      heap[child] = item
    }
  }

  @inline(__always)
  private mutating func popHeap() -> UInt64? {
    guard let first = heap.first, let item = heap.popLast() else { return nil }
    heap.withUnsafeMutableBufferPointer { heap in
      guard !heap.isEmpty else { return }
      var parent = 0
      while true {
        let children = parent &* 4 &+ 1
        guard children < heap.count else { break }
        var least = children
        for child in children &+ 1..<max(min(children &+ 4, heap.count), children &+ 1)
        where heap[child] < heap[least] {
          least = child
        }
        guard heap[least] < item else { break }
        heap[parent] = heap[least]
        parent = least
      }
      heap[parent] = item
    }
    return first
  }
}
