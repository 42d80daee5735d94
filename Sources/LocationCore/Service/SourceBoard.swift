package import LocationModel

/// The configured sources: which are open, how each fares, and whose fix is believed.
package struct SourceBoard {
  private struct Entry {
    var source: SourceDescription
    var state = SourceState.closed
    var stateSince: Int64
    var fixes = 0
    var last: Location?
    var lastAt: Int64 = 0
    /// Nanoseconds between its last two fixes.
    var period: Int64 = 0

    init(_ source: SourceDescription, at now: Instant) {
      self.source = source
      stateSince = now.boottime
    }

    var isOpen: Bool { state != .closed }

    mutating func set(_ state: SourceState, at now: Instant) {
      guard self.state != state else { return }
      self.state = state
      stateSince = now.boottime
    }
  }

  private var entries: [Entry]
  private var linger: Int64
  private var chosen: SourceID?
  /// Somebody needs a fix, or did a moment ago.
  private var isOpen = false
  private var unneededSince: Int64?

  package init(_ sources: [SourceDescription], linger: Int64, at now: Instant) {
    entries = sources.map { Entry($0, at: now) }
    self.linger = linger
  }

  /// When to close, once nobody needs a fix.
  var closesAt: Int64? { unneededSince.map { $0 + linger } }

  private func index(of id: SourceID) -> Int? { entries.firstIndex { $0.source.id == id } }
}

extension SourceBoard {
  mutating func need(_ isNeeded: Bool, at now: Instant, into outputs: inout [Output]) {
    if isNeeded {
      unneededSince = nil
      isOpen = true
      for i in entries.indices where !entries[i].isOpen {
        entries[i].set(.waiting, at: now)
        outputs.append(.open(entries[i].source.id))
      }
    } else if isOpen, unneededSince == nil {
      unneededSince = now.boottime
    }
  }

  mutating func closeIfDue(at now: Instant, into outputs: inout [Output]) {
    guard let due = closesAt, due <= now.boottime else { return }
    unneededSince = nil
    isOpen = false
    chosen = nil
    for i in entries.indices where entries[i].isOpen {
      entries[i].set(.closed, at: now)
      outputs.append(.close(entries[i].source.id))
    }
  }

  /// Sources that stay go on untouched, those that leave are closed, new ones are opened at need.
  mutating func configure(
    _ sources: [SourceDescription], linger: Int64, at now: Instant, into outputs: inout [Output]
  ) {
    self.linger = linger
    let before = entries
    entries = sources.map { source in
      before.first { $0.source.id == source.id } ?? Entry(source, at: now)
    }
    for entry in before where index(of: entry.source.id) == nil {
      if chosen == entry.source.id { chosen = nil }
      if entry.isOpen { outputs.append(.close(entry.source.id)) }
    }
  }

  mutating func fail(_ id: SourceID, _ reason: String, at now: Instant) {
    guard let i = index(of: id), entries[i].isOpen else { return }
    entries[i].set(.failed(reason), at: now)
  }

  mutating func find(_ id: SourceID, at now: Instant) {
    guard let i = index(of: id), entries[i].isOpen else { return }
    entries[i].set(.waiting, at: now)
  }

  /// Nobody can be told anything for now.
  var haveAllFailed: Bool {
    isOpen && entries.allSatisfy { if case .failed = $0.state { true } else { false } }
  }
}

extension SourceBoard {
  /// The fix as a location, if its source is the one to believe now.
  mutating func believe(_ fix: Fix, from id: SourceID, at now: Instant) -> Location? {
    guard let i = index(of: id), entries[i].isOpen else { return nil }
    var location = fix.location
    // A source of many receivers says which it was.
    if location.source.isEmpty { location.source = entries[i].source.name }
    location.simulated = entries[i].source.simulated || fix.kind == .simulated
    if entries[i].last != nil { entries[i].period = now.boottime - entries[i].lastAt }
    entries[i].last = location
    entries[i].lastAt = now.boottime
    entries[i].fixes += 1
    entries[i].set(.running, at: now)
    guard isBest(id, location, at: now) else { return nil }
    chosen = id
    return location
  }

  /// Another source takes over where it is clearly better, or the one believed has fallen silent.
  private func isBest(_ id: SourceID, _ location: Location, at now: Instant) -> Bool {
    guard let chosen, chosen != id, let current = index(of: chosen).map({ entries[$0] }),
      let last = current.last
    else { return true }
    let silence = max(3 * current.period, Self.shortestSilence)
    return now.boottime - current.lastAt > silence
      || location.horizontalAccuracy < last.horizontalAccuracy * 0.7
  }

  private static let shortestSilence: Int64 = 2_500_000_000

  package func status(at now: Instant) -> [SourceStatus] {
    entries.map { entry in
      var status = SourceStatus(
        name: entry.source.name, state: entry.state, stateAge: seconds(since: entry.stateSince, now)
      )
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
