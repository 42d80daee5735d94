import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

/// A gpsd under test, at a clock in the test's hand.
private struct Gpsd: ~Copyable {
  var decoder: GpsdDecoder
  var readings: [Reading] = []
  var words: [GpsdDecoder.Word] = []
  var now = Instant(
    boottime: .start + .seconds(1000), utc: Timestamp(microseconds: 1_750_000_000_000_000),
    utcTrusted: true)

  init(device: String? = nil) { decoder = GpsdDecoder(device: device) }

  mutating func say(_ lines: String...) {
    for line in lines { hear(Array((line + "\r\n").utf8)) }
  }

  mutating func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { decoder.read($0, at: now, into: &readings, words: &words) }
  }

  mutating func rest(milliseconds: Int64) {
    if let silence = decoder.silence, silence <= .milliseconds(milliseconds) {
      decoder.flush(at: now, into: &readings)
    }
    now.boottime += .milliseconds(milliseconds)
    now.utc = now.utc + .milliseconds(milliseconds)
  }

  var fixes: [Location] {
    readings.compactMap { if case .fix(let fix) = $0 { fix.location } else { nil } }
  }
}

private func tpv(
  _ second: Int, _ more: String = #""lat":50.0,"lon":8.0"#, device: String = "/dev/a"
) -> String {
  let time = "2025-06-15T12:00:\(second < 10 ? "0" : "")\(second).000Z"
  return #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time)",\#(more)}"#
}

@Suite("What gpsd says, live") struct GpsdDecoderTests {
  @Test("a compass that says no time is heard now, on a machine without a clock, too")
  func compass() {
    for isTrusted in [true, false] {
      var gpsd = Gpsd()
      gpsd.now.utcTrusted = isTrusted
      for degrees in [108, 109] {
        gpsd.say(#"{"class":"ATT","device":"/dev/a","heading":\#(degrees).000,"pitch":1.20}"#)
        gpsd.rest(milliseconds: 500)
      }
      let headings = gpsd.readings.compactMap {
        if case .heading(let heading) = $0 { heading } else { nil }
      }
      #expect(headings.map(\.trueHeading) == [108, 109])
      #expect(
        headings.map { $0.timestamp.microseconds } == [
          1_750_000_000_000_000, 1_750_000_000_500_000,
        ])
    }
  }

  @Test("its reports give the fixes live that a recording of them gives")
  func recorded() {
    var gpsd = Gpsd()
    let text = String(decoding: Recordings.bytes("isync.gpsd.json"), as: UTF8.self)
    // A receiver that goes takes with it what was pending.
    for line in text.split(separator: "\r\n") where !line.hasSuffix(#""activated":0}"#) {
      gpsd.say(String(line))
    }
    gpsd.rest(milliseconds: 1000)
    let recorded = decode(Recordings.bytes("isync.gpsd.json")).readings.compactMap {
      if case .fix(let fix) = $0 { fix.location } else { nil }
    }
    let live = gpsd.fixes.map { fix in
      var fix = fix
      #expect(fix.source == "gpsd:/dev/ttyUSB0")
      fix.source = ""
      return fix
    }
    #expect(live.count == 11)
    #expect(live == recorded)
  }

