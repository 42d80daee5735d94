import LocationModel
import Testing

@testable import ReceiverCore

/// Dates of recordings: some programs write one that stands for none, and some clocks run away.
@Suite struct RecordingDatesTests {
  private static let none = [
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1900-01-01T00:00:00Z",
  ]

  @Test(arguments: none) func aTrackPointWhoseDateStandsForNoneIsUndated(date: String) {
    func point(_ time: String) -> String {
      "<trkpt lat='50' lon='8'><time>\(time)</time></trkpt>"
    }
    let bytes = Array("<gpx>\(point(date))\(point("2025-06-15T12:00:00Z"))</gpx>".utf8)
    let (readings, counters) = decode(bytes)
    #expect(readings.count == 1)
    #expect(counters.undated == 1)
  }

  @Test(arguments: none) func aLineWhoseDateStandsForNoneSaysNothing(date: String) {
    func line(_ time: String) -> String {
      #"{"latitude":1,"longitude":2,"horizontalAccuracy":4,"timestamp":\#(time)}"# + "\n"
    }
    let bytes = Array((line("\"\(date)\"") + line("1750000000") + line("-62135596800")).utf8)
    let (readings, counters) = decode(bytes)
    #expect(readings.count == 1)
    #expect(counters.malformed == 2)
    #expect(decode(#"{"timestamp":"\#(date)"}"#) == [])
  }

  @Test(arguments: none) func aReportOfGpsdWhoseDateStandsForNoneMakesNoFix(date: String) {
    func report(_ time: String) -> String {
      #"{"class":"TPV","mode":3,"time":"\#(time)","lat":50,"lon":8,"alt":1}"# + "\n"
    }
    #expect(decode(report(date)) == [])
    #expect(decode(report("2025-06-15T12:00:00Z")).count == 1)
  }

  @Test(arguments: [2199, 2200, 9999]) func aYearThatNobodyWillSeeIsMalformed(year: Int) {
    var receiver = Receiver()
    receiver.say("GPZDA,120000.00,15,06,\(year),00,00")
    #expect(receiver.decoder.counters.malformed == 1)
  }

  @Test func howeverOftenTheTimeOfDayGoesRoundTheDateStaysPlausible() {
    var receiver = Receiver()
    receiver.say("GPZDA,000000.00,01,12,2198,00,00")
    for i in 0..<900 {
      let hour = i * 11 % 24
      receiver.say("GPGLL,5000.0,N,00800.0,E,\(hour < 10 ? "0" : "")\(hour)0000,A,A")
    }
    receiver.flush()
    #expect(receiver.fixes.count > 800)
    #expect(receiver.fixes.allSatisfy { $0.location.isValid })
    #expect(receiver.fixes.last?.location.timestamp.date.year == 2199)
  }
}
