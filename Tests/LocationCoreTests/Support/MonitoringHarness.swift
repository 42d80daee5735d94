import LocationModel
import ReceiverCore

@testable import LocationCore

/// A service with a clock and a disk in the test's hand, and a track to walk along.
struct MonitoringHarness {
  var service: LocationService
  var disk = StoreSnapshot()
  var now = 1000.0
  /// Metres north and east of the start.
  var north = 0.0
  var east = 0.0
  var isDiskSlow = false
  var isDiskFull = false
  /// Seconds that the machine's clock is ahead, and whether it is believed.
  var clockAhead = 0.0
  var isClockTrusted = true
  /// How far the clock since the machine started is from `now`.
  private var boot = 0.0
  private var settings: LocationService.Settings
  private var waiting: [(id: CommitID, failed: Bool)] = []
  private(set) var outputs: [Output] = []

  static let client = ClientID(1)

  init(
    regionsPerApp: Int = 20, use: UseRule = .connected, policy: Policy = Policy(),
    _ limit: (inout LocationService.Limits) -> Void = { _ in }
  ) {
    settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [SourceDescription(SourceID(0), name: "gps", simulated: false)])
    settings.limits.regionsPerApp = regionsPerApp
    settings.use = use
    settings.policy = policy
    limit(&settings.limits)
    service = LocationService(settings, at: Self.instant(1000, 1000))
    connect(Self.client)
  }

  private static func instant(_ boot: Double, _ clock: Double, isTrusted: Bool = true) -> Instant {
    Instant(
      boottime: .start + .seconds(boot), utc: Timestamp(microseconds: Int64(clock * 1e6)),
      utcTrusted: isTrusted)
  }

  var instant: Instant {
    Self.instant(now + boot, now + clockAhead, isTrusted: isClockTrusted)
  }

  static func date(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64((seconds * 1e6).rounded()))
  }

  mutating func connect(_ id: ClientID, uid: UInt32 = 0, app: String = "user:root") {
    handle(.connected(id, Caller(uid: uid, pid: 7, app: app)))
  }

  @discardableResult
  mutating func handle(_ input: Input) -> [Output] {
    outputs.removeAll()
    run(input)
    return outputs
  }

  private mutating func run(_ input: Input) {
    var new: [Output] = []
    service.handle(input, at: instant, into: &new)
    outputs += new
    for case .commit(let changes, let id) in new {
      if !isDiskFull { for change in changes { write(change) } }
      waiting.append((id, isDiskFull && !changes.isEmpty))
    }
    if !isDiskSlow { finishWriting() }
  }

  mutating func finishWriting() {
    let done = waiting
    waiting = []
    for (id, failed) in done {
      run(failed ? .commitFailed(id, "the disk is full") : .committed(id))
    }
  }

  @discardableResult
  mutating func call(
    _ request: Request, manager: Int = 0, from client: ClientID = client
  ) -> [Output] {
    handle(.called(client, Call(id: .integer(1), manager: manager, request)))
  }

  /// A fix a second for some seconds, on the way to a place; what is told.
  @discardableResult
  mutating func walk(
    north: Double? = nil, east: Double? = nil, for seconds: Int, accuracy: Double = 5
  ) -> [Output] {
    let start = (self.north, self.east)
    let goal = (north ?? start.0, east ?? start.1)
    var told: [Output] = []
    for i in 1...max(seconds, 1) {
      now += 1
      let share = Double(i) / Double(max(seconds, 1))
      self.north = start.0 + (goal.0 - start.0) * share
      self.east = start.1 + (goal.1 - start.1) * share
      told += fix(accuracy: accuracy)
    }
    return told
  }

  static func place(north: Double, east: Double = 0) -> Coordinate {
    Coordinate(latitude: 45 + north / 111_131.7, longitude: 7 + east / 78_846.8)
  }

  @discardableResult
  mutating func fix(accuracy: Double = 5, clock ahead: Double = 0) -> [Output] {
    handle(
      .reading(
        SourceID(0),
        .fix(
          Fix(
            Location(
              coordinate: Self.place(north: north, east: east), horizontalAccuracy: accuracy,
              timestamp: Self.date(now + ahead))))))
  }

  /// Other rules from now on.
  mutating func rule(_ policy: Policy) {
    settings.policy = policy
    handle(.configured(settings))
  }

  /// As after kill -9: only what was written is known.
  mutating func restart(after seconds: Double = 1, boot: Double = 0, policy: Policy? = nil) {
    if let policy { settings.policy = policy }
    now += seconds
    self.boot = boot
    waiting = []
    service = LocationService(settings, disk, at: instant)
    connect(Self.client)
  }

  private mutating func write(_ change: Change) {
    switch change {
    case .put(let app, let kind, let key, let bytes):
      disk.records[.init(app: app, kind: kind, key: key)] = bytes
    case .remove(let app, let kind, let key):
      disk.records[.init(app: app, kind: kind, key: key)] = nil
    case .event(let app, let number, let bytes):
      disk.events.append(.init(app: app, number: number, bytes: bytes))
      disk.lastEvents[app] = number
    case .acknowledged(let app, let number):
      disk.events.removeAll { $0.app == app && $0.number <= number }
    case .erase(let app), .forget(let app):
      disk.records = disk.records.filter { $0.key.app != app }
      disk.events.removeAll { $0.app == app }
      retire(app)
      if case .forget = change { disk.permissions[app] = nil }
    case .permission(let app, let permission): disk.permissions[app] = permission
    case .usage(let app, let usage): disk.usage[app] = usage
    case .retire(let app): retire(app)
    default: break
    }
  }

  private mutating func retire(_ app: App) {
    guard let number = disk.lastEvents.removeValue(forKey: app) else { return }
    let user = App(uid: app.uid, name: "")
    disk.lastEvents[user] = max(number, disk.lastEvents[user] ?? 0)
  }
}

extension MonitoringHarness {
  /// Away for long enough that the next stay has an arrival.
  static func moving() -> MonitoringHarness {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringVisits)
    harness.north = -3000
    harness.walk(north: 0, for: 300)
    return harness
  }
}

extension Caller {
  /// The service that asks a user.
  static func agent(uid: UInt32 = 1000, pid: Int32 = 9) -> Caller {
    var caller = Caller(uid: uid, pid: pid, app: "userunit:locationd-agent")
    caller.unit = .user("locationd-agent.service")
    caller.isInUserSlice = true
    return caller
  }
}

extension [Output] {
  /// Numbered events, as `number name identifier`.
  var reports: [String] {
    compactMap { output in
      guard case .report(_, let event, let number) = output else { return nil }
      switch event {
      case .didEnterRegion(let identifier, _): return "\(number) enter \(identifier)"
      case .didExitRegion(let identifier, _): return "\(number) exit \(identifier)"
      case .didVisit(let visit):
        return "\(number) \(visit.departureDate == nil ? "arrived" : "departed")"
      default: return "\(number) \(event.name)"
      }
    }
  }

  var visits: [Visit] {
    compactMap { if case .report(_, .didVisit(let visit), _) = $0 { visit } else { nil } }
  }

  /// How often it is said that an app monitors other regions.
  var othersMonitored: Int { count { if case .regionsChanged = $0 { true } else { false } } }

  var determined: [RegionState] {
    compactMap {
      if case .tell(_, .didDetermineState(_, let state)) = $0 { state } else { nil }
    }
  }

  var state: RegionState? {
    for case .state(let state) in replies { return state }
    return nil
  }

  /// Identifiers of the regions listed.
  var listed: [String] {
    for case .regions(let regions, _) in replies { return regions.map(\.identifier) }
    return []
  }
}