  @Test("until it is known how an epoch ends, a fix waits for a short silence")
  func silence() {
    var gpsd = Gpsd()
    gpsd.say(tpv(0))
    #expect(gpsd.fixes.isEmpty)
    #expect(gpsd.decoder.silence != nil)
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.count == 1)
    #expect(gpsd.decoder.silence == nil)
    gpsd.say(tpv(0))
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.count == 1)
  }

  @Test("once it is known, a fix leaves with the last report of its epoch")
  func atOnce() {
    var gpsd = Gpsd()
    for second in 0..<4 {
      gpsd.say(tpv(second, #""lat":50.0,"lon":8.0,"eph":10.0"#))
      gpsd.say(
        #"{"class":"GST","device":"/dev/a","time":"2025-06-15T12:00:0\#(second).000Z","lat":3,"lon":4}"#
      )
    }
    #expect(gpsd.fixes.count == 4)
    #expect(gpsd.fixes.last?.horizontalAccuracy == 1.07 * 5)
    gpsd.say(tpv(4))
    #expect(gpsd.fixes.count == 4)
  }

  @Test("several reports of an epoch are one fix, also where they come late")
  func several() {
    var gpsd = Gpsd()
    for second in 0..<10 {
      for _ in 0..<(1 + second % 3) { gpsd.say(tpv(second)) }
      gpsd.rest(milliseconds: 1000)
      // A straggler of the epoch before.
      if second > 0 { gpsd.say(tpv(second - 1)) }
    }
    #expect(gpsd.fixes.count == 10)
    #expect(Set(gpsd.fixes.map(\.timestamp)).count == 10)
  }

  @Test("a fix says which receiver it is of")
  func source() {
    var gpsd = Gpsd()
    gpsd.say(tpv(0))
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.first?.source == "gpsd:/dev/a")
  }

  @Test("of two receivers one is believed, until it falls silent")
  func two() {
    var gpsd = Gpsd()
    for second in 0..<10 {
      if second < 5 { gpsd.say(tpv(second, device: "/dev/a")) }
      gpsd.say(tpv(second, device: "/dev/b"))
      gpsd.rest(milliseconds: 1000)
    }
    let sources = gpsd.fixes.map(\.source)
    #expect(sources.prefix(5).allSatisfy { $0 == "gpsd:/dev/a" })
    #expect(sources.last == "gpsd:/dev/b")
    #expect(sources.count == 7)
  }

  @Test("of the others nothing is heard where one is asked for")
  func filter() {
    var gpsd = Gpsd(device: "/dev/b")
    gpsd.say(tpv(0, device: "/dev/a"), tpv(0, device: "/dev/b"))
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.map(\.source) == ["gpsd:/dev/b"])
  }

  @Test("a speed that gpsd made up of two places is left out, one that was measured is not")
  func madeUpSpeed() {
    var gpsd = Gpsd()
    // 0.0001° of latitude are 11.12 m.
    gpsd.say(
      tpv(0, #""lat":50.0000,"lon":8.0"#), tpv(1, #""lat":50.0001,"lon":8.0,"speed":11.125"#))
    gpsd.say(tpv(2, #""lat":50.0002,"lon":8.0,"speed":11.300"#))
    gpsd.say(tpv(3, #""lat":50.0003,"lon":8.0,"track":0.0,"speed":11.125"#))
    gpsd.say(tpv(4, #""lat":50.0003,"lon":8.0,"speed":0.0"#))
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.map(\.speed) == [nil, nil, 11.3, 11.125, 0])
  }

  @Test("a receiver that never says the time is of now, where the clock is set")
  func timeless() {
    let place = #"{"class":"TPV","device":"/dev/a","mode":2,"lat":50.0,"lon":8.0}"#
    var gpsd = Gpsd()
    for _ in 0..<20 {
      gpsd.say(place)
      gpsd.rest(milliseconds: 1000)
    }
    #expect(gpsd.fixes.count == 10)
    #expect(gpsd.fixes.last?.timestamp == gpsd.now.utc - .seconds(1))
    gpsd.now.utcTrusted = false
    gpsd.say(place)
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.count == 10)
  }

  @Test("its receivers come and go")
  func receivers() {
    var gpsd = Gpsd()
    gpsd.say(
      #"{"class":"VERSION","release":"3.22"}"#,
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"u-blox","bps":9600}]}"#
    )
    #expect(gpsd.decoder.release == "3.22")
    #expect(gpsd.words == [.greeting, .receivers])
    #expect(gpsd.decoder.receiver?.path == "/dev/a")
    #expect(gpsd.decoder.receiver?.driver == "u-blox")
    #expect(gpsd.decoder.receiver?.baud == 9600)
    gpsd.say(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
    #expect(gpsd.decoder.receivers.isEmpty)
    gpsd.say(#"{"class":"ERROR","message":"No such device"}"#)
    #expect(gpsd.words.last == .refusal("No such device"))
  }

  @Test("a damaged line is counted, and neither believed nor mixed with another")
  func damaged() {
    var gpsd = Gpsd()
    gpsd.say(tpv(0))
    gpsd.say(#"{"class":"TPV","mode":3,"time":"2025-06-15T12:00:01Z","lat":51.0,"lon":8abc}"#)
    gpsd.say(#"{"class":"TPV","mode":3,"time":"2025-06-15T12:00:02Z","lat":1e400,"lon":8}"#)
    gpsd.say(#"{"class":"TPV","mode":3,"time":"2025-06-15T12:00:03Z","lat":5.0"#)
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.map(\.coordinate.latitude) == [50])
    #expect(gpsd.decoder.counters.malformed == 3)
  }

  @Test("whatever it says, nothing grows, and the next good line is read")
  func hostile() {
    var gpsd = Gpsd()
    for i in 0..<1000 {
      gpsd.say(tpv(i % 60, device: "/dev/\(i)"))
      gpsd.say(#"{"class":"DEVICE","path":"/dev/\#(i)"}"#)
    }
    #expect(gpsd.decoder.receivers.count <= 16)
    // A line without an end.
    for _ in 0..<300 { gpsd.hear([UInt8](repeating: 0x7B, count: 4096)) }
    gpsd.say("")
    var dice = Dice(seed: 3)
    for _ in 0..<200 { gpsd.hear((0..<512).map { _ in UInt8.random(in: 0...255, using: &dice) }) }
    gpsd.say("")
    let before = gpsd.fixes.count
    gpsd.rest(milliseconds: 60_000)
    gpsd.say(tpv(30, device: "/dev/good"))
    gpsd.rest(milliseconds: 1000)
    #expect(gpsd.fixes.count > before)
    #expect(gpsd.fixes.last?.source == "gpsd:/dev/good")
    #expect(gpsd.decoder.counters.cut > 0)
  }
}
