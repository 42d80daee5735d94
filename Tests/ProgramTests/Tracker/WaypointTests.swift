import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// A server that commands the device `van` at a broker.
struct Commander {
  let broker: RunningBroker

  func send(_ text: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID())")
    try text.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let publishing = try Program([
      "mosquitto_pub", "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t",
      "owntracks/ann/van/cmd", "-f", file.path,
    ])
    #expect(try publishing.exit() == 0)
  }

  func ask(_ action: String) throws { try send(#"{"_type":"cmd","action":"\#(action)"}"#) }

  func set(_ waypoints: [JSON]) throws {
    let command: JSON = [
      "_type": "cmd", "action": "setWaypoints",
      "waypoints": ["_type": "waypoints", "waypoints": .array(waypoints)],
    ]
    try send(command.text)
  }

  /// A circle around 45° N 7° E.
  static func waypoint(_ id: String, _ name: String, radius: Int64 = 400) -> JSON {
    [
      "_type": "waypoint", "desc": .string(name), "lat": .number(45), "lon": .number(7),
      "rad": .integer(radius), "rid": .string(id), "tst": .integer(1_710_104_384),
    ]
  }
}

@Suite("OwnTracks' waypoints and commands", .serialized, .timeLimit(.minutes(60)))
struct WaypointTests {
  private static let regions = """
    [Region home]
    Circle=45,7,400
    OnEnter=gate
    OnExit=gate
    [Region far]
    Circle=-45,7,100

    """

  /// One that drives to and fro over the edge of a circle around 45° N 7° E.
  static func driver(
    _ broker: RunningBroker, _ more: String, bus: PrivateBus? = nil,
    environment: [String: String] = [:]
  ) throws -> RunningTracker {
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let tracker = try RunningTracker(
      daemon, TrackerTests.uplink(broker) + "Commands=yes\n" + more, bus: bus,
      environment: environment)
    try tracker.waitUntilItIsConnected()
    return tracker
  }

  static func set(by tracker: RunningTracker) throws -> [String] {
    let waypoints = try tracker.ask("status")["waypoints"]?.array ?? []
    return waypoints.filter { $0["uplink"]?.string == "broker" }.compactMap { $0["id"]?.string }
  }

  private static func refused(_ tracker: RunningTracker) throws -> Int64 {
    try tracker.ask("status")["uplinks"]?.array?.first?["commands"]?["refused"]?.integer ?? 0
  }

  @Test("a server's waypoints are watched and outlast kill -9; they start and change nothing")
  func commanded() throws {
    let bus = try PrivateBus(guests: [MockService.systemd])
    let manager = try MockService.serviceManager(on: bus)
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let folder = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let tracker = try Self.driver(
      broker, "[Region home]\nCircle=-45,7,100\nOnEnter=gate\nOnExit=gate\n", bus: bus,
      environment: ["RUNTIME_DIRECTORY": folder.path])
    func crossings() -> [JSON] {
      subscriber.listen()
      return subscriber.messages.filter { $0.topic == "owntracks/ann/van/event" }.map(\.json)
    }
    let server = Commander(broker: broker)
    try server.set([Commander.waypoint("ID-1", "yard"), Commander.waypoint("ID-2", "home")])
    try #require(eventually(within: patience) { crossings().count >= 2 })
    #expect(try Self.set(by: tracker) == ["ID-1"] && Self.refused(tracker) == 1)
    #expect(try tracker.watchedRegions() == 2)
    try tracker.kill()
    try tracker.startAgain()
    #expect(try Self.set(by: tracker) == ["ID-1"])
    let before = crossings().count
    try #require(eventually(within: patience) { crossings().count >= before + 2 })
    for crossing in crossings() {
      #expect(crossing["desc"]?.string == "yard" && crossing["rid"]?.string == "ID-1")
      #expect(crossing["wtst"]?.integer == 1_710_104_384)
    }
    // Places inside name it.
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        return subscriber.messages.contains { $0.json["inregions"] == .array([.string("yard")]) }
      })
    let calls = try manager.mock(
      "/org/freedesktop/systemd1", "GetMethodCalls", [.string("StartUnit")])
    #expect(calls.first?.asArray?.isEmpty == true)
    let report = try Program([
      Program.path("locationctl"), "track", "status", "--socket",
      tracker.daemon.folder.appending(path: "t").path,
    ]).text().text
    #expect(report.contains("waypoints that it has set: yard"), "\(report)")
    try server.ask("clearWaypoints")
    #expect(try eventually(within: patience) { try Self.set(by: tracker).isEmpty })
    #expect(try eventually(within: patience) { try tracker.watchedRegions() == 1 })
  }

  @Test("circles of the configuration are announced, and listed when a server asks")
  func announced() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let tracker = try RunningTracker(
      try RunningDaemon(), TrackerTests.uplink(broker) + "Commands=yes\n" + Self.regions)
    func said(_ word: String) -> [JSON] {
      subscriber.listen()
      return subscriber.messages.filter { $0.topic == "owntracks/ann/van/\(word)" }.map(\.json)
    }
    try #require(eventually(within: patience) { said("waypoint").count == 2 })
    let home = try #require(said("waypoint").first)
    #expect(home["desc"]?.string == "home" && home["rid"]?.string == "home")
    #expect(home["lat"]?.double == 45 && home["rad"]?.integer == 400)
    #expect(home["tst"]?.integer ?? 0 > 1_700_000_000)
    let server = Commander(broker: broker)
    try server.set([Commander.waypoint("ID-1", "yard")])
    try #require(try eventually(within: patience) { try Self.set(by: tracker) == ["ID-1"] })
    for action in ["waypoints", "status", "reportSteps"] { try server.ask(action) }
    try #require(eventually(within: patience) { !said("step").isEmpty })
    let list = try #require(said("waypoints").first?["waypoints"]?.array)
    #expect(list.compactMap { $0["rid"]?.string } == ["home", "far", "ID-1"])
    #expect(list.first == home)
    #expect(said("status").first?["linux"]?["waypoints"]?.integer == 3)
    // They keep their date.
    try tracker.kill()
    try tracker.startAgain()
    let again = said("waypoint").count
    try #require(eventually(within: patience) { said("waypoint").count >= again + 3 })
    #expect(said("waypoint").filter { $0["rid"]?.string == "home" }.allSatisfy { $0 == home })
  }

  @Test("without Commands=yes nothing that a server says is followed")
  func unwanted() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let server = Commander(broker: broker)
    let tracker = try RunningTracker(try RunningDaemon(), TrackerTests.uplink(broker))
    try tracker.waitUntilItIsConnected()
    try server.set([Commander.waypoint("ID-1", "yard")])
    try server.ask("status")
    // What comes later is here.
    try tracker.kill()
    try tracker.startAgain()
    try tracker.waitUntilItIsConnected()
    #expect(try Self.set(by: tracker).isEmpty)
    subscriber.listen()
    #expect(!subscriber.messages.contains { $0.topic.hasSuffix("/status") })
  }

  @Test("commands that are huge, deep or wrong are counted, and nothing grows")
  func hostile() throws {
    let broker = try RunningBroker()
    let tracker = try RunningTracker(
      try RunningDaemon(), TrackerTests.uplink(broker) + "Commands=yes\n")
    try tracker.waitUntilItIsConnected()
    let server = Commander(broker: broker)
    try server.set([Commander.waypoint("ID-1", "yard")])
    try #require(try eventually(within: patience) { try Self.set(by: tracker) == ["ID-1"] })
    let before = try tracker.program.privateMemory
    let one = Commander.waypoint("ID-2", "dock").text
    let many = String(repeating: one + ",", count: 50_000) + one
    let hostile = [
      #"{"_type":"cmd","action":"setWaypoints","waypoints":{"waypoints":[\#(many)]}}"#,
      String(repeating: "[", count: 60_000), String(repeating: "{\"a\":", count: 10_000),
      #"{"_type":"cmd","action":"dump"}"#, "NaN", "\u{0}",
      one.replacing("45", with: "NaN"), #"{"_type":"cmd","action":"setConfiguration"}"#,
    ]
    for text in hostile { try server.send(text) }
    try server.set([Commander.waypoint("ID-2", "dock", radius: -1)])
    // The broker keeps the huge one to itself: it was told how long a message may be.
    let wrong = Int64(hostile.count)
    #expect(try eventually(within: patience) { try Self.refused(tracker) == wrong })
    // So many commands at once are no longer followed.
    for _ in 0..<40 { try server.ask("reportLocation") }
    #expect(try eventually(within: patience) { try Self.refused(tracker) >= wrong + 8 })
    #expect(try tracker.entries().count <= 32)
    #expect(try Self.set(by: tracker) == ["ID-1"])
    #expect(try tracker.program.privateMemory - before < 2048)
  }
}
