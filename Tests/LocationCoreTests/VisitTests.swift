import Geodesy
import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("Visits") struct VisitTests {
  @Test("an arrival is told after some minutes, dated back to when it was")
  func arrival() throws {
    var harness = MonitoringHarness.moving()
    let arrived = harness.now
    let told = harness.walk(for: 220)
    let visit = try #require(told.visits.first)
    #expect(told.reports == ["1 arrived"])
    #expect(visit.departureDate == nil)
    let date = try #require(visit.arrivalDate)
    #expect((Double(date.microseconds) / 1e6 - arrived).magnitude < 15)
    #expect(visit.coordinate.distance(to: MonitoringHarness.place(north: 0)) < 15)
  }

  @Test("a departure is told soon, with the arrival as it was told and when it was left")
  func departure() throws {
    var harness = MonitoringHarness.moving()
    let arrival = try #require(harness.walk(for: 900).visits.first)
    let left = harness.now
    let told = harness.walk(north: 400, for: 280)
    #expect(told.reports == ["2 departed"])
    let visit = try #require(told.visits.first)
    #expect(visit.arrivalDate == arrival.arrivalDate)
    let date = try #require(visit.departureDate)
    #expect((Double(date.microseconds) / 1e6 - left).magnitude < 60)
  }

  @Test("a stay that began before anybody watched has no arrival date")
  func before() throws {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringVisits)
    let visit = try #require(harness.walk(for: 600).visits.first)
    #expect(visit.arrivalDate == nil)
  }

  @Test("a red light, a slow walk and going about a place are no visits and no departures")
  func noVisits() {
    var harness = MonitoringHarness.moving()
    #expect(harness.walk(for: 90).reports.isEmpty)
    #expect(harness.walk(north: 900, for: 1000).reports.isEmpty)
    harness.walk(north: 3000, for: 120)
    harness.walk(for: 600)
    var told: [Output] = []
    for _ in 0..<5 {
      told += harness.walk(north: 3060, east: 40, for: 60)
      told += harness.walk(north: 2980, east: -30, for: 80)
    }
    #expect(told.reports.isEmpty)
  }

  @Test("wrong places in the middle of a stay, near and far, do not end it")
  func outliers() {
    var harness = MonitoringHarness.moving()
    harness.walk(for: 600)
    var told: [Output] = []
    for metres in [300.0, 5_000, 490_000] {
      for _ in 0..<60 {
        harness.now += 1
        harness.north = metres
        told += harness.fix(accuracy: 20)
      }
      harness.north = 0
      told += harness.walk(for: 120)
    }
    #expect(told.reports.isEmpty)
  }

  @Test("silence after standing still is an arrival, by the clock alone")
  func silence() throws {
    var harness = MonitoringHarness.moving()
    harness.walk(for: 60)
    harness.now += 700
    #expect(harness.handle(.timer).reports == ["1 arrived"])
    // Hours later he is seen on his way: he left not long before.
    harness.now += 7200
    harness.north = 600
    let seen = harness.now
    let told = harness.walk(north: 2000, for: 140)
    let date = try #require(told.visits.first?.departureDate)
    #expect(seen - Double(date.microseconds) / 1e6 < 900)
  }

  @Test("a program that begins to follow changes in the silence leaves the arrival's date as it is")
  func silenceWithStart() throws {
    var arrivals: [Timestamp?] = []
    for starts in [false, true] {
      var harness = MonitoringHarness.moving()
      harness.walk(for: 160)
      harness.now += 200
      if starts { harness.call(.startMonitoringSignificantLocationChanges) }
      harness.now += 500
      arrivals += harness.handle(.timer).visits.map(\.arrivalDate)
    }
    #expect(arrivals.count == 2 && arrivals[0] != nil)
    #expect(arrivals.first == arrivals.last)
  }

  @Test("a stay survives kill -9, with its arrival, and goes on")
  func restart() throws {
    var harness = MonitoringHarness.moving()
    let arrival = try #require(harness.walk(for: 900).visits.first)
    harness.restart(after: 30)
    harness.call(.hello(.init()))
    #expect(harness.walk(for: 600).reports.isEmpty)
    let told = harness.walk(north: 600, for: 300)
    #expect(told.reports == ["2 departed"])
    #expect(told.visits.first?.arrivalDate == arrival.arrivalDate)
  }

  @Test("when the clock is set in the middle of a stay, both its dates are by the new one")
  func clockStep() throws {
    var harness = MonitoringHarness.moving()
    let arrived = harness.now
    harness.walk(for: 600)
    let day = 86_400.0
    for _ in 0..<60 {
      harness.now += 1
      harness.fix(clock: day)
    }
    var told: [Output] = []
    for _ in 0..<300 {
      harness.now += 1
      harness.north += 2
      told += harness.fix(clock: day)
    }
    let visit = try #require(told.visits.first)
    let (start, end) = (try #require(visit.arrivalDate), try #require(visit.departureDate))
    #expect((Double(start.microseconds) / 1e6 - arrived - day).magnitude < 30)
    #expect((600...760).contains(end.seconds(since: start)))
  }

  @Test("nothing is written while nothing changes but the stay, every few minutes")
  func writes() {
    var harness = MonitoringHarness.moving()
    harness.walk(for: 900)
    let commits = harness.walk(for: 3600).count { if case .commit = $0 { true } else { false } }
    #expect((8...13).contains(commits))
  }
}

@Suite("Significant changes") struct SignificantChangeTests {
  private func count(_ outputs: [Output]) -> Int { outputs.reports.count }

