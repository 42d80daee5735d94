import LocationModel
import Testing

@testable import ReceiverCore

/// A live receiver that drives north, a hundredth of a minute each second.
private struct OddReceiver: ~Copyable {
  var receiver: Receiver
  var rounds = 0

  init(at utc: String = "2026-03-01T12:00:05Z", trusted: Bool = true) {
    receiver = Receiver(liveAt: utc, trusted: trusted)
  }

  private var latitude: String { "50\(String(10_000 + rounds).dropFirst().prefix(2)).\(tail)" }
  private var tail: String { String(100 + rounds % 100).dropFirst() + "000" }

  func rmc(_ time: String, date: String = "010326", status: String = "A") -> String {
    "GPRMC,\(time),\(status),\(latitude),N,00800.000,E,30.0,0.0,\(date),,,A"
  }

  func gga(_ time: String, quality: Int = 1) -> String {
    "GPGGA,\(time),\(latitude),N,00800.000,E,\(quality),08,0.9,100.0,M,0.0,M,,"
  }

  /// Says an epoch's burst, and rests until the next.
  mutating func round(_ bodies: [String], milliseconds: Int64 = 1000) {
    for body in bodies {
      receiver.wait(milliseconds: 5)
      receiver.say(body)
    }
    receiver.rest(milliseconds: milliseconds - 5 * Int64(bodies.count))
    rounds += 1
  }
}

@Suite("A receiver whose time is at fault") struct NMEATimeFaultTests {
  @Test(
    "is told at each epoch where its time stands still, as late as this machine's clock says",
    arguments: [100, 200, 1000, 2000] as [Int64])
  func standing(milliseconds: Int64) throws {
    var odd = OddReceiver()
    for _ in 0..<3 { odd.round([odd.rmc("12000\(odd.rounds)"), odd.gga("12000\(odd.rounds)")]) }
    for _ in 0..<14 {
      odd.round([odd.rmc("120003"), odd.gga("120003")], milliseconds: milliseconds)
    }
    let fixes = odd.receiver.fixes
    // A time may be that of a whole second.
    let merged = milliseconds < 950 ? Int(950 / milliseconds) : 0
    #expect((17 - merged...17).contains(fixes.count))
    let counters = odd.receiver.decoder.counters
    #expect(counters.fixes == Int64(fixes.count))
    #expect(counters.standing == Int64(fixes.count - 4))
    #expect(odd.receiver.decoder.timeFault == .standing)
    let times = fixes.map(\.location.timestamp)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    let last = try #require(times.last)
    let due = Duration.milliseconds(13 * milliseconds)
    #expect((last - times[3] - due).magnitude < .milliseconds(50))
    #expect(Set(fixes.map(\.location.coordinate.latitude)).count == fixes.count)
    #expect(fixes.suffix(10).allSatisfy { $0.location.altitude == 100 && $0.location.speed != nil })
  }

  @Test("is believed by its own time again once that goes on")
  func goingOn() {
    var odd = OddReceiver()
    for _ in 0..<10 { odd.round([odd.gga("120003"), odd.rmc("120003")]) }
    for second in 13..<20 { odd.round([odd.gga("1200\(second)"), odd.rmc("1200\(second)")]) }
    #expect(odd.receiver.fixes.count == 17)
    #expect(odd.receiver.times.last == "2026-03-01T12:00:19.000Z")
    #expect(odd.receiver.decoder.timeFault == nil)
    #expect(odd.receiver.decoder.counters.standing == 9)
  }

  @Test("whole seconds at five fixes a second are no fault")
  func wholeSeconds() {
    var odd = OddReceiver()
    for second in 10..<30 {
      for _ in 0..<5 { odd.round([odd.gga("1200\(second)")], milliseconds: 200) }
    }
    #expect(odd.receiver.fixes.count == 20)
    #expect(odd.receiver.decoder.counters.standing == 0)
  }

