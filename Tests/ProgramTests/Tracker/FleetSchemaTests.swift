import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("The schemas for those who take a fleet's tracks", .timeLimit(.minutes(60)))
struct FleetSchemaTests {
  private static let schemas = Checkout.path + "/config/fleet/schemas"

  private func expectValid(_ texts: [String], by schema: String) throws {
    let verdicts = try OwnTracksSchemaTests.judge(
      texts, by: schema, of: Self.schemas, strictly: false)
    #expect(verdicts.count == texts.count)
    for (text, verdict) in zip(texts, verdicts) where verdict != "valid" {
      Issue.record("\(verdict): \(text)")
    }
  }

  @Test("every message, exported entry and status of a tracker is valid by them")
  func messages() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let tracker = try RunningTracker(
      daemon,
      """
      [Uplink broker]
      URL=mqtt://127.0.0.1:\(broker.port)/owntracks/ann/van?format=json
      Heartbeat=10
      Commands=yes
      [Uplink gone]
      URL=https://127.0.0.1:1/
      Budget=1M/day
      [Region yard]
      Circle=45,7,400.5

      """)
    func has(_ member: String) -> Bool { subscriber.messages.contains { $0.json[member] != nil } }
    func kinds() -> Set<String> {
      subscriber.listen()
      let entries = subscriber.messages.flatMap { $0.json["entries"]?.array ?? [] }
      return Set(entries.compactMap { $0["kind"]?.string })
    }
    try #require(
      eventually(within: patience) { kinds().isSuperset(of: ["place", "enter", "leave"]) },
      "\(kinds())")
    daemon.program.signal(SIGSTOP)
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return has("heartbeat")
      })
    let socket = ["--socket", daemon.folder.appending(path: "t").path]
    // A try of the broker, a daemon without an answer, and a pause.
    let command = [Program.path("locationctl"), "track"]
    let (said, tried) = try Program(command + ["test", "broker"] + socket).text()
    #expect(tried == 0, "\(said)")
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return has("test")
      })
    let before = try tracker.ask("status").text
    #expect(try Program(command + ["pause", "2h"] + socket).exit() == 0)
    let status = try tracker.ask("status").text
    #expect(status.contains("\"silence\""))
    let (entries, exit) = try Program(
      [Program.path("locationctl"), "track", "export", "--format", "ndjson"],
      environment: ["LOCATIOND_TRACKER_SOCKET": daemon.folder.appending(path: "t").path]
    ).text()
    #expect(exit == 0)
    try tracker.kill()
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return has("gone")
      })
    try expectValid(subscriber.messages.map(\.json.text), by: "message.schema.json")
    try expectValid(entries.split(separator: "\n").map(String.init), by: "entry.schema.json")
    try expectValid([before, status], by: "status.schema.json")
    let blind = try RunningTracker(try RunningDaemon(["nmea:///dev/nowhere"]), "")
    var last = ""
    try #require(
      try eventually(within: patience) {
        last = try blind.ask("status").text
        return last.contains("\"noFix\"")
      })
    blind.daemon.program.signal(SIGKILL)
    var lost = ""
    try #require(
      try eventually(within: patience) {
        lost = try blind.ask("status").text
        return lost.contains("\"nextTry\"")
      })
    try expectValid([last, lost], by: "status.schema.json")
    // The schema knows each member, and its form.
    for (old, new) in [
      ("\"noFix\":\"", "\"noFix\":1,\"x\":\""), ("\"nextTry\":\"", "\"nextTry\":\"x"),
      ("\"because\":\"pause\"", "\"because\":\"sleep\""),
    ] {
      let text = try #require([last, lost, status].first { $0.contains(old) })
      let verdict = try OwnTracksSchemaTests.judge(
        [text.replacing(old, with: new)], by: "status.schema.json", of: Self.schemas,
        strictly: false)
      #expect(verdict.first != "valid", "\(old)")
    }
  }

  @Test("they refuse what is none, so they bite")
  func bite() throws {
    let place = #""number":1,"kind":"place","timestamp":"2026-11-27T08:00:00.000Z","latitude":1"#
    let whole = place + #","longitude":2,"horizontalAccuracy":3"#
    let entries = [
      "{\(whole)}", "{\(place)}", #"{\#(whole),"speed":-1}"#, #"{\#(whole),"region":"home"}"#,
      #"{\#(whole),"colour":1}"#, #"{\#(whole.replacing("place", with: "departure"))}"#,
      "{\(whole.replacing("2026-11-27T", with: "27.11.2026 "))}",
    ]
    let verdicts = try OwnTracksSchemaTests.judge(
      entries, by: "entry.schema.json", of: Self.schemas, strictly: false)
    #expect(verdicts.map { $0 == "valid" } == [true] + Array(repeating: false, count: 6))
    let track = #""device":"van","track":"00112233445566ff""#
    let messages = [
      #"{\#(track),"entries":[{\#(whole)}]}"#, "{\(track)}", #"{\#(track),"entries":[]}"#,
      #"{\#(track),"entries":[{\#(place)}]}"#, #"{"device":"van","entries":[{\#(whole)}]}"#,
    ]
    let others = try OwnTracksSchemaTests.judge(
      messages, by: "message.schema.json", of: Self.schemas, strictly: false)
    #expect(others.map { $0 == "valid" } == [true] + Array(repeating: false, count: 4))
  }
}
