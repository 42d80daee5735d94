import LocationModel
import Testing

@testable import LocationCore

@Suite("The way out of a stay") struct WayOutTests {
  /// At a place, since long enough to have been told.
  private func staying(for seconds: Int = 900, isWatchedAlways: Bool = true) -> MonitorDesk {
    var desk = MonitorDesk()
    if isWatchedAlways { desk.call(.startUpdatingLocation(.init())) }
    desk.call(.startMonitoringVisits)
    desk.north = -3000
    desk.walk(north: 0, for: 300)
    desk.walk(for: seconds)
    return desk
  }

  @Test("who was seen to walk away has left as soon as he is surely out")
  func walking() throws {
    var desk = staying()
    let left = desk.now
    // A hundred and seventy metres, at a walk.
    let told = desk.walk(north: 170, for: 130)
    #expect(told.reports == ["2 departed"])
    let date = try #require(told.visits.first?.departureDate)
    #expect((Double(date.microseconds) / 1e6 - left).magnitude < 60)
  }

  @Test("who is seen elsewhere after a silence has left within a minute, though he stands there")
  func silence() {
    var desk = staying()
    desk.now += 140
    desk.north = 1300
    // Its receiver is a little off now and then.
    #expect(desk.walk(north: 1302, for: 70).reports == ["2 departed"])
  }

  @Test("one reading, however often it is said, is no departure, unless it is for long")
  func repeated() {
    var desk = staying()
    desk.now += 140
    desk.north = 1300
    #expect(desk.walk(for: 800).reports.isEmpty)
    #expect(desk.walk(for: 120).reports == ["2 departed", "3 arrived"])
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
    var desk = staying(for: 240)
    // Away at a walk, round corners and with rests.
    var told = desk.walk(north: 150, for: 110)
    told += desk.walk(east: 110, for: 80)
    told += desk.walk(for: 40)
    #expect(told.reports == ["2 departed"])
  }

  @Test(
    "a wrong place that ends in the middle of a moment is no way out", arguments: [true, false])
  func ending(isWatchedAlways: Bool) {
    for seconds in 81...96 {
      var desk = staying(isWatchedAlways: isWatchedAlways)
      var told = desk.walk(for: 10)
      (desk.north, desk.east) = (-120, 200)
      told += desk.walk(for: seconds)
      (desk.north, desk.east) = (0, 0)
      told += desk.walk(for: 200)
      #expect(told.reports.isEmpty, "\(seconds) s")
    }
  }

  @Test("vague fixes that drift off and come back are no way out")
  func drift() {
    var desk = staying()
    var told: [Output] = []
    for metres in [210.0, 0, -210, 0] {
      told += desk.walk(north: metres, for: 200, accuracy: 80)
    }
    #expect(told.reports.isEmpty)
  }

  @Test("a vague place far off, when fixes come again after a silence, is no departure")
  func vague() {
    var desk = staying()
    desk.now += 600
    desk.north = 1900
    var told = desk.walk(for: 60, accuracy: 1600)
    desk.north = 0
    told += desk.walk(for: 300)
    #expect(told.reports.isEmpty)
  }

  @Test("a place that someone has moved about in is where he is now")
  func moving() throws {
    var desk = staying()
    desk.walk(north: 100, for: 200)
    var told = desk.walk(for: 3600)
    // From where the stay began, this would be too far.
    told += desk.walk(north: 190, for: 100)
    told += desk.walk(north: 100, for: 100)
    #expect(told.reports.isEmpty)
  }

  @Test("a wrong place that wanders back towards the right one is no way out")
  func wanderingBack() {
    var desk = staying()
    var told: [Output] = []
    for metres in [330.0, 300, 255, 250, 0, 0] {
      desk.now += 20
      desk.north = metres
      told += desk.fix(accuracy: 31)
    }
    told += desk.walk(for: 100)
    #expect(told.reports.isEmpty)
  }

  @Test("the wider a place is used, the further away its end is")
  func wide() {
    var desk = staying()
    var told: [Output] = []
    for metres in [80.0, -80, 80, -80, 80, -80, 0] {
      told += desk.walk(north: metres, for: 150)
      told += desk.walk(for: 400)
    }
    told += desk.walk(north: 265, for: 240)
    told += desk.walk(for: 30)
    told += desk.walk(north: 0, for: 240)
    #expect(told.reports.isEmpty)
    #expect(desk.walk(north: 400, for: 350).reports == ["2 departed"])
  }
}
