import LocationModel

/// A server's place in the track, and the next step towards its end. Nothing counts as sent before the
/// server has confirmed it; whatever was under way when a connection was lost is sent again.
package struct UplinkQueue: Sendable {
  package struct Rule: Equatable, Sendable {
    /// Entries of one message.
    package var batch = 1
    /// Messages under way at a time.
    package var window = 8
    /// After a gap the newest is sent first.
    package var isNewestFirst = false

    package init() {}
  }

  enum Step: Equatable, Sendable {
    /// `load` wants the entries of these numbers, as far as there are any.
    case read(ClosedRange<Int64>)
    case send(Message)
    /// Nothing before then; nil for nothing before another input.
    case rest(until: Boottime?)
  }

  package struct Message: Equatable, Sendable {
    package var number: Int
    package var entries: [TrackEntry]
  }

  let rule: Rule
  private(set) var confirmed: Confirmed
  /// The newest entry of the track.
  private(set) var newest: Int64
  private var pending = Flights()
  /// Read from the disk, in the order in which it goes out.
  private var loaded: [TrackEntry] = []
  private var reading: ClosedRange<Int64>?
  /// A message of several entries is sent again just as it was.
  private var unfinished: ClosedRange<Int64>?
  /// Entries of a message that the server takes.
  private var most: Int
  /// Up to this entry each goes alone.
  private var aloneUpTo: Int64 = 0
  /// Entries that were refused, while others show whether the server takes any.
  private var aside = Confirmed()
  private var isConnected = false
  private var pausedUntil: Boottime?

  /// Entries are read so many at a time, and no more are held.
  private static let page: Int64 = 64
  private static let readingPause: Duration = .seconds(10)
  /// Entries of one message.
  package static let mostAtOnce = 1000

  /// `sending`: the message of several entries that was under way when the program ended. It is sent
  /// first, just as it was: a server that has it already knows it.
  init(
    _ rule: Rule, _ confirmed: Confirmed, sending: ClosedRange<Int64>? = nil, newest: Int64
  ) {
    (self.rule, self.confirmed, self.newest) = (rule, confirmed, newest)
    most = rule.batch
    guard rule.batch > 1, let sending, !confirmed.contains(sending.lowerBound) else { return }
    if sending.count <= Self.mostAtOnce { unfinished = sending }
  }

  /// Entries that the server has not confirmed.
  var backlog: Int64 { confirmed.missing(upTo: newest) }
  /// Messages under way.
  var underWay: Int { pending.count }
  /// The entries that are sent again under the same key after a crash.
  var sending: ClosedRange<Int64>? { rule.batch > 1 ? pending.ranges.first : nil }

  /// Refused entries are all that is left to be sent.
  var hasOnlyRefused: Bool {
    isConnected && pending.count == 0 && loaded.isEmpty && reading == nil && !aside.ranges.isEmpty
  }

  func message(_ receipt: Int) -> Int? { pending.message(receipt) }
  func range(of message: Int) -> ClosedRange<Int64>? { pending.range(of: message) }
  func resumesAt(after now: Boottime) -> Boottime? {
    pausedUntil.flatMap { isConnected && $0 > now ? $0 : nil }
  }
}

// MARK: - Inputs

extension UplinkQueue {
  /// The track has grown by entries that are on the disk. They are not read from there where all that is missing
  /// before them is under way or in memory.
  mutating func extend(with entries: [TrackEntry]) {
    guard let last = entries.last?.number, last > newest else { return }
    let known = pending.entries + loaded.count
    let refused = aside.ranges.reduce(0) { $0 + $1.count }
    if isConnected, reading == nil, backlog == known + refused,
      newest + Int64(entries.count) == last,
      loaded.count + entries.count <= Self.page
    {
      loaded += entries
    }
    newest = last
  }

  mutating func connect() { isConnected = true }
  mutating func note(_ message: Int, receipt: Int) { pending.note(message, receipt: receipt) }

  /// Messages under way have no answer any more.
  mutating func disconnect() {
    isConnected = false
    // Another server, or the same one again, may take more.
    most = rule.batch
    pending.endAll()
    takeBack()
  }

  /// The message, which has not gone out, is made anew of what is still there.
  mutating func withdraw(_ message: Int) { _ = land(message) }

  /// Entries come before those that were read.
  mutating func readAgain() {
    loaded = []
    reading = nil
  }

