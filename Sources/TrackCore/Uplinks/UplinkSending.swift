import LocationModel

/// The message that leaves the queue.
enum Outgoing: Equatable, Sendable {
  case none
  /// The disk is told of it first.
  case marked(UplinkQueue.Message)
  /// The transport has it, and has not said what it costs.
  case handed(UplinkQueue.Message)
}

extension UplinkMachine {
  /// A long backlog is not written down as often: a week's would be a gigabyte of writing.
  var mostUnsaved: Int { Int(min(max(4, queue.backlog / 2500), 256)) }

  /// No more may be sent twice than this, where the disk is slow, too.
  private var isFull: Bool {
    queue.underWay + checkpoint.count >= max(queue.rule.window, 2 * mostUnsaved)
  }

  /// Says what is due on a connection that is open.
  mutating func speak(at now: Instant) {
    if broker.clearing == .due { takePlaceAway() }
    let news = announcements.takeNews()
    if !news.isEmpty { steps.append(.say(.announcement(news))) }
    if plan.isFound, let saying = announcements.takeDiscovery() { steps.append(.say(saying)) }
    if let due = heartbeatAt, due <= now.boottime {
      if queue.backlog == 0 { steps.append(.sendHeartbeat) }
      awaitHeartbeat(at: now.boottime)
    }
    // The cost of a message is counted before the next is sent.
    while outgoing == .none, !isFull, rate?.resumesAt(after: now.boottime) == nil,
      queue.rule.batch == 1 || !checkpoint.isWriting
    {
      switch queue.next(at: now.boottime) {
      case .read(let range): steps.append(.read(range))
      case .send(let message):
        rate?.take(message.entries.count, at: now.boottime)
        prepare(message)
      case .rest:
        if queue.hasOnlyRefused, let refusal { hold(refusal, isAll: false, at: now.boottime) }
        return
      }
    }
  }

  private mutating func prepare(_ message: UplinkQueue.Message) {
    guard queue.rule.batch > 1 else { return hand(message) }
    outgoing = .marked(message)
    mark()
  }

  /// Writes down what is confirmed and what is under way, whether it is news or not.
  mutating func mark() {
    _ = checkpoint.begin(queue.confirmed, isMark: true)
    steps.append(.save(queue.confirmed, sending: queue.sending))
  }

  mutating func hand(_ message: UplinkQueue.Message) {
    outgoing = .handed(message)
    expectRetained(message)
    steps.append(.send(message))
  }

  mutating func depart(_ message: Int, _ receipt: Int, _ bytes: Int, at now: Instant) {
    queue.note(message, receipt: receipt)
    tell(receipt)
    sent.bytes += Int64(bytes)
    sent.entries += Int64(queue.range(of: message)?.count ?? 0)
    count(bytes, at: now)
  }

  mutating func fail(_ message: Int, _ reason: String, wait: Duration?, at now: Boottime) {
    complain(reason)
    let pause = max(wait ?? .zero, pause())
    queue.fail(message, until: now + pause)
    turnAway(after: pause, at: now)
  }

  var nobodyHears: String {
    "nobody has subscribed to what \(plan.addresses[server].server) is sent: do its consumers run?"
  }

  /// The broker has thrown the message away, and somebody is to come back who wants it.
  mutating func isLost(_ isHeard: Bool?, at now: Boottime) -> Bool {
    guard !plan.isRetained, let isHeard else { return false }
    let before = broker.audience
    var isLost = false
    if isHeard { broker.audience.hear() } else { isLost = broker.audience.miss(at: now) }
    if broker.audience.wasThere != before.wasThere {
      if !isHeard { log(.warning("uplink \(plan.name): \(nobodyHears) It counts as sent now")) }
      remember()
    }
    return isLost
  }

  /// A bad entry may spoil a message of many: each entry is sent alone before it is judged.
  mutating func refuse(_ receipt: Int, _ refusal: ServerRefusal, at now: Boottime) {
    guard let message = queue.message(receipt), let range = queue.range(of: message),
      !queue.split(message)
    else { return }
    judge(message, of: range.lowerBound, refusal, at: now)
  }

  /// The connection cannot take the message now, or the broker none of its length.
  mutating func withhold(_ message: Int, isTooLong: Bool, at now: Boottime) {
    outgoing = .none
    broker.retained.isExpected = false
    guard let number = queue.range(of: message)?.lowerBound else { return }
    guard isTooLong else {
      complain("entry \(number) cannot be sent now")
      return queue.fail(message, until: now + pause())
    }
    guard !queue.split(message, inHalves: true) else { return }
    judge(message, of: number, .tooLong, at: now)
  }

  private mutating func judge(
    _ message: Int, of number: Int64, _ refusal: ServerRefusal, at now: Boottime
  ) {
    self.refusal = refusal
    switch refusals.refuse(number) {
    case .open: queue.setAside(message)
    case .server: hold(refusal, isAll: true, at: now)
    case .entry:
      let reason = refusal.reason
      log(.warning("uplink \(plan.name): \(reason) to entry \(number), which is parked"))
      parked.add(.init(reason: reason, count: 1, last: number), at: date)
      steps.append(.park(number, because: reason, since: parked.since))
      queue.confirm(message)
      checkpoint.savesAt = now
    }
  }

  /// The server has refused what it was sent, which a person is told whatever becomes of the connection.
  var isRefused: Bool {
    guard let trouble, let refusal else { return false }
    return [refusal.words, refusal.toEverything].contains(trouble.reason)
  }

  /// The server takes nothing: everything waits.
  private mutating func hold(_ refusal: ServerRefusal, isAll: Bool, at now: Boottime) {
    complain(isAll ? refusal.toEverything : refusal.words)
    refusals.hold()
    let pause = pause()
    queue.hold(until: now + pause)
    turnAway(after: pause, at: now)
  }

  /// Entries that were parked are sent again. The disk forgets that they were with the same write that opens them.
  mutating func reopen(_ entries: [ParkedEntry], at now: Boottime) {
    guard !entries.isEmpty else { return }
    for entry in entries { parked.remove(entry.reason) }
    queue.reopen(entries.map(\.number))
    _ = checkpoint.begin(queue.confirmed, isMark: true)
    steps.append(.reopen(queue.confirmed, sending: queue.sending, entries))
    retryNow(at: now)
  }

  mutating func save(at now: Instant) {
    guard let due = checkpoint.savesAt, due <= now.boottime, checkpoint.begin(queue.confirmed)
    else { return }
    steps.append(.save(queue.confirmed, sending: queue.sending))
  }

  mutating func awaitHeartbeat(at now: Boottime) {
    heartbeatAt = plan.heartbeat.map { now + $0 }
  }

  mutating func count(_ bytes: Int, at now: Instant) {
    guard gate.budget?.count(bytes, at: now.utc) == true, let text = gate.budget?.text else {
      return
    }
    steps.append(.count(text))
  }
}

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

  /// The disk has a single write at a time: entries that are confirmed meanwhile are written with the next.
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
