import LocationModel

/// All regions that anybody monitors, and on which side of each we are.
struct RegionDetector: Detector {
  private struct Entry {
    var shape: RegionShape
    var watch: RegionWatch
    /// Its place among the active ones, or -1.
    var active: Int32 = -1

    /// Whether it is not looked at already, and the place may lie in it.
    func mayHold(_ point: Point) -> Bool {
      active < 0 && point.chord(to: shape.middle) <= shape.extent
    }

    mutating func look(at sighting: Sighting, _ coordinate: Coordinate, _ motion: Motion) -> Found {
      let depth = shape.depth(of: sighting.point, at: coordinate)
      let before = watch.state
      var step = RegionWatch.Step(seconds: motion.seconds)
      if let from = motion.from, watch.begins(with: depth) {
        step.from = shape.depth(of: from, at: from.coordinate)
        step.middle = motion.middle.map { shape.depth(of: $0, at: $0.coordinate) }
      }
      var change = watch.observe(depth, sighting.accuracy, after: step)
      if let new = change, !isLasting(new, shape, motion) { change = nil }
      if let change { watch.make(change) }
      return Found(
        isActive: watch.state != .outside || watch.isPending,
        before: change == nil ? nil : before,
        sleep: watch.state == .inside && !watch.isPending ? depth - RegionDetector.slack : 0,
        patience: watch.patience)
    }
  }

  /// One to look at wherever we are: we are inside, or do not know, or something speaks for it.
  private struct Active {
    var slot: Int32
    /// Deep inside it is passed over until we have moved on so far.
    var sleepsUntil: Double
  }

  /// The result of a look at an entry.
  private struct Found {
    var isActive: Bool
    var before: RegionState?
    var sleep: Double
    /// After how many seconds of silence it changes.
    var patience: Double?
  }

  private var entries: [Entry?] = []
  private var free: [Int32] = []
  private var index = RegionIndex()
  private var active: [Active] = []
  private var motion = Motion()
  private(set) var wakesAt: Double?

  /// Fixes may be wrong by so much: a region is passed over while the device is deeper inside. Vaguer fixes
  /// are looked at.
  private static let slack = 200.0
  private static let vague = 50.0

  init() {}

  mutating func add(_ shape: RegionShape, _ state: RegionState = .unknown) -> Int32 {
    let slot = free.popLast() ?? Int32(entries.count)
    if Int(slot) == entries.count { entries.append(nil) }
    entries[Int(slot)] = Entry(shape: shape, watch: RegionWatch(state))
    index.insert(slot, shape.middle, shape.extent)
    if state != .outside { activate(slot) }
    return slot
  }

  mutating func remove(_ slot: Int32) {
    guard let entry = entries[Int(slot)] else { return }
    if entry.active >= 0 { deactivate(slot) }
    index.remove(slot, entry.shape.middle, entry.shape.extent)
    entries[Int(slot)] = nil
    free.append(slot)
    if free.count == entries.count { giveBack() }
  }

  /// Nothing is left of it, nor the memory that the most regions took.
  private mutating func giveBack() {
    entries = []
    free = []
    active = []
    index = RegionIndex()
  }

  func state(of slot: Int32) -> RegionState {
    entries[Int(slot)]?.watch.state ?? .unknown
  }

  mutating func observe(_ seen: Observation, into findings: inout [Finding]) {
    let (sighting, coordinate) = (seen.sighting, seen.location.coordinate)
    motion.go(to: sighting)
    wakesAt = nil
    var near: [Int32] = []
    index.forEach(at: sighting.point) { slot in
      let isNear = entries.withUnsafeBufferPointer { $0[Int(slot)]?.mayHold(sighting.point) }
      if isNear == true { near.append(slot) }
    }
    // From the end, since those that become settled leave.
    let awake = sighting.accuracy > Self.vague ? .infinity : motion.way
    for i in active.indices.reversed() where active[i].sleepsUntil <= awake {
      let slot = active[i].slot
      let found = look(at: slot, sighting, coordinate)
      active[i].sleepsUntil = motion.way + found.sleep
      if !found.isActive { deactivate(slot) }
      if let before = found.before { findings.append(.crossing(.place(slot), from: before)) }
    }
    for slot in near {
      let found = look(at: slot, sighting, coordinate)
      if found.isActive { activate(slot) }
      if let before = found.before { findings.append(.crossing(.place(slot), from: before)) }
    }
  }

  mutating func wait(until time: Double, into findings: inout [Finding]) {
    guard let wakesAt, wakesAt <= time, let newest = motion.newest else { return }
    self.wakesAt = nil
    for i in active.indices.reversed() {
      let slot = active[i].slot
      guard let entry = entries[Int(slot)], let patience = entry.watch.patience else { continue }
      guard newest.time + patience <= time else {
        wake(after: patience)
        continue
      }
      guard let change = entry.watch.wait(), isLasting(change, entry.shape, motion) else {
        continue
      }
      entries[Int(slot)]?.watch.make(change)
      if change.state == .outside { deactivate(slot) }
      findings.append(.crossing(.place(slot), from: entry.watch.state))
    }
  }

  private mutating func wake(after seconds: Double) {
    guard let newest = motion.newest else { return }
    wakesAt = min(wakesAt ?? .infinity, newest.time + seconds)
  }

  private mutating func look(
    at slot: Int32, _ sighting: Sighting, _ coordinate: Coordinate
  ) -> Found {
    guard let found = entries[Int(slot)]?.look(at: sighting, coordinate, motion) else {
      return Found(isActive: false, before: nil, sleep: 0)
    }
    if let patience = found.patience { wake(after: patience) }
    return found
  }

  private mutating func activate(_ slot: Int32) {
    entries[Int(slot)]?.active = Int32(active.count)
    active.append(Active(slot: slot, sleepsUntil: 0))
  }

  /// Only the index has it from now on.
  private mutating func deactivate(_ slot: Int32) {
    guard let place = entries[Int(slot)]?.active, let last = active.popLast() else { return }
    entries[Int(slot)]?.active = -1
    guard last.slot != slot else { return }
    active[Int(place)] = last
    entries[Int(last.slot)]?.active = place
  }
}

/// Whether one stays there for long enough, going on like this: who is soon back is not told of.
private func isLasting(_ change: RegionWatch.Crossing, _ shape: RegionShape, _ motion: Motion)
  -> Bool
{
  guard change.seconds > 0, let ahead = motion.ahead(change.seconds) else { return true }
  return (shape.depth(of: ahead, at: ahead.coordinate) > 0) == (change.state == .inside)
}
