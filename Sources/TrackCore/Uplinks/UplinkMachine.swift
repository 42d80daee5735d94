package import LocationModel

/// The uplink to one server: the network, the server, the disk and the clock are its inputs, and it answers with
/// steps. Nothing counts as sent before the server has confirmed it.
package struct UplinkMachine: Sendable {
  package enum Input: Sendable {
    case begin, end
    /// Nothing is waited for, but a network that the uplink is meant for, and its budget.
    case retryNow
    /// The moment of `.wake` has come.
    case timer
    case network(NetworkConnection?)
    /// The waypoints that the server may be told.
    case waypoints([Waypoint], found: [String])
    case say(Saying)
    /// The track has grown by entries that are on the disk.
    case extended([TrackEntry])
    case loaded([TrackEntry], of: ClosedRange<Int64>)
    case unreadable(reason: String)
    case saved(isWritten: Bool)
    /// Entries were removed; nil where those in memory may only be hidden now.
    case forgotten(Removal?)
    /// The disk has removed entries, and these are parked still.
    case erased(Parked)
    /// The broker retains no place any more, or will not take it away.
    case cleared
    case uncleared(reason: String)
    /// A person wants these sent again, or none that is parked told of any more.
    case reopen([ParkedEntry])
    case forgetParked
    case remembered(String, isWritten: Bool)

    case opened
    /// The transport tells of the message under its receipt.
    case sent(Int, receipt: Int, bytes: Int)
    case unsendable(Int, isTooLong: Bool)
    case counted(bytes: Int)
    case sentHeartbeat(TrackEntry, receipt: Int?, bytes: Int)
    /// `isHeard`: somebody has subscribed to it, as far as the server says so.
    case confirmed(Int, isHeard: Bool? = nil)
    /// The server does not take it as it is.
    case refused(Int, ServerRefusal)
    case failed(Int, reason: String, wait: Duration?)
    /// `isVague`: only a try by another library can say why.
    case closed(reason: String, BrokerMemory.End, isVague: Bool = false)
    /// Nil where another connection to the server went well.
    case foundCause(String?, of: String, at: UplinkAddress)
    case commanded(Result<OwnTracks.Command, Unusable>)
    /// So many wishes of a command are not followed.
    case unfollowed(Int, reason: String = CommandLedger.noRoom)
    /// The broker has all waypoints.
    case announced
  }

  package enum Step: Equatable, Sendable {
    /// A connection takes the place of the one before; nil to a web server.
    case connect(BrokerMemory.Connection?, UplinkAddress)
    case close
    /// Tries TLS alone, and tells the cause of the fault.
    case findCause(String, UplinkAddress)
    case read(ClosedRange<Int64>)
    case send(UplinkQueue.Message)
    /// Tells the newest place once more.
    case sendHeartbeat
    case say(Saying)
    /// The place that the broker retains is taken away.
    case clearPlace
    case obey(OwnTracks.Command)
    case save(Confirmed, sending: ClosedRange<Int64>?)
    /// `outlastsPower`: a place is to be taken away from a broker.
    case remember(String, outlastsPower: Bool)
    /// `since`: the date at which the first of those that are parked was.
    case park(Int64, because: String, since: Timestamp?)
    /// Saves, and parks these entries no more.
    case reopen(Confirmed, sending: ClosedRange<Int64>?, [ParkedEntry])
    /// `maySend` is another.
    case reviewed
    /// The budget's text goes to the disk.
    case count(String)
    case wake(at: Boottime?)
    case log(Remark)
  }

  let plan: UplinkPlan
  var queue: UplinkQueue
  var link = UplinkLink.idle
  var gate: UplinkGate
  var checkpoint: Checkpoint
  var brokers: [BrokerMemory]
  /// The server that is used, of those that are tried in turn.
  private(set) var server = 0
  /// The memory of the brokers that the disk has, or is given.
  var remembered: String?
  /// The disk could not be given the memory.
  var isForgetful = false
  var outgoing = Outgoing.none
  var announcements = Announcements()
  private(set) var commands = CommandLedger()
  private var backoff = Backoff()
  private var chance = 0.0
  private(set) var date = Timestamp.epoch
  /// Bytes that entries have cost, and how many those were.
  var sent = (bytes: Int64(0), entries: Int64(0))
  var heartbeatAt: Boottime?
  var rate: UplinkRate?
  /// The entries that the server will never take.
  var parked: Parked
  var refusals = Refusals()
  /// The last no.
  var refusal: ServerRefusal?
  /// Why nothing goes out; nil where it does.
  private(set) var trouble: Trouble?
  /// A search for each server.
  var causes: [CauseSearch]
  /// The server whose connection was the last to end.
  var failed: Int?
  private(set) var lastSuccess: Timestamp?
  private var wakesAt: Boottime?
  /// The number of connections made.
  var connections: Int64 = 0
  /// The steps of the input that is handled.
  var steps: [Step] = []

  package init(_ plan: UplinkPlan, _ memory: UplinkMemory, newest: Int64, at now: Boottime) {
    self.plan = plan
    queue = UplinkQueue(plan.rule, memory.confirmed, sending: memory.sending, newest: newest)
    gate = UplinkGate(plan, usage: memory.usage)
    checkpoint = Checkpoint(memory.confirmed)
    brokers = BrokerMemory.all(plan, memory, at: now)
    remembered = memory.broker
    causes = brokers.map { _ in CauseSearch() }
    if memory.clearsPlace { for i in brokers.indices { brokers[i].clearing = .due } }
    parked = memory.parked
    rate = plan.rate
  }

  /// `chance`: from 0 to 1.
  package mutating func handle(_ input: Input, at now: Instant, chance: Double) -> [Step] {
    steps = []
    (self.chance, date) = (chance, now.utc)
    take(input, at: now)
    review(at: now)
    connect(after: input, at: now)
    if link.isOpen, gate.maySend { speak(at: now) }
    save(at: now)
    var moments = [checkpoint.savesAt, gate.reviewsAt]
    if gate.maySend { moments += [link.due, heartbeatAt, queue.resumesAt(after: now.boottime)] }
    if gate.maySend, link.isOpen, backlog > 0 {
      moments.append(rate?.resumesAt(after: now.boottime))
    }
    let next = moments.compactMap { $0 }.min()
    if next != wakesAt { steps.append(.wake(at: next)) }
    wakesAt = next
    return steps
  }

  private mutating func take(_ input: Input, at now: Instant) {
    switch input {
    case .begin: link = .waiting(until: now.boottime)
    case .end: end(at: now.boottime)
    case .retryNow: retryNow(at: now.boottime)
    case .reopen(let entries): reopen(entries, at: now.boottime)
    case .forgotten(let removal): forget(removal)
    case .erased(let parked): erase(leaving: parked)
    case .cleared: clear()
    case .uncleared(let reason): keepClearing(because: reason)
    case .forgetParked: parked = Parked()
    case .timer: wakesAt = nil
    case .network(let network): gate.network = network
    case .waypoints(let waypoints, let names): announcements.show(waypoints, found: names)
    case .say(let saying): if link.isOpen, gate.maySend { steps.append(.say(saying)) }
    case .extended(let entries): queue.extend(with: entries)
    case .loaded(let entries, let range): load(entries, of: range, at: now.boottime)
    case .unreadable(let reason):
      complain("the track cannot be read: \(reason)")
      queue.failReading(at: now.boottime)
    case .saved(let isWritten):
      checkpoint.conclude(isWritten: isWritten, at: now.boottime)
      if isWritten, isForgetful { remember() }
      // After a crash the same entries are sent under the same key.
      if case .marked(let message) = outgoing { hand(message) }
    case .remembered, .counted(bytes: 0): break
    case .opened: open(at: now)
    case .sent(let message, let receipt, let bytes):
      depart(message, receipt, bytes, at: now)
    case .unsendable(let message, let isTooLong):
      withhold(message, isTooLong: isTooLong, at: now.boottime)
    case .counted(let bytes): count(bytes, at: now)
    case .sentHeartbeat(let entry, let receipt, let bytes):
      tellAgain(entry, receipt)
      count(bytes, at: now)
    case .confirmed(let receipt, let isHeard): confirm(receipt, isHeard, at: now)
    case .refused(let receipt, let refusal): refuse(receipt, refusal, at: now.boottime)
    case .failed(let receipt, let reason, let wait):
      if let message = queue.message(receipt) {
        fail(message, reason, wait: wait, at: now.boottime)
      }
    case .closed(let reason, let end, let isVague):
      close(reason, end, isVague: isVague, at: now)
    case .foundCause(let cause, let fault, let address):
      explain(fault, by: cause, at: address, now.boottime)
    case .commanded(let result):
      if let command = commands.admit(result, at: now.boottime) { steps.append(.obey(command)) }
    case .unfollowed(let count, let reason): commands.refuse(count, reason)
    case .announced: announcements.confirm()
    }
  }

  private mutating func confirm(_ receipt: Int, _ isHeard: Bool?, at now: Instant) {
    broker.retained.confirm(receipt)
    // Heartbeats and waypoints have receipts, too.
    guard let message = queue.message(receipt), let range = queue.range(of: message) else {
      return
    }
    if isLost(isHeard, at: now.boottime) {
      return fail(message, nobodyHears, wait: nil, at: now.boottime)
    }
    backoff.succeed()
    lastSuccess = now.utc
    recover("entries are confirmed again")
    awaitHeartbeat(at: now.boottime)
    queue.confirm(message)
    if refusals.confirm(range) { queue.takeBack() }
    checkpoint.confirm(most: mostUnsaved, at: now.boottime)
  }

  /// The next server is tried, where there are several.
  mutating func turn() { server = (server + 1) % brokers.count }

  mutating func retryNow(at now: Boottime) {
    queue.retryNow()
    backoff.succeed()
    link.retry(at: now)
  }

  mutating func pause() -> Duration { backoff.fail(chance: chance) }

  mutating func complain(_ reason: String) {
    if trouble?.reason != reason {
      log(.notice("uplink \(plan.name): \(reason); it is tried again"))
    }
    trouble = Trouble(reason, after: trouble, at: date)
  }

  mutating func recover(_ how: String) {
    if trouble != nil { log(.notice("uplink \(plan.name): \(how)")) }
    trouble = nil
  }
}
