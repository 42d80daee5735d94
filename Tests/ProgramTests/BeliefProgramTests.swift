import Foundation
import LocationModel
import Testing

@Suite("Of several receivers") struct SeveralReceiversTests {
  /// Driving north at 10 m/s; `ahead` is how far off it is said to be.
  private func recording(accuracy: Double, _ ahead: (Int) -> Double?) -> String {
    (0..<90).compactMap { second in
      ahead(second).map { ahead in
        let latitude = 45 + (Double(second) * 10 + ahead) / 111_131.7
        let time = String(format: "2026-03-01T10:%02d:%02d.000Z", second / 60, second % 60)
        return """
          {"timestamp":"\(time)","latitude":\(latitude),"longitude":7,\
          "horizontalAccuracy":\(accuracy),"speed":10,"course":0}

          """
      }
    }.joined()
  }

  @Test(
    "clients are told the track of the good one, whatever the other does",
    arguments: [
      { $0 < 30 ? 0 : 700 }, { (30..<45).contains($0) ? -400 : 0 }, { $0 < 30 ? 0 : nil },
      { $0 < 30 ? 0 : Double(30 - $0) * 10 },
    ] as [@Sendable (Int) -> Double?])
  func track(ahead: @Sendable @escaping (Int) -> Double?) throws {
    // One that a busy machine holds up is late, and left for a moment.
    let isSteady = try anyOf(3) { try follow(ahead) <= 6 }
    #expect(isSteady)
  }

  /// From how many sources in turn the track is told.
  private func follow(_ ahead: (Int) -> Double?) throws -> Int {
    let daemon = try RunningDaemon(
      ["replay://{folder}/good.jsonl?rate=20", "replay://{folder}/other.jsonl?rate=20"],
      files: [
        "good.jsonl": recording(accuracy: 8) { _ in 0 },
        "other.jsonl": recording(accuracy: 4, ahead),
      ])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    var sources: [String] = []
    var last = 0.0
    while last < 89, let location = try client.location(within: patience) {
      let seconds = Double(location.timestamp.microseconds % 3_600_000_000) / 1e6
      let off = (location.coordinate.latitude - 45) * 111_131.7 - seconds * 10
      #expect(off.magnitude < 8, "\(location)")
      if sources.last != location.source { sources.append(location.source) }
      last = seconds
    }
    #expect(last == 89)
    #expect(sources.last == "replay:good.jsonl" || ahead(89) == 0)
    let status = try client.ask("status")["result"]?["sources"]?.array
    #expect((status ?? []).count { $0["chosen"] == .bool(true) } == 1)
    return sources.count
  }
}
