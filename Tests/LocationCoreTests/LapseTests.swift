import LocationModel
import Testing

@testable import LocationCore

@Suite("Lapsing") struct LapseTests {
  private static let day = 86_400.0

  private func isKept(_ disk: Remembered) -> Bool {
    disk.records.keys.contains { $0.app == MonitorDesk.trackerApp && $0.kind == "region" }
  }

  /// Days go by, with a look at the clock every hour.
  private func pass(_ days: Int, on desk: inout MonitorDesk) -> [Output] {
    var all: [Output] = []
    for _ in 0..<days * 24 {
      desk.now += 3600
      all += desk.handle(.timer)
    }
    return all
  }

  @Test("what a program registered lapses when it is gone for 90 days, with a word and no place")
  func lapses() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    #expect(pass(89, on: &desk).notes.isEmpty)
    #expect(isKept(desk.disk))
    let notes = pass(3, on: &desk).notes
    #expect(notes.count == 1)
    #expect(
      notes.first?.hasPrefix("unit:tracker.service (uid 0) was not there for 90 days") == true)
    #expect(desk.disk.records.keys.allSatisfy { $0.app != MonitorDesk.trackerApp })
    #expect(desk.service.monitoring.detectors.wakesAt == nil)
    #expect(desk.leaveHome().launches.isEmpty)
    desk.connectTracker()
    #expect(
      desk.call(.monitoredRegions(after: nil, limit: 10), from: MonitorDesk.tracker).listed.isEmpty)
  }

  @Test("one that comes now and then, or never goes, keeps it")
  func comes() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    for _ in 0..<5 {
      _ = pass(80, on: &desk)
      desk.connectTracker()
      desk.handle(.gone(MonitorDesk.tracker))
    }
    desk.connectTracker()
    _ = pass(200, on: &desk)
    desk.handle(.gone(MonitorDesk.tracker))
    _ = pass(80, on: &desk)
    #expect(isKept(desk.disk))
  }

  @Test("it is counted on over restarts")
  func restarts() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    var outputs: [Output] = []
    for _ in 0..<92 {
      desk.restart(after: Self.day - 1200)
      outputs += desk.pass(1200)
    }
    #expect(outputs.notes.count == 1)
    #expect(!isKept(desk.disk))
  }

  @Test(
    "a machine that was off for a year, or a clock that jumps a year, takes nothing away",
    arguments: [true, false])
  func jumps(isOff: Bool) {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    _ = pass(1, on: &desk)
    if isOff {
      desk.restart(after: 365 * Self.day)
    } else {
      desk.clockAhead = 365 * Self.day
    }
    #expect(pass(3, on: &desk).notes.isEmpty)
    #expect(isKept(desk.disk))
    guard !isOff else { return }
    // Back again: nobody was there on days to come, and they are counted anew.
    desk.clockAhead = 0
    #expect(pass(60, on: &desk).notes.isEmpty)
    #expect(isKept(desk.disk))
  }

  @Test("a clock that nobody sets counts no days")
  func untrusted() {
    var desk = MonitorDesk()
    desk.isClockTrusted = false
    desk.connectTracker()
    desk.registerAndGo()
    #expect(pass(200, on: &desk).notes.isEmpty)
    #expect(isKept(desk.disk))
    desk.isClockTrusted = true
    #expect(pass(89, on: &desk).notes.isEmpty)
    #expect(pass(4, on: &desk).notes.count == 1)
  }

  @Test(
    "a program is written to have been there once a day, and nothing is where nothing is registered"
  )
  func written() {
    var desk = MonitorDesk()
    desk.connectTracker()
    desk.registerAndGo()
    var commits = 0
    for _ in 0..<50 {
      desk.connectTracker()
      commits += desk.outputs.count { if case .commit = $0 { true } else { false } }
      desk.handle(.gone(MonitorDesk.tracker))
      commits += desk.outputs.count { if case .commit = $0 { true } else { false } }
    }
    #expect(commits == 0)
    desk.connectTracker()
    desk.call(.stopMonitoring(identifiers: ["home"]), from: MonitorDesk.tracker)
    desk.call(.setActivation(nil), from: MonitorDesk.tracker)
    desk.handle(.gone(MonitorDesk.tracker))
    _ = pass(2, on: &desk)
    #expect(desk.disk.records.keys.allSatisfy { $0.app != MonitorDesk.trackerApp })
  }
}
