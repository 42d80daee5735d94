import LocationModel
import ReceiverCore

@testable import LocationCore

/// The service fed with a trace by the trace's own clock, as `locationctl replay` feeds it.
struct Playback {
  struct Told {
    var time: Double
    var event: Event
  }

  private var service: LocationService
  private var now = Instant(boottime: .start, utc: epoch, utcTrusted: true)
  private var wakeAt: Boottime?
  private(set) var told: [Told] = []

  private static let epoch = Timestamp(microseconds: 1_750_000_000_000_000)

  init(_ requests: [Request]) {
    var settings = LocationService.Settings(
      version: "1", uid: 0,
      sources: [SourceDescription(SourceID(0), name: "", simulated: false, mayRest: false)])
    settings.limits.regionsPerApp = 0
    service = LocationService(settings, at: now)
    handle(.connected(ClientID(1), Caller(uid: 0, pid: 0, app: "user:root")))
    for request in requests { handle(.called(ClientID(1), Call(id: .null, request))) }
  }

  static func play(_ fixes: [TraceFix], _ requests: [Request]) -> [Told] {
    var playback = Playback(requests)
    for fix in fixes { playback.play(fix) }
    playback.end()
    return playback.told
  }

  private mutating func play(_ fix: TraceFix) {
    turn(to: .start + .seconds(fix.time))
    var location = Location(
      coordinate: fix.place.coordinate, horizontalAccuracy: fix.accuracy, timestamp: now.utc)
    location.speed = fix.speed
    handle(.reading(SourceID(0), .fix(Fix(location))))
  }

  /// The trace is over: what is decided and only waits for its time is told.
  private mutating func end() {
    while let due = service.decidedAt { ring(at: due) }
  }

  private mutating func turn(to boottime: Boottime) {
    while let due = wakeAt, due <= boottime { ring(at: due) }
    advance(to: boottime)
  }

  private mutating func advance(to boottime: Boottime) {
    now.boottime = max(now.boottime, boottime)
    now.utc = Self.epoch + (now.boottime - .start)
  }

  private mutating func ring(at due: Boottime) {
    advance(to: due)
    wakeAt = nil
    handle(.timer)
  }

  private mutating func handle(_ input: Input) {
    var outputs: [Output] = []
    service.handle(input, at: now, into: &outputs)
    for output in outputs {
      switch output {
      case .report(_, let event, _), .tell(_, let event):
        told.append(Told(time: now.boottime.seconds(since: .start), event: event))
      case .wake(let at): wakeAt = at
      case .commit(_, let id): handle(.committed(id))
      default: break
      }
    }
  }
}

extension [Playback.Told] {
  var departures: Int { visits.count { $0.visit.departureDate != nil } }

  var visits: [(time: Double, visit: Visit)] {
    compactMap { if case .didVisit(let visit) = $0.event { ($0.time, visit) } else { nil } }
  }

  /// Entries and exits of a region, in order.
  func crossings(of identifier: String) -> [(time: Double, isEntry: Bool)] {
    compactMap {
      switch $0.event {
      case .didEnterRegion(identifier, _): ($0.time, true)
      case .didExitRegion(identifier, _): ($0.time, false)
      default: nil
      }
    }
  }

  var exits: Int { count { if case .didExitRegion = $0.event { true } else { false } } }

  var significantChanges: Int {
    count { if case .didUpdateLocations(_, .significant) = $0.event { true } else { false } }
  }
}
