import Foundation
import LocationModel
import TestSupport
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
    #expect(try follow(ahead) <= 6)
  }

  @Test(
    "receivers far apart: the contradiction is said in sources, status and doctor, and the place stays"
  )
  func contradiction() throws {
    func standing(_ latitude: Double, _ longitude: Double) -> String {
      (0..<600).map { second in
        let time = String(format: "2026-03-01T10:%02d:%02d.000Z", second / 60, second % 60)
        return """
          {"timestamp":"\(time)","latitude":\(latitude + Double(second % 7) * 1e-6),\
          "longitude":\(longitude),"horizontalAccuracy":5,"speed":0}

          """
      }.joined()
    }
    let daemon = try RunningDaemon(
      [
        "replay://{folder}/berlin.jsonl?loop=1&rate=2",
        "replay://{folder}/nice.jsonl?loop=1&rate=2",
      ],
      files: ["berlin.jsonl": standing(52.5, 13.4), "nice.jsonl": standing(43.7, 7.4)])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    let believed = try #require(try client.location(within: patience)?.source)
    let other = believed == "replay:berlin.jsonl" ? "replay:nice.jsonl" : "replay:berlin.jsonl"
    var said = ""
    let isSaid = try eventually(within: patience) {
      said = try daemon.control("sources").text().text
      return said.contains("contradicts")
    }
    #expect(isSaid, "\(said)")
    let distance = try #require(said.firstMatch(of: #/contradicts +(\S+), (\d+\.\d) km away/#))
    #expect(distance.1 == believed && (1050...1100).contains(Double(distance.2) ?? 0), "\(said)")
    #expect(try daemon.control("status").text().text.contains("\(other): running"))
    #expect(try daemon.control("status").text().text.contains("contradicts \(believed)"))
    let advice = try daemon.control("doctor").text().text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(advice.contains("TROUBLE \(other) contradicts \(believed)"), "\(advice)")
    // A fix of the other one is told only where a busy machine holds the first up for ten seconds.
    #expect(try client.location(within: patience)?.source == believed)
  }

  /// From how many sources in turn the track is told. One that a busy machine holds up is late, and left for a
  /// fix or two: that is no turn.
  private func follow(_ ahead: (Int) -> Double?) throws -> Int {
    let daemon = try RunningDaemon(
      ["replay://{folder}/good.jsonl?rate=20", "replay://{folder}/other.jsonl?rate=20"],
      files: [
        "good.jsonl": recording(accuracy: 8) { _ in 0 },
        "other.jsonl": recording(accuracy: 4, ahead),
      ])
    let client = try daemon.connect()
    _ = try client.ask("startUpdatingLocation")
    var told: [String] = []
    var last = 0.0
    while last < 89, let location = try client.location(within: patience) {
      let seconds = Double(location.timestamp.microseconds % 3_600_000_000) / 1e6
      let off = (location.coordinate.latitude - 45) * 111_131.7 - seconds * 10
      #expect(off.magnitude < 8, "\(location)")
      told.append(location.source)
      last = seconds
    }
    #expect(last == 89)
    #expect(told.last == "replay:good.jsonl" || ahead(89) == 0)
    let status = try client.ask("status")["result"]?["sources"]?.array
    #expect((status ?? []).count { $0["chosen"] == .bool(true) } == 1)
    var sources: [String] = []
    for (i, source) in told.enumerated().dropFirst(2)
    where told[i - 2..<i].allSatisfy({ $0 == source }) {
      if sources.last != source { sources.append(source) }
    }
    return sources.count
  }
}
