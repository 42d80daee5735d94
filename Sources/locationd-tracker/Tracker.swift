import DBus
import Glibc
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The daemon on one side, the servers on the other, the track between them.
final class Tracker {
  private let configuration: Configuration
  private let loop: EventLoop
  private let log: Log
  private let folder: String
  private let store: TrackStore
  /// The fate of a track that was broken at the start.
  private let mended: String?
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

  init(_ configuration: Configuration, daemon path: String, _ log: Log) throws(SystemError) {
    self.configuration = configuration
    self.log = log
    loop = try EventLoop()
    folder = configuration.state ?? Process.stateFolder ?? "/var/lib/locationd-tracker"
    (store, mended) = try Self.openStore(folder, on: loop, log)
    keeper = LineKeeper(configuration.rule)
    for plan in configuration.uplinks {
      let uplink = try Uplink(plan, store, on: loop, log) { [unowned self] in
        lastFix.map { TrackEntry(.place, $0) }
      } connection: { [unowned self] in
        surroundings?.network
      } commanded: { [unowned self] in
        obey($0)
      }
      uplinks.append(uplink)
    }
    for number in [SIGTERM, SIGINT] {
      signals.append(try EventLoop.SignalWatch(number, on: loop) { [unowned self] in stop() })
    }
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in writeAgain() }
    broom = try EventLoop.Timer(slack: .seconds(60), on: loop) { [unowned self] in tidy() }
    let bus = try configuration.bus.map { (place) throws(SystemError) in
      try BusConnection(to: place, on: loop) { _ in }
    }
    surroundings = bus.map {
      Surroundings(on: $0) { [unowned self] in
        for uplink in uplinks { uplink.hurry() }
      } networkIsAnother: { [unowned self] in
        for uplink in uplinks { uplink.review() }
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
    var wishes = DaemonLink.Wishes()
    wishes.mode = configuration.mode
    wishes.followsVisits = configuration.followsVisits
    wishes.regions = configuration.regions
    self.daemon = try DaemonLink(at: path, wishes, on: loop, log) { [unowned self] in handle($0) }
  }

  /// A database that is broken gives up what can be read of it, and another begins.
  private static func openStore(
    _ folder: String, on loop: EventLoop, _ log: Log
  ) throws(SystemError) -> (TrackStore, mended: String?) {
    let store = try TrackStore(folder: folder, on: loop)
    guard case .broken(let what) = store.failure else { return (store, nil) }
    let salvage: TrackStore.Salvage
    do throws(DatabaseError) {
      salvage = try TrackStore.salvage(folder: folder)
    } catch {
      log.error("the track is broken (\(what)), and cannot be mended: \(error)")
      return (store, nil)
    }
    let mended =
      "the track was broken: \(Count(salvage.entries, "entry")) could be read;"
      + " the broken file is \(salvage.aside)"
    log.error("\(mended) (\(what))")
    return (try TrackStore(folder: folder, on: loop), mended)
  }

  /// False where there is nothing to keep the track in.
  func run() throws(SystemError) -> Bool {
    if let failure = store.failure {
      log.error("\(folder)/\(TrackStore.name): \(failure); the file stays as it is")
      return false
    }
    daemon?.begin()
    tidy()
    for uplink in uplinks { uplink.begin() }
    log.info("locationd-tracker \(version) listens on \(configuration.socket)")
    try loop.feedWatchdog()
    Process.notify("READY=1")
    try loop.run()
    return true
  }

  /// The newest place is kept, too; the store writes it while it closes.
  private func stop() {
    log.info("stopping")
    Process.notify("STOPPING=1")
    append(keeper.rest().map { TrackEntry(.place, $0) })
    loop.stop()
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
      append(entries(of: event), event: number)
    }
  }

