import LocationModel
import Testing

@testable import LocationCore

@Suite("Monitoring") struct MonitoringTests {
  private func circle(_ identifier: String, north: Double, _ radius: Double = 100) -> Region {
    Region(identifier: identifier, .circle(MonitoringHarness.place(north: north), radius: radius))
  }

  @Test("a crossing is told with a number, and being inside already is none")
  func crossing() {
    var harness = MonitoringHarness()
    let start = harness.call(
      .startMonitoring([circle("home", north: 0), circle("work", north: 500)]))
    #expect(start.replies.count == 1)
    #expect(start.opens == 1)
    #expect(harness.walk(for: 60).reports.isEmpty)
    #expect(harness.call(.requestState(identifier: "home")).state == .inside)
    #expect(harness.call(.requestState(identifier: "work")).state == .outside)
    let way = harness.walk(north: 500, for: 100) + harness.walk(for: 30)
    #expect(way.reports == ["1 exit home", "2 enter work"])
    #expect(way.determined == [.outside, .inside])
  }

  @Test("only the sides asked for are told")
  func sides() {
    var harness = MonitoringHarness()
    var region = circle("home", north: 0)
    region.notifyOnExit = false
    harness.call(.startMonitoring([region]))
    harness.walk(for: 30)
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
    #expect(harness.walk(north: 0, for: 100).reports == ["1 enter home"])
  }

