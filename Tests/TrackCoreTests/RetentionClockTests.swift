import LocationModel
import Testing

@testable import TrackCore

@Suite("The age of entries") struct RetentionClockTests {
  private static let newest = Timestamp(microseconds: 1_772_359_200_000_000)

  private static func instant(_ days: Double, after hours: Double, isSet: Bool = false) -> Instant {
    Instant(
      boottime: .start + .seconds(hours * 3600), utc: newest + .seconds(days * 86_400),
      utcTrusted: isSet)
  }

  @Test("counts from now, where something steers the clock or it is near the newest entry")
  func believed() {
    var clock = RetentionClock()
    let set = Self.instant(400, after: 1, isSet: true)
    #expect(clock.reference(at: set, newest: Self.newest) == set.utc)
    let near = Self.instant(0.9, after: 2)
    #expect(clock.reference(at: near, newest: Self.newest) == near.utc)
    #expect(clock.memory == nil)
  }

  @Test("counts from the newest entry where the clock is far ahead, for a day of all its runs")
  func doubted() {
    var clock = RetentionClock()
    var hours = 0.0
    // Each start of the machine begins another count of its time.
    for run in 0..<5 {
      if let memory = clock.memory {
        clock = RetentionClock(newest: memory.newest, doubted: memory.doubted)
      }
      for hour in 0..<8 {
        let now = Self.instant(100 + Double(run), after: Double(hour))
        let expected = hours < 24 ? Self.newest : now.utc
        #expect(clock.reference(at: now, newest: Self.newest) == expected, "\(run) \(hour)")
        if hour < 7 { hours += 1 }
      }
    }
    #expect(hours == 35)
    // An entry that says another date begins anew.
    let other = Self.newest + .seconds(60)
    #expect(clock.reference(at: Self.instant(200, after: 50), newest: other) == other)
    #expect(RetentionClock(newest: 1, doubted: -7) == RetentionClock(newest: 1, doubted: 0))
  }
}
