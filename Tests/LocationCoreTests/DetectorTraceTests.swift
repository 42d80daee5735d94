import LocationModel
import TestSupport
import Testing

@testable import LocationCore

/// The detectors on made-up traces whose truth is known. Their numbers are tuned on all of these.
@Suite("Detectors on made-up traces") struct DetectorTraceTests {
  /// The traces of so many seeds, and a quarter of them among other tests.
  private func seeds(_ count: UInt64) -> ClosedRange<UInt64> { 1...(isSoak ? count : count / 4) }

  /// Few traces are further from the truth by chance.
  private let slack = isSoak ? 1 : 1.15

  @Test("nights of radio cells that repeat and hop tell no departure, no exit and no change")
  func nights() {
    let home = CoarseNight.home.coordinate
    let requests: [Request] = [
      .startMonitoringVisits, .startMonitoringSignificantLocationChanges,
      .startMonitoring(
        [100.0, 300].map { Region(identifier: "\($0)", .circle(home, radius: $0)) }),
    ]
    for seed in seeds(200) {
      let told = Playback.play(CoarseNight(seed: seed).fixes, requests)
      #expect(told.departures == 0 && told.exits == 0, "night \(seed)")
      #expect(told.significantChanges <= 1, "night \(seed)")
    }
  }

  @Test(
    "arrivals among real noise are told in time, and few that there were not",
    arguments: [
      (StayTrace.Receiver.satellites, 150.0, 65), (.wifi, 310, 5), (.thrifty, 360, 10),
      (.vague, 340, 5),
    ])
  func stays(receiver: StayTrace.Receiver, delay: Double, invented: Int) {
    var score = StayScore()
    for seed in seeds(30) {
      let trace = StayTrace(seed: seed, receiver)
      score.add(Playback.play(trace.fixes, [.startMonitoringVisits]), of: trace.way)
    }
    #expect(score.found >= score.stays - 1)
    #expect(score.falseDepartures == 0)
    // Waits of two to five minutes on the way, which good fixes show to be stays.
    #expect(score.falseArrivals <= (isSoak ? invented : invented / 3))
    #expect(score.medianDelay <= delay * slack)
  }

  @Test("crossings on tracks without speed are told, and hardly any that there were not")
  func crossings() {
    var score = CrossingScore()
    var plain = CrossingScore()
    for seed in seeds(80) {
      let trace = CrossingTrace(seed: seed)
      let request = Request.startMonitoring(trace.circles.map(\.region))
      score.add(Playback.play(trace.fixes, [request]), of: trace)
      plain.addPointInCircle(of: trace)
    }
    #expect(score.recall >= (isSoak ? 0.96 : 0.95))
    #expect(score.medianDelay <= 16 * slack)
    #expect(score.extra * 30 <= plain.extra)
  }
}

@Suite("Repeats") struct RepeatsTests {
  /// Which of these readings, so far north, so vague and so late, are repeats.
  private func repeats(_ readings: [(north: Double, accuracy: Double, time: Double)]) -> [Bool] {
    var repeats = Repeats()
    return readings.map { north, accuracy, time in
      repeats.isRepeat(
        Sighting(
          time: time, date: MonitoringHarness.date(time),
          point: Point(MonitoringHarness.place(north: north)), accuracy: accuracy))
    }
  }

  @Test("a coarse reading said again to the last digit is none, also by turns with others")
  func byTurns() {
    let told = repeats((0..<20).map { ($0 % 2 == 0 ? 820 : -300, 600, Double($0) * 20) })
    #expect(told == [false, false] + Array(repeating: true, count: 18))
    #expect(repeats([(820, 600, 0), (820, 601, 20), (821, 600, 40)]) == [false, false, false])
  }

  @Test(
    "a good reading that repeats is a receiver that stands, and a coarse one counts again later")
  func observations() {
    #expect(!repeats((0..<20).map { (0, 15, Double($0)) }).contains(true))
    let times = [100.0, 699, 700, 1299]
    #expect(repeats(times.map { (820, 600, $0) }) == [false, true, false, true])
  }
}
