import Console
import DBus
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The daemon on one side, the servers on the other, the track between them.
final class Tracker {
  private var configuration: Configuration
  private let reader: ConfigurationReader<Configuration>
  private let loop: EventLoop
  private let log: Log
  private let folder: String
  private let store: TrackStore
  /// The fate of a track that was broken at the start.
  private let mended: String?
  private var waypoints: Waypoints?
  private var keeper: LineKeeper
  private var daemon: DaemonLink?
  private var surroundings: Surroundings?
  private var actions: RegionActions?
  private var uplinks: [Uplink] = []
  private var door: ControlDoor?
  private var signals: [EventLoop.SignalWatch] = []
  /// Entries that could not be written: the disk is full, or may only be read.
  private var unwritten: [TrackEntry] = []
  private var retry: EventLoop.Timer?
  private var broom: EventLoop.Timer?
  private var lastFix: Location?
  private var hasComplained = false

  private static let mostUnwritten = 4096
  private static let pause: Duration = .seconds(10)
  private static let tidying: Duration = .seconds(3600)

  init(
    _ configuration: Configuration, daemon path: String, _ log: Log,
    reader: ConfigurationReader<Configuration>
  ) throws(SystemError) {
    self.configuration = configuration
    self.reader = reader
    self.log = log
    loop = try EventLoop()
    folder = configuration.state ?? Process.stateFolder ?? "/var/lib/locationd-tracker"
    (store, mended) = try Self.openStore(folder, on: loop, log)
    keeper = LineKeeper(configuration.rule)
    waypoints = try Waypoints(configuration, in: store, on: loop, log) { [unowned self] in
      watchRegions()
    }
    for plan in configuration.uplinks { uplinks.append(try makeUplink(plan)) }
    signals = try loop.watchSignals { [unowned self] in
      stop()
    } reload: { [unowned self] in
      reader.reload(log, use: use)
    }
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in writeAgain() }
    broom = try EventLoop.Timer(slack: .seconds(60), on: loop) { [unowned self] in tidy() }
    let bus = try configuration.bus.map { (place) throws(SystemError) in
      try BusConnection(to: place, on: loop) { _ in }
    }
    surroundings = bus.map {
      Surroundings(on: $0) { [unowned self] in
        for uplink in uplinks { uplink.handle(.retryNow) }
      } networkIsAnother: { [unowned self] in
        for uplink in uplinks { uplink.handle(.network(surroundings?.network)) }
      }
    }
    actions = RegionActions(
      configuration.actions, folder: Process.runtimeFolder ?? "/run/locationd-tracker", on: bus, log
    )
    let listener =
      if let given = try UnixListener.given() { given } else {
        try UnixListener(path: configuration.socket, mode: 0o660)
      }
    door = try ControlDoor(listener, on: loop, log) { [unowned self] in answer($0, $1) }
    self.daemon = try DaemonLink(at: path, wishes, on: loop, log) { [unowned self] in handle($0) }
  }

  private func makeUplink(_ plan: UplinkPlan) throws(SystemError) -> Uplink {
    try Uplink(plan, store, on: loop, log) { [unowned self] in
      lastFix.map { TrackEntry(.place, $0) }
    } obey: { [unowned self] in
      obey($0, of: $1)
    }
  }

  private func begin(_ uplinks: [Uplink]) {
    for uplink in uplinks {
      uplink.handle(.network(surroundings?.network))
      uplink.handle(.waypoints(waypoints(of: uplink)))
      uplink.handle(.begin)
    }
  }

  private func waypoints(of uplink: Uplink) -> [Waypoint] {
    waypoints?.book.shown(to: uplink.plan.name) ?? []
  }

  /// A database that is broken gives up what can be read of it, and another begins.
  private static func openStore(
    _ folder: String, on loop: EventLoop, _ log: Log
  ) throws(SystemError) -> (TrackStore, mended: String?) {
    let (store, salvage) = try TrackStore.opening(folder: folder, on: loop)
    switch salvage {
    case .success(let salvage):
      let mended =
        "the track was broken: \(Count(salvage.entries, "entry")) could be read;"
        + " the broken file is \(salvage.aside)"
      log.error(mended)
      return (store, mended)
    case .failure(let error):
      log.error("the track is broken, and cannot be mended: \(error)")
      return (store, nil)
    case nil: return (store, nil)
    }
  }

  /// False where there is nothing to keep the track in.
  func run() throws(SystemError) -> Bool {
    if let failure = store.failure {
      log.error("\(folder)/\(TrackStore.name): \(failure); the file stays as it is")
      return false
    }
    daemon?.begin()
    tidy()
    begin(uplinks)
    log.info("locationd-tracker \(version) listens on \(configuration.socket)")
    try loop.serve()
    return true
  }

  /// The newest place is kept, too; the store writes it while it closes.
  private func stop() {
    loop.end(log)
    append(keeper.rest().map { TrackEntry(.place, $0) })
    for uplink in uplinks { uplink.end() }
  }

  private func use(_ new: Configuration) throws(SystemError) {
    let old = configuration
    // All that may fail comes first.
    let changed = new.uplinks.filter { !old.uplinks.contains($0) }
    let others = uplinks.filter { !new.uplinks.contains($0.plan) }
    for uplink in others { uplink.end() }
    let fresh: [Uplink]
    do throws(SystemError) {
      fresh = try changed.map { (plan) throws(SystemError) in try makeUplink(plan) }
    } catch {
      begin(others)
      throw error
    }
    configuration = new
    uplinks.removeAll { uplink in others.contains { $0 === uplink } }
    uplinks += fresh
    log.level = new.logLevel
    if new.rule != old.rule {
      append(keeper.rest().map { TrackEntry(.place, $0) })
      keeper = LineKeeper(new.rule)
    }
    actions?.plans = new.actions
    waypoints?.configure(new)
    daemon?.change(to: wishes)
    begin(fresh)
    if new.socket != old.socket || new.state != old.state || new.bus != old.bus {
      log.warning("another socket, bus or folder of the track is used only after a restart")
    }
  }

  private var wishes: DaemonLink.Wishes {
    var wishes = DaemonLink.Wishes()
    wishes.mode = configuration.mode
    wishes.followsVisits = configuration.followsVisits
    wishes.regions = waypoints?.regions ?? []
    return wishes
  }

  private func watchRegions() {
    daemon?.change(to: wishes)
    for uplink in uplinks { uplink.handle(.waypoints(waypoints(of: uplink))) }
  }
}

