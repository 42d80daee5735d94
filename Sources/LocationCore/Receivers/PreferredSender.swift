package import LocationModel

/// Which of several senders in one source is believed: the one it is already, until it falls silent or
/// another is clearly better.
package struct PreferredSender<Sender: Equatable> {
  package private(set) var sender: Sender?
  private var heard: Int64 = 0
  /// Nanoseconds between its last two fixes.
  private var period: Int64 = 0
  private var accuracy = Double.infinity

  private static var shortestSilence: Int64 { 2_500_000_000 }

  package init() {}

  /// Whether this fix is to be told. `now`: boottime.
  package mutating func takes(_ fix: Fix, from sender: Sender, at now: Int64) -> Bool {
    let accuracy = fix.location.horizontalAccuracy
    if let preferred = self.sender, preferred != sender,
      now - heard <= max(3 * period, Self.shortestSilence), accuracy > self.accuracy / 2
    {
      return false
    }
    period = self.sender == sender ? now - heard : 0
    self.sender = sender
    heard = now
    self.accuracy = accuracy
    return true
  }
}
