package import LocationModel

/// A sample of a clock's error, for chrony.
package struct ChronySample: Equatable, Sendable {
  /// The moment of the measurement, by the system's clock.
  package var moment: Timestamp
  /// True time less the system's, in seconds.
  package var offset: Double

  /// `struct sock_sample` of chrony's SOCK driver, on machines of 64 bits.
  package var datagram: [UInt8] {
    let (second, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    // No pulse, no leap second, padding; "SOCK".
    let words: [UInt32] = [0, 0, 0, 0x534F_434B]
    return bytes(of: second) + bytes(of: rest) + bytes(of: offset.bitPattern)
      + words.flatMap { bytes(of: $0) }
  }

  private func bytes(of value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }
}

/// Chooses the epochs that say what the system's clock is off by.
package struct ChronyFeed: Sendable {
  private var last: (moment: Timestamp, source: String)?
  private var good = 0
  private var sampled: Timestamp?

  /// Epochs in a row before the first sample: a receiver that starts may say another second.
  static let least = 3
  /// chrony wants one a second.
  private static let pause: Duration = .milliseconds(950)
  /// Epochs farther apart are none in a row, nor are those of two receivers.
  private static let longestPause: Duration = .seconds(10)

  package init() {}

  package mutating func sample(of fix: Fix) -> ChronySample? {
    let (moment, source) = (fix.location.timestamp, fix.location.source)
    defer { last = (moment, source) }
    guard let received = fix.received, !fix.location.simulated, fix.kind.isMeasured else {
      good = 0
      return nil
    }
    let isNext =
      last.map {
        source == $0.source && moment > $0.moment && moment - $0.moment <= Self.longestPause
      } ?? true
    good = isNext ? good + 1 : 1
    guard good >= Self.least, sampled.map({ (moment - $0).magnitude >= Self.pause }) ?? true else {
      return nil
    }
    sampled = moment
    return ChronySample(moment: received, offset: moment.seconds(since: received))
  }
}

extension Fix.Kind {
  /// The satellites say the time, too.
  fileprivate var isMeasured: Bool {
    switch self {
    case .autonomous, .differential, .precise, .rtkFixed, .rtkFloat: true
    case .estimated, .manual, .simulated: false
    }
  }
}
