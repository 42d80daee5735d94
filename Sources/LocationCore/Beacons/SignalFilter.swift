import LocationModel

/// The strength at which a beacon is heard: a Kalman filter of one number, which wanders and is reported with
/// noise.
struct SignalFilter: Sendable {
  /// dBm.
  private(set) var strength: Double
  private var variance = Self.noise
  private var moment: Boottime

  /// dB²: in a second, and of one report.
  private static let wandering = 1.0
  private static let noise = 25.0

  init(_ first: Int, at moment: Boottime) {
    strength = Double(first)
    self.moment = moment
  }

  mutating func take(_ report: Int, at now: Boottime) {
    variance += Self.wandering * max(0, now.seconds(since: moment))
    let gain = variance / (variance + Self.noise)
    strength += gain * (Double(report) - strength)
    variance *= 1 - gain
    moment = now
  }
}

extension Proximity {
  /// The proximity at a distance in metres, after another: a border counts when it is passed by some of it.
  init(_ distance: Double, after last: Proximity) {
    var (nearer, farther) = (Self.immediateBorder, Self.nearBorder)
    switch last {
    case .immediate: nearer *= Self.excess
    case .near: (nearer, farther) = (nearer / Self.excess, farther * Self.excess)
    case .far: farther /= Self.excess
    case .unknown: break
    }
    self = distance < nearer ? .immediate : distance < farther ? .near : .far
  }

  /// Metres.
  private static let immediateBorder = 0.5
  private static let nearBorder = 4.0
  private static let excess = 1.4
}
