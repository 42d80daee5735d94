import Foundation
import LocationModel
import TestSupport
import Testing

@Suite(
  "What learnt networks cost", .serialized,
  .enabled(if: Program.isRelease, "what is built for debugging may cost more"))
struct WiFiCostTests {
  private static let most = 50_000

  /// Fills the table of a database as lessons do: rows of a daemon's, in no order, some thousand at a time.
  private static let fill = """
    import json, random, sqlite3, sys
    dice = random.Random(7)
    base = sqlite3.connect(sys.argv[1])
    base.execute("INSERT INTO record VALUES (0, '', 'networks', '', ?)",
                 (json.dumps({"salt": [5, 6], "scale": 1.1}).encode(),))
    for page in range(0, \(most), 4096):
        base.executemany("INSERT INTO network VALUES (?, ?)", [
            (dice.randrange(-1 << 63, 1 << 63), dice.randbytes(2) + bytes(20))
            for _ in range(min(4096, \(most) - page))])
        base.commit()
    """

  /// The memory of a daemon with so many networks, in kilobytes.
  private func memory(_ state: String, networks: Int64) throws -> Int {
    let daemon = try RunningDaemon(["wifi:"], state: state)
    let client = try daemon.connect()
    let isRead = try eventually(within: patience) {
      try client.wifiStatus["networks"]?.integer == networks
    }
    try #require(isRead)
    #expect(try daemon.program.sleeps())
    let memory = try daemon.program.privateMemory
    daemon.program.signal(SIGTERM)
    #expect(try daemon.program.exit() == 0)
    return memory
  }

  @Test("50,000 of them take less than 5 MB of the disk and 4 MB of memory")
  func room() throws {
    let state = FileManager.default.temporaryDirectory.path + "/wifi-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: state) }
    let without = try memory(state, networks: 0)
    let database = "\(state)/locationd.db"
    let (said, exit) = try Program(["/usr/bin/python3", "-c", Self.fill, database]).text()
    try #require(exit == 0, "\(said)")
    let with = try memory(state, networks: Int64(Self.most))
    #expect(with - without < 4_000, "\(with), \(without)")
    let sizes = try FileManager.default.contentsOfDirectory(atPath: state).map {
      try FileManager.default.attributesOfItem(atPath: "\(state)/\($0)")[.size] as? Int ?? 0
    }
    #expect(sizes.reduce(0, +) < 5_000_000, "\(sizes)")
  }

  @Test("an answer to a scan of twenty takes less than 200 µs, the reading of its line included")
  func answer() throws {
    let start = 1_750_000_000
    var second = start
    var lines = ""
    func say(_ more: String) {
      lines += "{\"timestamp\":\(second),\(more)}\n"
      second += 1
    }
    func fix(_ place: Int) {
      say("\"latitude\":\(45 + 0.01 * Double(place)),\"longitude\":7,\"horizontalAccuracy\":5")
    }
    func scan(_ place: Int) {
      let networks = (0..<20).map { box in
        let address = String(format: "10:00:00:%02x:%02x:00", place, box)
        return
          #"{"macAddress":"\#(address)","ssid":"a","signalStrength":-60,"frequency":2412,"age":0}"#
      }
      say(#""wifi":[\#(networks.joined(separator: ","))]"#)
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "scans-\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    for lesson in 0..<3 {
      for place in 0..<100 {
        second = start + place * 3600 + lesson * 360_000
        fix(place)
        scan(place)
        fix(place)
      }
    }
    let scans = 4000
    second = start + 1_080_000
    for i in 0..<scans { scan(i % 100) }
    try lines.write(to: file, atomically: true, encoding: .utf8)
    // Its time is there until its exit is asked for.
    let replay = try Program(
      [
        "sh", "-c", "exec \"$0\" replay --wifi \"$1\" >\"$1.out\"", Program.path("locationctl"),
        file.path,
      ])
    defer { try? FileManager.default.removeItem(atPath: file.path + ".out") }
    try #require(eventually(within: patience) { replay.hasEnded })
    let seconds = try replay.processorTime
    print("networks: \(seconds / Double(scans) * 1e6) µs for a scan")
    // 33 µs on one machine, 85 on a slower one, and up to 145 there beside four programs a core.
    #expect(seconds < 200e-6 * Double(scans), "\(seconds)")
    #expect(try replay.exit() == 0)
    let answers = try String(contentsOfFile: file.path + ".out", encoding: .utf8)
    #expect(answers.split(separator: "\n").count >= scans)
  }
}
