import LocationModel

/// The detectors that apps share, and the track they follow.
struct Detectors {
  var clock = TrackClock()
  var repeats = Repeats()
  var gate = TrackGate()
  var regions = RegionDetector()
  var beacons = BeaconDetector()
  var changes = SignificantChanges()
  var visits = VisitDetector()
  /// The app and the name of the region in each slot.
  var owners: [RegionSlot: (app: App, identifier: String)] = [:]
  /// The services that some app has asked for and may have.
  var needed = ServiceSet()

  /// Some follow where the device is.
  var isNeeded: Bool { !needed.isOnly(.beacons) }

  /// The detectors' need: crossings and departures show in every fix only, a stay that goes on shows in
  /// one a minute.
  var need: Need? {
    if needed.contains(.regions) { return .all }
    if needed.contains(.visits) {
      return visits.isSettled ? Need(accuracy: 50, every: 60) : Need(accuracy: 25, every: 0)
    }
    return needed.contains(.significant) ? .rest : nil
  }

  /// The fix as a sighting, if it says something new and is possible after those before it.
  mutating func sight(_ location: Location, _ point: Point, at now: Instant) -> Sighting? {
    let step = clock.turn(to: location, at: now)
    if step != .zero { visits.shift(by: step) }
    let sighting = sighting(of: location, point)
    return !repeats.isRepeat(sighting) && gate.admits(sighting) ? sighting : nil
  }

  /// A fix that has come before, seen again: no clock follows it.
  mutating func sightAgain(_ location: Location, at now: Instant) -> Sighting {
    clock.turn(to: now)
    return sighting(of: location, Point(location.coordinate))
  }

  private func sighting(of location: Location, _ point: Point) -> Sighting {
    Sighting(
      time: clock.time, date: location.timestamp, point: point,
      accuracy: max(location.horizontalAccuracy, 1), speed: location.speed)
  }

  mutating func observe(_ seen: Observation, into findings: inout [Finding]) {
    if needed.contains(.significant) { changes.observe(seen, into: &findings) }
    guard needed.contains(.visits) || needed.contains(.regions) else { return }
    visits.observe(seen, into: &findings)
    guard needed.contains(.regions) else { return }
    var seen = seen
    seen.sighting = visits.steadied(seen.sighting)
    regions.observe(seen, into: &findings)
  }

  /// Time passes without a fix.
  mutating func wait(until now: Instant, into findings: inout [Finding]) {
    beacons.wait(until: now.boottime, into: &findings)
    guard isNeeded else { return }
    clock.turn(to: now)
    visits.wait(until: clock.time, into: &findings)
    regions.wait(until: clock.time, into: &findings)
    changes.wait(until: clock.time, into: &findings)
  }

  /// When silence says something.
  var wakesAt: Boottime? {
    earliest(
      isNeeded ? earliest(visits.wakesAt.flatMap { clock.boottime(of: $0) }, decidedAt) : nil,
      beacons.wakesAt)
  }

  /// When something that is decided already is told, if nothing comes before that speaks against it.
  var decidedAt: Boottime? {
    earliest(
      regions.wakesAt.flatMap { clock.boottime(of: $0) },
      changes.wakesAt.flatMap { clock.boottime(of: $0) })
  }
}

// MARK: - Regions of all kinds

extension Detectors {
  mutating func add(_ shape: WatchedShape, _ state: RegionState, at now: Boottime?) -> RegionSlot {
    switch shape {
    case .place(let shape): .place(regions.add(shape, state))
    case .beacon(let constraint): .beacon(beacons.add(constraint, state, at: now))
    }
  }

  mutating func remove(_ slot: RegionSlot) {
    switch slot {
    case .place(let slot): regions.remove(slot)
    case .beacon(let slot): beacons.remove(slot)
    }
  }

  func state(of slot: RegionSlot) -> RegionState {
    switch slot {
    case .place(let slot): regions.state(of: slot)
    case .beacon(let slot): beacons.state(of: slot)
    }
  }
}

/// A region's shape, as its detector watches it.
enum WatchedShape {
  case place(RegionShape)
  case beacon(BeaconConstraint)

  /// Nil where there is no such region.
  init?(_ shape: Region.Shape) {
    if case .beacon(let constraint) = shape {
      self = .beacon(constraint)
    } else {
      guard let shape = RegionShape(shape) else { return nil }
      self = .place(shape)
    }
  }
}
