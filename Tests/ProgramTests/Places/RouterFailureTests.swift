import Foundation
import Glibc
import LocationModel
import Testing

/// Programs of routino's name that do what it may do on a bad day.
@Suite("Ways when routino fails", .timeLimit(.minutes(15))) struct RouterFailureTests {
  /// A service that finds this script where routino would be, and Monaco's roads.
  private final class BadDay {
    let places: RunningPlaces
    private let bin = FileManager.default.temporaryDirectory.appending(path: "bin-\(UUID())")

    init(_ script: String, _ configuration: String = "") throws {
      try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
      let file = bin.appending(path: "script")
      try ("#!/bin/sh\n" + script).write(to: file, atomically: true, encoding: .utf8)
      try Program.copy(file.path, to: bin.appending(path: "routino-router").path)
      places = try RunningPlaces.ofMonaco(configuration, environment: ["PATH": bin.path])
    }

    deinit { try? FileManager.default.removeItem(at: bin) }

    /// The number that the script wrote.
    func child() -> pid_t? {
      (try? String(contentsOf: bin.appending(path: "pid"), encoding: .utf8)).flatMap {
        pid_t($0.prefix { $0.isNumber })
      }
    }
  }

  static func children(of pid: pid_t) throws -> String {
    try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
  }

  private static func isGone(_ pid: pid_t) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return stat?.contains(") Z ") ?? true
  }

  @Test(
    "slow, killed, loud or talking nonsense: a clear error within 5 s, and no child is left",
    arguments: [
      ("/bin/sleep 1000 & exec /bin/sleep 1000", "in time"), ("kill -9 $$", "signal 9"),
      ("exec /bin/cat /dev/zero", "too much"), ("exec /bin/cat /dev/zero >&2", "too much"),
      ("echo nonsense", "no way"), ("exit 7", "ends with 7"), ("", "No way leads there"),
      ("echo 'Error: Cannot find node close to specified point 99.' >&2; exit 1", "one of the"),
    ])
  func fails(script: String, hint: String) throws {
    let day = try BadDay(script)
    let effort = try Effort(of: day.places.program)
    let error = try day.places.ask("directions", way(RoadsTests.rocher, RoadsTests.casino))["error"]
    #expect(try effort.seconds < 5)
    #expect(error?["message"]?.string?.contains(hint) == true, "\(error?.text ?? "")")
    #expect(try Self.children(of: day.places.program.pid).isEmpty)
  }

  @Test("one user's slow ways keep nobody's answers from coming")
  func slowForOthers() throws {
    let day = try BadDay("exec /bin/sleep 1000")
    let clients = try (0..<6).map { _ in try day.places.connect() }
    let effort = try Effort(of: day.places.program)
    for client in clients {
      client.request("directions", way(RoadsTests.rocher, RoadsTests.casino))
    }
    #expect(try day.places.ask("status")["result"] != nil)
    #expect(try effort.seconds < 3)
    for client in clients { #expect(try client.line()["error"] != nil) }
    #expect(try effort.seconds < 5.5)
  }

  @Test("the child ends with a service that is killed")
  func ownerKilled() throws {
    let day = try BadDay(
      "echo $$ >${0%/*}/pid.new; /bin/mv ${0%/*}/pid.new ${0%/*}/pid; exec /bin/sleep 1000")
    let client = try day.places.connect()
    client.request("directions", way(RoadsTests.rocher, RoadsTests.casino))
    #expect(eventually(within: patience) { day.child() != nil })
    let child = try #require(day.child())
    #expect(!Self.isGone(child))
    day.places.program.signal(SIGKILL)
    #expect(eventually(within: patience) { Self.isGone(child) })
  }

  @Test("the disk's roads answer where no server does, and not before one that does")
  func afterServers() throws {
    let bad = try PlaceServer("slow")
    let places = try RunningPlaces.ofMonaco(
      "[Servers]\nTimeout=1\nRouter=osrm:http://127.0.0.1:\(bad.port)\n"
        + "Router=valhalla:http://127.0.0.1:1\n")
    let effort = try Effort(of: places.program)
    #expect(try places.ways(RoadsTests.rocher, RoadsTests.casino).first?.engine == "routino")
    #expect(try effort.seconds < 5)
    #expect(bad.listen().count == 1)
    let offline = try places.ways(
      RoadsTests.rocher, RoadsTests.casino, (key: "offline", value: .bool(true)))
    #expect(offline.first?.engine == "routino" && bad.listen().count == 1)
  }

  @Test("an import that is killed or cancelled takes planetsplitter with it")
  func importKilled() throws {
    let bin = FileManager.default.temporaryDirectory.appending(path: "bin-\(UUID())")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: bin) }
    let file = bin.appending(path: "script")
    try
      "#!/bin/sh\necho $$ >${0%/*}/pid.new; /bin/mv ${0%/*}/pid.new ${0%/*}/pid; exec /bin/sleep 1000"
      .write(to: file, atomically: true, encoding: .utf8)
    try Program.copy(file.path, to: bin.appending(path: "planetsplitter").path)
    let pid = bin.appending(path: "pid")
    for number in [SIGKILL, SIGTERM] {
      let places = try RunningPlaces.ofMonaco()
      try? FileManager.default.removeItem(at: pid)
      let job = try Program(
        [
          Program.path("locationd-places"), "--import",
          PrivateBus.house.appending(path: ".build/places/monaco.osm.pbf").path, "--data",
          places.folder.path,
        ], environment: ["PATH": bin.path])
      #expect(eventually(within: patience) { FileManager.default.fileExists(atPath: pid.path) })
      let text = try String(contentsOf: pid, encoding: .utf8)
      let child = try #require(pid_t(text.prefix { $0.isNumber }))
      job.signal(number)
      let (said, exit) = try job.text()
      #expect(exit == (number == SIGKILL ? -SIGKILL : 1), "\(said)")
      #expect(eventually(within: patience) { Self.isGone(child) })
      // What was there is as it was.
      #expect(try places.ways(RoadsTests.rocher, RoadsTests.casino).first?.engine == "routino")
    }
  }
}
