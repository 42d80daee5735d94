import Geodesy
import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

private func locations(_ text: String) -> [Location] {
  decode(text).compactMap { if case .fix(let fix) = $0 { fix.location } else { nil } }
}

private func tpv(_ time: String, _ more: String) -> String {
  #"{"class":"TPV","device":"/dev/ttyUSB0","time":"\#(time)",\#(more)}"# + "\n"
}

@Suite struct RecordingLinesTests {
  @Test func whatIsUnknownMayBeMissingNullOrLessThanZero() throws {
    for unknown in ["", #""speed":-1,"course":-1,"#, #""speed":null,"course":null,"#] {
      let location = try #require(
        locations(
          #"{"latitude":1,"longitude":2,"altitude":-3,\#(unknown)"horizontalAccuracy":4,"#
            + #""timestamp":"2025-06-15T12:00:00Z"}"#
        ).first)
      #expect(location.speed == nil)
      #expect(location.course == nil)
      #expect(location.altitude == -3)
    }
  }

  @Test("an accuracy too small to be written is a millimetre")
  func smallest() {
    let line =
      #"{"latitude":50,"longitude":8,"horizontalAccuracy":51e-320,"timestamp":1750000000}"#
    #expect(locations(line).map(\.horizontalAccuracy) == [0.001])
  }

  @Test func anAltitudeOfAccuracyLessThanZeroIsNone() {
    let all = locations(
      #"{"latitude":1,"longitude":2,"altitude":3,"verticalAccuracy":-1,"timestamp":1700000000.5}"#)
    #expect(all.first?.altitude == nil)
    #expect(all.first?.timestamp == Timestamp(microseconds: 1_700_000_000_500_000))
  }

  @Test(arguments: [
    #"{"timestamp":"2025-06-15T12:00:00Z"}"#,
    #"{"latitude":1,"longitude":2,"horizontalAccuracy":-1,"timestamp":"2025-06-15T12:00:00Z"}"#,
  ])
  func aTimestampWithoutAPlaceMovesTheClock(line: String) {
    #expect(
      decode(line) == [
        .clock(Timestamp(year: 2025, month: 6, day: 15, microsecondsOfDay: 43_200_000_000))
      ])
  }

  @Test("a line with wifi is a scan, without the networks that stand for no place")
  func scan() {
    let networks = [
      ("10:00:00:00:00:0A", "home"), ("10:00:00:00:00:0b", "home_nomap"), ("10:00:00:00:00:0c", ""),
      ("12:00:00:00:00:0d", "guest"), ("00:01:02:00:00:0e", "iwd"), ("-1:00:00:00:00:0f", "sign"),
    ].map {
      #"{"macAddress":"\#($0)","ssid":"\#($1)","signalStrength":-61,"frequency":2412,"age":1500}"#
    }
    let home = HeardNetwork(
      address: 0x1000_0000_000A, name: "home".utf8, signal: -61, frequency: 2412,
      age: .milliseconds(1500))
    #expect(
      decode(#"{"timestamp":1750000000,"wifi":[\#(networks.joined(separator: ",")),7]}"#) == [
        .scan(
          NetworkScan(
            [home].compactMap { $0 }, timestamp: Timestamp(microseconds: 1_750_000_000_000_000)))
      ])
  }

  @Test(arguments: [
    "{\"", "{\"a\":1}", "[1]", #"{"latitude":100,"longitude":2,"timestamp":1}"#,
    #"{"latitude":1,"longitude":2,"horizontalAccuracy":3,"timestamp":1e300}"#,
    #"{"latitude":1,"longitude":2,"horizontalAccuracy":3}"#, "{ nonsense", "{\"\u{1}",
  ])
  func aBadLineIsCountedAndTheNextIsRead(line: String) {
    let good = #"{"latitude":1,"longitude":2,"horizontalAccuracy":3,"timestamp":1}"#
    let (readings, counters) = decode(Array("\(good)\n\(line)\n\(good)".utf8))
    #expect(readings.count == 2)
    #expect(counters.malformed == 1)
    #expect(counters.fixes == 2)
  }

  @Test func aLineTooLongIsDroppedAndTheNextIsRead() {
    let long = #"{"a":""# + String(repeating: "x", count: 300_000) + "\"}\n"
    let good = #"{"latitude":1,"longitude":2,"horizontalAccuracy":3,"timestamp":1}"#
    #expect(decode(long + good, by: 1000).count == 1)
  }
}

