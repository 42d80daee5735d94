import LocationModel

/// The configured sources: which are open, how each fares, and whose fix is believed.
struct SourceTable {
  struct Entry {
    var source: SourceDescription
    private(set) var state = SourceState.closed
    private(set) var isOpen = false
    /// The source has been there since it was opened.
    var isFound = false
    var stateSince: Boottime
    var fixes = 0
    var doubted = 0
    var headings = 0
    var contender: Contender
    /// The accuracy of its newest fix.
    var accuracy: Double?
    var lastAt: Boottime = .start

    init(_ source: SourceDescription, at now: Instant) {
      self.source = source
      contender = Contender(source.kind)
      stateSince = now.boottime
    }

    /// The demand that it was told last.
    var demand: SourceDemand?
    /// Since when it is open for nobody.
    var unneededSince: Boottime?
    /// Fixes since it last said a heading: one that says none is not needed for them.
    var fixesOnly = 0

    static let surelyFixesOnly = 10

    mutating func run(at now: Instant) {
      if case .running = state { return }
      set(.running, at: now)
    }

    mutating func set(_ state: SourceState, at now: Instant) {
      guard self.state != state else { return }
      self.state = state
      isOpen = state != .closed && state != .resting
      stateSince = now.boottime
    }
  }

  var entries: [Entry]
  private var linger: Duration
  private(set) var chosen: SourceID?
  /// Somebody waits for a fix now.
  private(set) var isSeeking = false
  /// The networks around may say a place, as some are known.
  var knowsNetworks = false

  init(_ sources: [SourceDescription], linger: Duration, at now: Instant) {
    entries = sources.map { Entry($0, at: now) }
    self.linger = linger
  }

  /// When to close the next one that nobody needs.
  var closesAt: Boottime? {
    var first: Boottime?
    for i in entries.indices {
      if let since = entries[i].unneededSince { first = min(first ?? since, since) }
    }
    return first.map { $0 + linger }
  }

  /// In place, as all that is done for each fix: an entry is large.
  private func index(of id: SourceID) -> Int? {
    entries.indices.first { entries[$0].source.id == id }
  }
}

extension SourceTable {
  func isSimulated(_ id: SourceID) -> Bool {
    index(of: id).map { entries[$0].source.simulated } ?? false
  }

  /// When the next fix is needed.
  enum When { case now, later, never }

  /// Opens what is needed, closes what rests at once, and what nobody needs any more after a while.
  mutating func supply(
    fixes: When, _ demand: SourceDemand, at now: Instant, into outputs: inout [Output]
  ) {
    isSeeking = fixes == .now
    for i in entries.indices where entries[i].source.kind != .beacons {
      if isNeeded(i, fixes: fixes, headings: demand.headings) {
        entries[i].unneededSince = nil
        set(demand, of: i, at: now, into: &outputs)
      } else if fixes == .later {
        close(i, .resting, at: now, into: &outputs)
      } else if entries[i].isOpen {
        let since = entries[i].unneededSince ?? now.boottime
        entries[i].unneededSince = since
        if since + linger <= now.boottime { close(i, .closed, at: now, into: &outputs) }
      } else {
        entries[i].set(.closed, at: now)
      }
    }
  }

  private func isNeeded(_ i: Int, fixes: When, headings: Bool) -> Bool {
    switch entries[i].source.kind {
    case .compass: headings
    case .radio: fixes == .now
    case .beacons: false
    case .gnss, .modem, .fixed:
      fixes == .now || fixes == .later && !entries[i].source.mayRest
        || headings && entries[i].fixesOnly < Entry.surelyFixesOnly
    }
  }

  mutating func close(
    _ i: Int, _ state: SourceState, at now: Instant, into outputs: inout [Output]
  ) {
    let wasOpen = entries[i].isOpen
    entries[i].isFound = false
    entries[i].unneededSince = nil
    entries[i].set(entries[i].source.kind.givesFixes ? state : .closed, at: now)
    guard wasOpen else { return }
    if chosen == entries[i].source.id { chosen = nil }
    outputs.append(.close(entries[i].source.id))
  }

