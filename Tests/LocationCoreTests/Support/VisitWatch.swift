import LocationModel

@testable import LocationCore

/// A detector of visits by itself, and what it tells of fixes on a line to the north.
struct VisitWatch {
  private var detector = VisitDetector()
  private var time = 0.0
  private(set) var visits: [Visit] = []

  /// `seconds` after the fix before.
  mutating func see(_ north: Double, _ accuracy: Double, after seconds: Double) {
    time += seconds
    detector.observe(
      Sighting(
        time: time, date: MonitorDesk.date(time),
        point: Point(MonitorDesk.place(north: north)), accuracy: accuracy), into: &visits)
  }
}
