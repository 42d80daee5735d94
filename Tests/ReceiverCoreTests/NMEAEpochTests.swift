import LocationModel
import TestSupport
import Testing

@testable import ReceiverCore

private func rmc(_ time: String, date: String = "150625", status: String = "A") -> String {
  "GPRMC,\(time),\(status),5000.00000,N,00800.00000,E,1.000,90.00,\(date),,,A"
}

private func gga(_ time: String, quality: Int = 1, altitude: String = "100.0") -> String {
  "GPGGA,\(time),5000.00000,N,00800.00000,E,\(quality),08,0.9,\(altitude),M,0.0,M,,"
}

private let gsa = "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,0.9,1.2"
private let vtg = "GPVTG,45.0,T,,M,2.0,N,3.7,K,A"

@Suite struct NMEAEpochTests {
  @Test(arguments: [
    [rmc("120000"), gga("120000"), gsa], [gga("120000"), gsa, rmc("120000")],
    [gsa, gga("120000"), rmc("120000.00")], [gga("120000"), rmc("120000"), gsa],
  ])
  func anEpochIsOneFixInAnyOrder(sentences: [String]) throws {
    var receiver = Receiver()
    for body in sentences { receiver.say(body) }
    receiver.flush()
    let fix = try #require(receiver.fixes.first)
    #expect(receiver.fixes.count == 1)
    #expect(fix.location.altitude == 100)
    #expect(fix.location.course == 90)
    #expect(fix.dilution.vertical == 1.2)
  }

  @Test func anEpochWhoseRMCSaysVIsNone() {
    #expect(fixes(gga("120000"), rmc("120000", status: "V")).isEmpty)
    #expect(fixes(rmc("120000", status: "V"), gga("120000", quality: 8)).isEmpty)
  }

  @Test func anEpochWhoseGGASaysZeroIsNone() {
    #expect(fixes(rmc("120000"), gga("120000", quality: 0)).isEmpty)
  }

  @Test func aConstellationWithoutAFixDoesNotSpoilTheOthers() {
    let all = fixes(
      gga("120000"), "GLGGA,120000,,,,,0,00,,,,,,,", "GLGNS,120000,,,,,,4,,,,1.0,0",
      rmc("120000"))
    #expect(all.count == 1)
  }

  @Test func aTimelessNoFixEndsWhatWasPendingAndDoesNotSpoilIt() {
    var receiver = Receiver()
    receiver.say(rmc("120000"), gga("120000"), "GPRMC,,V,,,,,,,,,,N")
    #expect(receiver.fixes.count == 1)
    receiver.say("GPGGA,,,,,,0,00,99.99,,,,,,", "GPGLL,,,,,,V,N")
    receiver.flush()
    #expect(receiver.fixes.count == 1)
  }

  @Test func aStragglerOverMidnightMakesNoSecondFix() {
    let all = fixes(
      rmc("235959"), gga("235959"), rmc("000000", date: "160625"),
      "GPGLL,5000.00000,N,00800.00000,E,235959,A,A", gga("000000"))
    #expect(
      all.map { text(of: $0.location.timestamp) } == [
        "2025-06-15T23:59:59.000Z", "2025-06-16T00:00:00.000Z",
      ])
    #expect(all.allSatisfy { $0.location.altitude == 100 })
  }

  @Test func aStragglerMakesNoSecondFix() {
    let all = fixes(
      rmc("120000.0"), gga("120000.0"), rmc("120000.5"), gga("120000.0"), gga("120000.5"),
      rmc("120001.0"))
    #expect(all.map { $0.location.timestamp.microsecondsOfDay / 100_000 % 600 } == [0, 5, 10])
  }

  @Test func aSentenceThatLagsByAnEpochMakesNoSecondFixButGivesTheDate() {
    var receiver = Receiver()
    for second in 10..<20 { receiver.say(gga("1200\(second)"), rmc("1200\(second - 1)")) }
    receiver.flush()
    #expect(receiver.times.count == Set(receiver.times).count)
    #expect(receiver.times.last == "2025-06-15T12:00:19.000Z")
    #expect(receiver.times.count == 11)
  }

  @Test func aShortRecordingMayBePlayedAgainAndAgain() {
    var receiver = Receiver()
    for _ in 0..<5 {
      for time in ["120000", "120001"] { receiver.say(rmc(time), gga(time)) }
    }
    receiver.flush()
    #expect(receiver.fixes.count == 10)
  }

  @Test func zdaAheadOfItsTimeMakesNoEpoch() {
    var receiver = Receiver()
    receiver.say(gga("193221"), "GPZDA,193223,23,12,2007,00,00", gga("193222"))
    receiver.say("GPZDA,193224,23,12,2007,00,00")
    receiver.flush()
    #expect(receiver.times == ["2007-12-23T19:32:21.000Z", "2007-12-23T19:32:22.000Z"])
  }
}

