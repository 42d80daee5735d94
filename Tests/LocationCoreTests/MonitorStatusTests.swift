import LocationModel
import Testing

@testable import LocationCore

@Suite("Status of monitoring") struct MonitorStatusTests {
  private func monitors(_ desk: inout MonitorDesk) -> [MonitorStatus]? {
    guard case .status(let status)? = desk.call(.status).replies.first else { return nil }
    return status.monitors
  }

  @Test("says how much each app has registered, also when it is gone, and of no place")
  func counts() {
    var desk = MonitorDesk()
    #expect(monitors(&desk) == [])
    desk.call(
      .startMonitoring(
        ["home", "work"].map {
          Region(identifier: $0, .circle(MonitorDesk.place(north: 0), radius: 100))
        }))
    desk.call(.startMonitoringSignificantLocationChanges)
    desk.walk(for: 3)
    desk.restart()
    let found = monitors(&desk) ?? []
    #expect(found.count == 1)
    #expect(found.first?.regions == 2)
    #expect(found.first?.significant == true)
    #expect(found.first?.visits == false)
    #expect(found.first?.waiting == 1)
    desk.call(.acknowledge(event: 1))
    desk.call(.stopMonitoringSignificantLocationChanges)
    desk.call(.stopMonitoring(identifiers: ["home", "work"]))
    #expect(monitors(&desk) == [])
  }

  @Test("says that receivers are on for what is monitored, though nobody else needs them")
  func need() {
    var desk = MonitorDesk()
    func need() -> NeedStatus? {
      guard case .status(let status)? = desk.call(.status).replies.first else { return nil }
      return status.need
    }
    #expect(need() == nil)
    desk.call(
      .startMonitoring([
        Region(identifier: "home", .circle(MonitorDesk.place(north: 0), radius: 100))
      ]))
    #expect(need()?.monitoring == 1)
    #expect(need()?.updating == 0)
    #expect(need()?.accuracy == 0)
    desk.call(.stopMonitoring(identifiers: ["home"]))
    desk.call(.startMonitoringSignificantLocationChanges)
    desk.walk(for: 3)
    #expect(need()?.accuracy == 100)
    #expect(need()?.resting != nil)
    desk.call(.stopMonitoringSignificantLocationChanges)
    #expect(need() == nil)
  }
}
