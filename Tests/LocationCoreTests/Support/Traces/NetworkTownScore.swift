import Geodesy
import LocationModel

@testable import LocationCore

/// How the answers to the scans of towns fare.
struct NetworkTownScore {
  private(set) var asked = 0
  private(set) var answersOnMeadow = 0
  /// The error of each answer, and its radius.
  private var errors: [(metres: Double, radius: Double)] = []

  var coverage: Double { Double(errors.count) / Double(asked) }
  var within: Double { Double(errors.count { $0.metres <= $0.radius }) / Double(errors.count) }

  /// The error that a share of the answers stays below.
  func error(of share: Double) -> Double {
    errors.map(\.metres).sorted()[Int(share * Double(errors.count - 1))]
  }

  mutating func play(_ town: NetworkTown) {
    var networks = LearntNetworks(salt: NetworkSalt(1, 2))
    for event in town.events {
      switch event {
      case .fix(let fix): networks.handle(fix, at: Self.instant(fix.timestamp))
      case .scan(let scan, let place):
        let answer = networks.handle(scan, at: Self.instant(scan.timestamp))
        if let place { add(answer, at: place) }
      }
    }
  }

  private mutating func add(_ answer: Location?, at place: Spot) {
    if place == NetworkTown.meadow {
      answersOnMeadow += answer == nil ? 0 : 1
      return
    }
    asked += 1
    guard let answer else { return }
    let metres = answer.coordinate.distance(to: place.coordinate)
    errors.append((metres, answer.horizontalAccuracy))
  }

  private static func instant(_ utc: Timestamp) -> Instant {
    Instant(boottime: .start + (utc - NetworkTown.begin), utc: utc, utcTrusted: true)
  }
}
