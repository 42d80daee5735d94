import LocationModel

/// The time that stays and dwells are measured in: it runs through suspend and never goes back,
/// whatever the clocks that dates come from do.
struct TrackClock: Sendable {
  /// Seconds.
  private(set) var time = 0.0
  private(set) var date = Timestamp(microseconds: 0)
  private var boottime: Boottime = .start
  private var hasBegun = false

  init() {}

  /// Goes on to a fix; the result is by how much its receiver's clock was set anew.
  ///
  /// A recording goes by its own time, whatever the rate it is played at.
  mutating func turn(
    to location: Location, at now: Instant
  ) -> Duration {
    defer {
      date = location.timestamp
      boottime = now.boottime
      hasBegun = true
    }
    guard hasBegun else { return .zero }
    let said = location.timestamp.seconds(since: date)
    if location.simulated {
      time += max(0, said)
      return .zero
    }
    let passed = max(0, now.boottime.seconds(since: boottime))
    time += passed
    let step = said - passed
    // Fixes come late and in bursts; a clock that was set is off by more.
    return step.magnitude > Self.step ? Duration(clamping: step) : .zero
  }

  /// Goes on without a fix.
  mutating func turn(to now: Instant) {
    let passed = now.boottime - boottime
    guard hasBegun, passed > .zero else { return }
    time += passed.seconds
    date = date + passed
    boottime = now.boottime
  }

  /// When it will be so late, if nothing comes before; nil for what has passed. A microsecond later,
  /// so that no rounding makes it too early.
  func boottime(of time: Double) -> Boottime? {
    guard hasBegun, time > self.time else { return nil }
    return boottime + Duration(clamping: time - self.time) + .microseconds(1)
  }

  private static let step = 90.0
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
