import LocationModel
import ReceiverCore
import Testing

@testable import LocationCore

@Suite("The trail that becomes a stay") struct TrailTests {
  /// A fix now and then, on the way to a place.
  private func go(
    _ harness: inout MonitoringHarness, north: Double, for seconds: Int, every interval: Int,
    accuracy: Double
  ) -> [Output] {
    let start = harness.north
    var told: [Output] = []
    for second in stride(from: interval, through: seconds, by: interval) {
      harness.now += Double(interval)
      harness.north = start + (north - start) * Double(second) / Double(seconds)
      told += harness.fix(accuracy: accuracy)
    }
    return told
  }

  @Test(
    "an arrival is told within three minutes by good fixes each second, and by vaguer and rarer ones",
    arguments: [(1, 5.0), (1, 25), (10, 12), (20, 50)])
  func arrival(interval: Int, accuracy: Double) {
    var harness = MonitoringHarness.moving()
    #expect(
      go(&harness, north: 0, for: 180, every: interval, accuracy: accuracy).reports
        == ["1 arrived"])
  }

  @Test("a pause of two minutes and a half is no arrival, however good or vague the fixes are")
  func pause() {
    for (interval, accuracy) in [(1, 5.0), (10, 12), (20, 50), (6, 65)] {
      var harness = MonitoringHarness.moving()
      var told = go(&harness, north: 0, for: 140, every: interval, accuracy: accuracy)
      told += go(&harness, north: 1400, for: 140, every: interval, accuracy: accuracy)
      #expect(told.reports.isEmpty, "every \(interval) s, \(accuracy) m")
    }
  }

  @Test("who goes there and back is not staying where he turned round")
  func thereAndBack() {
    var harness = MonitoringHarness.moving()
    var told = go(&harness, north: 300, for: 240, every: 20, accuracy: 17)
    told += go(&harness, north: 0, for: 240, every: 20, accuracy: 17)
    told += go(&harness, north: -1000, for: 400, every: 20, accuracy: 17)
    #expect(told.reports.isEmpty)
  }

  @Test("what is in doubt is looked at for longer")
  func doubt() {
    var harness = MonitoringHarness.moving()
    // Slower than anyone walks, and yet it is a way.
    #expect(harness.walk(north: 45, for: 180).reports.isEmpty)
    #expect(harness.walk(for: 200).reports == ["1 arrived"])
  }

  @Test("a silence that someone spent on his way is no stay")
  func onHisWay() {
    var harness = MonitoringHarness.moving()
    harness.walk(for: 60)
    harness.now += 490
    harness.north = 300
    #expect(harness.walk(north: 900, for: 300).reports.isEmpty)
    // Nor is one that began in the middle of a walk.
    harness.fix(accuracy: 60)
    harness.now += 490
    #expect(harness.handle(.timer).reports.isEmpty)
  }

  @Test("the longer someone has stood still, the shorter is the silence that makes it a stay")
  func standingBeforeSilence() {
    for (stood, silence) in [(40, 450.0), (130, 340)] {
      var harness = MonitoringHarness.moving()
      #expect(harness.walk(for: stood).reports.isEmpty)
      harness.now += silence - 50
      #expect(harness.handle(.timer).reports.isEmpty)
      harness.now += 50
      #expect(harness.handle(.timer).reports == ["1 arrived"], "after \(stood) s")
    }
  }

  @Test("a place is no stay while coarse fixes say that it cannot be there")
  func contradicted() {
    var watch = VisitWatch()
    for turn in 0..<30 { watch.see(Double(turn) * 100 - 3000, 5, after: 10) }
    // Wi-Fi that rides along, and the cells that it passes.
    for turn in 0..<40 {
      let isCell = turn % 3 == 1
      watch.see(
        isCell ? 9000 + Double(turn) * 400 : Double(turn % 2), isCell ? 1100 : 90, after: 30)
    }
    #expect(watch.visits.isEmpty)
    for turn in 0..<20 { watch.see(Double(turn % 2), 30, after: 30) }
    #expect(watch.visits.count == 1)
  }
}
