import LocationModel

@testable import LocationCore

/// A detector of visits by itself, and what it tells of fixes on a line to the north.
struct VisitWatch {
  private var detector = VisitDetector()
  private var time = 0.0
  private var findings: [Finding] = []

  var visits: [Visit] {
    findings.compactMap { if case .visit(let visit) = $0 { visit } else { nil } }
  }

  /// `seconds` after the fix before.
  mutating func see(_ north: Double, _ accuracy: Double, after seconds: Double) {
    time += seconds
    detector.observe(
      Observation(MonitoringHarness.place(north: north), accuracy, at: time), into: &findings)
  }
}

extension Observation {
  /// A fix at that time, on the track's clock and every other.
  init(_ coordinate: Coordinate, _ accuracy: Double, at time: Double) {
    let date = MonitoringHarness.date(time)
    self.init(
      location: Location(coordinate: coordinate, horizontalAccuracy: accuracy, timestamp: date),
      sighting: Sighting(time: time, date: date, point: Point(coordinate), accuracy: accuracy),
      now: Instant(boottime: .start + .seconds(time), utc: date, utcTrusted: true))
  }
}