/// A live receiver's bursts, each sentence a few milliseconds after the one before.
@Suite struct NMEALiveEpochTests {
  /// Says an epoch's burst and rests until the next; returns how many fixes left with the burst.
  private func burst(
    _ receiver: inout Receiver, _ sentences: [String], rest: Int64 = 980
  ) -> Int {
    let before = receiver.fixes.count
    for body in sentences {
      receiver.wait(milliseconds: 5)
      receiver.say(body)
    }
    let after = receiver.fixes.count
    receiver.rest(milliseconds: rest)
    return after - before
  }

  @Test func itLearnsTheLastSentenceOfAnEpochAndThenDoesNotWait() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    var atOnce: [Int] = []
    for second in 10..<16 {
      let time = "1200\(second)"
      atOnce.append(burst(&receiver, [rmc(time), vtg, gga(time), gsa]))
    }
    #expect(receiver.fixes.count == 6)
    #expect(atOnce == [0, 1, 1, 1, 1, 1])
    #expect(receiver.fixes.allSatisfy { $0.location.altitude == 100 })
  }

  @Test func oneThatSaysMoreFromNowOnIsHeardOutAgain() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    var atOnce: [Int] = []
    for second in 10..<14 { atOnce.append(burst(&receiver, [rmc("1200\(second)")])) }
    for second in 14..<20 {
      let time = "1200\(second)"
      atOnce.append(burst(&receiver, [rmc(time), gga(time)]))
    }
    #expect(atOnce == [0, 1, 1, 1, 1, 0, 1, 1, 1, 1])
    #expect(receiver.fixes.count == 10)
    #expect(receiver.fixes.suffix(5).allSatisfy { $0.location.altitude == 100 })
  }

  @Test func ofPlacesOfOneTimeTheNewestIsTold() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    for second in 10..<14 {
      for place in 1...3 {
        receiver.say(
          "GPGGA,1200\(second),4500.00\(place)0,N,00700.000,E,1,08,1.0,100.0,M,0.0,M,,")
      }
      receiver.rest(milliseconds: 980)
    }
    #expect(receiver.fixes.count == 4)
    #expect(receiver.fixes.allSatisfy { $0.location.coordinate.latitude == 45.00005 })
  }

  @Test func oneThatSaysATimeTwiceNowAndThenIsWaitedForNoLonger() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    var atOnce: [Int] = []
    for hundredth in [10, 20, 30, 30, 50, 60, 60, 80, 90] {
      atOnce.append(burst(&receiver, [gga("120000.\(hundredth)")], rest: 5))
    }
    // The second of a time is one fix with the first.
    #expect(atOnce == [0, 2, 1, 0, 1, 1, 0, 1, 1])
  }

  @Test func whatEndsItsEpochsIsKnownWhenTheLineIsOpenedAgain() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    for second in 10..<14 {
      let time = "1200\(second)"
      _ = burst(&receiver, [rmc(time), vtg, gga(time)])
    }
    // Lost in the middle of an epoch, which teaches nothing.
    receiver.say(rmc("120014"), vtg)
    receiver.decoder.begin()
    var atOnce: [Int] = []
    for second in 20..<24 {
      let time = "1200\(second)"
      atOnce.append(burst(&receiver, [rmc(time), vtg, gga(time)]))
    }
    #expect(atOnce == [1, 1, 1, 1])
    #expect(receiver.fixes.suffix(4).allSatisfy { $0.location.altitude == 100 })
  }

  @Test func theFirstFixLeavesAfterAShortSilence() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    receiver.say(rmc("120000"), gga("120000"))
    #expect(receiver.fixes.isEmpty)
    receiver.rest(milliseconds: 250)
    #expect(receiver.fixes.count == 1)
    #expect(receiver.decoder.silence == nil)
  }

  @Test(arguments: [20, 100, 200, 1000, 10_000])
  func itKeepsUpWithAnyRate(milliseconds: Int64) {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    for i in 0..<50 {
      let at = Int64(i) * milliseconds
      let (minutes, rest) = (at / 60_000, at % 60_000)
      let seconds = String(rest / 1000 + 100).dropFirst()
      let thousandths = String(rest % 1000 + 1000).dropFirst()
      let time = "12\(String(minutes + 100).dropFirst())\(seconds).\(thousandths)"
      _ = burst(&receiver, [gga(time), rmc(time)], rest: milliseconds - 10)
    }
    receiver.rest(milliseconds: 300)
    #expect(receiver.fixes.count == 50)
    #expect(Set(receiver.times).count == 50)
    #expect(receiver.fixes.suffix(40).allSatisfy { $0.location.course == 90 })
  }

  @Test func receiversThatSayOtherThingsInOtherSecondsAreLearnedToo() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    var atOnce: [Int] = []
    for second in stride(from: 10, to: 40, by: 2) {
      atOnce.append(burst(&receiver, [rmc("1200\(second)")]))
      atOnce.append(
        burst(&receiver, ["GPGLL,5000.0,N,00800.0,E,1200\(second + 1),A", vtg]))
    }
    #expect(receiver.fixes.count == 30)
    #expect(atOnce.suffix(10) == Array(repeating: 1, count: 10)[...])
  }

  @Test func whatIsSaidAfterASilenceLeadsTheNextEpoch() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    var atOnce: [Int] = []
    for second in 10..<16 {
      let motion = "GPVTG,\(second).0,T,,M,2.0,N,3.7,K,A"
      atOnce.append(burst(&receiver, [motion, gga("1200\(second)")]))
    }
    #expect(receiver.fixes.map(\.location.course) == [10, 11, 12, 13, 14, 15])
    #expect(atOnce.suffix(3) == [1, 1, 1])
  }

  @Test func aReceiverThatPausesWithinAnEpochIsWaitedForLonger() {
    var receiver = Receiver(liveAt: "2025-06-15T12:00:00Z")
    for second in 10..<20 {
      receiver.say(rmc("1200\(second)"))
      receiver.rest(milliseconds: 300)
      receiver.say(gga("1200\(second)"))
      receiver.rest(milliseconds: 700)
    }
    #expect(receiver.fixes.count == 10)
    #expect(receiver.fixes.suffix(8).allSatisfy { $0.location.altitude == 100 })
  }

  @Test func aRecordingPlayedLiveGivesTheSamePlaces() throws {
    for name in Recordings.names {
      let bytes = Recordings.bytes(name + ".nmea")
      var recorded = Receiver(requireChecksum: true)
      recorded.hear(bytes)
      recorded.flush()
      var live = Receiver(liveAt: "2020-01-01T12:00:00Z", trusted: true)
      for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        live.rest(milliseconds: 2)
        live.hear(Array(line) + [0x0A])
      }
      live.flush()
      func places(_ fixes: [Fix]) -> [String] {
        fixes.map { "\($0.location.timestamp.microsecondsOfDay)" }
      }
      #expect(places(live.fixes) == places(recorded.fixes), "\(name)")
    }
  }
}