// MARK: - The track grows

extension Tracker {
  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .location(let location):
      lastFix = location
      append(keeper.handle(location).map { TrackEntry(.place, $0) })
    case .rests: append(keeper.rest().map { TrackEntry(.place, $0) })
    case .numbered(let event, let number):
      guard number > store.lastEvent else {
        daemon?.acknowledge(number)
        return
      }
      keepEvent(event, number)
    case .stands(let isInside, let region): waypoints?.stand(isInside, region)
    }
  }

  private func keepEvent(_ event: Event, _ number: UInt64) {
    switch event {
    case .didEnterRegion(let name, let date): cross(name, isInside: true, at: date, number)
    case .didExitRegion(let name, let date): cross(name, isInside: false, at: date, number)
    default: append(entries(of: event), event: number)
    }
  }

  private func entries(of event: Event) -> [TrackEntry] {
    switch event {
    case .didUpdateLocations(let location, _):
      lastFix = location
      return [TrackEntry(.place, location)]
    case .didVisit(let visit): return [TrackEntry(visit, at: lastFix?.timestamp ?? Clock.utc)]
    default: return []
    }
  }

  /// At the newest place, or in the middle of the region where none is known.
  private func cross(
    _ identifier: String, isInside: Bool, at date: Timestamp, _ event: UInt64
  ) {
    let waypoint = waypoints?.book[identifier]
    var location = lastFix
    if location == nil, let region = waypoint?.region {
      let (middle, reach) = region.middle
      location = Location(coordinate: middle, horizontalAccuracy: reach, timestamp: date)
    }
    guard var location else { return append([], event: event) }
    location.timestamp = date
    var entry = TrackEntry(isInside ? .enter : .leave, location)
    entry.region = waypoint?.name ?? identifier
    entry.regionID = waypoint?.id
    entry.regionMade = waypoint?.made
    append([entry], event: event, Crossing(identifier: identifier, isInside, waypoint))
  }

  private struct Crossing {
    var identifier: String
    var isInside: Bool
    var waypoint: Waypoint?

    init(identifier: String, _ isInside: Bool, _ waypoint: Waypoint?) {
      self.identifier = identifier
      self.isInside = isInside
      self.waypoint = waypoint
    }
  }

  private func append(
    _ entries: [TrackEntry], event: UInt64? = nil, _ crossing: Crossing? = nil
  ) {
    guard !entries.isEmpty || event != nil else { return }
    let circumstances = surroundings?.circumstances ?? Circumstances()
    var book = waypoints?.book ?? WaypointBook()
    if let crossing { book.note(crossing.isInside, crossing.identifier) }
    let inside = book.inside
    let entries = entries.map { entry in
      var entry = entry
      entry.circumstances = circumstances
      entry.inside = inside
      return entry
    }
    let number = store.newest
    store.append(
      entries, event: event, crossing: crossing.map { ($0.identifier, $0.isInside) }
    ) { [unowned self] result in
      let error: DatabaseError
      switch result {
      case .success(let written):
        conclude(event, entries, after: number, crossing)
        for uplink in uplinks where !written.isEmpty { uplink.handle(.extended(written)) }
        return
      case .failure(let failure): error = failure
      }
      // The daemon tells an event again that is not acknowledged.
      if event == nil { keep(entries) }
      if !hasComplained { log.error("the track cannot be written: \(error); it is tried again") }
      hasComplained = true
    }
  }

  private func conclude(
    _ event: UInt64?, _ entries: [TrackEntry], after number: Int64, _ crossing: Crossing?
  ) {
    if hasComplained { log.notice("the track can be written again") }
    hasComplained = false
    if let crossing { waypoints?.note(crossing.isInside, crossing.identifier) }
    if let event { daemon?.acknowledge(event) }
    if let waypoint = crossing?.waypoint, var entry = entries.first {
      entry.number = number + 1
      actions?.act(entry, of: waypoint)
    }
  }

  private func tidy() {
    let confirmedUpTo = uplinks.map(\.confirmedUpTo).min() ?? .max
    store.tidy(configuration.retention, confirmedUpTo: confirmedUpTo, at: Clock.utc)
    broom?.set(Clock.boottime + Self.tidying)
  }

  /// Tells how many of a command's wishes are not followed.
  private func obey(_ command: OwnTracks.Command, of uplink: Uplink) -> Int {
    let name = uplink.plan.name
    switch command {
    case .reportLocation: append(lastFix.map { [TrackEntry(.place, $0)] } ?? [])
    case .reportSteps: uplink.handle(.say(.steps))
    case .status: uplink.handle(.say(.status(details(of: uplink))))
    case .waypoints: uplink.handle(.say(.waypoints(waypoints(of: uplink))))
    case .clearWaypoints: waypoints?.clear(name)
    case .setWaypoints(let wishes, let unusable):
      return unusable + (waypoints?.follow(wishes, of: name) ?? wishes.count)
    }
    return 0
  }

  private func details(of uplink: Uplink) -> JSON {
    [
      "version": .string(version),
      "locationAuthorization": (daemon?.authorization).map { .string($0.rawValue) },
      "backlog": uplink.status["backlog"], "parked": uplink.status["parked"],
      "waypoints": .integer(Int64(waypoints?.book.shown(to: uplink.plan.name).count ?? 0)),
    ]
  }

  /// Every second one goes where there are too many.
  private func keep(_ entries: [TrackEntry]) {
    unwritten += entries
    if unwritten.count > Self.mostUnwritten {
      unwritten = unwritten.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    }
    retry?.set(Clock.boottime + Self.pause)
  }

  private func writeAgain() {
    let entries = unwritten
    unwritten = []
    append(entries)
  }
}

