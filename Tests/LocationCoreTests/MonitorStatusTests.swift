import LocationModel
import Testing

@testable import LocationCore

@Suite("Status of monitoring") struct MonitorStatusTests {
  private func monitors(_ harness: inout MonitoringHarness) -> [MonitorStatus]? {
    guard case .status(let status)? = harness.call(.status).replies.first else { return nil }
    return status.monitors
  }

  @Test("says how much each app has registered, also when it is gone, and of no place")
  func counts() {
    var harness = MonitoringHarness()
    #expect(monitors(&harness) == [])
    harness.call(
      .startMonitoring(
        ["home", "work"].map {
          Region(identifier: $0, .circle(MonitoringHarness.place(north: 0), radius: 100))
        }))
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 3)
    harness.restart()
    let found = monitors(&harness) ?? []
    #expect(found.count == 1)
    #expect(found.first?.regions == 2)
    #expect(found.first?.significant == true)
    #expect(found.first?.visits == false)
    #expect(found.first?.waiting == 1)
    harness.call(.acknowledge(event: 1))
    harness.call(.stopMonitoringSignificantLocationChanges)
    harness.call(.stopMonitoring(identifiers: ["home", "work"]))
    #expect(monitors(&harness) == [])
  }

  @Test("says that receivers are on for what is monitored, though nobody else needs them")
  func need() {
    var harness = MonitoringHarness()
    func need() -> NeedStatus? {
      guard case .status(let status)? = harness.call(.status).replies.first else { return nil }
      return status.need
    }
    #expect(need() == nil)
    harness.call(
      .startMonitoring([
        Region(identifier: "home", .circle(MonitoringHarness.place(north: 0), radius: 100))
      ]))
    #expect(need()?.monitoring == 1)
    #expect(need()?.updating == 0)
    #expect(need()?.accuracy == 0)
    harness.call(.stopMonitoring(identifiers: ["home"]))
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 3)
    #expect(need()?.accuracy == 100)
    #expect(need()?.resting != nil)
    harness.call(.stopMonitoringSignificantLocationChanges)
    #expect(need() == nil)
  }
}
