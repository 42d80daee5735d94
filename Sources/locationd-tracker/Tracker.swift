import Console
import DBus
import LocationModel
import Platform
import TrackCore
import TrackStore

/// The daemon on one side, the servers on the other, the track between them.
final class Tracker {
  /// As the files have it, and with what a server has set.
  private(set) var files: Configuration
  private(set) var configuration: Configuration
  private let reader: ConfigurationReader<Configuration>
  let loop: EventLoop
  let log: Log
  let folder: String
  let renewal: Renewal
  let forgetting: Forgetting
  let store: TrackStore
  /// The fate of a track that was broken at the start.
  let mended: String?
  private(set) var waypoints: Waypoints?
  private(set) var settings: Settings?
  private(set) var recorder: TrackRecorder
  private(set) var daemon: DaemonLink?
  private(set) var surroundings: Surroundings?
  private var actions: RegionActions?
  private(set) var uplinks: [Uplink] = []
  private var door: ControlDoor?
  private var signals: [EventLoop.SignalWatch] = []
  private var retry: EventLoop.Timer?
  private var broom: EventLoop.Timer?
  var bell: EventLoop.Timer?
  var trials: [TrialRun] = []
  var resolver: Resolver?
  var isSilent = false

  private static let tidying: Duration = .seconds(3600)

  init(
    _ files: Configuration, daemon path: String, _ log: Log,
    reader: ConfigurationReader<Configuration>
  ) throws(SystemError) {
    self.files = files
    self.reader = reader
    self.log = log
    loop = try EventLoop()
    forgetting = try Forgetting(on: loop)
    folder = files.stateFolder
    renewal = Renewal(state: folder, log)
    let trial = Settings.read(in: folder)
    configuration = files.with(trial.inForce)
    (store, mended) = try Self.openStore(folder, on: loop, log)
    recorder = TrackRecorder(configuration.rule, lastEvent: store.lastEvent)
    store.erased = { [unowned self] in
      for uplink in uplinks {
        uplink.handle(.erased(store.uplinks[uplink.plan.name]?.parked ?? Parked()))
      }
    }
    waypoints = try Waypoints(configuration, in: store, on: loop, log) { [unowned self] in
      watchRegions()
    }
    settings = try Settings(trial, in: folder, on: loop, log) { [unowned self] in
      do throws(SystemError) { try adopt() } catch { log.error("\(error)") }
    } report: { [unowned self] in
      record(.reportLocation)
    }
    for plan in configuration.uplinks { uplinks.append(try makeUplink(plan)) }
    signals = try loop.watchSignals { [unowned self] in
      stop()
    } reload: { [unowned self] in
      reader.reload(log, use: use)
    }
    retry = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in record(.timer) }
    broom = try EventLoop.Timer(slack: .seconds(60), on: loop) { [unowned self] in tidy() }
    bell = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in observeSilence() }
    let bus = try configuration.bus.map { (place) throws(SystemError) in
      try BusConnection(to: place, on: loop) { _ in }
    }
    surroundings = bus.map {
      Surroundings(on: $0) { [unowned self] in
        for uplink in uplinks { uplink.handle(.retryNow) }
        watchNetwork()
      } networkIsAnother: { [unowned self] in
        watchNetwork()
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
      recorder.position.flatMap { hides($0) ? nil : $0 }
    } hides: { [unowned self] in
      hides($0)
    } obey: { [unowned self] in
      obey($0, of: $1)
    } confirmed: { [unowned self] in
      settings?.handle(.confirmed(owner: $0.plan.name, number: $0.newestConfirmed))
      forgetting.review()
    } allowed: { [unowned self] in
      watchNetwork()
    }
  }

  private func begin(_ uplinks: [Uplink]) {
    for uplink in uplinks {
      uplink.handle(.network(surroundings?.network))
      tellWaypoints(to: uplink)
      uplink.handle(.begin)
    }
    watchNetwork()
  }

  /// False where there is nothing to keep the track in.
  func run() throws(SystemError) -> Bool {
    if let failure = store.failure {
      log.error("\(folder)/\(TrackStore.name): \(failure); the file stays as it is")
      return false
    }
    observeSilence()
    daemon?.begin()
    tidy()
    settings?.handle(.timer)
    begin(uplinks)
    log.info("locationd-tracker \(version) listens on \(configuration.socket)")
    try loop.serve()
    return true
  }

  /// The newest place is kept, too; the store writes it while it closes.
  private func stop() {
    loop.end(log)
    record(.ends)
    store.keepDoubt(at: Clock.boottime)
    let deadline = Clock.boottime + Self.farewell
    for uplink in uplinks { uplink.end(until: deadline) }
  }

  /// Connections that are being made are waited for so long.
  private static let farewell: Duration = .milliseconds(600)

  private func use(_ new: Configuration) throws(SystemError) {
    files = new
    try adopt()
  }

  private func adopt() throws(SystemError) {
    let (old, new) = (configuration, files.with(settings?.trial.inForce))
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
    record(.rule(new.rule))
    actions?.plans = new.actions
    waypoints?.configure(new)
    // Entries in memory were read before a zone hid them.
    if new.zones != old.zones { for uplink in uplinks { uplink.handle(.forgotten(nil)) } }
    observeSilence()
    daemon?.change(to: wishes)
    begin(fresh)
    if new.socket != old.socket || new.state != old.state || new.bus != old.bus {
      log.warning("another socket, bus or folder of the track is used only after a restart")
    }
  }

  var wishes: DaemonLink.Wishes {
    var wishes = DaemonLink.Wishes()
    guard !isSilent else {
      (wishes.mode, wishes.followsVisits) = (.manual, false)
      return wishes
    }
    wishes.mode = configuration.mode
    wishes.followsVisits = configuration.followsVisits
    wishes.regions = waypoints?.regions ?? []
    return wishes
  }
}

// MARK: - The track grows

extension Tracker {
  private func handle(_ event: DaemonLink.Event) {
    switch event {
    case .location(let location): record(.location(location))
    case .rests: record(.rests)
    case .ledger(let name): record(.ledger(name))
    case .numbered(let event, let number): record(.numbered(event, number))
    case .stands(let isInside, let region): waypoints?.stand(isInside, region)
    }
  }

  func record(_ input: TrackRecorder.Input) {
    let steps = recorder.handle(
      input, waypoints?.book ?? WaypointBook(), surroundings?.circumstances ?? Circumstances(),
      at: .now)
    for step in steps { perform(step) }
  }

  private func perform(_ step: TrackRecorder.Step) {
    switch step {
    case .append(let addition):
      let crossing = addition.crossing.map { ($0.identifier, $0.isInside) }
      store.append(addition.entries, event: addition.event, crossing: crossing) {
        [unowned self] result in
        switch result {
        case .success(let entries): record(.written(addition, entries))
        case .failure(let error): record(.unwritten(addition, reason: "\(error)"))
        }
      }
    case .cross(let crossing): waypoints?.note(crossing.isInside, crossing.identifier)
    case .acknowledge(let event): daemon?.acknowledge(event)
    case .act(let entry, let waypoint): actions?.act(entry, of: waypoint)
    case .extend(let entries): for uplink in uplinks { uplink.handle(.extended(entries)) }
    case .wake(let moment): retry?.set(moment)
    case .log(let remark): log.write(remark)
    }
  }

  private func tidy() {
    renewal.turn()
    let confirmedUpTo = uplinks.map(\.confirmedUpTo).min() ?? .max
    store.tidy(configuration.retention, confirmedUpTo: confirmedUpTo, at: .now)
    broom?.set(Clock.boottime + Self.tidying)
  }
}
