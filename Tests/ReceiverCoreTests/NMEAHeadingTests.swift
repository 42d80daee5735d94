import LocationModel
import Testing

@testable import ReceiverCore

private let rmc = "GPRMC,120000,A,5000.0,N,00800.0,E,1.0,90.0,150625,3.5,W,A"

private func heading(_ bodies: String...) -> Heading? {
  var receiver = Receiver()
  receiver.say("GPZDA,120000,15,06,2025,00,00")
  for body in bodies { receiver.say(body) }
  receiver.flush()
  return receiver.headings.last
}

@Suite struct NMEAHeadingTests {
  @Test func hdtIsTrueAndHDMMagnetic() {
    #expect(heading("HEHDT,274.07,T")?.trueHeading == 274.07)
    #expect(heading("HEHDT,274.07,T")?.magneticHeading == nil)
    #expect(heading("HCHDM,238.5,M")?.magneticHeading == 238.5)
    #expect(heading("HCHDM,238.5,M")?.trueHeading == nil)
  }

  @Test func hdgIsShiftedByDeviationAndVariation() throws {
    let pointed = try #require(heading("HCHDG,358.0,3.0,E,4.5,W"))
    #expect(pointed.magneticHeading == 1)
    #expect(pointed.trueHeading == 356.5)
  }

  @Test func theVariationThatRMCSaysJoinsTheTwoNorths() throws {
    #expect(heading(rmc, "HCHDM,10.0,M")?.trueHeading == 6.5)
    #expect(heading(rmc, "HEHDT,10.0,T")?.magneticHeading == 13.5)
  }

  @Test func attitudeSaysHeadingAndItsAccuracy() throws {
    let pointed = try #require(
      heading("PASHR,130533.620,0.311,T,-80.467,-1.395,,0.066,0.067,0.215,2,3"))
    #expect(pointed.trueHeading == 0.311)
    #expect(pointed.accuracy == 0.215)
  }

  @Test(arguments: ["HEHDT,,T", "HCHDG,,,,,", "HCHDM,,M"])
  func anEmptyHeadingIsNone(body: String) {
    #expect(heading(body) == nil)
  }

  @Test func courseIsNoHeading() {
    #expect(heading(rmc, "GPVTG,45.0,T,,M,2.0,N,3.7,K,A") == nil)
  }

  @Test func liveItIsOfNow() {
    var receiver = Receiver(liveAt: "2026-11-21T10:00:00Z")
    receiver.say("HEHDT,274.07,T")
    #expect(receiver.headings.map { text(of: $0.timestamp) } == ["2026-11-21T10:00:00.000Z"])
  }

  @Test func inARecordingItIsOfTheEpoch() {
    let pointed = heading(rmc, "GPGGA,120005,5000.0,N,00800.0,E,1,08,2,1,M,2,M,,", "HEHDT,274.07,T")
    #expect(pointed.map { text(of: $0.timestamp) } == "2025-06-15T12:00:05.000Z")
  }
}
