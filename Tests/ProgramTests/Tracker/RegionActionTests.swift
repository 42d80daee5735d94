import DBus
import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Regions that act", .serialized, .timeLimit(.minutes(60))) struct RegionActionTests {
  @Test(
    "entering and leaving start the template with the event in a file, once, also after kill -9")
  func starts() throws {
    let bus = try PrivateBus(guests: [MockService.systemd])
    let manager = try MockService.serviceManager(on: bus)
    let daemon = try RunningDaemon(
      ["replay://{folder}/track.jsonl?rate=120&loop=1"],
      files: ["track.jsonl": MonitoringProgramTests.toAndFro + "\n"])
    let folder = daemon.folder.appending(path: "run")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tracker = try RunningTracker(
      daemon,
      """
      [Region home]
      Circle=45,7,400
      OnEnter=gate
      OnExit=lights.off

      """, bus: bus, environment: ["RUNTIME_DIRECTORY": folder.path])
    func started() throws -> [String] {
      let calls = try manager.mock(
        "/org/freedesktop/systemd1", "GetMethodCalls", [.string("StartUnit")])
      return (calls.first?.asArray ?? []).compactMap { call in
        guard case .structure(let fields) = call, let arguments = fields.last?.asArray,
          case .variant(let unit) = arguments.first
        else { return nil }
        return unit.asString
      }
    }
    try #require(try eventually(within: patience) { try started().count >= 2 })
    try tracker.kill()
    try tracker.startAgain()
    try #require(try eventually(within: patience) { try started().count >= 6 })
    daemon.program.signal(SIGSTOP)
    let crossings = try tracker.entries().filter { $0["region"] != nil }
    let expected = crossings.compactMap { entry in
      entry["number"]?.integer.map {
        entry["kind"]?.string == "enter" ? "gate@\($0).service" : "lights.off@\($0).service"
      }
    }
    // What was committed as it was killed may not have been started.
    #expect(try eventually(within: patience) { try started().count >= expected.count - 1 })
    let all = try started()
    #expect(Set(all).count == all.count && Set(all).isSubset(of: expected))
    let last = try #require(crossings.last)
    let number = try #require(last["number"]?.integer)
    let event = try String(contentsOf: folder.appending(path: "\(number)"), encoding: .utf8)
    #expect(try JSON(parsing: event)["region"]?.string == "home")
  }
}
