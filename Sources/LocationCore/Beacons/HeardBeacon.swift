import LocationModel

/// A beacon that is heard: how strongly, how near that makes it, and since when it is silent.
struct HeardBeacon: Sendable {
  let identity: BeaconIdentity
  private var filter: SignalFilter?
  private var proximity = Proximity.unknown
  private var measuredPower: Int8
  private var heardAt: Boottime
  /// When it was reported with a strength last.
  private var measuredAt = Boottime.start
  private var date: Timestamp

  /// Its distance is unknown after so long, and then it is gone.
  private static let silence: Duration = .seconds(5)
  private static let absence: Duration = .seconds(10)

  init(_ report: BeaconReport, at now: Instant) {
    identity = report.frame.identity
    measuredPower = report.frame.measuredPower
    heardAt = now.boottime
    date = now.utc
    take(report, at: now)
  }

  mutating func take(_ report: BeaconReport, at now: Instant) {
    heardAt = now.boottime
    date = now.utc
    measuredPower = report.frame.measuredPower
    guard let rssi = report.rssi else { return }
    if filter == nil || now.boottime - measuredAt >= Self.silence {
      filter = SignalFilter(rssi, at: now.boottime)
      proximity = .unknown
    } else {
      filter?.take(rssi, at: now.boottime)
    }
    measuredAt = now.boottime
    if let distance { proximity = Proximity(distance, after: proximity) }
  }

  /// Metres, as a signal fades in the open.
  private var distance: Double? {
    filter.map { Self.ratio(Double(measuredPower) - $0.strength) }
  }

  /// The ratio of distances at which a signal differs by so many decibels: 10^(decibels/20), within 0.2 %.
  private static func ratio(_ decibels: Double) -> Double {
    let whole = decibels.rounded(.down)
    let step = whole < 0 ? 1 / perDecibel : perDecibel
    let ratio = (0..<Int(whole.magnitude)).reduce(1) { product, _ in product * step }
    return ratio * (1 + (decibels - whole) * (perDecibel - 1))
  }

  private static let perDecibel = 1.122_018_454_301_963_3

  func isGone(at now: Boottime) -> Bool { now - heardAt >= Self.absence }

  func beacon(at now: Boottime) -> Beacon {
    guard let filter, let distance, now - measuredAt < Self.silence else {
      return Beacon(identity, timestamp: date)
    }
    return Beacon(
      identity, proximity, accuracy: distance, rssi: Int(filter.strength.rounded()),
      timestamp: date)
  }
}

extension Beacon {
  /// The nearest first, those of unknown distance last.
  static func isNearer(_ a: Self, than b: Self) -> Bool {
    let (first, second) = (a.accuracy ?? .infinity, b.accuracy ?? .infinity)
    return first == second ? a.identity < b.identity : first < second
  }
}
