import LocationModel
import TestSupport
import Testing

@testable import LocationCore

/// The simulated beacon, off by 4 dB: what its distance and proximity come to over many seeds.
@Suite("Distances of beacons") struct BeaconDistanceTests {
  private static let runs: ClosedRange<UInt64> = 1...400

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  /// The relative errors of distance.
  private func errors(after seconds: Double, at metres: Double) -> [Double] {
    Self.runs.compactMap { seed in
      var simulated = SimulatedBeacon(seed: seed)
      simulated.stay(seconds, at: metres)
      return simulated.beacon?.accuracy.map { ($0 - metres).magnitude / metres }
    }
  }

  @Test("half are within 28 % after a second and 20 % after ten", arguments: [0.5, 2, 5, 10])
  func distance(metres: Double) {
    let (soon, late) = (errors(after: 1, at: metres), errors(after: 10, at: metres))
    #expect(soon.count > 390 && late.count == 400)
    #expect(median(soon) <= 0.28, "\(median(soon))")
    #expect(median(late) <= 0.20, "\(median(late))")
  }

  @Test(
    "the proximity is right in 97 of 100 after ten seconds",
    arguments: [(0.25, Proximity.immediate), (2, .near), (8, .far)])
  func proximity(metres: Double, expected: Proximity) {
    let right = Self.runs.count { seed in
      var simulated = SimulatedBeacon(seed: seed)
      simulated.stay(10, at: metres)
      return simulated.beacon?.proximity == expected
    }
    #expect(right >= 388, "\(right) of 400")
  }

  @Test("at three metres it changes at most twice a minute")
  func changes() {
    var changes = 0
    for seed in Self.runs.prefix(100) {
      var simulated = SimulatedBeacon(seed: seed)
      var last: Proximity?
      for _ in 0..<60 {
        simulated.stay(1, at: 3)
        let proximity = simulated.beacon?.proximity
        if let last, last != proximity { changes += 1 }
        last = proximity
      }
    }
    #expect(changes <= 200, "\(Double(changes) / 100) a minute")
  }

  @Test("a step from one metre to eight is seen within six seconds, in half of them")
  func step() {
    let delays = Self.runs.prefix(200).map { seed in
      var simulated = SimulatedBeacon(seed: seed)
      simulated.stay(20, at: 1)
      var (passed, seen) = (0.0, 30.0)
      while passed < 30, seen == 30 {
        passed += 0.1
        simulated.stay(0.1, at: 8)
        // Within 5 dB of where it is.
        if let metres = simulated.beacon?.accuracy, metres > 4.5 { seen = passed }
      }
      return seen
    }
    #expect(median(delays) <= 6, "\(median(delays)) s")
  }

  @Test("the distance is unknown after five seconds of silence, and the beacon gone after ten")
  func silence() throws {
    var simulated = SimulatedBeacon(seed: 9)
    simulated.stay(3, at: 2)
    let heard = try #require(simulated.heard)
    let last = simulated.now.boottime
    #expect(heard.beacon(at: last + .seconds(4)).proximity == .near)
    let silent = heard.beacon(at: last + .seconds(5.5))
    #expect(silent.proximity == .unknown && silent.accuracy == nil && silent.rssi == nil)
    #expect(!heard.isGone(at: last + .seconds(9)) && heard.isGone(at: last + .seconds(10)))
  }

  @Test("reports without a strength keep a beacon there, at an unknown distance")
  func strengthless() {
    var now = Instant(boottime: .start, utc: .epoch, utcTrusted: true)
    var heard = HeardBeacon(BeaconReport(SimulatedBeacon.frame, rssi: 127), at: now)
    for _ in 0..<20 {
      now.boottime += .seconds(1)
      heard.take(BeaconReport(SimulatedBeacon.frame, rssi: 0), at: now)
      #expect(heard.beacon(at: now.boottime).proximity == .unknown)
      #expect(!heard.isGone(at: now.boottime))
    }
    heard.take(BeaconReport(SimulatedBeacon.frame, rssi: -65), at: now)
    #expect(heard.beacon(at: now.boottime).proximity == .near)
  }

  @Test("a distance is ten to the twentieth of the decibels, within 0.2 %")
  func scale() {
    var now = Instant(boottime: .start, utc: .epoch, utcTrusted: true)
    for (rssi, metres) in [(-59, 1.0), (-79, 10), (-99, 100), (-39, 0.1)] {
      now.boottime += .seconds(60)
      let heard = HeardBeacon(BeaconReport(SimulatedBeacon.frame, rssi: rssi), at: now)
      let accuracy = heard.beacon(at: now.boottime).accuracy ?? 0
      #expect((accuracy / metres - 1).magnitude < 0.002, "\(rssi) dBm: \(accuracy) m")
    }
  }
}