// MARK: - locationctl track

extension Tracker {
  private func answer(_ call: TrackCall, _ body: @escaping (Result<TrackReply, Refusal>) -> Void) {
    switch call {
    case .status: body(.success(.status(status)))
    case .entries(let from, let to, let after, let limit):
      store.read(from: from, to: to, after: after, limit: limit) { result in
        switch result {
        case .success(let entries):
          body(.success(.entries(TrackPage(entries, hasMore: entries.count == limit))))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be read: \(error).")))
        }
      }
    case .forget(let from, let to):
      store.forget(from: from, to: to) { result in
        switch result {
        case .success(let removed): body(.success(.removed(removed)))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be changed: \(error).")))
        }
      }
    case .flush:
      append(keeper.rest().map { TrackEntry(.place, $0) })
      for uplink in uplinks { uplink.handle(.retryNow) }
      body(.success(.done))
    }
  }

  private var status: TrackStatus {
    TrackStatus(json: [
      "version": .string(version), "entries": .integer(store.count),
      "newest": .integer(store.newest), "syncs": .integer(Int64(store.syncs)),
      "trouble": (store.trouble.map { "the track cannot be written: \($0)" } ?? daemon?.trouble)
        .map(JSON.string),
      "mended": mended.map(JSON.string),
      "unwritten": unwritten.isEmpty ? nil : .integer(Int64(unwritten.count)),
      "uplinks": .array(uplinks.map(\.status)), "waypoints": waypoints?.status,
    ])
  }
}
