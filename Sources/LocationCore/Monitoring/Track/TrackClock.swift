package import LocationModel

/// The time that stays and dwells are measured in: it runs through suspend and never goes back,
/// whatever the clocks that dates come from do.
package struct TrackClock: Sendable {
  /// Seconds.
  package private(set) var time = 0.0
  package private(set) var date = Timestamp(microseconds: 0)
  private var boottime: Int64 = 0
  private var hasBegun = false

  package init() {}

  /// Goes on to a fix; the result is by how many microseconds its receiver's clock was set anew.
  ///
  /// A recording goes by its own time, whatever the rate it is played at.
  package mutating func turn(
    to location: Location, at now: Instant
  ) -> Int64 {
    defer {
      date = location.timestamp
      boottime = now.boottime
      hasBegun = true
    }
    guard hasBegun else { return 0 }
    let said = Double(location.timestamp - date) / 1e6
    if location.simulated {
      time += max(0, said)
      return 0
    }
    let passed = max(0, Double(now.boottime - boottime) / 1e9)
    time += passed
    let step = said - passed
    // Fixes come late and in bursts; a clock that was set is off by more.
    return step.magnitude > Self.step ? Int64(step.clamped(to: -1e12...1e12) * 1e6) : 0
  }

  /// Goes on without a fix.
  package mutating func turn(to now: Instant) {
    let passed = now.boottime - boottime
    guard hasBegun, passed > 0 else { return }
    time += Double(passed) / 1e9
    date = date + passed / 1000
    boottime = now.boottime
  }

  /// When it will be so late, if nothing comes before; nil for what has passed. A microsecond later,
  /// so that no rounding makes it too early.
  package func boottime(of time: Double) -> Int64? {
    guard hasBegun, time > self.time else { return nil }
    return boottime.adding(clamping: Int64(nanosecondsIn: time - self.time))
      .adding(clamping: 1000)
  }

  private static let step = 90.0
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
