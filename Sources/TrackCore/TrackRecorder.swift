package import LocationModel

/// Decides what becomes an entry of the track, and what follows once it is on the disk.
package struct TrackRecorder: Sendable {
  package enum Input: Sendable {
    case location(Location)
    /// The device rests: the newest place is kept.
    case rests
    /// The program ends: what waits is written at once, as far as it goes.
    case ends
    /// The daemon's numbers of events are those of this ledger.
    case ledger(Int64)
    /// The event comes again until it is acknowledged.
    case numbered(Event, UInt64)
    /// A server asks for the newest place.
    case reportLocation
    case rule(LineKeeper.Rule)
    /// A person has this time forgotten.
    case forgotten(ClosedRange<Timestamp>)
    /// When nothing is kept, and the offset of local time from UTC. It comes again from time to time.
    case silence(Silence, Duration)
    /// The entries as the disk has them.
    case written(Addition, [TrackEntry])
    case unwritten(Addition, reason: String)
    /// The moment of `.wake` has come.
    case timer
  }

  package enum Step: Equatable, Sendable {
    case append(Addition)
    case cross(Crossing)
    case acknowledge(UInt64)
    /// An edge was crossed: what the configuration names is started.
    case act(TrackEntry, of: Waypoint)
    case extend([TrackEntry])
    case wake(at: Boottime)
    case log(Remark)
  }

  var keeper: LineKeeper
  private var privacy = Privacy()
  /// The newest place that no zone hides.
  var lastFix: Location?
  /// The last of the daemon's numbered events that is in the track.
  private var lastEvent: EventNumber
  /// Additions that wait for those before them, in order. The disk has one at a time: where it is full, or may only
  /// be read, the next would come before one that is tried again.
  var waiting: [Addition] = []
  private var writing: Addition?
  /// The disk takes nothing, and is tried again then; nil where it takes entries.
  package private(set) var retriesAt: Boottime?

  static let mostUnwritten = 4096
  static let pause: Duration = .seconds(10)
  /// A place is a crossing's place for so long.
  private static let fresh: Duration = .seconds(60)

  package init(_ rule: LineKeeper.Rule, lastEvent: EventNumber) {
    keeper = LineKeeper(rule)
    self.lastEvent = lastEvent
  }

  /// The newest place that is known.
  package var position: TrackEntry? { lastFix.map { TrackEntry(.place, $0) } }
  /// Entries that the disk does not take now.
  package var unwrittenCount: Int {
    retriesAt != nil ? waiting.reduce(0) { $0 + $1.entries.count } : 0
  }

  package mutating func handle(
    _ input: Input, _ book: WaypointBook, _ circumstances: Circumstances, at now: Instant
  ) -> [Step] {
    if case .silence(let silence, let offset) = input { privacy.set(silence, offset) }
    // A zone may be new.
    if let position, book.zones.hide(position) { lastFix = nil }
    let last = privacy.fallsSilent(at: now.utc) ? endLine() : []
    return append(last, book, circumstances) + follow(input, book, circumstances, at: now)
  }

  private mutating func follow(
    _ input: Input, _ book: WaypointBook, _ circumstances: Circumstances, at now: Instant
  ) -> [Step] {
    switch input {
    case .silence: return []
    case .location(let location):
      return append(move(to: location, in: book.zones, keeper: true), book, circumstances)
    case .rests: return append(places(keeper.rest()), book, circumstances)
    case .ends:
      let steps = append(places(keeper.rest()), book, circumstances)
      defer { waiting = [] }
      return steps + waiting.map { .append($0) }
    case .reportLocation:
      let isTold = privacy.hiding == nil && !privacy.isSilent
      return append(isTold ? position.map { [$0] } ?? [] : [], book, circumstances)
    case .rule(let rule):
      guard rule != keeper.rule else { return [] }
      defer { keeper = LineKeeper(rule) }
      return append(places(keeper.rest()), book, circumstances)
    case .ledger(let name):
      if name != lastEvent.ledger { lastEvent = EventNumber(0, in: name) }
      return []
    case .numbered(_, let number) where number <= lastEvent.number: return [.acknowledge(number)]
    case .numbered(let event, let number):
      let number = EventNumber(number, in: lastEvent.ledger)
      let isKnown = writing?.event == number || waiting.contains { $0.event == number }
      guard !isKnown else { return [] }
      let (entries, crossing) = entries(of: event, book, at: now.utc)
      return append(entries, book, circumstances, event: number, crossing)
    case .forgotten(let time): return forget(time)
    case .written(let addition, let entries): return conclude(addition, entries)
    case .unwritten(let addition, let reason):
      return keep(addition, reason, at: now.boottime)
    case .timer: return write()
    }
  }

  /// The line up to here is kept; another begins later.
  private mutating func endLine() -> [TrackEntry] {
    defer { keeper = LineKeeper(keeper.rule) }
    return places(keeper.rest())
  }

  /// `keeper`: the line decides whether the place is kept.
  private mutating func move(
    to location: Location, in zones: Zones, keeper isOfLine: Bool
  ) -> [TrackEntry] {
    guard !privacy.covers(location.timestamp) else { return [] }
    let edges = privacy.move(to: location, zones, from: lastFix)
    guard privacy.hiding == nil else { return endLine() + edges }
    lastFix = location
    let kept = isOfLine ? keeper.handle(location) : [location]
    return kept.isEmpty ? edges : edges + places(kept)
  }

  private mutating func entries(
    of event: Event, _ book: WaypointBook, at now: Timestamp
  ) -> ([TrackEntry], Crossing?) {
    switch event {
    case .didEnterRegion(let name, let date): return cross(name, isInside: true, book, at: date)
    case .didExitRegion(let name, let date): return cross(name, isInside: false, book, at: date)
    case .didUpdateLocations(let location, _):
      return (move(to: location, in: book.zones, keeper: false), nil)
    case .didVisit(let visit):
      let entry = TrackEntry(visit, at: lastFix?.timestamp ?? now)
      return (privacy.shown(entry).map { [$0] } ?? [], nil)
    default: return ([], nil)
    }
  }

  /// At the newest place, or in the middle of the region where none of about that date is known. Of one that a zone
  /// hides only the zone is told, to its action.
  private func cross(
    _ identifier: String, isInside: Bool, _ book: WaypointBook, at date: Timestamp
  ) -> ([TrackEntry], Crossing?) {
    let waypoint = book[identifier]
    var crossing = Crossing(identifier: identifier, isInside: isInside, waypoint: waypoint)
    if privacy.covers(date) {
      crossing.waypoint = nil
      return ([], crossing)
    }
    let zone = privacy.hiding(waypoint?.region, book.zones)
    var location = zone == nil ? lastFix : nil
    if let fix = location, !(date - Self.fresh...date + Self.fresh).contains(fix.timestamp) {
      location = nil
    }
    if location == nil,
      let (middle, reach) = zone.map({ ($0.centre, $0.radius) }) ?? waypoint?.region?.middle
    {
      location = Location(coordinate: middle, horizontalAccuracy: reach, timestamp: date)
    }
    guard var location else { return ([], nil) }
    location.timestamp = date
    var entry = TrackEntry(isInside ? .enter : .leave, location)
    entry.region = waypoint?.name ?? identifier
    entry.regionID = waypoint?.id
    entry.regionMade = waypoint?.made
    guard zone != nil else { return ([entry], crossing) }
    crossing.hidden = entry
    return ([], crossing)
  }

  private mutating func append(
    _ entries: [TrackEntry], _ book: WaypointBook, _ circumstances: Circumstances,
    event: EventNumber? = nil, _ crossing: Crossing? = nil
  ) -> [Step] {
    let entries = entries.filter { !book.zones.hide($0) }
    guard !entries.isEmpty || event != nil else { return [] }
    var book = book
    if let crossing { book.note(crossing.isInside, crossing.identifier) }
    var addition = Addition(entries: entries, event: event, crossing: crossing)
    for i in entries.indices {
      addition.entries[i].circumstances = circumstances
      addition.entries[i].inside = book.inside
    }
    wait(addition)
    return retriesAt == nil ? write() : []
  }

  /// Writes what waits, up to the next event, as one addition.
  private mutating func write() -> [Step] {
    guard writing == nil, !waiting.isEmpty else { return [] }
    var next = waiting.removeFirst()
    while next.event == nil, let other = waiting.first, other.event == nil {
      next.entries += other.entries
      waiting.removeFirst()
    }
    writing = next
    return [.append(next)]
  }

  private mutating func conclude(_ addition: Addition, _ entries: [TrackEntry]) -> [Step] {
    writing = nil
    var steps: [Step] = retriesAt == nil ? [] : [.log(.notice("the track can be written again"))]
    retriesAt = nil
    if let crossing = addition.crossing { steps.append(.cross(crossing)) }
    if let event = addition.event, event.ledger == lastEvent.ledger {
      lastEvent.number = max(lastEvent.number, event.number)
      steps.append(.acknowledge(event.number))
    }
    if let waypoint = addition.crossing?.waypoint,
      var entry = addition.entries.first ?? addition.crossing?.hidden
    {
      entry.number = entries.first?.number ?? Int64(clamping: addition.event?.number ?? 0)
      steps.append(.act(entry, of: waypoint))
    }
    if !entries.isEmpty { steps.append(.extend(entries)) }
    return steps + write()
  }

  private mutating func keep(_ addition: Addition, _ reason: String, at now: Boottime) -> [Step] {
    writing = nil
    if addition.event == nil {
      let entries = addition.entries.map { Addition(entries: [$0]) }
      waiting.insert(contentsOf: entries, at: 0)
    } else {
      waiting.insert(addition, at: 0)
    }
    defer { retriesAt = now + Self.pause }
    let complaint = Remark.error("the track cannot be written: \(reason); it is tried again")
    return [.wake(at: now + Self.pause)] + (retriesAt == nil ? [.log(complaint)] : [])
  }
}
