import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

/// Lines that libgps does not come back from, or takes for others, where it is given them.
@Suite("A gpsd that says what libgps hangs on") struct GpsdHostileTests {
  private static let now = Instant(
    boottime: .start + .seconds(1000), utc: Timestamp(microseconds: 1_750_000_000_000_000),
    utcTrusted: true)

  private func tpv(_ second: Int) -> String {
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2025-06-15T12:00:0\#(second).000Z","#
      + #""lat":50.0,"lon":8.0}"#
  }

  private func listen(_ lines: [String]) -> [Location] {
    var decoder = GpsdDecoder(device: nil)
    var readings: [Reading] = []
    var words: [GpsdDecoder.Word] = []
    for line in lines {
      Array((line + "\r\n").utf8).withUnsafeBytes {
        decoder.read($0, at: Self.now, into: &readings, words: &words)
      }
    }
    decoder.flush(at: Self.now, into: &readings)
    return readings.compactMap { if case .fix(let fix) = $0 { fix.location } else { nil } }
  }

  static let endless = [
    #"{"class":"TPV","device"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2}"#,
    #"{"class":"TPV","device":{"class":"TPV"},"mode":3,"lat":1.0,"lon":2.0}"#,
    #"{"device":5,"class":"TPV","mode":3,"lat":1.0,"lon":2.0}"#,
    #"{"lat":[1],"class":"TPV","mode":3,"lon":2.0}"#,
    #"{"class":"TPV","lat":[1,{"class":"TPV"}],"mode":3,"lon":2.0}"#,
    #"{"class":"SKY","satellites":[{"class":"SKY","PRN":{}}]}"#,
    #"{"class":"SKY","satellites":[{"PRN":{"class":"SKY"}},{"PRN":[]}]}"#,
    #"{"time":1,"class":"GST","lat":3}"#,
    #"{"time":null,"class":"ATT","roll":3}"#,
    #"{"class":"ATT","mag_st":"NN","device":{"class":"ATT"}}"#,
    #"{"class":"DEVICES","devices":["#
      + ["a", "b", "c", "d", "e"].map { #"{"class":"DEVICE","path":"/dev/\#($0)"}"# }
      .joined(separator: ",") + "]}",
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":{"class":"DEVICE"}}]}"#,
    #"{"class":"TPV","\#(String(repeating: "n", count: 40))":1,"class":"TPV"}"#,
    #"{"class":"TPV","datum":"\#(String(repeating: "d", count: 600))","tag":{"class":"TPV"}}"#,
    #"{"class":"TPV","device":"\#(String(repeating: "d", count: 200))","tag":{"class":"TPV"}}"#,
  ]

  @Test(
    "a line that libgps would never come back from changes nothing", .timeLimit(.minutes(60)),
    arguments: endless)
  func hanging(line: String) {
    let lines = [tpv(0), line, tpv(1)]
    let recorded = decode(lines.joined(separator: "\n")).compactMap {
      if case .fix(let fix) = $0 { fix.location } else { nil }
    }
    for fixes in [listen(lines), recorded] {
      #expect(
        fixes.map(\.timestamp.microseconds) == [1_749_988_800_000_000, 1_749_988_801_000_000])
      #expect(fixes.allSatisfy { $0.coordinate == Coordinate(latitude: 50, longitude: 8) })
    }
  }

