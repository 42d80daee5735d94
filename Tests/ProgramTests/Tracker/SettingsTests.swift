import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Settings that a server sends", .timeLimit(.minutes(60))) struct SettingsTests {
  private func tracker(_ broker: RunningBroker, commands: String) throws -> RunningTracker {
    try RunningTracker(
      try TrackerTests.driving(rate: 20),
      """
      [Record]
      Distance=100000
      Interval=1d
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van
      Commands=\(commands)

      """)
  }

  /// And has subscribed: what is confirmed was sent after that.
  private func waitUntilItIsConnected(_ tracker: RunningTracker) throws {
    try #require(
      try eventually(within: patience) {
        try tracker.ask("status")["uplinks"]?.array?.first?["confirmed"]?.integer ?? 0 >= 1
      })
  }

  private func settings(_ tracker: RunningTracker) throws -> JSON? {
    try tracker.ask("status")["settings"]
  }

  private func refused(_ tracker: RunningTracker) throws -> String? {
    try tracker.ask("status")["uplinks"]?.array?.first?["commands"]?["lastRefusal"]?.string
  }

  private func command(_ server: Commander, _ configuration: JSON) throws {
    let command: JSON = [
      "_type": "cmd", "action": "setConfiguration", "configuration": configuration,
    ]
    try server.send(command.text)
  }

  @Test("they are used, stay once an entry is confirmed under them, and outlast kill -9")
  func settled() throws {
    let broker = try RunningBroker()
    let tracker = try tracker(broker, commands: "settings")
    let server = Commander(broker: broker)
    try waitUntilItIsConnected(tracker)
    let before = try tracker.entries().count
    try command(
      server, ["_type": "configuration", "Distance": .integer(100), "Batch": "4", "Rate": "50/s"])
    try #require(
      try eventually(within: patience) { try settings(tracker)?["state"]?.string == "settled" })
    #expect(try eventually(within: patience) { try tracker.entries().count > before + 5 })
    try tracker.kill()
    try tracker.startAgain()
    #expect(try settings(tracker)?["values"]?["Distance"]?.string == "100")
    let again = try tracker.entries().count
    #expect(try eventually(within: patience) { try tracker.entries().count > again + 5 })
    let (lines, exit) = try Program(
      [Program.path("locationctl"), "track", "status"],
      environment: ["LOCATIOND_TRACKER_SOCKET": tracker.daemon.folder.appending(path: "t").path]
    ).text()
    #expect(
      exit == 0 && lines.contains("broker has set Distance=100 Batch=4 Rate=50/s"), "\(lines)")
    // A setting that is none takes them back to the files'.
    try command(server, ["_type": "configuration"])
    #expect(
      try eventually(within: patience) {
        try settings(tracker)?["values"]?.members?.isEmpty == true
      })
  }

  @Test("other keys, values that are none, and servers that may not are refused")
  func refused() throws {
    let broker = try RunningBroker()
    let server = Commander(broker: broker)
    let tracker = try tracker(broker, commands: "settings")
    try waitUntilItIsConnected(tracker)
    for (configuration, words) in [
      (["_type": "configuration", "OnEnter": "lights"], "may not set 'OnEnter'"),
      (["_type": "configuration", "URL": "mqtt://elsewhere/t"], "may not set 'URL'"),
      (["_type": "configuration", "Distance": .integer(-5)], "Distance="),
      (["_type": "configuration", "Mode": "often"], "Mode="),
    ] as [(JSON, String)] {
      try command(server, configuration)
      #expect(
        try eventually(within: patience) { try refused(tracker)?.contains(words) == true },
        "\(words)")
    }
    #expect(try settings(tracker) == nil)
    let other = try self.tracker(broker, commands: "yes")
    try waitUntilItIsConnected(other)
    try command(server, ["_type": "configuration", "Distance": .integer(100)])
    #expect(
      try eventually(within: patience) {
        try refused(other)?.contains("Commands=settings") == true
      })
    #expect(try settings(other) == nil)
  }
}
