import LocationModel
import Testing

@testable import LocationCore

@Suite("Services of the machine that are off") struct UnitWatchTests {
  private static let app = MonitoringHarness.trackerApp
  private static let hour = 3600.0

  private static func properties(
    _ active: String, _ file: String, load: String = "loaded", wantedBy: [String] = []
  ) -> UnitState.Properties {
    .init(loadState: load, activeState: active, fileState: file, wantedBy: wantedBy)
  }

  private static let off = UnitState(properties("inactive", "disabled"))
  private static let on = UnitState(properties("inactive", "enabled"))

  /// A service that monitors a region and has gone; `isLaunched`: locationd is to start it.
  private static func gone(isLaunched: Bool = false) -> MonitoringHarness {
    var harness = MonitoringHarness()
    harness.connectTracker()
    if isLaunched {
      harness.call(.setActivation(.unit("tracker.service")), from: MonitoringHarness.tracker)
    }
    harness.call(.startMonitoring([MonitoringHarness.home]), from: MonitoringHarness.tracker)
    harness.handle(.gone(MonitoringHarness.tracker))
    return harness
  }

  /// Time goes by, from one alarm to the next, and each question is answered so.
  private func pass(
    _ seconds: Double, on harness: inout MonitoringHarness, _ state: UnitState?
  ) -> [Output] {
    let end = harness.now + seconds
    var all: [Output] = []
    while harness.now < end {
      let alarm = harness.service.wakeAsked.map { $0.seconds(since: .start).rounded(.up) } ?? end
      harness.now = min(max(harness.now + 1, alarm), end)
      let outputs = harness.handle(.timer)
      all += outputs
      for unit in outputs.units { all += harness.handle(.unitFound(unit, state)) }
    }
    return all
  }

  @Test(
    "a service that is off powers nothing, from five seconds after it went, and keeps what it registered"
  )
  func off() {
    var harness = Self.gone()
    #expect(pass(4, on: &harness, Self.off).units.isEmpty)
    #expect(harness.isPowering == true)
    let outputs = pass(2, on: &harness, Self.off)
    #expect(outputs.units == ["tracker.service"])
    #expect(outputs.notes.contains { $0.contains("its unit is off") })
    #expect(!harness.isPowering && harness.keepsTracker)
    #expect(harness.service.monitoring.status.first?.isResting == true)
    harness.connectTracker()
    #expect(harness.isPowering && harness.keepsTracker)
    #expect(harness.service.monitoring.status.first?.isResting == false)
    #expect(pass(24 * Self.hour, on: &harness, Self.off).units.isEmpty)
  }

  @Test("a receiver that only such a service needs is closed, and opened when the service is back")
  func receiver() {
    var harness = Self.gone()
    func isClosed(_ outputs: [Output]) -> Bool {
      outputs.contains { if case .close = $0 { true } else { false } }
    }
    func isOpened(_ outputs: [Output]) -> Bool {
      outputs.contains { if case .open = $0 { true } else { false } }
    }
    #expect(isClosed(pass(60, on: &harness, Self.off)))
    harness.connectTracker()
    #expect(isOpened(harness.outputs))
  }

  @Test(
    "systemd's words: what may start a service is not off",
    arguments: [
      ("inactive", "disabled", "loaded", [], true), ("failed", "disabled", "loaded", [], true),
      ("inactive", "masked", "masked", ["other.service"], true),
      ("inactive", "", "not-found", ["other.service"], true),
      ("inactive", "linked", "loaded", [], true),
      ("active", "disabled", "loaded", [], false), ("activating", "disabled", "loaded", [], false),
      ("deactivating", "disabled", "loaded", [], false), ("active", "", "not-found", [], false),
      ("inactive", "enabled", "loaded", [], false), ("inactive", "static", "loaded", [], false),
      ("inactive", "enabled-runtime", "loaded", [], false),
      ("inactive", "disabled", "loaded", ["other.target"], false),
    ] as [(String, String, String, [String], Bool)])
  func words(active: String, file: String, load: String, wantedBy: [String], isOff: Bool) {
    var harness = Self.gone()
    let unit = Self.properties(active, file, load: load, wantedBy: wantedBy)
    _ = pass(6, on: &harness, UnitState(unit))
    #expect(harness.isPowering == !isOff)
  }

  @Test(
    "a socket that is enabled starts its service; one that is disabled and still listens does not count"
  )
  func sockets() {
    for (active, file, isOff) in [
      ("active", "enabled", false), ("inactive", "enabled", false), ("active", "static", false),
      ("inactive", "static", true), ("active", "disabled", true), ("active", "masked", true),
    ] {
      var harness = Self.gone()
      let state = UnitState(
        Self.properties("inactive", "disabled"), triggers: [Self.properties(active, file)])
      _ = pass(6, on: &harness, state)
      #expect(harness.isPowering == !isOff, "\(active) \(file)")
    }
  }

