package import LocationModel

/// All regions that anybody monitors, and on which side of each we are.
package struct RegionBoard: ~Copyable {
  private struct Entry {
    var shape: RegionShape
    var watch: RegionWatch
    /// Its place among the active ones, or -1.
    var active: Int32 = -1

    /// Whether it is not looked at already, and the place may lie in it.
    func mayHold(_ point: Point) -> Bool {
      active < 0 && point.chord(to: shape.middle) <= shape.extent
    }
  }

  /// One to look at wherever we are: we are inside, or do not know, or something speaks for it.
  private struct Active {
    var slot: Int32
    /// Deep inside it is passed over until we have moved on so far.
    var sleepsUntil: Double
  }

  /// What a look at an entry has shown.
  private struct Found {
    var isActive: Bool
    var before: RegionState?
    var sleep: Double
  }

  private var entries: [Entry?] = []
  private var free: [Int32] = []
  private var index = RegionIndex()
  private var active: [Active] = []
  private var last: Sighting?
  /// Metres moved, as fixes lie apart.
  private var way = 0.0

  /// What fixes may be wrong by, where one so deep inside is passed over; vaguer ones are looked at.
  private static let slack = 200.0
  private static let vague = 50.0

  package init() {}

  package var count: Int { entries.count - free.count }

  package mutating func add(_ shape: RegionShape, _ state: RegionState = .unknown) -> Int32 {
    let slot = free.popLast() ?? Int32(entries.count)
    if Int(slot) == entries.count { entries.append(nil) }
    entries[Int(slot)] = Entry(shape: shape, watch: RegionWatch(state))
    index.insert(slot, shape.middle, shape.extent)
    if state != .outside { activate(slot) }
    return slot
  }

  package mutating func remove(_ slot: Int32) {
    guard let entry = entries[Int(slot)] else { return }
    if entry.active >= 0 { settle(slot) }
    index.remove(slot, entry.shape.middle, entry.shape.extent)
    entries[Int(slot)] = nil
    free.append(slot)
  }

  package func state(of slot: Int32) -> RegionState {
    entries[Int(slot)]?.watch.state ?? .unknown
  }

  /// Takes what was seen, and hands over each region whose state is another one now, with what it
  /// was.
  package mutating func take(
    _ sighting: Sighting, at coordinate: Coordinate, _ tell: (Int32, RegionState) -> Void
  ) {
    let seconds = sighting.time - (last?.time ?? sighting.time)
    way += last.map { sighting.point.chord(to: $0.point) } ?? 0
    last = sighting
    var near: [Int32] = []
    index.forEach(at: sighting.point) { slot in
      let isNear = entries.withUnsafeBufferPointer { $0[Int(slot)]?.mayHold(sighting.point) }
      if isNear == true { near.append(slot) }
    }
    // From the end, since those that become settled leave.
    for i in active.indices.reversed()
    where active[i].sleepsUntil <= way || sighting.accuracy > Self.vague {
      let slot = active[i].slot
      let found = look(at: slot, sighting, coordinate, after: seconds)
      active[i].sleepsUntil = way + found.sleep
      if !found.isActive { settle(slot) }
      if let before = found.before { tell(slot, before) }
    }
    for slot in near {
      let found = look(at: slot, sighting, coordinate, after: seconds)
      if found.isActive { activate(slot) }
      if let before = found.before { tell(slot, before) }
    }
  }

  /// In place: copying an entry would cost more than looking at it.
  private mutating func look(
    at slot: Int32, _ sighting: Sighting, _ coordinate: Coordinate, after seconds: Double
  ) -> Found {
    entries.withUnsafeMutableBufferPointer { entries in
      guard let depth = entries[Int(slot)]?.shape.depth(of: sighting.point, at: coordinate),
        let before = entries[Int(slot)]?.watch.state,
        let hasChanged = entries[Int(slot)]?.watch.take(depth, sighting.accuracy, after: seconds),
        let watch = entries[Int(slot)]?.watch
      else { return Found(isActive: false, before: nil, sleep: 0) }
      return Found(
        isActive: watch.state != .outside || watch.isPending, before: hasChanged ? before : nil,
        sleep: watch.state == .inside && !watch.isPending ? depth - Self.slack : 0)
    }
  }

  private mutating func activate(_ slot: Int32) {
    entries[Int(slot)]?.active = Int32(active.count)
    active.append(Active(slot: slot, sleepsUntil: 0))
  }

  /// Only the index has it from now on.
  private mutating func settle(_ slot: Int32) {
    guard let place = entries[Int(slot)]?.active, let last = active.popLast() else { return }
    entries[Int(slot)]?.active = -1
    guard last.slot != slot else { return }
    active[Int(place)] = last
    entries[Int(last.slot)]?.active = place
  }
}
