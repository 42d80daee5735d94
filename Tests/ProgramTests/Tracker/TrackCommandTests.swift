import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("locationctl track", .timeLimit(.minutes(60))) struct TrackCommandTests {
  private func track(_ tracker: RunningTracker, _ arguments: String...) throws -> (String, Int32) {
    let socket = tracker.daemon.folder.appending(path: "t").path
    let program = try Program(
      [Program.path("locationctl"), "track"] + arguments,
      environment: ["LOCATIOND_TRACKER_SOCKET": socket, "TZ": "UTC"])
    let (text, exit) = try program.text()
    return (text, exit)
  }

  @Test("a day is listed, exported, forgotten, and read again from the files")
  func day() throws {
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 200), "[Record]\nDistance=100\n")
    try #require(try eventually(within: patience) { try tracker.entries().count >= 20 })
    tracker.daemon.program.signal(SIGSTOP)
    #expect(try track(tracker, "flush").1 == 0)
    let count = try tracker.entries().count
    let (status, _) = try track(tracker, "status")
    #expect(status.hasPrefix("\(count) entries kept, the newest "))
    let (list, _) = try track(tracker, "list")
    #expect(list.contains("2026-03-01 10:00:00 UTC  trip  "))
    #expect(try track(tracker, "stats").0.hasPrefix("2026-03-01  1 trip, "))
    let (gpx, _) = try track(tracker, "export")
    #expect(gpx.split(separator: "<trkpt ").count == count + 1)
    let (lines, _) = try track(tracker, "export", "--format", "ndjson", "--to", "2026-03-01")
    #expect(lines.split(separator: "\n").count == count)
    let (none, _) = try track(tracker, "export", "--format", "ndjson", "--from", "2026-03-02")
    #expect(none.isEmpty)
    let moment = "2026-03-01T10:00:30Z"
    let (told, _) = try track(tracker, "forget", "--from", "2026-03-01", "--to", moment)
    #expect(told.hasSuffix("forgotten\n"))
    let left = try tracker.entries().count
    #expect(left < count && left > 0)
    #expect(try tracker.ask("status")["entries"]?.integer == Int64(left))
    try tracker.kill()
    let folder = tracker.daemon.folder.appending(path: "track").path
    let (offline, _) = try track(tracker, "export", "--format", "ndjson", "--state", folder)
    #expect(offline.split(separator: "\n").count == left)
  }

  @Test("files that are not there are named by --check and by the status, and nothing is lost")
  func files() throws {
    let tracker = try RunningTracker(
      try TrackerTests.driving(rate: 50),
      """
      [Uplink fleet]
      URL=mqtts://127.0.0.1:1/a
      CA=/nowhere/ca.pem
      Token=@/nowhere/token

      """)
    let check = try Program([
      Program.path("locationd-tracker"), "--check", "--config",
      tracker.daemon.folder.appending(path: "tracker.conf").path,
    ]).text()
    #expect(check.1 == 1 && check.0.contains("[Uplink fleet]: CA=: there is no /nowhere/ca.pem"))
    #expect(check.0.contains("Token=: there is no /nowhere/token"))
    #expect(
      try eventually(within: patience) {
        let text = try track(tracker, "status").0
        return text.contains("! Token=: there is no /nowhere/token")
          && text.contains("tried again at")
          && text.contains("the oldest of 2026-03-01")
      })
  }

  @Test("without a fix the status says why, in the daemon's words")
  func noFix() throws {
    let tracker = try RunningTracker(try RunningDaemon(["nmea:///dev/nowhere"]), "")
    var text = ""
    let isTold = try eventually(within: 60) {
      text = try track(tracker, "status").0
      return text.contains("! no fix: ") && text.contains("nowhere")
    }
    #expect(isTold, "\(text)")
  }

  @Test("what is wrong is said, with what to do")
  func mistakes() throws {
    let tracker = try RunningTracker(try RunningDaemon([]), "")
    for (arguments, words) in [
      (["exprt"], "did you mean 'export'"), ([], "what of the track?"),
      (["forget"], "wants --from and --to"), (["export", "--format", "x"], "is one of gpx"),
      (["list", "--from", "yesterday"], "wants a day"),
      (["list", "--from", "2026-03-02", "--to", "2026-03-01"], "comes after"),
      (["list", "--state", "/nowhere"], "there is no /nowhere/track.db"),
      (["status", "--socket", "/nowhere"], "Is the package locationd-tracker installed"),
    ] {
      let socket = tracker.daemon.folder.appending(path: "t").path
      let program = try Program(
        [Program.path("locationctl"), "track"] + arguments,
        environment: ["LOCATIOND_TRACKER_SOCKET": socket])
      let (text, exit) = try program.text()
      #expect(exit != 0 && text.contains(words), "\(arguments): \(text)")
    }
  }
}