  private func entries(of event: Event) -> [TrackEntry] {
    switch event {
    case .didUpdateLocations(let location, _):
      lastFix = location
      return [TrackEntry(.place, location)]
    case .didVisit(let visit): return [TrackEntry(visit, at: lastFix?.timestamp ?? Clock.utc)]
    case .didEnterRegion(let name, let date): return crossing(.enter, of: name, at: date)
    case .didExitRegion(let name, let date): return crossing(.leave, of: name, at: date)
    default: return []
    }
  }

  /// At the newest place, or in the middle of the region where none is known.
  private func crossing(
    _ kind: TrackEntry.Kind, of name: String, at date: Timestamp
  ) -> [TrackEntry] {
    var location = lastFix
    if location == nil, let region = configuration.regions.first(where: { $0.identifier == name }) {
      let (middle, reach) = region.middle
      location = Location(coordinate: middle, horizontalAccuracy: reach, timestamp: date)
    }
    guard var location else { return [] }
    location.timestamp = date
    var entry = TrackEntry(kind, location)
    entry.region = name
    return [entry]
  }

  private func append(_ entries: [TrackEntry], event: UInt64? = nil) {
    guard !entries.isEmpty || event != nil else { return }
    let circumstances = surroundings?.circumstances ?? Circumstances()
    let entries = entries.map { entry in
      var entry = entry
      entry.circumstances = circumstances
      return entry
    }
    let number = store.newest
    store.append(entries, event: event) { [unowned self] error in
      guard let error else { return conclude(event, entries, after: number) }
      // The daemon tells an event again that is not acknowledged.
      if event == nil { keep(entries) }
      if !hasComplained { log.error("the track cannot be written: \(error); it is tried again") }
      hasComplained = true
    }
  }

  private func conclude(_ event: UInt64?, _ entries: [TrackEntry], after number: Int64) {
    if hasComplained { log.notice("the track can be written again") }
    hasComplained = false
    if let event { daemon?.acknowledge(event) }
    for (i, entry) in entries.enumerated() where entry.region != nil {
      var entry = entry
      entry.number = number + Int64(i) + 1
      actions?.act(entry)
    }
    for uplink in uplinks { uplink.extend(to: store.newest) }
  }

  private func tidy() {
    let confirmedUpTo = uplinks.map(\.confirmedUpTo).min() ?? .max
    store.tidy(configuration.retention, confirmedUpTo: confirmedUpTo, at: Clock.utc)
    broom?.set(Clock.boottime + Self.tidying)
  }

  private func obey(_ command: OwnTracks.Command) {
    switch command {
    case .reportLocation: append(lastFix.map { [TrackEntry(.place, $0)] } ?? [])
    }
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
  private func answer(_ call: TrackCall, _ body: @escaping (Result<JSON, Refusal>) -> Void) {
    switch call {
    case .status: body(.success(status))
    case .entries(let from, let to, let after, let limit):
      store.read(from: from, to: to, after: after, limit: limit) { result in
        switch result {
        case .success(let entries):
          body(
            .success([
              "entries": .array(entries.map(\.json)), "more": .bool(entries.count == limit),
            ]))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be read: \(error).")))
        }
      }
    case .forget(let from, let to):
      store.forget(from: from, to: to) { result in
        switch result {
        case .success(let removed): body(.success(["removed": .integer(removed)]))
        case .failure(let error):
          body(.failure(Refusal(.failed, "The track cannot be changed: \(error).")))
        }
      }
    case .flush:
      append(keeper.rest().map { TrackEntry(.place, $0) })
      for uplink in uplinks { uplink.hurry() }
      body(.success([:]))
    }
  }

  private var status: JSON {
    [
      "version": .string(version), "entries": .integer(store.count),
      "newest": .integer(store.newest), "syncs": .integer(Int64(store.syncs)),
      "trouble": (store.trouble.map { "the track cannot be written: \($0)" } ?? daemon?.trouble)
        .map(JSON.string),
      "mended": mended.map(JSON.string),
      "unwritten": unwritten.isEmpty ? nil : .integer(Int64(unwritten.count)),
      "uplinks": .array(uplinks.map(\.status)),
    ]
  }
}
