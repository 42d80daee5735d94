import LocationModel
import Testing

@testable import ReceiverCore

@Suite("The sky of a receiver") struct SkyTests {
  private func checked(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
  }

  private func decoder(_ bodies: String..., live: Bool = true) -> [Satellite] {
    var decoder = NMEADecoder(.init(requireChecksum: false, live: live))
    var readings: [Reading] = []
    let now = Instant(
      boottime: .start, utc: Timestamp(microseconds: 1_795_000_000_000_000), utcTrusted: true)
    for body in bodies {
      Array(checked(body).utf8).withUnsafeBytes { decoder.read($0, at: now, into: &readings) }
    }
    return decoder.satellites
  }

  @Test(
    "each satellite of GSV, with its system, where it stands and its signal; GSA says who is used")
  func nmea() {
    let seen = decoder(
      "GPGSV,2,1,05,04,45,120,42,05,12,300,,12,80,010,38,24,05,200,20",
      "GPGSV,2,2,05,40,30,180,35", "GLGSV,1,1,01,70,33,090,25",
      "GNGSA,A,3,04,12,,,,,,,,,,,1.8,0.9,1.5,1", "GNGSA,A,3,70,,,,,,,,,,,,1.8,0.9,1.5,2")
    #expect(seen.count == 6)
    #expect(
      seen.contains(Satellite(.gps, 4, elevation: 45, azimuth: 120, signal: 42, isUsed: true)))
    #expect(seen.contains(Satellite(.gps, 5, elevation: 12, azimuth: 300)))
    #expect(seen.contains(Satellite(.sbas, 40, elevation: 30, azimuth: 180, signal: 35)))
    #expect(
      seen.contains(Satellite(.glonass, 70, elevation: 33, azimuth: 90, signal: 25, isUsed: true)))
    #expect(seen.filter(\.isUsed).count == 3)
  }

  @Test(
    "a satellite that is told for each signal is one; the next list takes the place of the last")
  func again() {
    let seen = decoder(
      "GPGSV,1,1,02,04,45,120,42,05,12,300,20", "GPGSV,1,1,01,07,10,100,30",
      "GPGSV,2,1,02,07,10,100,30", "GPGSV,2,2,02,07,10,100,44")
    #expect(seen == [Satellite(.gps, 7, elevation: 10, azimuth: 100, signal: 44)])
  }

  @Test("what a receiver makes up is bounded, and a recording is not looked at")
  func bounds() {
    var bodies: [String] = []
    for talker in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
      for message in 1...60 {
        bodies.append(
          "G\(talker)GSV,60,\(message),240,\(message * 4),1,1,1,\(message * 4 + 1),1,1,1")
      }
    }
    var decoder = NMEADecoder(.init(requireChecksum: false, live: true))
    var readings: [Reading] = []
    let now = Instant(boottime: .start, utc: .epoch, utcTrusted: false)
    for body in bodies {
      Array(checked(body).utf8).withUnsafeBytes { decoder.read($0, at: now, into: &readings) }
    }
    #expect(decoder.satellites.count <= 26 * 64)
    #expect(self.decoder("GPGSV,1,1,01,07,10,100,30", live: false).isEmpty)
  }

  @Test("gpsd's satellites come through libgps, with what is known of each")
  func gpsd() throws {
    var unpacker = GpsdUnpacker()
    let line = """
      {"class":"SKY","hdop":0.9,"satellites":[\
      {"PRN":4,"gnssid":0,"svid":4,"el":45.0,"az":120.0,"ss":42.0,"used":true},\
      {"PRN":301,"gnssid":2,"svid":1,"el":10.0,"az":20.0,"ss":0.0,"used":false}]}
      """
    guard case .sky(let sky) = unpacker.unpack(try JSON(parsing: line), as: .sky) else {
      Issue.record("no sky")
      return
    }
    #expect(
      sky.satellites == [
        Satellite(.gps, 4, elevation: 45, azimuth: 120, signal: 42, isUsed: true),
        Satellite(.galileo, 301, elevation: 10, azimuth: 20),
      ])
  }
}
