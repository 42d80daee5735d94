import Foundation
import LocationModel
import TestSupport

@testable import LocationCore

/// A beacon that reports ten times a second at a distance, of which three in ten are lost. Its strength is off by
/// some decibels, of which half stays for seconds.
struct SimulatedBeacon {
  private var dice: Dice
  private let sigma: Double
  private var slow: Double
  private(set) var now = Instant(
    boottime: .start, utc: Timestamp(microseconds: 1_790_000_000_000_000), utcTrusted: true)
  private(set) var heard: HeardBeacon?

  static let frame = BeaconFrame(
    BeaconIdentity(BeaconUUID(1, 2), major: 3, minor: 4), measuredPower: -59)

  init(seed: UInt64, sigma: Double = 4) {
    dice = Dice(seed: seed)
    self.sigma = sigma
    slow = 0
    slow = dice.normal()
  }

  /// Seconds at a distance in metres.
  mutating func stay(_ seconds: Double, at metres: Double, each: (Beacon) -> Void = { _ in }) {
    for _ in 0..<Int((seconds * 10).rounded()) {
      now.boottime += .milliseconds(100)
      now.utc = now.utc + .milliseconds(100)
      // A tenth of a second's part of three.
      let keeps = 0.967_216
      slow = slow * keeps + (1 - keeps * keeps).squareRoot() * dice.normal()
      guard Double.random(in: 0..<1, using: &dice) >= 0.3 else { continue }
      let noise = sigma / 2.squareRoot() * (slow + dice.normal())
      let report = BeaconReport(
        Self.frame, rssi: Int((-59 - 20 * log10(metres) + noise).rounded()))
      if heard == nil { heard = HeardBeacon(report, at: now) } else { heard?.take(report, at: now) }
      if let beacon = heard?.beacon(at: now.boottime) { each(beacon) }
    }
  }

  var beacon: Beacon? { heard?.beacon(at: now.boottime) }
}