  @Test("a region that is registered again, as it was, goes on: its app has only begun anew")
  func again() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.walk(for: 30)
    // For a while there is no fix, and nobody could say anew where we are.
    harness.now += 60
    let again = harness.call(.startMonitoring([circle("home", north: 0)]))
    #expect(again.replies.count == 1)
    harness.north = 300
    #expect(harness.walk(for: 60).reports == ["1 exit home"])
    // One of another shape is another one.
    harness.now += 60
    harness.call(.startMonitoring([circle("home", north: 0, 120)]))
    harness.north = 0
    #expect(harness.walk(for: 60).reports.isEmpty)
    var silent = circle("home", north: 0, 120)
    silent.notifyOnExit = false
    harness.call(.startMonitoring([silent]))
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
  }

  @Test("that an app has other regions is told when it has, and not when it asks for the same")
  func changedRegions() {
    var harness = MonitoringHarness()
    var home = circle("home", north: 0)
    #expect(harness.call(.startMonitoring([home])).othersMonitored == 1)
    #expect(harness.call(.startMonitoring([home])).othersMonitored == 0)
    harness.restart()
    #expect(harness.outputs.othersMonitored == 0)
    #expect(harness.call(.startMonitoring([home])).othersMonitored == 0)
    home.notifyOnExit = false
    #expect(harness.call(.startMonitoring([home])).othersMonitored == 1)
    #expect(harness.walk(north: 500, for: 100).othersMonitored == 0)
    #expect(harness.call(.stopMonitoring(identifiers: ["work"])).othersMonitored == 0)
    #expect(harness.call(.stopMonitoring(identifiers: ["home"])).othersMonitored == 1)
    // A region that could not be written is monitored until that shows.
    harness.isDiskFull = true
    #expect(harness.call(.startMonitoring([home])).othersMonitored == 2)
  }

  @Test("where someone stays is forgotten, on the disk too, with the last who asked for it")
  func forgottenStay() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringVisits)
    harness.call(.startMonitoring([circle("home", north: 0)]))
    #expect(harness.walk(for: 600).visits.count == 1)
    func isKept() -> Bool { harness.disk.records.contains { $0.key.kind == StoredRecord.stay } }
    #expect(isKept())
    harness.call(.stopMonitoringVisits)
    #expect(isKept())
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.call(.stopMonitoring(identifiers: ["home"]))
    #expect(!isKept())
    harness.walk(for: 600)
    #expect(!isKept())
    // A client that asks later is told nothing of then.
    harness.call(.startMonitoringVisits)
    #expect(harness.walk(north: 3000, for: 600).visits.isEmpty)
  }

  @Test("an app that comes back finds its regions, and gets what it missed until it says so")
  func missed() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.walk(for: 30)
    #expect(harness.handle(.gone(MonitoringHarness.client)).closes == 0)
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
    harness.walk(north: 0, for: 100)
    let back = ClientID(2)
    harness.connect(back)
    let greeted = harness.call(.hello(.init()), from: back)
    #expect(greeted.reports == ["1 exit home", "2 enter home"])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10), from: back).listed == ["home"])
    harness.call(.acknowledge(event: 1), from: back)
    let again = ClientID(3)
    harness.connect(again)
    #expect(harness.call(.hello(.init()), from: again).reports == ["2 enter home"])
    harness.call(.acknowledge(event: 2), from: again)
    #expect(harness.walk(north: 500, for: 100).reports == ["3 exit home"])
  }

  @Test("whoever acknowledges more than was told has acknowledged what was told, and no more")
  func acknowledgedTooMuch() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.walk(for: 30)
    #expect(harness.walk(north: 500, for: 100).reports == ["1 exit home"])
    let outputs = harness.call(.acknowledge(event: .max))
    let acknowledged = outputs.compactMap { output -> UInt64? in
      guard case .commit(let changes, _) = output, case .acknowledged(_, let number) = changes.first
      else { return nil }
      return number
    }
    #expect(acknowledged == [1])
    harness.call(.acknowledge(event: .max))
    #expect(harness.walk(north: 0, for: 100).reports == ["2 enter home"])
  }

  @Test("another app, and another user, are told nothing of it")
  func others() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.connect(ClientID(2), app: "unit:other.service")
    #expect(harness.call(.hello(.init()), from: ClientID(2)).reports.isEmpty)
    #expect(
      harness.call(.monitoredRegions(after: nil, limit: 10), from: ClientID(2)).listed.isEmpty)
    #expect(
      harness.call(.requestState(identifier: "home"), from: ClientID(2)).refusals.map(\.code)
        == [.regionMonitoringFailure])
    harness.walk(for: 30)
    for case .report(let recipients, _, _) in harness.walk(north: 500, for: 100) {
      #expect(recipients.map(\.client) == [MonitoringHarness.client])
    }
  }

  @Test("after a restart a crossing that happened meanwhile is told, once, with the next number")
  func restart() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.walk(for: 30)
    harness.walk(north: 300, for: 60)
    harness.walk(north: 0, for: 60)
    harness.restart(after: 100)
    harness.north = 400
    let told = harness.walk(for: 30)
    #expect(told.reports.isEmpty)
    #expect(
      harness.call(.hello(.init())).reports == ["1 exit home", "2 enter home", "3 exit home"])
  }

  @Test("an event is told only when it is on the disk, so that its number is never another's")
  func slowDisk() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]))
    harness.walk(for: 30)
    harness.isDiskSlow = true
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
    #expect(harness.call(.hello(.init())).reports.isEmpty)
    harness.isDiskSlow = false
    harness.finishWriting()
    #expect(harness.outputs.reports == ["1 exit home"])
  }

  @Test("a registration that cannot be written is none, and that is said")
  func unwritten() {
    var harness = MonitoringHarness()
    harness.isDiskSlow = true
    let outputs = harness.call(.startMonitoring([circle("home", north: 0)]))
    guard
      case .commit(_, let id)? = outputs.first(where: {
        if case .commit = $0 { true } else { false }
      })
    else { return #expect(Bool(false)) }
    let failed = harness.handle(.commitFailed(id, "the disk is full"))
    #expect(failed.refusals.map(\.code) == [.failed])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10)).listed.isEmpty)
  }

  @Test("more regions than allowed, or impossible ones, are refused, and then none is taken")
  func limits() {
    var harness = MonitoringHarness(regionsPerApp: 3)
    let four = (0..<4).map { circle("r\($0)", north: Double($0)) }
    #expect(harness.call(.startMonitoring(four)).refusals.map(\.code) == [.regionMonitoringFailure])
    #expect(harness.call(.monitoredRegions(after: nil, limit: 10)).listed.isEmpty)
    harness.call(.startMonitoring(Array(four[..<3])))
    // The same identifier takes the place of the old one.
    #expect(harness.call(.startMonitoring([four[0]])).refusals.isEmpty)
    #expect(!harness.call(.startMonitoring([four[3]])).refusals.isEmpty)
    harness.call(.stopMonitoring(identifiers: ["r0"]))
    #expect(harness.call(.startMonitoring([four[3]])).refusals.isEmpty)
    let none = Region(identifier: "x", .circle(MonitoringHarness.place(north: 0), radius: -1))
    #expect(harness.call(.startMonitoring([none])).refusals.count == 1)
  }

  @Test("regions are listed in pages")
  func pages() {
    var harness = MonitoringHarness(regionsPerApp: 0)
    let all = (10..<35).map { circle("r\($0)", north: Double($0)) }
    harness.call(.startMonitoring(all.reversed()))
    var found: [String] = []
    var after: String? = nil
    for _ in 0..<3 {
      let page = harness.call(.monitoredRegions(after: after, limit: 10)).listed
      found += page
      after = page.last
    }
    #expect(found == all.map(\.identifier))
  }

  @Test("a denial takes regions, events and what is written of them, at once")
  func denied() {
    var harness = MonitoringHarness()
    harness.connect(ClientID(2), uid: 5, app: "exe:/bin/walk")
    harness.call(
      .permissionsSet(.init(app: "exe:/bin/walk", uid: 5, authorization: .authorizedAlways)))
    harness.call(.startMonitoring([circle("home", north: 0)]), from: ClientID(2))
    harness.walk(for: 30)
    harness.call(.permissionsSet(.init(app: "exe:/bin/walk", uid: 5, authorization: .denied)))
    #expect(harness.walk(north: 500, for: 100).reports.isEmpty)
    #expect(!harness.disk.records.keys.contains { $0.app.uid == 5 })
    #expect(
      harness.call(.startMonitoring([circle("home", north: 0)]), from: ClientID(2))
        .refusals.map(\.code) == [.regionMonitoringDenied])
    #expect(
      harness.call(.startMonitoringVisits, from: ClientID(2)).refusals.map(\.code) == [.denied])
  }

  @Test("while the disk is asked, sources are open for what is monitored, also with nobody there")
  func sources() {
    var harness = MonitoringHarness()
    #expect(harness.call(.startMonitoringVisits).opens == 1)
    harness.handle(.gone(MonitoringHarness.client))
    harness.now += 3600
    #expect(harness.handle(.timer).closes == 0)
    harness.connect(ClientID(2))
    harness.call(.stopMonitoringVisits, from: ClientID(2))
    harness.now += 60
    #expect(harness.handle(.timer).closes == 1)
  }

  @Test("visits go to every manager that monitors, significant changes to those that want them")
  func managers() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoring([circle("home", north: 0)]), manager: 2)
    harness.call(.startMonitoringSignificantLocationChanges, manager: 7)
    var told: [String: [Int]] = [:]
    for case .report(let recipients, let event, _) in harness.walk(for: 30)
      + harness.walk(north: 3000, for: 400)
    {
      told["\(event.name)", default: []] += recipients.map(\.manager)
    }
    #expect(told["didExitRegion"] == [2, 7])
    #expect(Set(told["didUpdateLocations"] ?? []) == [7])
  }

  @Test("a service goes on until the last client of the app stops it")
  func severalClients() {
    let other = ClientID(2)
    var harness = MonitoringHarness()
    harness.connect(other)
    for client in [MonitoringHarness.client, other] {
      harness.call(.startMonitoringVisits, from: client)
    }
    harness.call(.startMonitoringVisits, manager: 7, from: other)
    for manager in [0, 7] {
      #expect(harness.call(.stopMonitoringVisits, manager: manager, from: other).replies.count == 1)
    }
    #expect(harness.walk(for: 600).visits.count == 1)
    harness.call(.startMonitoringVisits, from: other)
    harness.handle(.gone(MonitoringHarness.client))
    harness.call(.stopMonitoringVisits, from: other)
    #expect(harness.walk(north: 3000, for: 600).visits.isEmpty)
  }
}
