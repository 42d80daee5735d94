import LocationModel
import ReceiverCore
import Testing

@testable import ShareCore

@Suite("A receiver's words") struct WordsTests {
  private static func epoch() -> SharedEpoch {
    var location = Location(
      coordinate: Coordinate(latitude: 37.5663528, longitude: -126.9779564),
      horizontalAccuracy: 4.2,
      timestamp: Timestamp(microseconds: 1_795_657_861_250_000))
    location.altitude = 38.2
    location.ellipsoidalAltitude = 61.1
    location.verticalAccuracy = 7.9
    location.speed = 1.3
    location.course = 84.4
    var fix = Fix(location, kind: .differential)
    fix.satellitesUsed = 2
    fix.dilution = Dilution(horizontal: 0.9, vertical: 1.3, position: 1.6)
    var deviations = Deviations()
    // They make the accuracy above.
    (deviations.ranges, deviations.latitude, deviations.longitude) = (11, 3, 2.53)
    fix.deviations = deviations
    return SharedEpoch(
      fix,
      satellites: [
        Satellite(.gps, 5, elevation: 40, azimuth: 83, signal: 46, isUsed: true),
        Satellite(.sbas, 46, elevation: 20, azimuth: 10),
        Satellite(.galileo, 11, elevation: 7, azimuth: 344, signal: 39, isUsed: true),
        Satellite(.glonass, 70, signal: 30), Satellite(.beidou, 23, signal: 30),
      ])
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) -> (
    fixes: [Fix], satellites: [Satellite]
  ) {
    var decoder = NMEADecoder(.init(requireChecksum: true, live: true))
    var readings: [Reading] = []
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    decoder.read(bytes, at: now, into: &readings)
    decoder.flush(at: now, into: &readings)
    let fixes = readings.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    return (fixes, decoder.satellites)
  }

