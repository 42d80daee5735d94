import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// The files were left by the tracker of version 0.1.0, which was killed.
@Suite("A tracker after an upgrade", .timeLimit(.minutes(60))) struct UpgradeTests {
  private static func file(_ name: String) -> String {
    String(decoding: Recordings.bytes("Older/\(name)"), as: UTF8.self)
  }

  private static let count: Int64 = 166
  private static let confirmed: Int64 = 65

  @Test("an older track and configuration lose, thin and repeat nothing")
  func older() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    try subscriber.takeAll(of: broker, 1, within: patience)
    let web = try BadServer([])
    let daemon = try RunningDaemon([])
    let folder = daemon.folder.appending(path: "track")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = """
      import sqlite3, sys
      track = sqlite3.connect(sys.argv[1])
      track.executescript(open(sys.argv[2]).read())
      for row in track.execute("SELECT number, time / 1000000 FROM entries ORDER BY number"): print(*row)
      """
    let (text, exit) = try Program([
      "python3", "-c", script, folder.appending(path: "track.db").path,
      Recordings.directory + "Older/track.sql",
    ]).text()
    try #require(exit == 0, "\(text)")
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int64($0) } }
    try #require(rows.count == Self.count)
    let configuration = Self.file("tracker.conf")
      .replacing("{broker}", with: "\(broker.port)").replacing("{web}", with: "\(web.port)")
    let tracker = try RunningTracker(daemon, configuration)
    func uplinks() throws -> [JSON] { try tracker.ask("status")["uplinks"]?.array ?? [] }
    func hasAll() throws -> Bool { try uplinks().allSatisfy { $0["backlog"]?.integer == 0 } }
    try #require(try eventually(within: patience, hasAll))
    let wanted = rows.filter { $0[0] > Self.confirmed }.map { $0[1] }
    func isTrack(_ json: JSON?) -> Bool {
      ["location", "transition"].contains(json?["_type"]?.string ?? "")
    }
    func heard() -> [Int64] {
      subscriber.listen()
      return subscriber.messages.filter { isTrack($0.json) }.compactMap { $0.json["tst"]?.integer }
    }
    #expect(eventually(within: patience) { heard().count >= wanted.count })
    // A second start sends nothing again.
    tracker.program.signal(SIGTERM)
    #expect(try tracker.program.exit() == 0)
    try tracker.startAgain()
    try #require(try eventually(within: patience, hasAll))
    try subscriber.takeAll(of: broker, 2, within: patience)
    #expect(heard() == wanted)
    web.listen()
    #expect(
      web.requests.filter { isTrack($0["body"]) }.compactMap { $0["body"]?["tst"]?.integer }
        == wanted)
    let entries = try tracker.entries()
    #expect(entries.compactMap { $0["number"]?.integer } == (1...Self.count).map { $0 })
    #expect(entries[3]["kind"]?.string == "leave" && entries[3]["region"]?.string == "home")
    #expect(entries[28]["kind"]?.string == "departure")
    #expect(entries[28]["arrivalDate"]?.string == entries[22]["timestamp"]?.string)
    let parked = try #require(try uplinks().first { $0["name"]?.string == "web" })["parked"]
    #expect(parked?.integer == 1)
    let own = try tracker.ask("status")["waypoints"]?.array?.first { $0["id"]?.string == "y1" }
    #expect(own?["uplink"]?.string == "broker" && own?["name"]?.string == "yard")
    // The refused one is sent again when it is wanted.
    let (words, retry) = try Program([
      Program.path("locationctl"), "track", "retry", "web", "--socket",
      daemon.folder.appending(path: "t").path,
    ]).text()
    #expect(retry == 0, "\(words)")
    #expect(
      eventually(within: patience) {
        web.listen()
        return web.requests.last?["body"]?["tst"]?.integer == rows[6][1]
      })
  }
}