  /// The answer to `.read`. Numbers that no entry has any more need no confirmation.
  mutating func load(_ entries: [TrackEntry], of range: ClosedRange<Int64>) {
    guard reading == range else { return }
    reading = nil
    if entries.isEmpty { unfinished = nil }
    let numbers = Set(entries.lazy.map(\.number))
    for number in range where !numbers.contains(number) { confirmed.insert(number...number) }
    loaded = isConnected ? entries.filter { !confirmed.contains($0.number) } : []
  }

  /// The entries cannot be read now.
  mutating func failReading(at now: Boottime) {
    reading = nil
    pausedUntil = now + Self.readingPause
  }

  /// The server has the message, or will never take it.
  mutating func confirm(_ message: Int) {
    guard let range = land(message) else { return }
    confirmed.insert(range)
    pausedUntil = nil
  }

  /// The message is under way no more.
  private mutating func land(_ message: Int) -> ClosedRange<Int64>? {
    guard let range = pending.end(message) else { return nil }
    unfinished = nil
    return range
  }

  /// The server takes it not as it is: its entries are sent one by one, or those of all messages `inHalves`. False where
  /// it has only one.
  mutating func split(_ message: Int, inHalves: Bool = false) -> Bool {
    guard let count = range(of: message)?.count, count > 1, let range = land(message) else {
      return false
    }
    if inHalves { most = count / 2 } else { aloneUpTo = max(aloneUpTo, range.upperBound) }
    readAgain()
    return true
  }

  /// The one entry of the message waits while others are sent.
  mutating func setAside(_ message: Int) {
    guard let range = land(message) else { return }
    aside.insert(range)
    aloneUpTo = max(aloneUpTo, range.upperBound)
  }

  /// The entries that were set aside are next.
  mutating func takeBack() {
    aside = Confirmed()
    readAgain()
  }

  /// Everything that is not confirmed is sent again, after a while.
  mutating func hold(until moment: Boottime) {
    pending.endAll()
    (aloneUpTo, unfinished) = (0, nil)
    takeBack()
    pausedUntil = moment
  }

  /// The server is to have these entries after all.
  mutating func reopen(_ numbers: [Int64]) {
    for number in numbers { confirmed.remove(number) }
    readAgain()
  }

  /// The message is sent again, after a while.
  mutating func fail(_ message: Int, until moment: Boottime) {
    guard range(of: message) != nil else { return }
    pending.endAll()
    readAgain()
    pausedUntil = moment
  }

  mutating func retryNow() { pausedUntil = nil }
}

// MARK: - Steps

extension UplinkQueue {
  mutating func next(at now: Boottime) -> Step {
    guard isConnected else { return .rest(until: nil) }
    if let pausedUntil {
      guard pausedUntil <= now else { return .rest(until: pausedUntil) }
      self.pausedUntil = nil
    }
    guard pending.count < rule.window else { return .rest(until: nil) }
    if !loaded.isEmpty { return .send(take()) }
    return look().map { .read($0) } ?? .rest(until: nil)
  }

  /// The next numbers to read, where none of them are in memory.
  mutating func look() -> ClosedRange<Int64>? {
    guard loaded.isEmpty, reading == nil else { return nil }
    reading = gap()
    return reading
  }

  /// Consecutive entries only: a message stands for a range of numbers.
  private mutating func take() -> Message {
    var count = 1
    let last = unfinished?.upperBound ?? .max
    while count < min(most, loaded.count), loaded[0].number > aloneUpTo,
      loaded[count].number == loaded[count - 1].number + 1, loaded[count].number <= last
    {
      count += 1
    }
    let entries = Array(loaded.prefix(count))
    loaded.removeFirst(count)
    let range = entries[0].number...entries[count - 1].number
    if rule.batch > 1 { unfinished = range }
    return Message(number: pending.begin(range), entries: entries)
  }

  /// The next numbers to send that are neither confirmed nor under way.
  private func gap() -> ClosedRange<Int64>? {
    if let unfinished { return unfinished }
    var known = confirmed
    let page = max(Self.page, Int64(rule.batch))
    for range in pending.ranges + aside.ranges { known.insert(range) }
    return rule.isNewestFirst
      ? known.newestGap(upTo: newest, most: page)
      : known.oldestGap(upTo: newest, most: page)
  }
}