  /// Sources that stay go on untouched, those that leave are closed, new ones are opened at need.
  mutating func configure(
    _ sources: [SourceDescription], linger: Duration, at now: Instant, into outputs: inout [Output]
  ) {
    self.linger = linger
    let before = entries
    entries = sources.map { source in
      var entry = before.first { $0.source.id == source.id } ?? Entry(source, at: now)
      entry.source = source
      return entry
    }
    for entry in before where index(of: entry.source.id) == nil {
      if chosen == entry.source.id { chosen = nil }
      if entry.isOpen { outputs.append(.close(entry.source.id)) }
    }
  }

  mutating func fail(_ id: SourceID, _ reason: String, at now: Instant) {
    guard let i = index(of: id), entries[i].isOpen else { return }
    entries[i].isFound = false
    entries[i].set(.failed(reason), at: now)
  }

  mutating func find(_ id: SourceID, at now: Instant) {
    guard let i = index(of: id), entries[i].isOpen else { return }
    entries[i].isFound = true
    entries[i].contender.beginAgain()
    entries[i].fixesOnly = 0
    if entries[i].state != .running { entries[i].set(.waiting, at: now) }
  }
}

extension SourceTable {
  /// The fix as a location, if it is believed, and its source the one to believe now.
  mutating func accept(
    _ fix: Fix, _ point: Point, from id: SourceID, at now: Instant, filtered: Bool
  ) -> Location? {
    guard let i = index(of: id), entries[i].isOpen else { return nil }
    var location = fix.location
    // A source of many receivers says which it was.
    if location.source.isEmpty { location.source = entries[i].source.name }
    location.simulated = entries[i].source.simulated
    if fix.kind.isSimulated { location.simulated = true }
    entries[i].fixes += 1
    entries[i].fixesOnly = min(entries[i].fixesOnly + 1, 100)
    entries[i].accuracy = location.horizontalAccuracy
    entries[i].lastAt = now.boottime
    entries[i].run(at: now)
    let verdict = entries[i].contender.accept(
      location, point, fix.kind, at: now.boottime, filtered: filtered)
    guard verdict == .believed else {
      entries[i].doubted += 1
      return nil
    }
    if filtered, entries[i].contender.track.isSpeedWrong {
      location.speed = nil
      location.speedAccuracy = nil
    }
    guard isBest(i, at: now), !isOutdone(i, at: now) else { return nil }
    chosen = id
    lead(i, at: now)
    return location
  }

  /// The track goes on where its source did. Else it begins anew, unless another goes on from it.
  private mutating func lead(_ i: Int, at now: Instant) {
    if !entries[i].contender.followsTrack {
      let isContinued = entries.indices.contains {
        entries[$0].contender.followsTrack && !entries[$0].contender.isSilent(at: now.boottime)
      }
      if isContinued, entries[i].contender.track.hasJumped { return }
      for other in entries.indices where other != i { entries[other].contender.leaveTrack() }
    }
    entries[i].contender.leadTrack(at: now.boottime)
  }

  /// One that is frozen is believed only for want of others.
  private func isOutdone(_ i: Int, at now: Instant) -> Bool {
    entries[i].contender.track.isFrozen
      && entries.indices.contains {
        !entries[$0].contender.track.isFrozen
          && !entries[$0].contender.isSilent(at: now.boottime)
      }
  }

  /// Whether a source that says a heading may do so.
  mutating func isHeading(_ id: SourceID, at now: Instant) -> Bool {
    guard let i = index(of: id), entries[i].isOpen else { return false }
    entries[i].fixesOnly = 0
    entries[i].headings += 1
    // A compass has no more to say; a receiver has yet to find where it is.
    if !entries[i].source.kind.givesFixes { entries[i].set(.running, at: now) }
    return true
  }

  private mutating func isBest(_ i: Int, at now: Instant) -> Bool {
    guard let chosen, let current = index(of: chosen), current != i else { return true }
    let others = entries.indices.filter {
      $0 != i && $0 != current && !entries[$0].contender.isSilent(at: now.boottime)
    }
    func supporters(_ one: Int) -> Int {
      others.count {
        entries[one].contender.agrees(with: entries[$0].contender, at: now.boottime)
      }
    }
    let support = others.isEmpty ? 0 : supporters(i) - supporters(current)
    let rival = entries[current].contender
    let isGone = if case .failed = entries[current].state { true } else { false }
    guard
      entries[i].contender.supersedes(
        rival, support: support, isGone: isGone, at: now.boottime)
    else { return false }
    entries[current].contender.lose(to: entries[i].contender, at: now.boottime)
    return true
  }
}
