import LocationModel

@testable import LocationCore

/// A machine that hears networks by a made-up clock.
final class Ears {
  private(set) var networks: LearntNetworks
  private(set) var now = Instant(
    boottime: .start, utc: Timestamp(microseconds: 1_750_032_000_000_000), utcTrusted: true)

  init(_ networks: LearntNetworks = LearntNetworks(salt: Ears.salt)) { self.networks = networks }

  static let salt = NetworkSalt(1, 2)

  func pass(_ seconds: Double) {
    now.boottime += .seconds(seconds)
    now.utc = now.utc + .seconds(seconds)
  }

  func fix(north metres: Double, accuracy: Double = 10) {
    networks.handle(
      Location(
        coordinate: Spot(north: metres).coordinate, horizontalAccuracy: accuracy,
        timestamp: now.utc), at: now)
  }

  @discardableResult
  func scan(_ addresses: [UInt64], age: Double = 0) -> Location? {
    let heard = addresses.compactMap {
      HeardNetwork(address: $0, name: "a".utf8, signal: -60, age: .seconds(age))
    }
    return networks.handle(NetworkScan(heard, timestamp: now.utc), at: now)
  }

  /// Scans between two fixes, hour after hour.
  func learn(
    _ addresses: [UInt64], north metres: Double, times: Int = 3, every pause: Double = 3600
  ) {
    for _ in 0..<times {
      fix(north: metres)
      pass(2)
      scan(addresses)
      pass(2)
      fix(north: metres)
      pass(pause)
    }
  }

  func drainChanges() -> (changed: [NetworkRow], dropped: [Int64]) {
    networks.drainChanges()
  }
}
