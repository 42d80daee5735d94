import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

/// Regions, visits and what is missed, over a real socket, a real database and kill -9.
@Suite("Monitoring over the socket") struct MonitoringProgramTests {
  /// A drive to and fro, of two minutes each: two minutes of it take a second.
  static let toAndFro = (0..<600).map { i in
    let north = Double(i % 120 < 60 ? i % 120 : 120 - i % 120) * 18 / 111_131.7
    let minute = i / 60 < 10 ? "0\(i / 60)" : "\(i / 60)"
    let second = i % 60 < 10 ? "0\(i % 60)" : "\(i % 60)"
    return """
      {"timestamp":"2026-03-01T10:\(minute):\(second)Z","latitude":\(45 + north),"longitude":7,\
      "horizontalAccuracy":5}
      """
  }.joined(separator: "\n")

  private func daemon(rate: Int = 120) throws -> RunningDaemon {
    try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=\(rate)&loop=1"],
      files: ["track.jsonl": Self.toAndFro + "\n"])
  }

  private func circle(_ identifier: String) -> JSON {
    [
      "identifier": .string(identifier), "type": "circle", "latitude": .number(45),
      "longitude": .number(7), "radius": .number(400),
    ]
  }

  @Test("regions are registered, listed, asked about and given up")
  func regions() throws {
    let daemon = try daemon()
    let client = try daemon.connect()
    #expect(try client.ask("startMonitoring", ["region": circle("home")])["error"] == nil)
    #expect(try client.event("didStartMonitoring")["identifier"] == "home")
    let list = try client.ask("monitoredRegions")["result"]
    #expect(list?["regions"]?.array?.first?["radius"]?.double == 400)
    #expect(list?["more"] == .bool(false))
    let crossing = try client.event("didExitRegion", within: patience)
    #expect(crossing["region"] == "home")
    #expect((crossing["event"]?.integer ?? 0) > 0)
    let state = try client.ask("requestState", ["identifier": "home"])["result"]?["state"]
    #expect(state == "outside" || state == "inside")
    #expect(try client.ask("requestState", ["identifier": "x"])["error"]?["code"] == .integer(5))
    #expect(try client.ask("stopMonitoring", ["identifier": "home"])["error"] == nil)
    #expect(try client.ask("monitoredRegions")["result"]?["regions"]?.array?.isEmpty == true)
  }

  @Test(
    "after kill -9 a program that comes back finds its regions and gets what it missed, in order")
  func killed() throws {
    let daemon = try daemon()
    var client = try daemon.connect()
    _ = try client.ask("startMonitoring", ["region": circle("home")])
    let first = try client.event("didExitRegion", within: patience)["event"]?.integer ?? 0
    daemon.program.signal(SIGKILL)
    _ = try? daemon.program.exit()
    try daemon.restart()
    client = try daemon.connect()
    // The events that it missed are told after the answer.
    let list = try client.ask("monitoredRegions")["result"]?["regions"]?.array
    #expect(list?.map { $0["identifier"] } == ["home"])
    let missed = try client.event("didExitRegion")["event"]?.integer
    #expect(missed == first)
    _ = try client.ask("acknowledge", ["event": .integer(first)])
    let next = try client.event("didEnterRegion", within: patience)["event"]?.integer ?? 0
    #expect(next > first)
  }

  @Test("more regions than configured are refused, none of them taken")
  func limit() throws {
    let daemon = try RunningDaemon(files: ["locationd.conf": "[Limits]\nRegionsPerApp=2\n"])
    let client = try daemon.connect()
    let three = JSON.array(["a", "b", "c"].map(circle))
    #expect(try client.ask("startMonitoring", ["regions": three])["error"]?["code"] == .integer(5))
    #expect(try client.ask("monitoredRegions")["result"]?["regions"]?.array?.isEmpty == true)
    #expect(try client.ask("startMonitoring", ["region": ["radius": .number(3)]])["error"] != nil)
  }

  @Test("locationctl watch shows crossings, and gives up what it asked for when it ends")
  func watch() throws {
    let daemon = try daemon()
    let watch = try daemon.control("watch", "--region", "home,45,7,400", "--json")
    #expect(try watch.line().contains("waiting for a crossing"))
    func name() throws -> String? { try JSON(parsing: try watch.line())["event"]?.string }
    while try name() != "didStartMonitoring" {}
    while try name()?.hasSuffix("Region") != true {}
    watch.signal(SIGINT)
    #expect(try watch.exit() == 0)
    let client = try daemon.connect()
    #expect(try client.ask("monitoredRegions")["result"]?["regions"]?.array?.isEmpty == true)
  }
}
