package import LocationModel

/// The configured sources: which are open, how each fares, and whose fix is believed.
package struct SourceBoard {
  private struct Entry {
    var name: String
    var simulated: Bool
    var state = SourceState.closed
    var stateSince: Int64 = 0
    var fixes = 0
    var last: Location?
    var lastAt: Int64 = 0
    /// Nanoseconds between its last two fixes.
    var period: Int64 = 0
  }

  private var entries: [Entry]
  private var chosen: Int?
  private(set) var isOpen = false
  /// When to close, once nobody needs a fix.
  private(set) var closesAt: Int64?

  package init(_ sources: [(name: String, simulated: Bool)], at now: Instant) {
    entries = sources.map {
      Entry(name: $0.name, simulated: $0.simulated, stateSince: now.boottime)
    }
  }

  private var ids: [SourceID] { entries.indices.map(SourceID.init) }

  /// How long sources stay open after the last need: a client that asks every second reopens none.
  private static let linger: Int64 = 5_000_000_000
}

extension SourceBoard {
  mutating func need(_ isNeeded: Bool, at now: Instant, into outputs: inout [Output]) {
    if isNeeded {
      closesAt = nil
      guard !isOpen else { return }
      isOpen = true
      for id in ids {
        set(.waiting, of: id, at: now)
        outputs.append(.open(id))
      }
    } else if isOpen, closesAt == nil {
      closesAt = now.boottime + Self.linger
    }
  }

  mutating func closeIfDue(at now: Instant, into outputs: inout [Output]) {
    guard let due = closesAt, due <= now.boottime else { return }
    closesAt = nil
    isOpen = false
    chosen = nil
    for id in ids {
      set(.closed, of: id, at: now)
      outputs.append(.close(id))
    }
  }

  mutating func fail(_ id: SourceID, _ reason: String, at now: Instant) {
    guard isOpen, entries.indices.contains(id.number) else { return }
    set(.failed(reason), of: id, at: now)
  }

  mutating func find(_ id: SourceID, at now: Instant) {
    guard isOpen, entries.indices.contains(id.number) else { return }
    set(.waiting, of: id, at: now)
  }

  /// Nobody can be told anything for now.
  var haveAllFailed: Bool {
    isOpen && entries.allSatisfy { if case .failed = $0.state { true } else { false } }
  }

  private mutating func set(_ state: SourceState, of id: SourceID, at now: Instant) {
    guard entries[id.number].state != state else { return }
    entries[id.number].state = state
    entries[id.number].stateSince = now.boottime
  }
}

extension SourceBoard {
  /// The fix as a location, if its source is the one to believe now.
  mutating func believe(_ fix: Fix, from id: SourceID, at now: Instant) -> Location? {
    guard isOpen, entries.indices.contains(id.number) else { return nil }
    let i = id.number
    var location = fix.location
    location.source = entries[i].name
    location.simulated = entries[i].simulated || fix.kind == .simulated
    if entries[i].last != nil { entries[i].period = now.boottime - entries[i].lastAt }
    entries[i].last = location
    entries[i].lastAt = now.boottime
    entries[i].fixes += 1
    set(.running, of: id, at: now)
    guard isBest(i, location, at: now) else { return nil }
    chosen = i
    return location
  }

  /// Another source takes over where it is clearly better, or the one believed has fallen silent.
  private func isBest(_ i: Int, _ location: Location, at now: Instant) -> Bool {
    guard let chosen, chosen != i, let current = entries[chosen].last else { return true }
    let silence = max(3 * entries[chosen].period, Self.shortestSilence)
    return now.boottime - entries[chosen].lastAt > silence
      || location.horizontalAccuracy < current.horizontalAccuracy * 0.7
  }

  private static let shortestSilence: Int64 = 2_500_000_000

  package func status(at now: Instant) -> [SourceStatus] {
    entries.map { entry in
      var status = SourceStatus(
        name: entry.name, state: entry.state, stateAge: seconds(since: entry.stateSince, now))
      status.fixes = entry.fixes
      status.lastFixAge = entry.last.map { _ in seconds(since: entry.lastAt, now) }
      status.horizontalAccuracy = entry.last?.horizontalAccuracy
      return status
    }
  }

  private func seconds(since then: Int64, _ now: Instant) -> Double {
    Double(now.boottime - then) / 1e9
  }
}
