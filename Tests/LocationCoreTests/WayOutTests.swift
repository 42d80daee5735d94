import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("The way out of a stay") struct WayOutTests {
  /// At a place, since long enough to have been told.
  private func staying(for seconds: Int = 900, isWatchedAlways: Bool = true) -> MonitoringHarness {
    var harness = MonitoringHarness()
    if isWatchedAlways { harness.call(.startUpdatingLocation(.init())) }
    harness.call(.startMonitoringVisits)
    harness.north = -3000
    harness.walk(north: 0, for: 300)
    harness.walk(for: seconds)
    return harness
  }

  @Test("who was seen to walk away has left as soon as he is surely out")
  func walking() throws {
    var harness = staying()
    let left = harness.now
    // A hundred and seventy metres, at a walk.
    let told = harness.walk(north: 170, for: 130)
    #expect(told.reports == ["2 departed"])
    let date = try #require(told.visits.first?.departureDate)
    #expect((Double(date.microseconds) / 1e6 - left).magnitude < 60)
  }

  @Test("who is seen elsewhere after a silence has left within a minute, though he stands there")
  func silence() {
    var harness = staying()
    harness.now += 140
    harness.north = 1300
    // Its receiver is a little off now and then.
    #expect(harness.walk(north: 1302, for: 70).reports == ["2 departed"])
  }

  @Test("one reading, however often it is said, is no departure, unless it is for long")
  func repeated() {
    var harness = staying()
    harness.now += 140
    harness.north = 1300
    #expect(harness.walk(for: 800).reports.isEmpty)
    #expect(harness.walk(for: 120).reports == ["2 departed", "3 arrived"])
  }

  @Test("a coarse fix that may be of the stay takes back those that are no better")
  func takenBack() {
    var watch = VisitWatch()
    for turn in 0..<90 { watch.see(Double(turn % 2), 10, after: 10) }
    #expect(watch.visits.count == 1)
    for turn in 0..<60 {
      watch.see(turn % 3 < 2 ? 2400 + Double(turn) : 500 + Double(turn), 1000, after: 60)
    }
    #expect(watch.visits.count == 1)
    // Far out by all of them, it is one.
    for turn in 0..<6 { watch.see(2400 + Double(turn), 1000, after: 60) }
    #expect(watch.visits.count == 2)
  }

  @Test("what leads away is not learned as part of the place, however short the stay was")
  func shortStay() {
    var harness = staying(for: 240)
    // Away at a walk, round corners and with rests.
    var told = harness.walk(north: 150, for: 110)
    told += harness.walk(east: 110, for: 80)
    told += harness.walk(for: 40)
    #expect(told.reports == ["2 departed"])
  }

  @Test(
    "a wrong place that ends in the middle of a moment is no way out", arguments: [true, false])
  func ending(isWatchedAlways: Bool) {
    for seconds in 81...96 {
      var harness = staying(isWatchedAlways: isWatchedAlways)
      var told = harness.walk(for: 10)
      (harness.north, harness.east) = (-120, 200)
      told += harness.walk(for: seconds)
      (harness.north, harness.east) = (0, 0)
      told += harness.walk(for: 200)
      #expect(told.reports.isEmpty, "\(seconds) s")
    }
  }

  @Test("vague fixes that drift off and come back are no way out")
  func drift() {
    var harness = staying()
    var told: [Output] = []
    for metres in [210.0, 0, -210, 0] {
      told += harness.walk(north: metres, for: 200, accuracy: 80)
    }
    #expect(told.reports.isEmpty)
  }

  @Test("a vague place far off, when fixes come again after a silence, is no departure")
  func vague() {
    var harness = staying()
    harness.now += 600
    harness.north = 1900
    var told = harness.walk(for: 60, accuracy: 1600)
    harness.north = 0
    told += harness.walk(for: 300)
    #expect(told.reports.isEmpty)
  }

  @Test("a place that someone has moved about in is where he is now")
  func moving() throws {
    var harness = staying()
    harness.walk(north: 100, for: 200)
    var told = harness.walk(for: 3600)
    // From where the stay began, this would be too far.
    told += harness.walk(north: 190, for: 100)
    told += harness.walk(north: 100, for: 100)
    #expect(told.reports.isEmpty)
  }

  @Test("a wrong place that wanders back towards the right one is no way out")
  func wanderingBack() {
    var harness = staying()
    var told: [Output] = []
    for metres in [330.0, 300, 255, 250, 0, 0] {
      harness.now += 20
      harness.north = metres
      told += harness.fix(accuracy: 31)
    }
    told += harness.walk(for: 100)
    #expect(told.reports.isEmpty)
  }

  @Test("the wider a place is used, the further away its end is")
  func wide() {
    var harness = staying()
    var told: [Output] = []
    for metres in [80.0, -80, 80, -80, 80, -80, 0] {
      told += harness.walk(north: metres, for: 150)
      told += harness.walk(for: 400)
    }
    told += harness.walk(north: 265, for: 240)
    told += harness.walk(for: 30)
    told += harness.walk(north: 0, for: 240)
    #expect(told.reports.isEmpty)
    #expect(harness.walk(north: 400, for: 350).reports == ["2 departed"])
  }
}
