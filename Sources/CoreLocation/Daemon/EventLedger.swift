import LocationModel

/// The numbered events of this app, which the daemon tells again until they are acknowledged: each is
/// delivered once, and acknowledged once the app has seen it and all before it.
struct EventLedger: Sendable {
  private struct Entry {
    var event: Event
    var isSeen = false
    /// The subscribers that are to see it; none while there is nobody to see it.
    var recipients: Set<Int> = []
  }

  private var entries: [UInt64: Entry] = [:]
  private var order: [UInt64] = []
  private var acknowledged: UInt64 = 0
  /// The daemon keeps as many; what it tells again is among them.
  private static let most = 1000

  /// False where the event has come before. The same number for another event is a daemon that lost its
  /// memory.
  mutating func admits(_ number: UInt64, _ event: Event) -> Bool {
    if let known = entries[number] {
      if known.event == event { return false }
      self = EventLedger()
    } else if number <= acknowledged, order.isEmpty || number < order[0] {
      self = EventLedger()
    }
    entries[number] = Entry(event: event)
    order.insert(number, at: order.firstIndex { $0 > number } ?? order.endIndex)
    while order.count > Self.most { entries[order.removeFirst()] = nil }
    return true
  }

  /// The events that nobody is to see yet.
  var waiting: [(number: UInt64, event: Event)] {
    order.compactMap { number in
      guard let entry = entries[number], !entry.isSeen, entry.recipients.isEmpty else { return nil }
      return (number, entry.event)
    }
  }

  mutating func send(_ number: UInt64, to recipients: Set<Int>) {
    entries[number]?.recipients = recipients
  }

  /// A subscriber has gone: what only it was to see waits again.
  mutating func leave(_ subscriber: Int) {
    for number in order { entries[number]?.recipients.remove(subscriber) }
  }

  mutating func see(_ number: UInt64) {
    entries[number]?.isSeen = true
  }

  /// The number to acknowledge, if there is a new one: of the last event up to which all are seen.
  mutating func acknowledgement() -> UInt64? {
    var last = acknowledged
    for number in order where number > last {
      guard entries[number]?.isSeen == true else { break }
      last = number
    }
    guard last > acknowledged else { return nil }
    acknowledged = last
    return last
  }

  /// An acknowledged event that is told again did not reach the disk: it is acknowledged once more.
  mutating func repeatAcknowledgement() {
    acknowledged = min(acknowledged, (order.first ?? 1) - 1)
  }
}
