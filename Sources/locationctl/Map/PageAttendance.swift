import LocationModel
import Platform

/// Says when a map that no terminal ends is over: its last page is closed, or none was opened.
struct PageAttendance {
  private var lastSeen: Boottime
  private var hasBegun = false

  /// A page that is loaded again is closed for a moment.
  static let pause: Duration = .seconds(30)
  /// A browser may take its time to start.
  static let patience: Duration = .seconds(120)

  init(at now: Boottime) { lastSeen = now }

  mutating func isOver(pages: Int, at now: Boottime) -> Bool {
    guard pages == 0 else {
      lastSeen = now
      hasBegun = true
      return false
    }
    return now - lastSeen >= (hasBegun ? Self.pause : Self.patience)
  }
}

extension PageAttendance {
  init() { self.init(at: Clock.boottime) }

  mutating func isOver(pages: Int) -> Bool { isOver(pages: pages, at: Clock.boottime) }
}
