import LocationModel
import Testing

@testable import ReceiverCore

@Suite("When an epoch was received") struct NMEAReceivedTests {
  /// The times of epochs read in pieces, each with its second after the start of 2026-11-26 12:00 UTC.
  private static func received(
    _ pieces: [(second: Double, text: String)], live: Bool = true, trusted: Bool = true,
    asSpoken: Bool = true
  ) -> [Timestamp?] {
    var decoder = NMEADecoder(.init(requireChecksum: true, live: live))
    var readings: [Reading] = []
    for piece in pieces {
      Array(piece.text.utf8).withUnsafeBytes {
        decoder.read(
          $0, asSpoken: asSpoken, at: Self.instant(piece.second, trusted), into: &readings)
      }
    }
    decoder.flush(at: instant((pieces.last?.second ?? 0) + 1, trusted), into: &readings)
    return readings.compactMap { if case .fix(let fix) = $0 { fix.received } else { nil } }
  }

  private static let start = Timestamp(
    year: 2026, month: 11, day: 26, microsecondsOfDay: 43_200_000_000)

  private static func instant(_ second: Double, _ trusted: Bool) -> Instant {
    Instant(
      boottime: .start + .seconds(1000 + second),
      utc: start + .milliseconds(Int((second * 1000).rounded())), utcTrusted: trusted
    )
  }

  private static func sentence(_ body: String) -> String {
    let digits = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  private static func rmc(_ second: Int, _ date: String = "261126") -> String {
    sentence("GPRMC,1200\(second + 10),A,5000.0,N,00800.0,E,1.0,2.0,\(date),,,A")
  }

  private static func gga(_ second: Int) -> String {
    sentence("GPGGA,1200\(second + 10),5000.0,N,00800.0,E,1,08,0.9,1,M,2,M,,")
  }

  @Test("is when its first byte was, however its sentences are cut")
  func cut() {
    let rmc = Self.rmc(0)
    let pieces = [
      (10.12, String(rmc.prefix(10))), (10.16, String(rmc.dropFirst(10).prefix(20))),
      (10.2, String(rmc.dropFirst(30))), (10.3, Self.gga(0)), (11.13, Self.rmc(1) + Self.gga(1)),
    ]
    #expect(
      Self.received(pieces) == [
        Self.start + .milliseconds(10_120), Self.start + .milliseconds(11_130),
      ])
  }

  @Test("is unknown of sentences that are read later than the receiver says them")
  func later() {
    let rmc = Self.rmc(0)
    let pieces = [
      (10.1, String(rmc.prefix(10))), (10.2, String(rmc.dropFirst(10)) + Self.gga(0)),
      (11.1, Self.rmc(1) + Self.gga(1)),
    ]
    #expect(Self.received(pieces, asSpoken: false) == [nil, nil])
  }

  @Test("is unknown of a recording, of a date that was repaired, and of one that was guessed")
  func unknown() {
    #expect(Self.received([(10.1, Self.rmc(0) + Self.gga(0))], live: false) == [nil])
    // 1024 weeks before.
    #expect(Self.received([(10.1, Self.rmc(0, "120407") + Self.gga(0))]) == [nil])
    #expect(Self.received([(10.1, Self.gga(0)), (11.1, Self.gga(1))]) == [nil, nil])
    #expect(Self.received([(10.1, Self.rmc(0) + Self.gga(0))]) != [nil])
  }
}
