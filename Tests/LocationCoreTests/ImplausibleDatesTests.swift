import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Implausible dates") struct ImplausibleDatesTests {
  @Test func aFixOfAnImplausibleDateIsRefused() {
    var harness = MonitoringHarness()
    let location = Location(
      coordinate: MonitoringHarness.place(north: 0), horizontalAccuracy: 5,
      timestamp: Timestamp(microseconds: .min))
    #expect(!location.isValid)
    harness.handle(.reading(SourceID(0), .fix(Fix(location))))
    #expect(harness.service.counters.refused == 1)
  }

  @Test func whatIsRememberedOfNoPossibleTimeIsLeftOut() {
    let stay = StoredStay(
      arrival: Timestamp(microseconds: 0), centre: Coordinate(latitude: 1, longitude: 2), weight: 1,
      spread: 1, last: Timestamp(microseconds: 0))
    func json(arrival: Int64, last: Int64) -> JSON {
      var stored = stay
      stored.arrival = Timestamp(microseconds: arrival)
      stored.last = Timestamp(microseconds: last)
      return stored.json
    }
    #expect(StoredStay(json(arrival: 0, last: 0)) == stay)
    #expect(StoredStay(json(arrival: .min, last: 0))?.arrival == nil)
    #expect(StoredStay(json(arrival: 0, last: .max)) == nil)
    #expect(StoredStay(json(arrival: 0, last: .min)) == nil)
  }

  @Test func absencesWithoutEndAreCountedOn() throws {
    for absences in [Int64.max, .min, 9] {
      var seen = try #require(
        LastSeen(["day": .integer(0), "absences": .integer(absences), "missedOn": .integer(.max)])
      )
      let isNew = seen.miss(on: 20_000)
      #expect(isNew)
      #expect(seen.hasLapsed(on: 20_000) == (absences > 0))
    }
  }
}
