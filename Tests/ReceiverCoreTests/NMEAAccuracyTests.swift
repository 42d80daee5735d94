import LocationModel
import Testing

@testable import ReceiverCore

private let rmc = "GPRMC,120000,A,5000.0,N,00800.0,E,1.0,90.0,150625,,,A"

private func gga(quality: Int, dilution: String = "2.0") -> String {
  "GPGGA,120000,5000.0,N,00800.0,E,\(quality),08,\(dilution),100,M,2,M,,"
}

private let gst = "GPGST,120000,11,,,,3.0,4.0,6.0"
private let gbs = "GPGBS,120000,0.3,0.4,0.6,,,,"
private let pgrme = "PGRME,10.0,M,20.0,M,22.0,M"
private let psrfepe = "PSRFEPE,120000,A,1.2,10.0,20.0,3.0,30.0"

@Suite struct NMEAAccuracyTests {
  @Test(arguments: [
    (1, 10.0), (2, 4.0), (3, 4.0), (4, 0.06), (5, 1.0), (6, 40.0),
  ])
  func dilutionCountsByTheKindOfFix(quality: Int, metres: Double) throws {
    let location = try #require(fixes(gga(quality: quality)).first?.location)
    #expect(abs(location.horizontalAccuracy - metres) < 1e-9)
    #expect(abs((location.verticalAccuracy ?? 0) - metres * 1.5) < 1e-9)
  }

  @Test func verticalDilutionIsTakenWhereItIsSaid() throws {
    let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,3.0,2.0,2.2"
    let location = try #require(fixes(gga(quality: 1), gsa).first?.location)
    #expect(location.verticalAccuracy == 11)
  }

  @Test func anAltitudeInTwoDimensionsHasNoAccuracy() throws {
    let gsa = "GPGSA,A,2,01,02,03,,,,,,,,,,3.0,2.0,"
    let location = try #require(fixes(gga(quality: 1), gsa).first?.location)
    #expect(location.altitude == 100)
    #expect(location.verticalAccuracy == nil)
  }

  @Test func withoutAnyDilutionItIsTwentyMetres() throws {
    #expect(try #require(fixes(rmc).first).location.horizontalAccuracy == 20)
  }

  @Test func aDilutionOfAnotherSentenceHoldsForSomeEpochs() {
    var receiver = Receiver()
    receiver.say("GPGSA,A,3,01,02,03,04,,,,,,,,,3.0,2.0,2.2")
    for second in 10..<30 {
      receiver.say("GPRMC,1200\(second),A,5000.0,N,00800.0,E,,,150625,,,A")
    }
    receiver.flush()
    #expect(receiver.fixes.first?.location.horizontalAccuracy == 10)
    #expect(receiver.fixes.last?.location.horizontalAccuracy == 20)
  }

  @Test func gstIsTrustedMost() throws {
    for all in [[gst, gbs, pgrme, psrfepe], [psrfepe, pgrme, gbs, gst]] {
      var receiver = Receiver()
      receiver.say(gga(quality: 1))
      for body in all { receiver.say(body) }
      receiver.flush()
      let location = try #require(receiver.fixes.first?.location)
      #expect(abs(location.horizontalAccuracy - 5.35) < 1e-9)
      #expect(location.verticalAccuracy == 6)
    }
  }

  @Test func gstMayGiveAnEllipseOnly() throws {
    let location = try #require(
      fixes(gga(quality: 1), "GPGST,120000,11,3.0,4.0,12.0,,,6.0").first?.location)
    #expect(abs(location.horizontalAccuracy - 5.35) < 1e-9)
  }

  @Test func gstIsKeptAsItIsSaid() {
    let said = "GPGST,120000,11,3.0,2.0,12.5,,,6.0"
    var expected = Deviations()
    (expected.ranges, expected.major, expected.minor) = (11, 3, 2)
    (expected.orientation, expected.altitude) = (12.5, 6)
    #expect(fixes(gga(quality: 1), said).map(\.deviations) == [expected])
    #expect(fixes(said, gga(quality: 1)).map(\.deviations) == [expected])
    #expect(fixes(gga(quality: 1)).map(\.deviations) == [nil])
  }

  @Test func gstMayLeadItsEpoch() throws {
    let location = try #require(fixes(gst, gbs, gga(quality: 1)).first?.location)
    #expect(abs(location.horizontalAccuracy - 5.35) < 1e-9)
  }

  @Test(arguments: [
    "GPGST,120000,,,,,,,", "GPGST,120000,0,0,0,0,0.0,0.0,0.0", "GPGST,115959,1,1,1,1,1,1,1",
  ])
  func aGSTThatSaysNothingOfThisEpochIsNotTaken(empty: String) throws {
    #expect(fixes(gga(quality: 1), empty).first?.location.horizontalAccuracy == 10)
  }

  @Test func garminsErrorsHoldHalf() throws {
    let location = try #require(fixes(pgrme, gga(quality: 1)).first?.location)
    #expect(abs(location.horizontalAccuracy - 12.8) < 1e-9)
    #expect(abs((location.verticalAccuracy ?? 0) - 29.6) < 1e-9)
  }

  @Test func sirfsErrorsHold95() throws {
    let location = try #require(fixes(psrfepe, rmc, gga(quality: 1)).first?.location)
    #expect(abs(location.horizontalAccuracy - 6.17) < 1e-9)
    #expect(abs((location.verticalAccuracy ?? 0) - 10.14) < 1e-9)
    #expect(abs((location.speedAccuracy ?? 0) - 1.521) < 1e-9)
    #expect(abs((location.courseAccuracy ?? 0) - 15.21) < 1e-9)
  }

  @Test func gbsIsBetterThanDilution() throws {
    let location = try #require(fixes(gga(quality: 1), gbs).first?.location)
    #expect(abs(location.horizontalAccuracy - 0.535) < 1e-9)
  }

  @Test func satellitesInViewAreSummedOverConstellations() throws {
    let all = fixes(
      gga(quality: 1), "GPGSV,3,1,11,01,02,003,04,1", "GPGSV,3,2,11,01,02,003,04,1",
      "GPGSV,1,1,07,01,02,003,04,6", "GLGSV,1,1,05,65,02,003,04", "GAGSV,1,1,00")
    #expect(try #require(all.first).satellitesInView == 16)
  }
}
