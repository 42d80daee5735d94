import LocationModel
import Testing

@testable import LocationCore

@Suite("Monitoring") struct MonitoringTests {
  private func circle(_ identifier: String, north: Double, _ radius: Double = 100) -> Region {
    Region(identifier: identifier, .circle(MonitorDesk.place(north: north), radius: radius))
  }

  @Test("a crossing is told with a number, and being inside already is none")
  func crossing() {
    var desk = MonitorDesk()
    let start = desk.call(.startMonitoring([circle("home", north: 0), circle("work", north: 500)]))
    #expect(start.replies.count == 1)
    #expect(start.opens == 1)
    #expect(desk.walk(for: 60).reports.isEmpty)
    #expect(desk.call(.requestState(identifier: "home")).state == .inside)
    #expect(desk.call(.requestState(identifier: "work")).state == .outside)
    let way = desk.walk(north: 500, for: 100) + desk.walk(for: 30)
    #expect(way.reports == ["1 exit home", "2 enter work"])
    #expect(way.determined == [.outside, .inside])
  }

  @Test("only the sides asked for are told")
  func sides() {
    var desk = MonitorDesk()
    var region = circle("home", north: 0)
    region.notifyOnExit = false
    desk.call(.startMonitoring([region]))
    desk.walk(for: 30)
    #expect(desk.walk(north: 500, for: 100).reports.isEmpty)
    #expect(desk.walk(north: 0, for: 100).reports == ["1 enter home"])
  }

