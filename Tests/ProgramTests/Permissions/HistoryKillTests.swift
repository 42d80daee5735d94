import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("A daemon that is killed") struct HistoryKillTests {
  private static let minute = 60.0

  @Test("has lost no access that began a minute before, and less than a minute of one that goes on")
  func lasting() throws {
    let daemon = try RunningDaemon(
      ["replay://{folder}/drive.nmea?rate=1&loop=1"],
      files: ["drive.nmea": Recording.drive(seconds: 600), "locationd.conf": ""])
    let first = try daemon.connect()
    _ = try first.ask("startUpdatingLocation")
    _ = try first.event()
    // An access of another kind begins while the first one's beginning has just been written.
    let second = try daemon.connect()
    let region: JSON = [
      "identifier": "here", "type": "circle", "latitude": .number(45), "longitude": .number(7),
      "radius": .number(10_000),
    ]
    _ = try second.ask("startMonitoring", ["region": region])
    let isKnown = try eventually(within: patience) {
      try second.ask("requestState", ["identifier": "here"])["result"]?["state"] == "inside"
    }
    try #require(isKnown)
    let begun = ContinuousClock().now
    func entries(_ client: SocketClient) throws -> [String: JSON] {
      let all = try #require(try client.ask("history")["result"]?["entries"]?.array)
      return Dictionary(all.map { ($0["service"]?.string ?? "", $0) }) { first, _ in first }
    }
    #expect(try Set(entries(second).keys) == ["standard", "regions"])
    let folder = daemon.folder.appending(path: "state")
    let isWritten = eventually(within: Self.minute) {
      ["locationd.db", "locationd.db-wal"].contains { name in
        let bytes = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
        return bytes.range(of: Data(#""regions""#.utf8)) != nil
      }
    }
    let passed = (ContinuousClock().now - begun) / .seconds(1)
    try #require(isWritten, "nothing after \(passed) s")
    let before = try entries(second)
    try daemon.restart()
    let after = try entries(try daemon.connect())
    #expect(Set(after.keys) == ["standard", "regions"])
    for (service, entry) in before {
      #expect(after[service]?["accesses"] == entry["accesses"], "\(service)")
      let seconds = entry["seconds"]?.double ?? 0
      let kept = after[service]?["seconds"]?.double ?? 0
      #expect(seconds - kept < Self.minute, "\(service): \(seconds) s, \(kept) s kept")
    }
    #expect(passed < Self.minute, "\(passed) s")
  }
}
