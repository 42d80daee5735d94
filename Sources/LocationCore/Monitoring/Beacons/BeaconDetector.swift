import LocationModel

/// The regions around beacons: entered with the first report, left after some silence.
///
/// A region is unknown until its beacon is reported, or has been silent for as long. Silence counts while a radio
/// listens, and from then on.
struct BeaconDetector {
  private struct Entry {
    var constraint: BeaconConstraint
    var state: RegionState
  }

  /// All entries of one constraint.
  private struct Watch {
    var slots: [Int32] = []
    var heardAt: Boottime?
    /// Each entry is inside: another report says nothing new.
    var isSettled = false
  }

  private var entries: [Int32: Entry] = [:]
  private var watches: [BeaconConstraint: Watch] = [:]
  private var lastSlot: Int32 = 0
  private var listensSince: Boottime?
  /// When a region may be left: no sooner.
  private(set) var wakesAt: Boottime?

  static let silence: Duration = .seconds(30)

  init() {}

  mutating func add(_ constraint: BeaconConstraint, _ state: RegionState, at now: Boottime?)
    -> Int32
  {
    // Numbers of regions that have gone are given again after all others.
    repeat { lastSlot = lastSlot == .max ? 1 : lastSlot + 1 } while entries[lastSlot] != nil
    entries[lastSlot] = Entry(constraint: constraint, state: state)
    watches[constraint, default: Watch()].slots.append(lastSlot)
    if state != .inside { watches[constraint]?.isSettled = false }
    if state != .outside, let now { wake(at: now + Self.silence) }
    return lastSlot
  }

  mutating func remove(_ slot: Int32) {
    guard let entry = entries.removeValue(forKey: slot) else { return }
    watches[entry.constraint]?.slots.removeAll { $0 == slot }
    if watches[entry.constraint]?.slots.isEmpty == true { watches[entry.constraint] = nil }
  }

  func state(of slot: Int32) -> RegionState { entries[slot]?.state ?? .unknown }

  /// The state of beacons that other regions watch, too: a new region begins with it.
  func state(of constraint: BeaconConstraint, at now: Boottime) -> RegionState {
    guard listensSince != nil, let heardAt = watches[constraint]?.heardAt,
      now - heardAt < Self.silence
    else { return .unknown }
    return .inside
  }

  mutating func listen(at now: Boottime) {
    guard listensSince == nil else { return }
    listensSince = now
    wake(at: now + Self.silence)
  }

  mutating func endListening() {
    listensSince = nil
    wakesAt = nil
  }

  mutating func hear(_ identity: BeaconIdentity, at now: Boottime, into findings: inout [Finding]) {
    for constraint in identity.constraints {
      guard let i = watches.index(forKey: constraint) else { continue }
      watches.values[i].heardAt = now
      guard !watches.values[i].isSettled else { continue }
      watches.values[i].isSettled = true
      for slot in watches.values[i].slots { become(.inside, slot, into: &findings) }
      wake(at: now + Self.silence)
    }
  }

  /// Leaves the regions whose beacons are silent for long enough.
  mutating func wait(until now: Boottime, into findings: inout [Finding]) {
    guard let due = wakesAt, due <= now, let listensSince else { return }
    wakesAt = nil
    for constraint in watches.keys.sorted() {
      guard let watch = watches[constraint] else { continue }
      let last = max(watch.heardAt ?? listensSince, listensSince)
      guard watch.slots.contains(where: { entries[$0]?.state != .outside }) else { continue }
      guard last + Self.silence <= now else {
        wake(at: last + Self.silence)
        continue
      }
      for slot in watch.slots { become(.outside, slot, into: &findings) }
      watches[constraint]?.isSettled = false
    }
  }

  private mutating func become(
    _ state: RegionState, _ slot: Int32, into findings: inout [Finding]
  ) {
    guard let before = entries[slot]?.state, before != state else { return }
    entries[slot]?.state = state
    findings.append(.crossing(.beacon(slot), from: before))
  }

  private mutating func wake(at moment: Boottime) {
    guard listensSince != nil else { return }
    wakesAt = min(wakesAt ?? moment, moment)
  }
}