  @Test("a region that is registered again, as it was, goes on: its app has only begun anew")
  func again() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.walk(for: 30)
    // For a while there is no fix, and nobody could say anew where we are.
    desk.now += 60
    let again = desk.call(.startMonitoring([circle("home", north: 0)]))
    #expect(again.replies.count == 1)
    desk.north = 300
    #expect(desk.walk(for: 60).reports == ["1 exit home"])
    // One of another shape is another one.
    desk.now += 60
    desk.call(.startMonitoring([circle("home", north: 0, 120)]))
    desk.north = 0
    #expect(desk.walk(for: 60).reports.isEmpty)
    var silent = circle("home", north: 0, 120)
    silent.notifyOnExit = false
    desk.call(.startMonitoring([silent]))
    #expect(desk.walk(north: 500, for: 100).reports.isEmpty)
  }

  @Test("that an app has other regions is told when it has, and not when it asks for the same")
  func relisted() {
    var desk = MonitorDesk()
    var home = circle("home", north: 0)
    #expect(desk.call(.startMonitoring([home])).othersMonitored == 1)
    #expect(desk.call(.startMonitoring([home])).othersMonitored == 0)
    desk.restart()
    #expect(desk.outputs.othersMonitored == 0)
    #expect(desk.call(.startMonitoring([home])).othersMonitored == 0)
    home.notifyOnExit = false
    #expect(desk.call(.startMonitoring([home])).othersMonitored == 1)
    #expect(desk.walk(north: 500, for: 100).othersMonitored == 0)
    #expect(desk.call(.stopMonitoring(identifiers: ["work"])).othersMonitored == 0)
    #expect(desk.call(.stopMonitoring(identifiers: ["home"])).othersMonitored == 1)
    // A region that could not be written is monitored until that shows.
    desk.isDiskFull = true
    #expect(desk.call(.startMonitoring([home])).othersMonitored == 2)
  }

  @Test("where someone stays is forgotten, on the disk too, with the last who asked for it")
  func forgottenStay() {
    var desk = MonitorDesk()
    desk.call(.startMonitoringVisits)
    desk.call(.startMonitoring([circle("home", north: 0)]))
    #expect(desk.walk(for: 600).visits.count == 1)
    func isKept() -> Bool { desk.disk.records.contains { $0.key.kind == Kept.stay } }
    #expect(isKept())
    desk.call(.stopMonitoringVisits)
    #expect(isKept())
    desk.call(.startMonitoringSignificantLocationChanges)
    desk.call(.stopMonitoring(identifiers: ["home"]))
    #expect(!isKept())
    desk.walk(for: 600)
    #expect(!isKept())
    // A client that asks later is told nothing of then.
    desk.call(.startMonitoringVisits)
    #expect(desk.walk(north: 3000, for: 600).visits.isEmpty)
  }

  @Test("an app that comes back finds its regions, and gets what it missed until it says so")
  func missed() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.walk(for: 30)
    #expect(desk.handle(.gone(MonitorDesk.client)).closes == 0)
    #expect(desk.walk(north: 500, for: 100).reports.isEmpty)
    desk.walk(north: 0, for: 100)
    let back = ClientID(2)
    desk.connect(back)
    let greeted = desk.call(.hello(.init()), from: back)
    #expect(greeted.reports == ["1 exit home", "2 enter home"])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10), from: back).listed == ["home"])
    desk.call(.acknowledge(event: 1), from: back)
    let again = ClientID(3)
    desk.connect(again)
    #expect(desk.call(.hello(.init()), from: again).reports == ["2 enter home"])
    desk.call(.acknowledge(event: 2), from: again)
    #expect(desk.walk(north: 500, for: 100).reports == ["3 exit home"])
  }

  @Test("whoever acknowledges more than was told has acknowledged what was told, and no more")
  func acknowledgedTooMuch() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.walk(for: 30)
    #expect(desk.walk(north: 500, for: 100).reports == ["1 exit home"])
    let outputs = desk.call(.acknowledge(event: .max))
    let acknowledged = outputs.compactMap { output -> UInt64? in
      guard case .commit(let changes, _) = output, case .acknowledged(_, let number) = changes.first
      else { return nil }
      return number
    }
    #expect(acknowledged == [1])
    desk.call(.acknowledge(event: .max))
    #expect(desk.walk(north: 0, for: 100).reports == ["2 enter home"])
  }

  @Test("another app, and another user, are told nothing of it")
  func others() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.connect(ClientID(2), app: "unit:other.service")
    #expect(desk.call(.hello(.init()), from: ClientID(2)).reports.isEmpty)
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10), from: ClientID(2)).listed.isEmpty)
    #expect(
      desk.call(.requestState(identifier: "home"), from: ClientID(2)).refusals.map(\.code)
        == [.regionMonitoringFailure])
    desk.walk(for: 30)
    for case .report(let recipients, _, _) in desk.walk(north: 500, for: 100) {
      #expect(recipients.map(\.client) == [MonitorDesk.client])
    }
  }

  @Test("after a restart a crossing that happened meanwhile is told, once, with the next number")
  func restart() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.walk(for: 30)
    desk.walk(north: 300, for: 60)
    desk.walk(north: 0, for: 60)
    desk.restart(after: 100)
    desk.north = 400
    let told = desk.walk(for: 30)
    #expect(told.reports.isEmpty)
    #expect(desk.call(.hello(.init())).reports == ["1 exit home", "2 enter home", "3 exit home"])
  }

  @Test("an event is told only when it is on the disk, so that its number is never another's")
  func slowDisk() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]))
    desk.walk(for: 30)
    desk.isDiskSlow = true
    #expect(desk.walk(north: 500, for: 100).reports.isEmpty)
    #expect(desk.call(.hello(.init())).reports.isEmpty)
    desk.isDiskSlow = false
    desk.finishWriting()
    #expect(desk.outputs.reports == ["1 exit home"])
  }

  @Test("a registration that cannot be written is none, and that is said")
  func unwritten() {
    var desk = MonitorDesk()
    desk.isDiskSlow = true
    let outputs = desk.call(.startMonitoring([circle("home", north: 0)]))
    guard
      case .commit(_, let id)? = outputs.first(where: {
        if case .commit = $0 { true } else { false }
      })
    else { return #expect(Bool(false)) }
    let failed = desk.handle(.commitFailed(id, "the disk is full"))
    #expect(failed.refusals.map(\.code) == [.failed])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10)).listed.isEmpty)
  }

  @Test("more regions than allowed, or impossible ones, are refused, and then none is taken")
  func limits() {
    var desk = MonitorDesk(regionsPerApp: 3)
    let four = (0..<4).map { circle("r\($0)", north: Double($0)) }
    #expect(desk.call(.startMonitoring(four)).refusals.map(\.code) == [.regionMonitoringFailure])
    #expect(desk.call(.monitoredRegions(after: nil, limit: 10)).listed.isEmpty)
    desk.call(.startMonitoring(Array(four[..<3])))
    // The same identifier takes the place of the old one.
    #expect(desk.call(.startMonitoring([four[0]])).refusals.isEmpty)
    #expect(!desk.call(.startMonitoring([four[3]])).refusals.isEmpty)
    desk.call(.stopMonitoring(identifiers: ["r0"]))
    #expect(desk.call(.startMonitoring([four[3]])).refusals.isEmpty)
    let none = Region(identifier: "x", .circle(MonitorDesk.place(north: 0), radius: -1))
    #expect(desk.call(.startMonitoring([none])).refusals.count == 1)
  }

  @Test("regions are listed in pages")
  func pages() {
    var desk = MonitorDesk(regionsPerApp: 0)
    let all = (10..<35).map { circle("r\($0)", north: Double($0)) }
    desk.call(.startMonitoring(all.reversed()))
    var found: [String] = []
    var after: String? = nil
    for _ in 0..<3 {
      let page = desk.call(.monitoredRegions(after: after, limit: 10)).listed
      found += page
      after = page.last
    }
    #expect(found == all.map(\.identifier))
  }

  @Test("a denial takes regions, events and what is written of them, at once")
  func denied() {
    var desk = MonitorDesk()
    desk.connect(ClientID(2), uid: 5, app: "exe:/bin/walk")
    desk.call(
      .permissionsSet(.init(app: "exe:/bin/walk", uid: 5, authorization: .authorizedAlways)))
    desk.call(.startMonitoring([circle("home", north: 0)]), from: ClientID(2))
    desk.walk(for: 30)
    desk.call(.permissionsSet(.init(app: "exe:/bin/walk", uid: 5, authorization: .denied)))
    #expect(desk.walk(north: 500, for: 100).reports.isEmpty)
    #expect(!desk.disk.records.keys.contains { $0.app.uid == 5 })
    #expect(
      desk.call(.startMonitoring([circle("home", north: 0)]), from: ClientID(2))
        .refusals.map(\.code) == [.regionMonitoringDenied])
    #expect(
      desk.call(.startMonitoringVisits, from: ClientID(2)).refusals.map(\.code) == [.denied])
  }

  @Test("while the disk is asked, sources are open for what is monitored, also with nobody there")
  func sources() {
    var desk = MonitorDesk()
    #expect(desk.call(.startMonitoringVisits).opens == 1)
    desk.handle(.gone(MonitorDesk.client))
    desk.now += 3600
    #expect(desk.handle(.timer).closes == 0)
    desk.connect(ClientID(2))
    desk.call(.stopMonitoringVisits, from: ClientID(2))
    desk.now += 60
    #expect(desk.handle(.timer).closes == 1)
  }

  @Test("visits go to every manager that monitors, significant changes to those that want them")
  func managers() {
    var desk = MonitorDesk()
    desk.call(.startMonitoring([circle("home", north: 0)]), manager: 2)
    desk.call(.startMonitoringSignificantLocationChanges, manager: 7)
    var told: [String: [Int]] = [:]
    for case .report(let recipients, let event, _) in desk.walk(for: 30)
      + desk.walk(north: 3000, for: 400)
    {
      told["\(event.name)", default: []] += recipients.map(\.manager)
    }
    #expect(told["didExitRegion"] == [2, 7])
    #expect(Set(told["didUpdateLocations"] ?? []) == [7])
  }
}
