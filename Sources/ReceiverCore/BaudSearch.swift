package import LocationModel

/// Finds the speed of a serial line by listening at one after the other. Nothing is written to it.
package struct BaudSearch {
  package enum Verdict { case stay, change, found }

  /// The speed of the line, in baud.
  package private(set) var speed: Int
  package private(set) var isFound = false
  /// When to call `pass`; nil once it is found.
  package private(set) var deadline: Boottime?

  private let speeds: [Int]
  private var at = 0
  private var round = 0
  /// When the line was set to this speed, and whether what is heard began well after that.
  private var since: Boottime
  private var isWhole = false
  /// Bytes since the line runs at this speed, or since the last sentence; and of those, what no text has.
  private var bytes = 0
  private var odd = 0

  /// The commonest first.
  package static let common = [
    9600, 115_200, 38400, 4800, 57600, 19200, 230_400, 460_800, 921_600,
  ]
  /// A receiver that speaks once a second is heard in this time.
  private static let dwell: Duration = .milliseconds(1200)
  /// The silence after which a burst is over.
  private static let pause: Duration = .milliseconds(250)
  private static let mostRounds = 3
  /// So much noise in a row, and a receiver that was found is another by now, or has changed.
  private static let tooMuch = 16384

  /// `likely`: tried before the others, the likeliest first.
  package init(likely: [Int], at now: Boottime) {
    var speeds: [Int] = []
    for speed in likely + Self.common where !speeds.contains(speed) { speeds.append(speed) }
    self.speeds = speeds
    speed = speeds[0]
    since = now
    deadline = now + Self.dwell
  }

  /// Takes what was read at this speed, and the number of whole sentences with the right checksum in it.
  package mutating func hear(
    _ bytes: UnsafeRawBufferPointer, sentences: Int, at now: Boottime
  ) -> Verdict {
    if sentences > 0 {
      (self.bytes, odd) = (0, 0)
      deadline = nil
      defer { isFound = true }
      return isFound ? .stay : .found
    }
    if self.bytes == 0 { isWhole = now - since > Self.pause / 2 }
    self.bytes += bytes.count
    odd += bytes.count { ($0 < 0x20 && $0 != 0x0D && $0 != 0x0A) || $0 >= 0x7F }
    guard !isFound else {
      guard self.bytes > Self.tooMuch, odd > self.bytes / 8 else { return .stay }
      isFound = false
      round = 1
      return change(at: now)
    }
    // Noise is also what a receiver says in binary, for which it gets longer next time; and the rest of
    // what it was just saying, which may be read out of step.
    if odd > 32 << (3 * (isWhole ? round : round + 1)), odd > self.bytes / 8 {
      return change(at: now)
    }
    // A burst of which all was heard, and in it no sentence, is enough; the end of one is not.
    if odd > 0, isWhole, round == 0 { deadline = min(deadline ?? .never, now + Self.pause) }
    return .stay
  }

  /// The deadline has come.
  package mutating func pass(at now: Boottime) -> Verdict {
    guard let deadline, deadline <= now else { return .stay }
    return change(at: now)
  }

  /// The line cannot run at this speed, or nothing was heard.
  package mutating func change(at now: Boottime) -> Verdict {
    at += 1
    if at == speeds.count {
      at = 0
      round = min(round + 1, Self.mostRounds)
    }
    speed = speeds[at]
    (bytes, odd) = (0, 0)
    since = now
    deadline = now + Self.dwell * (1 << round)
    return .change
  }
}
