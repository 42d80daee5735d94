/// The networks that are remembered, found by their hashes.
struct NetworkTable {
  private(set) var networks: [LearntNetwork] = []
  /// Indices into `networks`, each plus one: an open hash table whose size is a power of two.
  private var slots = [UInt16](repeating: 0, count: leastSlots)
  /// The hashes of the networks that were dropped and are on the disk.
  private var dropped: [UInt64] = []
  private let most: Int

  /// A slot has 16 bits.
  static let most = 50_000
  private static let leastSlots = 64

  init(most: Int = Self.most) { self.most = min(max(most, 1), Self.most) }

  subscript(id: UInt64) -> LearntNetwork? {
    let entry = slots[slot(of: id)]
    return entry == 0 ? nil : networks[Int(entry) - 1]
  }

  mutating func hear(_ id: UInt64, _ hearing: LearntNetwork.Hearing) {
    let entry = slots[slot(of: id)]
    if entry == 0 {
      insert(LearntNetwork(id: id, hearing))
    } else {
      networks[Int(entry) - 1].hear(hearing)
    }
  }

  mutating func insert(_ network: LearntNetwork) {
    guard self[network.id] == nil else { return }
    if networks.count >= most { dropOldest() }
    networks.append(network)
    if networks.count * 2 > slots.count {
      index()
    } else {
      slots[slot(of: network.id)] = UInt16(networks.count)
    }
  }

  /// The rows that the disk does not have as they are, and those that it is to forget.
  mutating func drainChanges(most: Int = .max) -> (changed: [NetworkRow], dropped: [Int64]) {
    var changed: [NetworkRow] = []
    for i in networks.indices where !networks[i].isWritten && changed.count < most {
      networks[i].isWritten = true
      changed.append(NetworkRow(networks[i]))
    }
    defer { dropped = [] }
    return (changed, dropped.map { Int64(bitPattern: $0) })
  }

  mutating func markUnwritten() {
    for i in networks.indices { networks[i].isWritten = false }
    dropped = []
  }

  /// A sixteenth goes at once: the networks that were heard least recently, and of those the least
  /// known.
  private mutating func dropOldest() {
    let order = networks.indices.sorted {
      (networks[$0].day, networks[$0].hearings) < (networks[$1].day, networks[$1].hearings)
    }
    var isKept = [Bool](repeating: true, count: networks.count)
    for i in order.prefix(max(1, most / 16)) {
      isKept[i] = false
      dropped.append(networks[i].id)
    }
    var kept = 0
    for i in networks.indices where isKept[i] {
      networks[kept] = networks[i]
      kept += 1
    }
    networks.removeLast(networks.count - kept)
    index()
  }

  private mutating func index() {
    var size = Self.leastSlots
    while size < networks.count * 2 { size *= 2 }
    slots = [UInt16](repeating: 0, count: size)
    for i in networks.indices { slots[slot(of: networks[i].id)] = UInt16(i + 1) }
  }

  /// The slot of the network, or the free one that it would have.
  private func slot(of id: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: id) & (slots.count - 1)
    while slots[slot] != 0, networks[Int(slots[slot]) - 1].id != id {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}
