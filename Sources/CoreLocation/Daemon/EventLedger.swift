import LocationModel

/// The numbered events of this app, which the daemon tells again until they are acknowledged: each is
/// delivered once, and acknowledged once each subscriber that it was sent to has it, and all before it.
struct EventLedger: Sendable {
  private struct Entry {
    var event: Event
    /// Subscribers that it was sent to, and that do not have it yet.
    var pending: Set<Int> = []
    /// A subscriber has it, or it concerns nobody any more.
    var isSeen = false

    var isDone: Bool { isSeen && pending.isEmpty }
    var isWaiting: Bool { !isSeen && pending.isEmpty }
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
      entries[number].flatMap { $0.isWaiting ? (number, $0.event) : nil }
    }
  }

  mutating func send(_ number: UInt64, to subscribers: Set<Int>) {
    entries[number]?.pending = subscribers
  }

  /// A subscriber has gone: what only it was to see waits again.
  mutating func leave(_ subscriber: Int) {
    for number in order { entries[number]?.pending.remove(subscriber) }
  }

  /// A subscriber that has nobody to tell gives the event back: it waits for others, or for another day.
  mutating func giveBack(_ receipt: Receipt) {
    entries[receipt.event]?.pending.remove(receipt.subscriber)
  }

  mutating func acknowledge(_ receipt: Receipt) {
    entries[receipt.event]?.pending.remove(receipt.subscriber)
    entries[receipt.event]?.isSeen = true
  }

  /// The event concerns nobody any more.
  mutating func drop(_ number: UInt64) {
    entries[number]?.pending = []
    entries[number]?.isSeen = true
  }

  /// The number to acknowledge, if there is a new one: of the last event up to which all are done.
  mutating func acknowledgement() -> UInt64? {
    var last = acknowledged
    for number in order where number > last {
      guard entries[number]?.isDone == true else { break }
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
