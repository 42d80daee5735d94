package import LocationModel

/// Which of several senders in one source is believed: the one it is already, until it falls silent or
/// another is clearly better for some fixes.
package struct PreferredSender<Sender: Equatable> {
  package private(set) var sender: Sender?
  private var heard: Boottime = .start
  /// The time between its last two fixes.
  private var period: Duration = .zero
  /// The smoothed accuracy of its fixes: it varies with most receivers.
  private var accuracy = 0.0
  /// The last other one that was clearly better, and for how many fixes in a row.
  private var better: (sender: Sender, count: Int)?

  private static var shortestSilence: Duration { .milliseconds(2500) }
  private static var enough: Int { 5 }
  private static var smoothing: Double { 0.3 }

  package init() {}

  /// Whether this fix is to be told.
  package mutating func admits(_ fix: Fix, from sender: Sender, at now: Boottime) -> Bool {
    let accuracy = fix.location.horizontalAccuracy
    if self.sender == sender {
      period = now - heard
      self.accuracy += (accuracy - self.accuracy) * Self.smoothing
      heard = now
      return true
    }
    let isSilent = now - heard > max(period * 3, Self.shortestSilence)
    guard self.sender == nil || isSilent || isBetter(sender, accuracy) else { return false }
    self.sender = sender
    self.accuracy = accuracy
    period = .zero
    heard = now
    better = nil
    return true
  }

  private mutating func isBetter(_ sender: Sender, _ accuracy: Double) -> Bool {
    let isKnown = better?.sender == sender
    guard accuracy <= self.accuracy / 2 else {
      if isKnown { better = nil }
      return false
    }
    let count = isKnown ? (better?.count ?? 0) + 1 : 1
    better = (sender, count)
    return count >= Self.enough
  }
}
