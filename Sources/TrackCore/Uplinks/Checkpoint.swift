import LocationModel

/// Confirmed messages that are not on the disk yet. A killed program sends them again: so few, or of so long.
struct Checkpoint: Sendable {
  private var unsaved = 0
  /// So many are written down now; nil where nothing is.
  private var beingSaved: Int?
  /// Nil where a write has failed.
  private var saved: Confirmed?
  private var dueAt: Boottime?

  private static let longestUnsaved: Duration = .seconds(2)
  private static let pause: Duration = .seconds(10)

  init(_ saved: Confirmed) { self.saved = saved }

  var count: Int { unsaved + (beingSaved ?? 0) }
  var isWriting: Bool { beingSaved != nil }

  /// One write at a time: what is confirmed meanwhile is written with the next.
  var savesAt: Boottime? {
    get { isWriting ? nil : dueAt }
    set { dueAt = newValue }
  }

  mutating func confirm(most: Int, at now: Boottime) {
    unsaved += 1
    dueAt = unsaved >= most ? now : now + Self.longestUnsaved
  }

  /// False where the disk has it all.
  mutating func begin(_ confirmed: Confirmed, isMark: Bool = false) -> Bool {
    dueAt = nil
    let isNews = isMark || confirmed != saved
    if isNews { beingSaved = unsaved }
    unsaved = 0
    saved = confirmed
    return isNews
  }

  mutating func conclude(isWritten: Bool, at now: Boottime) {
    beingSaved = nil
    if !isWritten {
      // A disk that is full is not asked again at once.
      (saved, dueAt) = (nil, now + Self.pause)
    } else if unsaved > 0, dueAt == nil {
      dueAt = now + Self.longestUnsaved
    }
  }
}