  @Test("the newest known comes first, then one for each half kilometre, five minutes apart")
  func changes() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringSignificantLocationChanges)
    #expect(count(harness.walk(for: 10)) == 1)
    // 20 m/s for a quarter of an hour.
    let told = harness.walk(north: 18_000, for: 900)
    #expect((2...3).contains(count(told)))
    #expect(count(harness.walk(for: 1200)) == 1)
    #expect(count(harness.walk(for: 3600)) == 0)
  }

  @Test("vague and wrong places are no change")
  func vague() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 400)
    harness.north = 1400
    #expect(count(harness.walk(for: 60, accuracy: 1000)) == 0)
    harness.north = 0
    harness.walk(for: 10)
    harness.north = 3000
    #expect(count(harness.walk(for: 60, accuracy: 15)) == 0)
  }

  @Test("after a restart the last one told still counts")
  func restart() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 400)
    harness.restart()
    #expect(count(harness.walk(for: 600)) == 0)
    harness.call(.hello(.init()))
    #expect(count(harness.walk(north: 2000, for: 600)) >= 1)
  }

  @Test(
    "the five minutes go on over a restart, whatever becomes of the clocks",
    arguments: [
      (boot: 0.0, clock: 0.0), (boot: 0, clock: 90_000), (boot: 0, clock: -90_000),
      (boot: -5000, clock: 0),
    ])
  func wait(boot: Double, clock: Double) {
    var harness = MonitoringHarness()
    harness.now = 10_000
    harness.call(.startMonitoringSignificantLocationChanges)
    #expect(count(harness.walk(for: 1)) == 1)
    // It moves on at once, and the daemon starts anew on the way.
    harness.walk(north: 2000, for: 100)
    harness.clockAhead = clock
    harness.restart(after: 10, boot: boot)
    harness.call(.hello(.init()))
    #expect(count(harness.walk(north: 4000, for: 170)) == 0)
    #expect(count(harness.walk(north: 4500, for: 80)) == 1)
  }

  @Test("after a restart with nothing to count from it is told five minutes later at the latest")
  func unknownWait() {
    var harness = MonitoringHarness()
    harness.now = 10_000
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 1)
    harness.clockAhead = -90_000
    harness.restart(after: 10, boot: -5000)
    harness.call(.hello(.init()))
    #expect(count(harness.walk(north: 4000, for: 290)) == 0)
    #expect(count(harness.walk(north: 4500, for: 80)) == 1)
  }

  @Test("who has surely gone and falls silent is told of once the five minutes are over")
  func silence() {
    var harness = MonitoringHarness()
    harness.call(.startMonitoringSignificantLocationChanges)
    harness.walk(for: 1)
    harness.walk(north: 3000, for: 270)
    harness.now = 1300
    #expect(count(harness.handle(.timer)) == 0)
    harness.now = 1335
    #expect(count(harness.handle(.timer)) == 1)
    harness.now += 4000
    #expect(count(harness.handle(.timer)) == 0)
    // One that came back before it fell silent has not gone.
    harness.walk(north: 0, for: 150)
    harness.walk(north: 3000, for: 140)
    harness.now += 4000
    #expect(count(harness.handle(.timer)) == 0)
  }
}

@Suite("Pausing") struct PausingTests {
  private func pauses(_ outputs: [Output]) -> [String] {
    outputs.compactMap {
      if case .tell(_, .didPauseLocationUpdates) = $0 { return "paused" }
      if case .tell(_, .didResumeLocationUpdates) = $0 { return "resumed" }
      return nil
    }
  }

  private func request(_ activity: ActivityType) -> StandardRequest {
    var request = StandardRequest()
    request.activityType = activity
    request.pausesAutomatically = true
    return request
  }

  @Test("who stands still for long is paused, told nothing, and resumed when he goes on")
  func pause() {
    var harness = MonitoringHarness()
    harness.call(.startUpdatingLocation(request(.fitness)))
    let rest = harness.walk(for: 400)
    #expect(pauses(rest) == ["paused"])
    #expect((290...310).contains(rest.told.count))
    let way = harness.walk(north: 200, for: 100)
    #expect(pauses(way) == ["resumed"])
    #expect(way.told.count > 10)
  }

  @Test(
    "once it is resumed it is told its way from the first metres, where another has the receiver on"
  )
  func wholeWay() {
    var harness = MonitoringHarness()
    harness.call(.startUpdatingLocation(request(.fitness)))
    harness.call(.startUpdatingLocation(.init()), manager: 1)
    #expect(pauses(harness.walk(for: 400)) == ["paused"])
    let way = harness.walk(north: 200, for: 100).compactMap { output -> Location? in
      guard case .tell(let recipients, .didUpdateLocations(let location, _)) = output,
        recipients.contains(where: { $0.manager == 0 })
      else { return nil }
      return location
    }
    #expect(way.count >= 94, "\(way.count)")
    #expect(way.map(\.timestamp) == way.map(\.timestamp).sorted())
  }

  @Test("who is paused and starts again is told again, and paused again if he still stands")
  func startedAgain() {
    var harness = MonitoringHarness()
    harness.call(.startUpdatingLocation(request(.fitness)))
    #expect(pauses(harness.walk(for: 400)) == ["paused"])
    #expect(harness.walk(for: 10).told.isEmpty)
    harness.call(.startUpdatingLocation(request(.fitness)))
    #expect(harness.walk(for: 10).told.count == 10)
    #expect(pauses(harness.walk(for: 400)) == ["paused"])
  }

  @Test("nobody is paused who did not ask for it, and in the air nobody")
  func never() {
    var harness = MonitoringHarness()
    harness.call(.startUpdatingLocation(.init()))
    harness.call(.startUpdatingLocation(request(.airborne)), manager: 1)
    #expect(pauses(harness.walk(for: 2000)).isEmpty)
  }
}
