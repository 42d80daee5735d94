import Foundation
import LocationModel
import Testing

@Suite("locationctl replay") struct ReplayCommandTests {
  private func replay(
    _ lines: [String], _ arguments: String...
  ) throws -> (events: [JSON], exit: Int32) {
    let recording = FileManager.default.temporaryDirectory.appending(
      path: "replay-\(UUID().uuidString).jsonl")
    try lines.map { $0 + "\n" }.joined().write(to: recording, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: recording) }
    let (text, exit) = try Program(
      [Program.path("locationctl"), "replay", recording.path] + arguments
    ).text()
    return (try text.split(separator: "\n").map { try JSON(parsing: String($0)) }, exit)
  }

  private func line(_ second: Int, north metres: Double) -> String {
    """
    {"timestamp":"2026-03-01T10:00:\(second < 10 ? "0" : "")\(second)Z","latitude":\(45 + metres / 111_131.7),\
    "longitude":7,"horizontalAccuracy":5,"speed":-1,"course":-1}
    """
  }

  @Test("a recording's locations are told as the daemon would, with when")
  func locations() throws {
    let (events, exit) = try replay(
      [
        line(0, north: 0), line(1, north: 40), #"{"timestamp":"2026-03-01T10:00:02Z"}"#,
        line(3, north: 90), line(4, north: 120),
      ], "--locations", "--distance-filter", "50")
    #expect(exit == 0)
    #expect(events.map { $0["event"] } == ["didUpdateLocations", "didUpdateLocations"])
    #expect(
      events.map { $0["timestamp"] } == ["2026-03-01T10:00:00.000Z", "2026-03-01T10:00:03.000Z"])
    let location = try #require(events.last?["locations"]?.array?.first.flatMap(Location.init))
    #expect(location.speed == nil)
  }

  @Test("a recording of NMEA gives the locations that it decodes to")
  func nmea() throws {
    let folder = #filePath.dropLast("ProgramTests/ReplayCommandTests.swift".count) + "Recordings/"
    let (text, _) = try Program(
      [Program.path("locationctl"), "replay", folder + "parachute.nmea", "--locations"]
    ).text()
    #expect(text.split(separator: "\n").count == 310)
  }
}
