import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("OwnTracks' JSON schema", .serialized, .timeLimit(.minutes(60)))
struct OwnTracksSchemaTests {
  private static let folder = URL(filePath: Checkout.path + "/Tests/OwnTracks")

  /// The objections of a schema to each of some texts; `valid` where it has nothing.
  static func judge(
    _ texts: [String], by schema: String = "message.json",
    of schemas: String = folder.path + "/schemas", strictly: Bool = true
  ) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID())")
    let lines = texts.map { $0.replacing("\n", with: " ") }.joined(separator: "\n") + "\n"
    try lines.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let (text, exit) = try Program([
      "sh", "-c", #"python3 "$0/validate.py" "$1" "$2" $3 <"$4""#, folder.path, schemas, schema,
      strictly ? "strict" : "", file.path,
    ]).text()
    try #require(exit == 0, "\(text)")
    return text.split(separator: "\n").map(String.init)
  }

  @Test("it takes OwnTracks' good examples and refuses the bad ones, so it bites")
  func examples() throws {
    let test = Self.folder.appending(path: "test")
    let makefile = try String(contentsOf: test.appending(path: "Makefile"), encoding: .utf8)
    let schemas = ["s": "messages.json", "e": "encryption.json", "m": "message.json"]
    var examples: [String: [(name: String, isGood: Bool, text: String)]] = [:]
    for word in makefile.split(whereSeparator: { " \n\t\\".contains($0) }) {
      guard let match = word.firstMatch(of: #/^([\w-]+)\.([sem])(success|fail)$/#) else { continue }
      let file = test.appending(path: "\(match.1).json")
      let text = try String(contentsOf: file, encoding: .utf8)
      examples[String(match.2), default: []].append((file.path, match.3 == "success", text))
    }
    #expect(examples.values.reduce(0) { $0 + $1.count } > 50)
    for (kind, examples) in examples {
      let schema = try #require(schemas[kind])
      let verdicts = try Self.judge(examples.map(\.text), by: schema, strictly: false)
      #expect(verdicts.count == examples.count)
      for (example, verdict) in zip(examples, verdicts) {
        #expect((verdict == "valid") == example.isGood, "\(example.name): \(verdict)")
      }
    }
  }

  @Test("it takes every message that the tracker sends, each of its kinds, member by member")
  func messages() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let regions = "Heartbeat=10\n[Region home]\nCircle=45,7,400.5\n"
    let tracker = try WaypointTests.driver(broker, regions)
    let server = Commander(broker: broker)
    try server.set([Commander.waypoint("ID-1", "yard")])
    for action in ["waypoints", "status", "reportSteps", "reportLocation"] {
      try server.ask(action)
    }
    func kinds() -> Set<String> {
      subscriber.listen()
      return Set(subscriber.messages.compactMap { $0.json["_type"]?.string })
    }
    let expected: Set = [
      "location", "transition", "waypoint", "waypoints", "status", "steps", "cmd",
    ]
    try #require(
      eventually(within: patience) {
        kinds().isSuperset(of: expected)
          && subscriber.messages.contains { $0.json["inregions"] != nil }
      }, "\(kinds())")
    tracker.daemon.program.signal(SIGSTOP)
    try #require(
      eventually(within: patience) {
        subscriber.listen()
        return subscriber.messages.contains { $0.json["t"]?.string == "p" }
      })
    try tracker.kill()
    try #require(eventually(within: patience) { kinds().contains("lwt") })
    let messages = subscriber.messages.map(\.json.text)
    let verdicts = try Self.judge(messages)
    #expect(verdicts.count == messages.count)
    for (message, verdict) in zip(messages, verdicts) where verdict != "valid" {
      Issue.record("\(verdict): \(message)")
    }
    // Home Assistant wants these of a crossing: without them it drops it.
    for crossing in subscriber.messages where crossing.json["_type"]?.string == "transition" {
      #expect(crossing.json["desc"]?.string?.isEmpty == false)
      #expect(["enter", "leave"].contains(crossing.json["event"]?.string))
      #expect(crossing.json["wtst"]?.integer ?? 0 > 1_700_000_000)
    }
  }
}