  @Test("a service that locationd starts for its events is not off, unless it is masked or gone")
  func launched() {
    for (file, load, isOff) in [
      ("disabled", "loaded", false), ("masked", "masked", true), ("", "not-found", true),
    ] {
      var harness = Self.gone(isLaunched: true)
      _ = pass(6, on: &harness, UnitState(Self.properties("inactive", file, load: load)))
      #expect(harness.isPowering == !isOff, "\(file) \(load)")
    }
  }

  @Test(
    "systemd is asked once when a service goes, soon again while it stops, then each quarter of an hour"
  )
  func questions() {
    var harness = Self.gone()
    let stopping = UnitState(Self.properties("deactivating", "disabled"))
    #expect(pass(16, on: &harness, stopping).units.count == 2)
    #expect(pass(Self.hour, on: &harness, Self.on).units.count == 4)
    // An answer that never comes is asked for again after a while.
    var silent = Self.gone()
    #expect(silent.pass(Self.hour).units.count == 30)
  }

  @Test(
    "nothing is asked about apps that are no services of the machine, or have registered nothing")
  func others() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([MonitoringHarness.home]))
    harness.handle(.gone(MonitoringHarness.client))
    harness.connectTracker()
    harness.handle(.gone(MonitoringHarness.tracker))
    #expect(pass(Self.hour, on: &harness, Self.off).units.isEmpty)
  }

  @Test("what a service registered lapses after a day off, with a word; what it may do stays")
  func lapses() {
    var harness = Self.gone()
    #expect(
      pass(23.9 * Self.hour, on: &harness, Self.off).notes.count { $0.contains("lapses") } == 0)
    #expect(harness.keepsTracker == true)
    let notes = pass(Self.hour, on: &harness, Self.off).notes
    #expect(
      notes == [
        "unit:tracker.service (uid 0): its unit has been switched off for a day: what it had registered"
          + " lapses, what it may do stays"
      ])
    #expect(harness.keepsTracker == false)
    #expect(harness.disk.records.keys.allSatisfy { $0.app != Self.app })
    #expect(pass(24 * Self.hour, on: &harness, Self.off).units.isEmpty)
  }

  @Test(
    "the day is counted on over restarts of the daemon, which find the service off from the start")
  func restarts() {
    var harness = Self.gone()
    var notes: [String] = []
    for run in 0..<9 {
      notes += pass(4 * Self.hour, on: &harness, Self.off).notes
      if run < 5 { #expect(harness.keepsTracker == true) }
      harness.restart(after: 3 * Self.hour)
      // Its receivers stay closed until systemd has said that it is not off any more.
      if run < 5 { #expect(harness.outputs.units.count == 1 && !harness.isPowering) }
    }
    #expect(notes.contains { $0.contains("lapses") })
  }

  @Test(
    "a restart of the service, a shutdown of the machine and a month of being stopped take nothing")
  func takesNothing() {
    var harness = Self.gone()
    // Back within the second.
    harness.now += 1
    harness.connectTracker()
    #expect(pass(60, on: &harness, Self.off).units.isEmpty && harness.isPowering)
    for _ in 0..<40 {
      harness.handle(.gone(MonitoringHarness.tracker))
      _ = pass(3, on: &harness, UnitState(Self.properties("deactivating", "enabled")))
      harness.restart(after: 8 * Self.hour)
      harness.connectTracker()
      #expect(harness.isPowering && harness.keepsTracker)
    }
    harness.handle(.gone(MonitoringHarness.tracker))
    _ = pass(30 * 24 * Self.hour, on: &harness, Self.on)
    #expect(harness.isPowering && harness.keepsTracker)
    // Two half days off are none.
    for state in [Self.off, Self.on, Self.off] {
      _ = pass(14 * Self.hour, on: &harness, state)
    }
    #expect(harness.keepsTracker == true)
  }

  @Test("where there is no systemd nothing changes")
  func noSystemd() {
    var harness = Self.gone()
    _ = pass(80 * 24 * Self.hour, on: &harness, nil)
    #expect(harness.isPowering && harness.keepsTracker)
  }
}

extension [Output] {
  fileprivate var units: [String] {
    compactMap { if case .askUnit(let unit) = $0 { unit } else { nil } }
  }
}

extension MonitoringHarness {
  fileprivate var isPowering: Bool { service.monitoring.detectors.isNeeded }

  /// The service and the disk agree.
  fileprivate var keepsTracker: Bool {
    let app = Self.trackerApp
    let isKept = disk.records.keys.contains { $0.app == app && $0.kind == "region" }
    let isRegistered = service.monitoring.isRegistered(app)
    #expect(isRegistered == isKept)
    return isKept
  }
}