  @Test("a damaged line is no place, and lends none to the next")
  func damaged() {
    let next =
      #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2025-06-15T12:00:02.000Z","lat":3.0}"#
    for line in [
      tpv(1).replacing(#""lat":50.0"#, with: #""lat":2x.0"#), String(tpv(1).dropLast(12)),
      tpv(1).replacing(#""mode""#, with: #""mode"#),
    ] {
      #expect(
        listen([tpv(0), line, next]).map(\.timestamp.microseconds) == [1_749_988_800_000_000])
    }
  }

  @Test(
    "thousands of damaged lines come back, each read as our reader of JSON reads it",
    .timeLimit(.minutes(60)))
  func mutations() throws {
    var lines = GpsdMutations(seed: 18)
    var unpacker = GpsdUnpacker()
    var decoder = GpsdDecoder(device: nil)
    var readings: [Reading] = []
    var words: [GpsdDecoder.Word] = []
    var unpacked = 0
    let count = isSoak ? 100_000 : 20_000
    for _ in 0..<count {
      let line = lines.next()
      (line + [0x0A]).withUnsafeBytes {
        decoder.read($0, at: Self.now, into: &readings, words: &words)
      }
      for case .fix(let fix) in readings where !fix.location.isValid {
        Issue.record("\(fix.location) of \(String(decoding: line, as: UTF8.self))")
      }
      readings.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
      guard let object = try? line.withUnsafeBytes({ try JSON(parsing: $0) }),
        let kind = object["class"]?.string.flatMap(GpsdReport.Class.init)
      else { continue }
      unpacked += 1
      let report = unpacker.unpack(object, as: kind)
      if !agrees(report, object) {
        Issue.record("\(report) of \(String(decoding: line, as: UTF8.self))")
      }
    }
    #expect(unpacked > count / 5 * 2, "\(unpacked)")
    #expect(decoder.counters.malformed > count / 5)
  }

  /// Whether libgps found what our reader finds by name.
  private func agrees(_ report: GpsdReport, _ object: JSON) -> Bool {
    func same(_ value: Double?, _ name: String) -> Bool {
      Self.isSame(value, object[name]?.double)
    }
    func isTime(_ time: Timestamp?) -> Bool {
      guard let time else { return true }
      let other = object["time"]?.string.flatMap(Timestamp.init(iso8601:))
      return other.map { (time - $0).magnitude <= .microseconds(1) } ?? false
    }
    switch report {
    case .position(let it):
      let altitude = object["altMSL"]?.double ?? object["alt"]?.double
      let number = object["mode"].flatMap {
        if case .integer(let it) = $0 { Int32(exactly: it) } else { nil }
      }
      let mode = number.flatMap(GpsdReport.Mode.init)
      return isTime(it.time) && it.mode == mode ?? .unseen
        && same(it.latitude, "lat") && same(it.longitude, "lon")
        && Self.isSame(it.altitude, altitude) && same(it.ellipsoidalAltitude, "altHAE")
        && same(it.horizontalError, "eph") && same(it.eastError, "epx")
        && same(it.northError, "epy") && same(it.verticalError, "epv") && same(it.speed, "speed")
        && same(it.course, "track")
    case .sky(let it):
      let all = object["satellites"]?.array?.filter {
        1...Int64(Int16.max) ~= $0["PRN"]?.integer ?? 0
      }
      let dilution = Dilution(
        horizontal: object["hdop"]?.double, vertical: object["vdop"]?.double,
        position: object["pdop"]?.double)
      // As many as libgps has room for.
      let isCounted =
        all?.count ?? 0 > 140
        ? it.satellitesInView ?? 0 >= 140
        : it.satellitesInView == all?.count
          && it.satellitesUsed == all?.count { $0["used"]?.bool == true }
      return isCounted
        && Self.isSame(it.dilution.horizontal, dilution.horizontal)
        && Self.isSame(it.dilution.vertical, dilution.vertical)
        && Self.isSame(it.dilution.position, dilution.position)
    case .noise(let it):
      let said = it.deviations
      return isTime(it.time) && same(said.latitude, "lat") && same(said.longitude, "lon")
        && same(said.altitude, "alt") && same(said.major, "major") && same(said.minor, "minor")
        && same(said.ranges, "rms") && same(said.orientation, "orient")
    case .attitude(let it):
      return isTime(it.time) && same(it.heading, "heading") && same(it.magneticHeading, "mheading")
    }
  }

  /// libgps rounds the last of seventeen digits its own way, and knows no numbers at the ends of their range.
  private static func isSame(_ value: Double?, _ other: Double?) -> Bool {
    guard let other else { return value == nil }
    if abs(other) > 1e290 { return true }
    guard let value else { return abs(other) < 1e-290 }
    return abs(value - other) <= max(abs(other) * 1e-14, 1e-290)
  }
}