  @Test("a receiver that repeats that it has no fix makes none")
  func blind() {
    var odd = OddReceiver()
    for _ in 0..<10 {
      odd.round([odd.rmc("000000", date: "060180", status: "V"), odd.gga("000000", quality: 0)])
    }
    #expect(odd.receiver.fixes.isEmpty)
    #expect(odd.receiver.decoder.counters.standing == 0)
  }

  @Test(
    "is told by this machine's clock where it says no time",
    arguments: [("2026-03-01T12:00:05Z", true), ("2026-03-01T12:00:05Z", false)])
  func timeless(utc: String, trusted: Bool) throws {
    var odd = OddReceiver(at: utc, trusted: trusted)
    for _ in 0..<10 { odd.round([odd.rmc(""), odd.gga("")]) }
    // The first may be one of a receiver that says a time now and then.
    #expect(odd.receiver.fixes.count == 9)
    #expect(odd.receiver.decoder.counters.timeless == 9)
    #expect(odd.receiver.decoder.timeFault == .missing)
    let times = odd.receiver.fixes.map(\.location.timestamp)
    let start = try #require(Timestamp(iso8601: utc))
    for (i, time) in times.enumerated() {
      let late = time - start - .seconds(i + 1)
      #expect(late >= .zero && late < .milliseconds(500))
    }
    #expect(
      odd.receiver.fixes.allSatisfy { $0.location.altitude == 100 && $0.location.speed != nil })
  }

  @Test("is told when it was heard, as far as the machine knows, where the clock is not set either")
  func timelessUnset() {
    var odd = OddReceiver(at: "1970-01-01T00:00:30Z", trusted: false)
    for _ in 0..<10 { odd.round([odd.gga("")]) }
    #expect(odd.receiver.fixes.count == 9)
    #expect(odd.receiver.times.last?.hasPrefix("1970-01-01T00:00:39") == true)
  }

  @Test("a sentence without a time is nothing by itself beside others that say one")
  func beside() {
    var odd = OddReceiver()
    for second in 10..<20 {
      odd.round([
        "GPGLL,5000.000,N,00800.000,E,,A", odd.gga("1200\(second)"), odd.rmc(""),
        "GPGLL,5000.000,N,00800.000,E,,A",
      ])
    }
    #expect(odd.receiver.fixes.count == 10)
    #expect(odd.receiver.decoder.counters.timeless == 0)
    #expect(odd.receiver.times.last == "2026-03-01T12:00:19.000Z")
  }

  @Test("a sentence with neither time nor place makes no fix")
  func nothing() {
    var odd = OddReceiver()
    for _ in 0..<10 { odd.round(["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,"]) }
    #expect(odd.receiver.fixes.isEmpty)
  }

  @Test("lost weeks are put back up to this program's own time where the clock is not trusted")
  func rollover() {
    for (date, day) in [
      ("150407", "2026-11-29"), ("301005", "2025-06-15"), ("180505", "2025-01-01"),
      ("170505", "2044-08-16"), ("311224", "2044-08-16"), ("010125", "2025-01-01"),
      ("010130", "2030-01-01"), ("150386", "2025-06-14"),
    ] {
      for utc in ["1970-01-01T00:00:30Z", "2026-11-21T12:00:00Z"] {
        var odd = OddReceiver(at: utc, trusted: false)
        odd.round([odd.rmc("120000", date: date)])
        #expect(odd.receiver.times == ["\(day)T12:00:00.000Z"], "\(date)")
        var zda = OddReceiver(at: utc, trusted: false)
        let (d, m, y) = (date.prefix(2), date.dropFirst(2).prefix(2), date.suffix(2))
        zda.round([
          "GPZDA,120000,\(d),\(m),\(y == "86" ? "19" : "20")\(y),00,00", zda.gga("120000"),
        ])
        #expect(zda.receiver.times == ["\(day)T12:00:00.000Z"], "\(date)")
      }
    }
  }
}
