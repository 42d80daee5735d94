import LocationModel
import Testing

@testable import locationctl

@Suite("View of the sky") struct SkyTableTests {
  private let sky = SkyStatus(
    satellites: [
      Satellite(.gps, 5, signal: 30),
      Satellite(.glonass, 70, elevation: 33, azimuth: 90, signal: 25, isUsed: true),
      Satellite(.galileo, 301),
    ], dilution: Dilution(horizontal: 0.9, position: 1.8))

  @Test("has those first that are used, then by signal, and the dilutions; no line is too wide")
  func table() {
    let lines = SkyTable(sky, obstacle: nil, columns: 80, rows: 24).lines
    #expect(lines.first == "3 satellites, 1 used  HDOP 0.9  PDOP 1.8")
    #expect(lines.dropFirst().map { $0.prefix(8).trimming } == ["GLONASS", "GPS 5", "Galileo"])
    #expect(lines[1].contains("used") && lines[1].contains("25 dB") && lines[1].contains("up 33°"))
    #expect(lines[3].contains("not heard"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test("says how many there are beyond the terminal's rows, and why there are none")
  func rows() {
    #expect(SkyTable(sky, obstacle: nil, columns: 80, rows: 4).lines.last == "and 1 more")
    let none = SkyTable(nil, obstacle: "no receiver is plugged in", columns: 80, rows: 24).lines
    #expect(none == ["no satellite is known of yet: no receiver is plugged in"])
  }
}

extension Substring {
  fileprivate var trimming: String { String(reversed().drop { $0 == " " }.reversed()) }
}
