import LocationModel
import Testing

@testable import LocationCore

@Suite("When scans are asked for") struct ScanScheduleTests {
  private static func at(_ seconds: Double) -> Boottime { .start + .seconds(seconds) }

  /// The seconds of ten minutes in which a scan is asked for; each is made four seconds later.
  private func asked(
    _ demand: Double?, gavePlace: Bool? = true, isOfUse: Bool = true, isGranted: Bool = true,
    others: Int = 0
  ) -> [Int] {
    var schedule = ScanSchedule()
    var asked: [Int] = []
    schedule.update(demand, at: Self.at(0))
    for second in 0..<600 {
      let now = Self.at(Double(second))
      if let last = asked.last, isGranted, second == last + 4 {
        schedule.noteScan(at: now, gavePlace: gavePlace, now)
      }
      if others > 0, second % others == 0 { schedule.noteScan(at: now, gavePlace: true, now) }
      if schedule.isDue(isOfUse: isOfUse, at: now) {
        asked.append(second)
        schedule.noteAnswer(isGranted: isGranted, at: now)
      }
    }
    return asked
  }

  @Test("at once, and then at most once in half a minute after the last")
  func often() {
    let asked = asked(0)
    #expect(asked.first == 0 && asked.count == 18)
    #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 >= 30 })
  }

  @Test("never where nobody needs a place, or it would be of no use")
  func never() {
    #expect(asked(nil).isEmpty)
    #expect(asked(0, isOfUse: false).isEmpty)
  }

  @Test("seldom for a coarse wish, and where the last ones gave no place")
  func seldom() {
    #expect(asked(500).count == 5)
    #expect(asked(3000).count == 2)
    #expect(asked(0, gavePlace: false).count == 6)
  }

  @Test("scans that others have made do as well")
  func others() {
    #expect(asked(0, others: 20).isEmpty)
  }

  @Test("where it is refused, it is tried once in ten minutes")
  func refused() {
    #expect(asked(0, isGranted: false) == [0])
  }

  @Test("a client that comes and goes has none sooner")
  func again() {
    var schedule = ScanSchedule()
    var count = 0
    for second in 0..<120 {
      schedule.update(second % 2 == 0 ? 0 : nil, at: Self.at(Double(second)))
      if schedule.isDue(isOfUse: true, at: Self.at(Double(second))) { count += 1 }
    }
    #expect(count == 4)
  }
}
