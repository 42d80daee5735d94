import Console
import LocationCore
import LocationModel
import ReceiverCore

/// The daemon's service fed from a recording: one client, one source, and the recording's clock.
struct Replay: ~Copyable {
  struct Wishes {
    var locations = false
    var standard = StandardRequest()
    var isFiltered = true
    var significant = false
    var visits = false
    var regions: [Region] = []
    var headings = false
    var beacons: [BeaconConstraint] = []
  }

  private var service: LocationService
  private var outputs: [LocationCore.Output] = []
  private var committed: [CommitID] = []
  private var hasRadio = false
  private(set) var now = Instant(boottime: .start, utc: .epoch, utcTrusted: true)
  private let requests: [Request]
  private let ranged: [BeaconConstraint]
  private var hasBegun = false
  private var refusal: Refusal?
  private var wakeAt: Boottime?

  private static let source = SourceID(0)
  private static let beacons = SourceID(1)
  private static let client = ClientID(1)
  /// After so long all beacons have gone, and lists would only repeat that.
  private static let silence: Duration = .seconds(60)

  init(_ wishes: Wishes) {
    var settings = LocationService.Settings(
      version: version, uid: 0,
      sources: [
        SourceDescription(Self.source, name: "", simulated: false, mayRest: false),
        SourceDescription(Self.beacons, name: "", simulated: false, kind: .beacons),
      ])
    settings.isFiltered = wishes.isFiltered
    settings.limits.regionsPerApp = 0
    service = LocationService(settings, at: now)
    var requests: [Request] = []
    if wishes.headings { requests.append(.startUpdatingHeading(.init())) }
    if wishes.significant { requests.append(.startMonitoringSignificantLocationChanges) }
    if wishes.visits { requests.append(.startMonitoringVisits) }
    if !wishes.regions.isEmpty { requests.append(.startMonitoring(wishes.regions)) }
    requests += wishes.beacons.map(Request.startRangingBeacons)
    if wishes.locations || requests.isEmpty {
      requests.append(.startUpdatingLocation(wishes.standard))
    }
    self.requests = requests
    ranged = wishes.beacons
  }

  /// Takes one reading, and hands over each event that follows, with when it was told.
  mutating func handle(_ reading: Reading, tell: (Event, Timestamp) -> Void) {
    switch reading {
    case .fix(let fix):
      turn(to: fix.location.timestamp, tell)
      handle(.reading(Self.source, .fix(fix)), tell)
    case .scan(let scan): turn(to: scan.timestamp, tell)
    case .clock(let moment): turn(to: moment, tell)
    case .beacons(let scan):
      turn(to: scan.timestamp, tell)
      handle(.reading(Self.beacons, .beacons(scan)), tell)
    case .heading(let heading):
      turn(to: heading.timestamp, tell)
      handle(.reading(Self.source, .heading(heading)), tell)
    }
  }

  /// The recording is over: what is decided and only waits for its time is told.
  mutating func end(tell: (Event, Timestamp) -> Void) {
    while let due = service.decidedAt { ring(at: due, tell) }
  }

  /// Says which of the wishes cannot be met.
  func checkRequests() throws(Failure) {
    if let refusal { throw Failure(.failed, refusal.message) }
  }

  /// The clock goes on with the recording's, never back, and what is due on the way happens then.
  private mutating func turn(to moment: Timestamp, _ tell: (Event, Timestamp) -> Void) {
    guard hasBegun else {
      now.utc = moment
      begin(tell)
      return
    }
    let target = now.boottime + max(.zero, moment - now.utc)
    let isGap = !ranged.isEmpty && target - now.boottime > Self.silence
    if isGap { pass(to: now.boottime + Self.silence, tell) }
    if isGap { for one in ranged { call(.stopRangingBeacons(one), tell) } }
    pass(to: target, tell)
    now.utc = max(now.utc, moment)
    if isGap { for one in ranged { call(.startRangingBeacons(one), tell) } }
    while let due = wakeAt, due <= target { ring(at: due, tell) }
  }

  private mutating func pass(to target: Boottime, _ tell: (Event, Timestamp) -> Void) {
    while let due = wakeAt, due < target { ring(at: due, tell) }
    now.utc = now.utc + max(.zero, target - now.boottime)
    now.boottime = target
  }

  private mutating func call(_ request: Request, _ tell: (Event, Timestamp) -> Void) {
    handle(.called(Self.client, Call(id: .null, request)), tell)
  }

  private mutating func ring(at due: Boottime, _ tell: (Event, Timestamp) -> Void) {
    let passed = max(.zero, due - now.boottime)
    now.utc = now.utc + passed
    now.boottime += passed
    wakeAt = nil
    handle(.timer, tell)
  }

  private mutating func begin(_ tell: (Event, Timestamp) -> Void) {
    hasBegun = true
    handle(.connected(Self.client, Caller(uid: 0, pid: 0, app: "user:root")), tell)
    for request in requests { call(request, tell) }
  }

  private mutating func handle(_ input: Input, _ tell: (Event, Timestamp) -> Void) {
    service.handle(input, at: now, into: &outputs)
    for output in outputs {
      switch output {
      // These come with a crossing, and say nothing more to a reader of both.
      case .tell(_, .didDetermineState), .tell(_, .didStartMonitoring): break
      case .tell(_, let event), .report(_, let event, _): tell(event, now.utc)
      case .wake(let at): wakeAt = at
      case .commit(_, let id): committed.append(id)
      case .open(Self.beacons, _): hasRadio = true
      case .refuse(_, _, let no): refusal = refusal ?? no
      default: break
      }
    }
    outputs.removeAll(keepingCapacity: true)
    while let id = committed.popLast() { handle(.committed(id), tell) }
    // A recording's radio listens as soon as it is wanted.
    if hasRadio {
      hasRadio = false
      handle(.found(Self.beacons), tell)
    }
  }
}
