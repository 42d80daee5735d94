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

  /// An epoch of a receiver that tells each signal in a group of its own, the unheard in one more: its number comes
  /// after the last satellite.
  private static let groups = [
    "GPGSV,2,1,06,03,40,050,38,08,65,210,44,14,12,310,27,22,33,140,35,1",
    "GPGSV,2,2,06,27,71,090,46,31,08,020,21,1",
    "GPGSV,1,1,03,03,40,050,41,08,,,39,27,71,090,30,8", "GPGSV,1,1,01,29,02,175,,0",
    "GAGSV,2,1,05,04,55,300,36,09,20,045,29,11,74,120,40,19,25,060,33,7",
    "GAGSV,2,2,05,36,10,200,24,7", "GAGSV,1,1,02,04,55,300,38,11,74,120,37,2",
    "GBGSV,1,1,02,21,50,100,36,35,20,280,31,B",
  ]

  private static func say(_ groups: [String], at second: Int, to receiver: inout Receiver) {
    receiver.say("GNRMC,1200\(second),A,5000.0,N,00800.0,E,,,261126,,,A")
    for body in groups { receiver.say(body) }
    receiver.rest(milliseconds: 1000)
  }

  @Test(
    "groups of signals are one sky: each satellite once, by its strongest signal, and no signal as one"
  )
  func signals() throws {
    var receiver = Receiver(liveAt: "2026-11-26T12:00:10Z")
    for second in 10..<12 { Self.say(Self.groups, at: second, to: &receiver) }
    let seen = receiver.decoder.satellites
    func numbers(_ system: Satellite.System) -> [Int] {
      seen.filter { $0.system == system }.map(\.number).sorted()
    }
    #expect(numbers(.gps) == [3, 8, 14, 22, 27, 29, 31])
    #expect(numbers(.galileo) == [4, 9, 11, 19, 36] && numbers(.beidou) == [21, 35])
    #expect(receiver.decoder.satellitesInView == 14)
    #expect(receiver.fixes.last?.satellitesInView == 14)
    #expect(seen.contains(Satellite(.gps, 3, elevation: 40, azimuth: 50, signal: 41)))
    #expect(seen.contains(Satellite(.gps, 8, elevation: 65, azimuth: 210, signal: 44)))
    #expect(seen.contains(Satellite(.gps, 29, elevation: 2, azimuth: 175)))
    #expect(seen.contains(Satellite(.galileo, 4, elevation: 55, azimuth: 300, signal: 38)))
  }

  @Test(
    "a signal that is not told any more counts for ten seconds, and a group begins anew by itself")
  func oldSignals() {
    var receiver = Receiver(liveAt: "2026-11-26T12:00:10Z")
    Self.say(Self.groups, at: 10, to: &receiver)
    let one = ["GPGSV,1,1,02,03,41,051,37,14,12,310,26,1"]
    Self.say(one, at: 11, to: &receiver)
    #expect(
      receiver.decoder.satellites.filter { $0.system == .gps }.map(\.number).sorted() == [
        3, 8, 14, 27, 29,
      ])
    for second in 12..<22 { Self.say(one, at: second, to: &receiver) }
    #expect(
      receiver.decoder.satellites == [
        Satellite(.gps, 3, elevation: 41, azimuth: 51, signal: 37),
        Satellite(.gps, 14, elevation: 12, azimuth: 310, signal: 26),
      ])
  }

  @Test("empty fields for satellites that are not there are none, before a signal's number too")
  func padded() {
    let seen = decoder("GPGSV,1,1,01,07,10,100,30,,,,,,,,,,,,,1", "GPGSV,1,1,00,,,,,8")
    #expect(seen == [Satellite(.gps, 7, elevation: 10, azimuth: 100, signal: 30)])
    #expect(decoder("GAGSV,1,1,00,7", "GLGSV,1,1,00").isEmpty)
  }

  @Test("each sentence about a system's used satellites adds to the first one of its epoch")
  func used() {
    let sky = (0..<5).map { message in
      "GBGSV,5,\(message + 1),20,"
        + (1...4).map { "\(message * 4 + $0),10,100,30" }.joined(separator: ",")
        + ",1"
    }
    let used = [
      "GNGSA,A,3,01,02,03,04,05,06,07,08,09,10,11,12,1.8,0.9,1.5,4",
      "GNGSA,A,3,13,14,15,16,,,,,,,,,1.8,0.9,1.5,4",
    ]
    var receiver = Receiver(liveAt: "2026-11-26T12:00:10Z")
    for second in 10..<12 { Self.say(used + sky, at: second, to: &receiver) }
    #expect(receiver.decoder.satellites.filter(\.isUsed).map(\.number) == Array(1...16))
    Self.say([used[1]] + sky, at: 12, to: &receiver)
    #expect(receiver.decoder.satellites.filter(\.isUsed).map(\.number) == Array(13...16))
  }

  @Test("SBAS among the used satellites of a talker for all systems is used")
  func usedSBAS() {
    let view = "GPGSV,1,1,03,02,45,120,42,05,12,300,40,40,30,180,38"
    for used in [
      "GNGSA,A,3,02,05,40,,,,,,,,,,1.8,0.9,1.5", "GPGSA,A,3,02,05,40,,,,,,,,,,1.8,0.9,1.5",
    ] {
      let seen = decoder(used, view)
      #expect(seen.filter(\.isUsed).map(\.number) == [2, 5, 40], "\(used)")
      #expect(seen.last?.system == .sbas)
    }
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
