package import LocationModel

/// All regions that anybody monitors, and on which side of each we are.
package struct RegionBoard: ~Copyable {
  private struct Entry {
    var shape: RegionShape
    var watch: RegionWatch
    /// Its place among the active ones, or -1.
    var active: Int32 = -1
  }

  private var entries: [Entry?] = []
  private var free: [Int32] = []
  private var index = RegionIndex()
  /// Those to look at wherever we are: we are inside, or do not know, or something speaks for it.
  private var active: [Int32] = []
  private var lastTime: Double?

  package init() {}

  package var count: Int { entries.count - free.count }

  package mutating func add(_ shape: RegionShape, _ state: RegionState = .unknown) -> Int32 {
    let slot = free.popLast() ?? Int32(entries.count)
    if Int(slot) == entries.count { entries.append(nil) }
    entries[Int(slot)] = Entry(shape: shape, watch: RegionWatch(state))
    index.insert(slot, shape.middle, shape.extent)
    keepActive(slot, state != .outside)
    return slot
  }

  package mutating func remove(_ slot: Int32) {
    guard let entry = entries[Int(slot)] else { return }
    keepActive(slot, false)
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
    let seconds = sighting.time - (lastTime ?? sighting.time)
    lastTime = sighting.time
    var near: [Int32] = []
    index.forEach(at: sighting.point) { slot in
      guard let entry = entries[Int(slot)], entry.active < 0,
        sighting.point.chord(to: entry.shape.middle) <= entry.shape.extent
      else { return }
      near.append(slot)
    }
    // From the end, since those that become settled leave.
    for i in active.indices.reversed() {
      look(active[i], sighting, coordinate, after: seconds, tell)
    }
    for slot in near { look(slot, sighting, coordinate, after: seconds, tell) }
  }

  private mutating func look(
    _ slot: Int32, _ sighting: Sighting, _ coordinate: Coordinate, after seconds: Double,
    _ tell: (Int32, RegionState) -> Void
  ) {
    guard let depth = entries[Int(slot)]?.shape.depth(of: sighting.point, at: coordinate),
      let before = entries[Int(slot)]?.watch.state,
      let hasChanged = entries[Int(slot)]?.watch.take(
        depth, sighting.accuracy, after: seconds)
    else { return }
    let isActive = entries[Int(slot)].map { $0.watch.state != .outside || $0.watch.isPending }
    keepActive(slot, isActive ?? false)
    if hasChanged { tell(slot, before) }
  }

  private mutating func keepActive(_ slot: Int32, _ isActive: Bool) {
    guard let place = entries[Int(slot)]?.active, (place >= 0) != isActive else { return }
    if isActive {
      entries[Int(slot)]?.active = Int32(active.count)
      active.append(slot)
      return
    }
    entries[Int(slot)]?.active = -1
    guard let last = active.popLast(), last != slot else { return }
    active[Int(place)] = last
    entries[Int(last)]?.active = place
  }
}
