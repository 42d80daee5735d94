import LocationModel
import ReceiverCore
import TestSupport

@testable import LocationCore

/// A machine with a receiver and a radio among Wi-Fi boxes, by a made-up clock.
final class RadioWorld {
  private var service: LocationService
  private(set) var now: Instant
  private var wakesAt: Boottime?
  private var dice: Dice
  private(set) var open: Set<Int> = []
  /// When scans were asked for, in seconds.
  private(set) var asked: [Double] = []
  private(set) var told: [Event] = []
  private(set) var changes: [Change] = []
  private(set) var replies: [Reply] = []
  private(set) var notes: [String] = []
  var networks: [TownNetwork]
  var place = Spot()
  /// Commits fail.
  var isFull = false
  /// Scans that are asked for are made.
  var scans = true
  private var scanAt: Boottime?

  static let (gps, wifi, other, replay) = (0, 1, 2, 3)
  private static let scanning: Duration = .seconds(4)
  static let root = ClientID(1)

  init(
    seed: UInt64 = 1, networks: [TownNetwork] = [], remembering remembered: StoreSnapshot = .init(),
    learns: Bool = true, now: Instant = RadioWorld.start
  ) {
    dice = Dice(seed: seed)
    self.networks = networks
    self.now = now
    service = LocationService(Self.settings(learns: learns), remembered, at: now)
    handle(.connected(Self.root, Caller(uid: 0, pid: 7, app: "user:0")))
  }

  static let start = Instant(
    boottime: .start + .seconds(100), utc: Timestamp(microseconds: 1_750_032_000_000_000),
    utcTrusted: true)

  static func settings(learns: Bool) -> LocationService.Settings {
    var settings = LocationService.Settings(
      version: "1", uid: 990,
      sources: [
        SourceDescription(SourceID(gps), name: "gps", simulated: false),
        SourceDescription(SourceID(wifi), name: "wifi:", simulated: false, kind: .radio),
        SourceDescription(SourceID(other), name: "other", simulated: false),
        SourceDescription(SourceID(replay), name: "replay:x", simulated: true),
      ])
    settings.learnsNetworks = learns
    settings.secret = NetworkSalt(5, 6)
    return settings
  }

  /// Boxes at random within so many metres of the middle.
  static func boxes(_ count: Int, within metres: Double, seed: UInt64) -> [TownNetwork] {
    var dice = Dice(seed: seed)
    return (0..<count).map { box in
      TownNetwork(
        address: 0x1000_0000_0000 + UInt64(box) << 8,
        place: Spot(north: dice.number(-metres...metres), east: dice.number(-metres...metres)),
        strength: -30 + 4 * dice.normal())
    }
  }

  var seconds: Double { now.boottime.seconds(since: Self.start.boottime) }

  @discardableResult
  func call(_ request: Request, from client: ClientID = root, manager: Int = 0) -> Reply? {
    replies = []
    handle(.called(client, Call(id: .integer(1), manager: manager, request)))
    return replies.first
  }

  /// Time passes, and what it brings happens.
  func pass(_ seconds: Double) {
    let end = now.boottime + .seconds(seconds)
    while let next = [wakesAt, scanAt].compactMap({ $0 }).min(), next <= end {
      turn(to: next)
      if scanAt == next {
        scanAt = nil
        scan()
      } else {
        wakesAt = nil
        handle(.timer)
      }
    }
    turn(to: end)
  }

  private func turn(to boottime: Boottime) {
    let passed = max(boottime - now.boottime, .zero)
    now.boottime += passed
    now.utc = now.utc + passed
  }

  /// A scan of the networks around, whoever had it made.
  func scan(secondsAgo: Double = 0) {
    let heard = networks.compactMap { $0.heard(at: place, &dice) }
    handle(
      .reading(
        SourceID(Self.wifi), .scan(NetworkScan(heard, timestamp: now.utc - .seconds(secondsAgo)))))
  }

  func fix(_ source: Int = gps, accuracy: Double = 8, off: Spot = Spot()) {
    handle(
      .reading(
        SourceID(source),
        .fix(
          Fix(
            Location(
              coordinate: (place + off).coordinate, horizontalAccuracy: accuracy,
              timestamp: now.utc)))))
  }

  func handle(_ input: Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      var outputs: [Output] = []
      service.handle(inputs.removeFirst(), at: now, into: &outputs)
      for output in outputs { perform(output, &inputs) }
    }
  }

  private func perform(_ output: Output, _ inputs: inout [Input]) {
    switch output {
    case .open(let source, _):
      open.insert(source.number)
      if source.number == Self.wifi { inputs.append(.found(source)) }
    case .close(let source): open.remove(source.number)
    case .scan:
      asked.append(seconds)
      inputs.append(.scanAnswered(SourceID(Self.wifi), isGranted: scans))
      if scans { scanAt = now.boottime + Self.scanning }
    case .tell(_, let event), .report(_, let event, _): told.append(event)
    case .answer(_, _, let reply): replies.append(reply)
    case .commit(let changes, let id):
      if isFull { return inputs.append(.commitFailed(id, "full")) }
      self.changes += changes
      inputs.append(.committed(id))
    case .wake(let at): wakesAt = at
    case .note(let text, _): notes.append(text)
    default: break
    }
  }
}

extension RadioWorld {
  var places: [Location] {
    told.compactMap {
      if case .didUpdateLocations(let location, .standard) = $0 { location } else { nil }
    }
  }

  func forgetTold() { told = [] }

  /// A walk with a receiver's good fixes, each second, and scans as they come.
  func walk(from start: Spot, to goal: Spot, pace: Double = 1.4) {
    let way = goal - start
    for second in 0..<Int(way.length / pace) {
      place = start + way * (Double(second) * pace / way.length)
      fix()
      pass(1)
    }
  }

  /// A day with walks through three streets, for a client.
  func walkStreets() {
    call(.startUpdatingLocation(.init()))
    for street in [-100.0, 0, 100] {
      walk(from: Spot(north: street, east: -150), to: Spot(north: street, east: 150))
    }
    call(.stopUpdatingLocation)
    pass(86_400)
  }

  /// The rows of the disk, and its record of the secret.
  var disk: StoreSnapshot {
    var disk = StoreSnapshot()
    for change in changes {
      switch change {
      case .put(let app, let kind, let key, let bytes):
        disk.records[.init(app: app, kind: kind, key: key)] = bytes
      case .remove(let app, let kind, let key):
        disk.records[.init(app: app, kind: kind, key: key)] = nil
      default: break
      }
    }
    return disk
  }

  var rows: [NetworkRow] {
    var rows: [Int64: NetworkRow] = [:]
    for change in changes {
      switch change {
      case .networks(let changed, let dropped):
        for row in changed { rows[row.id] = row }
        for id in dropped { rows[id] = nil }
      case .forgetNetworks: rows = [:]
      default: break
      }
    }
    return rows.values.sorted { $0.id < $1.id }
  }
}
