import Foundation
import LocationModel
import TestSupport
import Testing

@Suite("Figures for node_exporter", .timeLimit(.minutes(60))) struct MetricsFileTests {
  /// The folder after the commands of the example's unit have run as the service would run them.
  static func files(_ tracker: RunningTracker) throws -> [String: String] {
    let unit = try String(
      contentsOf: PrivateBus.house.appending(path: "config/examples/locationd-metrics.service"),
      encoding: .utf8
    ).replacing("\\\n", with: "")
    let folder = tracker.daemon.folder.appending(path: "metrics")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let programs = URL(fileURLWithPath: Program.path("locationctl")).deletingLastPathComponent()
    let commands = unit.matches(of: #/ExecStart=-?/bin/sh -c '(.+)'/#).map { String($0.1) }
    #expect(commands.count == 2)
    for command in commands {
      let shell = try Program(
        ["/bin/sh", "-c", command],
        environment: [
          "FOLDER": folder.path, "PATH": "\(programs.path):/usr/bin:/bin",
          "LOCATIOND_SOCKET": tracker.daemon.socket,
          "LOCATIOND_TRACKER_SOCKET": tracker.daemon.folder.appending(path: "t").path,
        ])
      #expect(try shell.exit() == 0)
    }
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    return files
  }

  static func tracker() throws -> RunningTracker {
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50), "[Uplink fleet]\nURL=mqtt://127.0.0.1:1/a/b\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 1 })
    return tracker
  }

  @Test("the example's unit writes whole files, and a tracker that is gone leaves none")
  func written() throws {
    let tracker = try Self.tracker()
    let files = try Self.files(tracker)
    #expect(files.keys.sorted() == ["locationd-track.prom", "locationd.prom"])
    #expect(files["locationd.prom"]?.contains("locationd_clients ") == true)
    #expect(files["locationd-track.prom"]?.contains("{uplink=\"fleet\"}") == true)
    #expect(!files.values.contains { $0.contains("unit:") || $0.contains("exe:") })
    try tracker.kill()
    #expect(try Self.files(tracker).keys.sorted() == ["locationd.prom"])
  }
}