  @Test("a receiver's reader reads the same fix and sky from the sentences")
  func sentences() throws {
    let words = ReceiverWords()
    words.note(Self.epoch(), at: .start)
    let text = String(decoding: words.sentences, as: UTF8.self)
    #expect(
      text.hasPrefix("$GNRMC,015101.250,A,3733.981168,N,12658.677384,W,2.527,84.400,261126,,,D*"))
    #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 80 })
    let (fixes, satellites) = Self.read(words.sentences)
    let fix = try #require(fixes.first)
    let expected = Self.epoch().fix
    let (a, b) = (fix.location, expected.location)
    #expect(fixes.count == 1 && fix.kind == .differential && fix.satellitesUsed == 2)
    #expect(abs(a.coordinate.latitude - b.coordinate.latitude) < 1e-7)
    #expect(abs(a.coordinate.longitude - b.coordinate.longitude) < 1e-7)
    #expect(a.timestamp == b.timestamp && a.altitude == b.altitude)
    #expect(abs((a.ellipsoidalAltitude ?? 0) - 61.1) < 1e-3 && abs((a.speed ?? 0) - 1.3) < 1e-3)
    #expect(fix.dilution == expected.dilution)
    #expect(satellites.map(\.number).sorted() == [5, 11, 23, 46, 70], "\(text)")
    #expect(satellites.count(where: \.isUsed) == 2)
  }

  @Test("more than twelve used satellites of a system are all said, twelve in a sentence")
  func manyUsed() {
    let words = ReceiverWords()
    var epoch = Self.epoch()
    epoch.satellites = [.gps, .beidou].flatMap { system in
      (1...16).map { Satellite(system, $0, elevation: 1, azimuth: 2, signal: 3, isUsed: true) }
    }
    words.note(epoch, at: .start)
    let text = String(decoding: words.sentences, as: UTF8.self)
    #expect(text.split(separator: "GSA,").count == 5, "\(text)")
    #expect(text.contains("$GNGSA,A,3,13,14,15,16,,,,,,,,,1.60,0.90,1.30,4*"), "\(text)")
    #expect(Self.read(words.sentences).satellites.count(where: \.isUsed) == 32)
  }

  @Test("a poll has no place once the fix is lost, until the next one")
  func lost() {
    let words = ReceiverWords()
    #expect(words.newest?.position == nil)
    func told() -> [String] {
      [words.newest?.position, words.newest?.deviations].map {
        String(decoding: $0 ?? .init(start: nil, count: 0), as: UTF8.self)
      }
    }
    words.note(Self.epoch(), at: .start)
    #expect(told()[0].contains("\"lat\"") && told()[1].contains("GST"))
    words.noteNoFix()
    let report = #"{"class":"TPV","device":"locationd","mode":1}"#
    #expect(told() == [report, ""])
    #expect(String(decoding: words.noFixReport, as: UTF8.self) == report + "\r\n")
    words.note(Self.epoch(), at: .start + .seconds(9))
    #expect(told()[0].contains("\"lat\"") && told()[1].contains("GST"))
  }

  @Test("gpsd's own reader reads the same fix and sky from the reports")
  func reports() throws {
    let words = ReceiverWords()
    words.note(Self.epoch(), at: .start)
    var decoder = GpsdDecoder(device: nil)
    var readings: [Reading] = []
    var heard: [GpsdDecoder.Word] = []
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    decoder.read(words.reports, at: now, into: &readings, words: &heard)
    decoder.flush(at: now, into: &readings)
    let fixes = readings.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    let fix = try #require(fixes.first)
    let (a, b) = (fix.location, Self.epoch().fix.location)
    #expect(a.coordinate == b.coordinate && a.timestamp == b.timestamp)
    #expect(a.altitude == b.altitude && a.ellipsoidalAltitude == b.ellipsoidalAltitude)
    #expect(abs(a.horizontalAccuracy - b.horizontalAccuracy) < 0.1)
    #expect(abs((a.verticalAccuracy ?? 0) - 7.9) < 0.1 && fix.kind == .differential)
    let text = String(decoding: words.reports, as: UTF8.self)
    #expect(text.contains(#"{"PRN":5,"el":40,"az":83,"ss":46,"used":true,"gnssid":0,"svid":5}"#))
    #expect(
      text.contains(
        #"{"class":"GST","device":"locationd","time":"2026-11-26T01:51:01.250Z","#
          + #""rms":11,"lat":3,"lon":2.53}"#))
    #expect(text.contains(#""PRN":133,"#) && text.contains(#""gnssid":1,"svid":133"#))
    #expect(text.contains(#""PRN":311,"#) && text.contains(#""gnssid":2,"svid":11"#))
    #expect(text.contains(#""PRN":70,"#) && text.contains(#""gnssid":6,"svid":6"#))
    #expect(text.contains(#""PRN":423,"#) && text.contains(#""gnssid":3,"svid":23"#))
  }

  @Test("what is unknown is left out")
  func unknown() {
    let words = ReceiverWords()
    let fix = Fix(
      Location(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracy: 10,
        timestamp: .epoch))
    words.note(SharedEpoch(fix), at: .start)
    let text = String(decoding: words.reports, as: UTF8.self)
    #expect(
      text.hasPrefix(
        #"{"class":"TPV","device":"locationd","mode":2,"time":"1970-01-01T00:00:00.000Z""#))
    for name in ["alt", "track", "speed", "SKY", "GST", "null", "nan", "status"] {
      #expect(!text.contains(name))
    }
    #expect(Self.read(words.sentences).fixes.first?.location.altitude == nil)
  }

  @Test("a sky is told when it changes, and each second")
  func pace() {
    let words = ReceiverWords()
    var epoch = Self.epoch()
    words.note(epoch, at: .start)
    #expect(String(decoding: words.reports, as: UTF8.self).contains("SKY"))
    epoch.satellites = nil
    words.note(epoch, at: .start + .milliseconds(100))
    #expect(!String(decoding: words.reports, as: UTF8.self).contains("SKY"))
    #expect(words.newest.map { $0.sky.count > 0 } == true)
    words.note(epoch, at: .start + .seconds(1))
    #expect(String(decoding: words.reports, as: UTF8.self).contains("SKY"))
  }

  @Test("a poll has the newest sky, whether or not anybody read it as it came")
  func newestSky() {
    let words = ReceiverWords()
    var epoch = Self.epoch()
    words.note(epoch, at: .start)
    _ = words.reports
    func sky() -> String {
      String(decoding: words.newest?.sky ?? .init(start: nil, count: 0), as: UTF8.self)
    }
    #expect(sky().contains(#""PRN":5,"#))
    // Sentences alone are read as the next one is due.
    epoch.satellites = [Satellite(.gps, 9, elevation: 1, azimuth: 2, signal: 3)]
    epoch.fix.location.timestamp = epoch.fix.location.timestamp + .seconds(1)
    words.note(epoch, at: .start + .seconds(1))
    _ = words.sentences
    epoch.satellites = nil
    epoch.fix.location.timestamp = epoch.fix.location.timestamp + .milliseconds(100)
    words.note(epoch, at: .start + .milliseconds(1100))
    #expect(sky().contains(#""PRN":9,"#) && sky().contains("01:51:02.350Z"), "\(sky())")
    #expect(!sky().contains(#""PRN":5,"#))
  }

  @Test("each form is made once, however many read it, and not where nobody does")
  func once() {
    let words = ReceiverWords()
    words.note(Self.epoch(), at: .start)
    #expect(words.makings == (0, 0))
    for _ in 0..<50 { _ = words.reports }
    _ = words.newest
    #expect(words.makings == (1, 0))
    for _ in 0..<50 { _ = words.sentences }
    #expect(words.makings == (1, 1))
    words.note(Self.epoch(), at: .start + .seconds(1))
    for _ in 0..<50 { _ = (words.newest, words.sentences) }
    #expect(words.makings == (2, 2))
    var session = GpsdSession(at: .epoch)
    (session.mayKnow, session.isCurrent) = (true, true)
    words.note(Self.epoch(), at: .start + .seconds(2))
    var reply = TextBuffer()
    for request in [GpsdRequest.version, .devices, .watch(nil)] {
      session.answer(request, words.newest, at: .epoch, into: &reply)
    }
    #expect(words.makings == (2, 2), "no answer but a poll's has them")
    session.answer(.poll, words.newest, at: .epoch, into: &reply)
    #expect(words.makings == (3, 2))
  }

  @Test("a heading is told with what is known of it")
  func heading() {
    var text = TextBuffer()
    let heading = Heading(trueHeading: 87.6, timestamp: .epoch)
    text.appendAttitude(heading)
    text.appendHDT(heading)
    text.appendHDT(Heading(magneticHeading: 3, timestamp: .epoch))
    text.appendNoFix()
    #expect(
      String(decoding: text.bytes, as: UTF8.self)
        == #"{"class":"ATT","device":"locationd","time":"1970-01-01T00:00:00.000Z","heading":87.6}"#
        + "$GPHDT,87.60,T*3C\r\n$GPRMC,,V,,,,,,,,,,N*53\r\n")
  }

  @Test("a notice to the share comes back as it was")
  func notices() throws {
    var epoch = Self.epoch()
    epoch.fix.received = Timestamp(microseconds: 1_795_657_861_300_123)
    let all: [ShareNotice] = [
      .fix(clients: [1, 2, 9], epoch), .fix(clients: [4], SharedEpoch(epoch.fix)),
      .heading(clients: [1], Heading(trueHeading: 4, timestamp: .epoch)),
      .access(
        client: 3,
        ShareClient(app: "gpsd:anna", uid: 1000, authorization: .denied, accuracy: .reduced)),
      .stop(client: 5),
    ]
    for notice in all {
      var text = TextBuffer()
      text.append(notice)
      #expect(ShareNotice(try JSON(parsing: text.bytes)) == notice)
    }
  }
}
