import LocationModel
import Testing

@testable import LocationCore

@Suite("Lapsing") struct LapseTests {
  private static let day = 86_400.0

  private func isKept(_ disk: StoreSnapshot) -> Bool {
    disk.records.keys.contains { $0.app == MonitoringHarness.trackerApp && $0.kind == "region" }
  }

  /// Days go by, with a look at the clock every hour.
  private func pass(_ days: Int, on harness: inout MonitoringHarness) -> [Output] {
    var all: [Output] = []
    for _ in 0..<days * 24 {
      harness.now += 3600
      all += harness.handle(.timer)
    }
    return all
  }

  @Test("what a program registered lapses when it is gone for 90 days, with a word and no place")
  func lapses() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    #expect(pass(89, on: &harness).notes.isEmpty)
    #expect(isKept(harness.disk))
    let notes = pass(3, on: &harness).notes
    #expect(notes.count == 1)
    #expect(
      notes.first?.hasPrefix("unit:tracker.service (uid 0) was not there for 90 days") == true)
    #expect(harness.disk.records.keys.allSatisfy { $0.app != MonitoringHarness.trackerApp })
    #expect(harness.service.monitoring.detectors.wakesAt == nil)
    #expect(harness.leaveHome().launches.isEmpty)
    harness.connectTracker()
    #expect(
      harness.call(.monitoredRegions(after: nil, limit: 10), from: MonitoringHarness.tracker).listed
        .isEmpty)
  }

  @Test("one that comes now and then, or never goes, keeps it")
  func comes() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    for _ in 0..<5 {
      _ = pass(80, on: &harness)
      harness.connectTracker()
      harness.handle(.gone(MonitoringHarness.tracker))
    }
    harness.connectTracker()
    _ = pass(200, on: &harness)
    harness.handle(.gone(MonitoringHarness.tracker))
    _ = pass(80, on: &harness)
    #expect(isKept(harness.disk))
  }

  @Test("it is counted on over restarts")
  func restarts() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    var outputs: [Output] = []
    for _ in 0..<92 {
      harness.restart(after: Self.day - 1200)
      outputs += harness.pass(1200)
    }
    #expect(outputs.notes.count == 1)
    #expect(!isKept(harness.disk))
  }

  @Test(
    "a machine that was off for a year, or a clock that jumps a year, takes nothing away",
    arguments: [true, false])
  func jumps(isOff: Bool) {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    _ = pass(1, on: &harness)
    if isOff {
      harness.restart(after: 365 * Self.day)
    } else {
      harness.clockAhead = 365 * Self.day
    }
    #expect(pass(3, on: &harness).notes.isEmpty)
    #expect(isKept(harness.disk))
    guard !isOff else { return }
    // Back again: nobody was there on days to come, and they are counted anew.
    harness.clockAhead = 0
    #expect(pass(60, on: &harness).notes.isEmpty)
    #expect(isKept(harness.disk))
  }

  @Test("a clock that nobody sets counts no days")
  func untrusted() {
    var harness = MonitoringHarness()
    harness.isClockTrusted = false
    harness.connectTracker()
    harness.registerAndGo()
    #expect(pass(200, on: &harness).notes.isEmpty)
    #expect(isKept(harness.disk))
    harness.isClockTrusted = true
    #expect(pass(89, on: &harness).notes.isEmpty)
    #expect(pass(4, on: &harness).notes.count == 1)
  }

  @Test(
    "a program is written to have been there once a day, and nothing is where nothing is registered"
  )
  func written() {
    var harness = MonitoringHarness()
    harness.connectTracker()
    harness.registerAndGo()
    var commits = 0
    for _ in 0..<50 {
      harness.connectTracker()
      commits += harness.outputs.count { if case .commit = $0 { true } else { false } }
      harness.handle(.gone(MonitoringHarness.tracker))
      commits += harness.outputs.count { if case .commit = $0 { true } else { false } }
    }
    #expect(commits == 0)
    harness.connectTracker()
    harness.call(.stopMonitoring(identifiers: ["home"]), from: MonitoringHarness.tracker)
    harness.call(.setActivation(nil), from: MonitoringHarness.tracker)
    harness.handle(.gone(MonitoringHarness.tracker))
    _ = pass(2, on: &harness)
    #expect(harness.disk.records.keys.allSatisfy { $0.app != MonitoringHarness.trackerApp })
  }
}
