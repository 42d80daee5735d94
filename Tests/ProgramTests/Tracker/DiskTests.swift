import Foundation
import Glibc
import LocationModel
import TestSupport
import Testing

@Suite("Disks and clocks of a tracker", .serialized, .timeLimit(.minutes(60)))
struct DiskTests {
  private static let record = "[Record]\nDistance=10\n"

  /// Runs a command where these mounts hold for it alone.
  private static func mounting(_ script: String) -> [String] {
    [
      "unshare", "--mount", "--propagation", "private", "sh", "-c", script + " && exec \"$@\"",
      "sh",
    ]
  }

  /// The seconds of the places that are kept.
  private func seconds(_ tracker: RunningTracker) throws -> [Int64] {
    try tracker.entries().compactMap { $0["timestamp"]?.string }
      .compactMap { Timestamp(iso8601: $0)?.microseconds }.map { $0 / 1_000_000 }
  }

  @Test(
    "a disk that is full is told; once there is room, all is there, and sent, in order", .asRoot)
  func full() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let daemon = try TrackerTests.driving(rate: 50)
    let state = daemon.folder.appending(path: "track").path
    let tracker = try RunningTracker(
      daemon, TrackerTests.uplink(broker),
      within: Self.mounting(
        "mkdir -m 0700 \(state) && mount -t tmpfs -o size=8m,mode=0700 none \(state)"))
    try #require(try eventually(within: patience) { try tracker.entries().count > 50 })
    let filler = "/proc/\(tracker.program.pid)/root\(state)/filler"
    let filling = try Program(["dd", "if=/dev/zero", "of=\(filler)", "bs=4k"])
    #expect(try filling.exit() != 0)
    #expect(
      try eventually(within: patience) {
        let status = try tracker.ask("status")
        return status["trouble"]?.string?.contains("full") == true
          && status["unwritten"]?.integer ?? 0 > 50
      })
    let before = try tracker.entries().count
    try FileManager.default.removeItem(atPath: filler)
    try #require(try eventually(within: patience) { try tracker.entries().count > before + 100 })
    #expect(try eventually(within: patience) { try tracker.ask("status")["trouble"] == nil })
    tracker.daemon.program.signal(SIGSTOP)
    #expect(try eventually(within: patience) { try tracker.ask("status")["unwritten"] == nil })
    // By their numbers: each second once, one after the other.
    let kept = try seconds(tracker)
    let first = try #require(kept.first)
    let last = try #require(kept.last)
    #expect(kept == Array(first...last))
    #expect(try eventually(within: patience) { try tracker.backlog() == 0 })
    var heard: [Int64] = []
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        heard = subscriber.messages.compactMap { $0.json["tst"]?.integer }
        return heard.last == last
      })
    #expect(heard == kept)
  }

  @Test("a folder that may only be read is read; what was confirmed stays so", .asRoot)
  func readOnly() throws {
    let broker = try RunningBroker()
    let subscriber = try Subscriber(broker)
    let daemon = try TrackerTests.driving(rate: 50)
    let tracker = try RunningTracker(daemon, TrackerTests.uplink(broker))
    try #require(try eventually(within: patience) { try tracker.entries().count > 50 })
    daemon.program.signal(SIGSTOP)
    try #require(try eventually(within: patience) { try tracker.backlog() == 0 })
    let before = try tracker.entries()
    tracker.program.signal(SIGTERM)
    #expect(try tracker.program.exit() == 0)
    let state = daemon.folder.appending(path: "track").path
    daemon.program.signal(SIGCONT)
    try tracker.startAgain(
      within: Self.mounting(
        "mount --bind \(state) \(state) && mount -o remount,bind,ro \(state)"))
    #expect(
      try eventually(within: patience) {
        let status = try tracker.ask("status")
        return status["trouble"]?.string?.contains("read") == true
          && status["unwritten"]?.integer ?? 0 > 50
      })
    #expect(try tracker.entries().starts(with: before))
    try tracker.kill()
    let heard = subscriber.messages.count
    try tracker.startAgain(within: [])
    try #require(
      try eventually(within: patience) { try tracker.entries().count > before.count + 20 })
    #expect(try tracker.entries().starts(with: before))
    #expect(
      eventually(within: patience) {
        subscriber.listen()
        return subscriber.messages.count > heard + 20
      })
    let tst = subscriber.messages.filter { $0.json["_type"]?.string == "location" }
      .compactMap { $0.json["tst"]?.integer }
    // The newest place is said once more as a tracker that is told to end keeps it.
    let twice = tst.count - Set(tst).count
    #expect(twice <= 10, "\(twice)")
  }

  @Test("a clock that jumps by a day and a year, forth and back, loses nothing")
  func clock() throws {
    let broker = try RunningBroker()
    let daemon = try TrackerTests.driving(rate: 50)
    let file = daemon.folder.appending(path: "clock")
    // The date alone is another: what runs since the machine's start does not jump.
    try daemon.write(
      """
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>

      int clock_gettime(clockid_t clock, struct timespec *time) {
        int result = (int)syscall(SYS_clock_gettime, clock, time);
        if (clock == CLOCK_REALTIME && result == 0) {
          char text[32] = "";
          int file = open("{folder}/clock", O_RDONLY);
          if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atoll(text);
          close(file);
        }
        return result;
      }

      """, to: "clock.c")
    let library = daemon.folder.appending(path: "clock.so").path
    let compiling = try Program([
      "clang", "-shared", "-fPIC", "-o", library, daemon.folder.appending(path: "clock.c").path,
    ])
    let (said, failed) = try compiling.text()
    try #require(failed == 0, "\(said)")
    func set(days: Int) throws {
      try "\(days * 86_400)".write(to: file, atomically: true, encoding: .utf8)
    }
    try set(days: 0)
    let tracker = try RunningTracker(
      daemon, TrackerTests.uplink(broker) + "Budget=10M/month\n[Region home]\nCircle=45,7,100\n",
      environment: ["LD_PRELOAD": library])
    func lastConfirmation() throws -> Timestamp? {
      try tracker.ask("status")["uplinks"]?.array?.first?["lastConfirmation"]?.string
        .flatMap(Timestamp.init(iso8601:))
    }
    try #require(try eventually(within: patience) { try tracker.entries().count > 20 })
    let start = try #require(try lastConfirmation())
    for days in [1, -1, 365, -365, -18_250] {
      try set(days: days)
      let before = try tracker.entries().count
      try #require(try eventually(within: patience) { try tracker.entries().count > before + 20 })
      #expect(
        try eventually(within: patience) {
          guard let now = try lastConfirmation() else { return false }
          return abs((now - start).seconds / 86_400 - Double(days)) < 1
        }, "\(days)")
    }
    try set(days: 0)
    tracker.daemon.program.signal(SIGSTOP)
    #expect(try eventually(within: patience) { try tracker.backlog() == 0 })
    let kept = try seconds(tracker)
    let first = try #require(kept.min())
    let last = try #require(kept.max())
    #expect(Set(first...last).subtracting(kept).isEmpty)
    #expect(try tracker.ask("status")["trouble"] == nil)
  }

  @Test("a folder that may only be read at the start is told, and since when", .asRoot)
  func readOnlyAtStart() throws {
    let daemon = try RunningDaemon([])
    let tracker = try RunningTracker(daemon, "")
    let state = daemon.folder.appending(path: "track").path
    // A tracker that ends has half a second to close its file, which a busy machine may not give it.
    let isClosed = try eventually(within: patience) {
      tracker.program.signal(SIGTERM)
      #expect(try tracker.program.exit() == 0)
      if access(state + "/track.db-wal", F_OK) != 0 { return true }
      try tracker.startAgain()
      return false
    }
    try #require(isClosed)
    try tracker.startAgain(
      within: Self.mounting(
        "mount --bind \(state) \(state) && mount -o remount,bind,ro \(state)"))
    let status = try tracker.ask("status")
    #expect(status["trouble"]?.string?.contains("read") == true, "\(status.text)")
    #expect(status["since"]?.string?.hasPrefix("20") == true, "\(status.text)")
  }
}