@Suite struct RecordingGpsdTests {
  @Test func severalReportsOfAnEpochMakeOneFix() throws {
    let all = locations(
      tpv("2025-06-15T12:00:00Z", #""mode":2,"lat":50.0,"lon":8.0,"speed":1.5"#)
        + tpv(
          "2025-06-15T12:00:00Z", #""mode":3,"lat":50.0,"lon":8.0,"altMSL":100.0,"altHAE":148.0"#)
        + tpv("2025-06-15T12:00:01Z", #""mode":3,"lat":50.1,"lon":8.0"#))
    #expect(all.count == 2)
    let first = try #require(all.first)
    #expect(first.speed == 1.5)
    #expect(first.altitude == 100)
    #expect(first.ellipsoidalAltitude == 148)
    #expect(first.verticalAccuracy != nil)
  }

  @Test(arguments: [
    #""mode":0,"lat":50.0,"lon":8.0"#, #""mode":1,"lat":50.0,"lon":8.0"#, #""mode":3"#,
    #""mode":2,"lat":50.0"#, #""lat":50.0,"lon":8.0"#,
  ])
  func aReportWithoutModeOrPlaceIsNone(report: String) {
    #expect(locations(tpv("2025-06-15T12:00:00Z", report)).isEmpty)
  }

  @Test func aReportWithoutATimeIsNone() {
    #expect(locations(#"{"class":"TPV","mode":3,"lat":50.0,"lon":8.0}"#).isEmpty)
  }

  @Test func anErrorThatIsOnlyDilutionIsTakenAsDilution() throws {
    let sky =
      #"{"class":"SKY","hdop":1.0,"vdop":1.2,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}"#
      + "\n"
    let place = #""mode":3,"lat":50.0,"lon":8.0,"altMSL":1,"eph":19.0,"epv":27.6"#
    let derived = try #require(locations(sky + tpv("2025-06-15T12:00:00Z", place)).first)
    #expect(derived.horizontalAccuracy == 5)
    #expect(derived.verticalAccuracy == 6)
    let stated = try #require(locations(tpv("2025-06-15T12:00:00Z", place)).first)
    #expect(abs(stated.horizontalAccuracy - 19 * 0.617) < 1e-9)
    #expect(abs((stated.verticalAccuracy ?? 0) - 27.6 * 0.507) < 1e-9)
  }

  @Test func gstIsOfTheEpochThatItSays() throws {
    func gst(_ time: String, _ error: Double) -> String {
      #"{"class":"GST","time":"\#(time)","lat":\#(error),"lon":0,"alt":2.0}"# + "\n"
    }
    let place = #""mode":3,"lat":50.0,"lon":8.0,"eph":50.0"#
    let all = locations(
      tpv("2025-06-15T12:00:00Z", place) + gst("2025-06-15T12:00:00Z", 1)
        + gst("2025-06-15T12:00:01Z", 2) + tpv("2025-06-15T12:00:01Z", place)
        + tpv("2025-06-15T12:00:02Z", place))
    #expect(all.map { Int(($0.horizontalAccuracy * 100).rounded()) } == [107, 214, 3085])
  }

  @Test func whatGpsdMakesOfAReceiverIsWhatWeMakeOfIt() throws {
    func places(_ file: String) -> [Int64: Location] {
      var places: [Int64: Location] = [:]
      for case .fix(let fix) in decode(Recordings.bytes(file)).readings {
        places[fix.location.timestamp.microsecondsOfDay] = fix.location
      }
      return places
    }
    let ours = places("isync.nmea")
    let theirs = places("isync.gpsd.json")
    #expect(theirs.count == 11)
    for (time, their) in theirs {
      let our = try #require(ours[time])
      #expect(our.coordinate.distance(to: their.coordinate) < 0.001)
      #expect(abs((our.altitude ?? 0) - (their.altitude ?? 1)) < 0.001)
      #expect(abs(our.horizontalAccuracy - their.horizontalAccuracy) < 0.001)
      #expect(abs((our.verticalAccuracy ?? 0) - (their.verticalAccuracy ?? 1)) < 0.001)
      #expect(abs((our.speed ?? 0) - (their.speed ?? 1)) < 0.001)
    }
  }

  @Test func attitudeIsAHeading() {
    let readings = decode(
      tpv("2025-06-15T12:00:00Z", #""mode":1"#) + #"{"class":"ATT","heading":274.07}"#)
    guard case .heading(let heading) = readings.first else {
      Issue.record("no heading")
      return
    }
    #expect(heading.trueHeading == 274.07)
    #expect(text(of: heading.timestamp) == "2025-06-15T12:00:00.000Z")
  }
}
