import Console
import Glibc
import LocationModel

/// Why no location comes, asked for while none does.
struct ObstacleWatch {
  private var askedAt = 0.0
  private var heardAt: Double
  private var last: String?
  /// The end of the pause that was told last.
  private var pauseEnd: Timestamp?

  /// A receiver that was off gives its first fix within this time, where it has one.
  private static let patience = 1.5
  private static let pause = 2.0
  /// Each status reckons a pause's end anew; less of a change is none.
  private static let leastChange = Duration.seconds(1)

  init(at now: Double = .seconds) { heardAt = now }

  /// A location has come: all is well until none comes for a while.
  mutating func hear() {
    heardAt = .seconds + Self.pause
    (last, pauseEnd) = (nil, nil)
  }

  /// A pause, whose end may change, has been told.
  var isPaused: Bool { pauseEnd != nil }

  /// Whether it is time to ask.
  func isDue(at now: Double = .seconds) -> Bool {
    now - heardAt > Self.patience && now - askedAt > (askedAt == 0 ? 0 : Self.pause)
  }

  mutating func ask(_ daemon: PersistentDaemon) throws(Failure) {
    askedAt = .seconds
    _ = try daemon.send(.status)
  }

  /// The reason, where it is another than before, or a pause ends at another time; with what helps. `say`: the language
  /// of a pause.
  mutating func news(in status: Status, _ say: Speech = .english) -> String? {
    guard status.obstacle != last || isNew(status.pause?.until) else { return nil }
    (last, pauseEnd) = (status.obstacle, status.pause?.until)
    if let pause = status.pause { return PauseReport(pause, in: say).sentences }
    return last.map(Self.advice)
  }

  private func isNew(_ end: Timestamp?) -> Bool {
    guard let end, let pauseEnd else { return end != pauseEnd }
    return end - pauseEnd > Self.leastChange || pauseEnd - end > Self.leastChange
  }

  /// Refusals say themselves what helps.
  static func advice(_ obstacle: String) -> String {
    obstacle.hasSuffix(".") || obstacle.contains("locationctl")
      ? obstacle : "\(obstacle). 'locationctl doctor' says what to do."
  }
}

extension Double {
  /// The time since some moment, in seconds.
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
