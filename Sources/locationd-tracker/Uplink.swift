import LocationModel
import Platform
import TrackCore
import TrackStore

/// One server: what it has had of the track, and what it is sent next.
final class Uplink {
  let plan: UplinkPlan
  private var queue: UplinkQueue
  private let store: TrackStore
  private let loop: EventLoop
  private let log: Log
  private let position: () -> TrackEntry?
  private let connection: () -> NetworkConnection?
  /// The waypoints that the server may be told.
  private let waypoints: () -> [Waypoint]
  /// Follows a command; tells how many of its wishes it does not follow.
  private let commanded: (OwnTracks.Command, Uplink) -> Int
  private var commands = CommandLedger()
  /// The waypoints that the server has confirmed, and those that it was told on this connection.
  private var known: [Waypoint] = []
  private var told: [Waypoint] = []
  private var pulse: EventLoop.Timer?
  private var transport: (any Transport)?
  private var broker: BrokerMemory
  /// The connection that begins once the disk has the memory of the broker.
  private var dialing: BrokerMemory.Connection?
  private var alarm: EventLoop.Timer?
  private var redial: EventLoop.Timer?
  private var later: EventLoop.Later?
  private var backoff = Backoff()
  private var underWay: [Int: ClosedRange<Int64>] = [:]
  private var isSaving = false
  /// Confirmed messages that are not on the disk yet, and those that are written down now.
  private var unsaved = 0
  private var beingSaved = 0
  private var saving: EventLoop.Timer?
  private var lastSuccess: Timestamp?
  /// A killed program sends again what was confirmed and not written: so few messages, or of so long. A
  /// long backlog is not written down as often: a week's would be a gigabyte of writing.
  private var mostUnsaved: Int { Int(min(max(4, queue.backlog / 2500), 256)) }
  private static let longestUnsaved: Duration = .seconds(2)
  /// Why nothing goes out; nil where it does.
  private var trouble: String?
  private var budget: DataBudget?
  /// Why nothing may go out: it is another network, or the budget is spent.
  private var hold: String?
  private var gate: EventLoop.Timer?
  /// It is let go of at the loop's next turn, since nothing may go out.
  private var isClosing = false

  init(
    _ plan: UplinkPlan, _ store: TrackStore, on loop: EventLoop, _ log: Log,
    position: @escaping () -> TrackEntry?,
    connection: @escaping () -> NetworkConnection?,
    waypoints: @escaping () -> [Waypoint],
    commanded: @escaping (OwnTracks.Command, Uplink) -> Int
  ) throws(SystemError) {
    self.waypoints = waypoints
    self.commanded = commanded
    self.position = position
    self.connection = connection
    budget = plan.budget.map { DataBudget($0, text: store.uplinks[plan.name]?.usage) }
    self.plan = plan
    self.store = store
    let memory = store.uplinks[plan.name] ?? UplinkMemory()
    broker = BrokerMemory(plan, memory.broker, at: Clock.boottime)
    self.loop = loop
    self.log = log
    queue = UplinkQueue(
      plan.rule, memory.confirmed, sending: memory.sending, newest: store.newest)
    alarm = try EventLoop.Timer(slack: .milliseconds(50), on: loop) { [unowned self] in pump() }
    pulse = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in beat() }
    saving = try EventLoop.Timer(slack: .milliseconds(500), on: loop) { [unowned self] in save() }
    redial = try EventLoop.Timer(slack: .milliseconds(200), on: loop) { [unowned self] in open() }
    gate = try EventLoop.Timer(slack: .seconds(1), on: loop) { [unowned self] in review() }
    // A transport is not let go of from within its own call.
    later = try EventLoop.Later(on: loop) { [unowned self] in
      isClosing = false
      transport = nil
    }
  }

  func begin() { open() }

  /// The track has grown.
  func extend(with entries: [TrackEntry]) {
    queue.extend(with: entries)
    pump()
  }

  /// Nothing is waited for, but a network that it is meant for, and its budget.
  func hurry() {
    queue.retryNow()
    backoff.succeed()
    if transport == nil { open() } else { pump() }
  }

  private func open() {
    redial?.set(nil)
    later?.cancel()
    isClosing = false
    guard mayGo(), dialing == nil else { return }
    if plan.address.words == .ownTracksMQTT { return openBroker() }
    do throws(SystemError) {
      transport = try HTTPTransport(plan, on: loop) { [unowned self] in handle($0) }
      handle(.opened)
    } catch {
      handle(.closed(reason: "\(error)", .unreachable))
    }
  }

  /// Another connection takes the place of one that there is.
  private func openBroker() {
    if transport != nil { disconnect() }
    transport = nil
    guard let way = broker.connect(at: Clock.boottime, Clock.utc) else {
      remember()
      redial?.set(broker.restrictedUntil)
      return
    }
    guard way.isMarked else { return dial(way) }
    dialing = way
    remember { [weak self] error in
      guard let self, dialing != nil else { return }
      dialing = nil
      var way = way
      if error != nil { way.subscribes = false }
      if mayGo() { dial(way) } else { disconnect() }
    }
  }

  private func dial(_ way: BrokerMemory.Connection) {
    do throws(SystemError) {
      transport = try MQTTTransport(plan, way, on: loop) { [unowned self] in handle($0) }
    } catch {
      return handle(.closed(reason: "\(error)", .unreachable))
    }
    redial?.set(broker.restrictedUntil)
  }

  private func remember(_ body: @escaping (DatabaseError?) -> Void = { _ in }) {
    if broker.text == store.uplinks[plan.name]?.broker { return body(nil) }
    store.save(broker: broker.text, of: plan.name, body)
  }

  private func handle(_ event: TransportEvent) {
    switch event {
    case .opened:
      recover("connected again")
      broker.open(at: Clock.utc)
      remember()
      queue.connect()
      waitForBeat()
      announce()
    case .confirmed(let receipt):
      // What is no part of the track has a receipt, too.
      guard let message = queue.message(receipt) else { return }
      underWay[message] = nil
      backoff.succeed()
      lastSuccess = Clock.utc
      recover("entries are confirmed again")
      waitForBeat()
      queue.confirm(message)
      unsaved += 1
      if unsaved >= mostUnsaved {
        save()
      } else {
        saving?.set(Clock.boottime + Self.longestUnsaved)
      }
    case .refused(let receipt, let reason):
      if let message = queue.message(receipt) { refuse(message, reason) }
    case .failed(let receipt, let reason, let wait):
      guard let message = queue.message(receipt) else { return }
      complain(reason)
      fail(message, wait: wait)
    case .closed(let reason, let end):
      complain(reason)
      disconnect(end)
      later?.set()
      redial?.set(Clock.boottime + backoff.fail(chance: .random(in: 0...1)))
      return
    case .commanded(let result):
      guard let command = commands.admit(result, at: Clock.boottime) else { return }
      commands.refuse(commanded(command, self), "a waypoint has no room, or a name that is taken")
    case .announced: known = told
    }
    pump()
  }

  /// One entry may spoil a message of many: each of them is sent alone before it is parked.
  private func refuse(_ message: Int, _ reason: String) {
    guard let range = underWay.removeValue(forKey: message), !queue.split(message) else { return }
    log.warning("uplink \(plan.name): \(reason) to entry \(range.lowerBound), which is parked")
    store.park(range.lowerBound, of: plan.name, because: reason)
    queue.confirm(message)
    save()
  }

  private func waitForBeat() {
    if let pause = plan.heartbeat { pulse?.set(Clock.boottime + pause) }
  }

  /// Nothing new has been sent for a while.
  private func beat() {
    guard mayGo() else { return }
    if queue.backlog == 0, let entry = position(), let transport { count(transport.sendHeartbeat(entry)) }
    waitForBeat()
  }

  private func disconnect(_ end: BrokerMemory.End = .lost) {
    dialing = nil
    broker.end(end, at: Clock.boottime)
    remember()
    underWay = [:]
    queue.disconnect()
    pulse?.set(nil)
    told = known
  }

  private func complain(_ reason: String) {
    if trouble != reason { log.notice("uplink \(plan.name): \(reason); it is tried again") }
    trouble = reason
  }

  private func recover(_ how: String) {
    if trouble != nil { log.notice("uplink \(plan.name): \(how)") }
    trouble = nil
  }

  /// No more may be sent twice than this: what is under way, and what is confirmed but not on the disk, which may be
  /// slow.
  private var isFull: Bool {
    underWay.count + unsaved + beingSaved >= max(queue.rule.window, 2 * mostUnsaved)
  }

  private func pump() {
    while mayGo(), !isFull {
      switch queue.next(at: Clock.boottime) {
      case .read(let range):
        store.read(range) { [weak self] result in
          guard let self else { return }
          switch result {
          case .success(let entries): queue.load(entries, of: range)
          case .failure(let error):
            complain("the track cannot be read: \(error)")
            queue.failReading(at: Clock.boottime)
          }
          pump()
        }
      case .send(let message): send(message)
      case .rest(let moment):
        alarm?.set(moment)
        return
      }
    }
  }

  private func send(_ message: UplinkQueue.Message) {
    guard let first = message.entries.first, let last = message.entries.last else { return }
    let range = first.number...last.number
    underWay[message.number] = range
    guard queue.rule.batch > 1 else { return put(message) }
    // After a crash the same entries are sent under the same key.
    store.save(queue.confirmed, sending: range, of: plan.name) { [weak self] _ in
      self?.put(message)
    }
  }

  private func put(_ message: UplinkQueue.Message) {
    guard underWay[message.number] != nil else { return }
    if let (receipt, bytes) = transport?.send(message) {
      queue.note(message.number, receipt: receipt)
      return count(bytes)
    }
    complain("entry \(message.entries.first?.number ?? 0) cannot be sent now")
    fail(message.number, wait: nil)
  }

  private func fail(_ message: Int, wait: Duration?) {
    underWay = [:]
    let pause = backoff.fail(chance: .random(in: 0...1))
    queue.fail(message, until: Clock.boottime + max(wait ?? .zero, pause))
  }

  /// One write at a time: what is confirmed meanwhile is written with the next.
  private func save() {
    saving?.set(nil)
    guard !isSaving else { return }
    guard queue.confirmed != store.uplinks[plan.name]?.confirmed else {
      unsaved = 0
      return
    }
    isSaving = true
    (beingSaved, unsaved) = (unsaved, 0)
    let sending = queue.rule.batch > 1 ? underWay.values.first : nil
    store.save(queue.confirmed, sending: sending, of: plan.name) { [weak self] error in
      guard let self else { return }
      isSaving = false
      beingSaved = 0
      if error == nil, unsaved >= mostUnsaved { save() }
      pump()
    }
  }

  /// The server has all entries up to this one.
  var confirmedUpTo: Int64 { queue.confirmed.start }

  var status: JSON {
    [
      "name": .string(plan.name), "backlog": .integer(queue.backlog),
      "parked": .integer(store.uplinks[plan.name]?.parked ?? 0), "trouble": trouble.map(JSON.string),
      "commands": plan.takesCommands ? commands.json : nil,
      "confirmed": (queue.confirmed.ranges.last?.upperBound).map(JSON.integer),
      "lastConfirmation": lastSuccess.map { .string($0.iso8601) }, "waits": hold.map(JSON.string),
      "mqtt": (broker.version?.rawValue).map(JSON.string),
      "longMessages": broker.risk.longMessages > 0 ? .integer(broker.risk.longMessages) : nil,
      "caution": broker.caution(at: Clock.boottime, Clock.utc).map(JSON.string),
      "budget": budget?.status(at: Clock.utc),
    ]
  }
}

// MARK: - Beside the track

extension Uplink {
  /// Tells of each waypoint that is new, or another.
  func announce() {
    guard queue.isConnected else { return }
    let waypoints = waypoints().map { waypoint in
      var waypoint = waypoint
      waypoint.isInside = false
      return waypoint
    }
    let news = waypoints.filter { !told.contains($0) }
    told = waypoints
    if !news.isEmpty { say(.announcement(news)) }
  }

  func say(_ saying: Saying) {
    guard queue.isConnected, mayGo(), let transport else { return }
    count(transport.say(saying))
  }

  /// Another takes its place: it writes down what is confirmed, and lets the connection go.
  func end() {
    let sending = queue.rule.batch > 1 ? underWay.values.first : nil
    store.save(queue.confirmed, sending: sending, of: plan.name) { _ in }
    disconnect()
    transport = nil
  }
}

// MARK: - Networks and budget

extension Uplink {
  private static let longestHold: Duration = .seconds(3600)

  /// The network is another one, or a clock has come so far.
  func review() {
    if mayGo() { pump() }
  }

  /// What is under way is waited for, unless its network is gone.
  private func mayGo() -> Bool {
    let now = Clock.utc
    let until = budget?.rest(at: now)
    let elsewhere = plan.obstacle(on: connection())
    let why = elsewhere ?? until.map { "waits until \($0.iso8601): its budget is spent" }
    if let why, why != hold { log.info("uplink \(plan.name) \(why)") }
    if why == nil, hold != nil {
      log.info("uplink \(plan.name) goes on")
      if transport == nil || isClosing { redial?.set(Clock.boottime) }
    }
    hold = why
    // The clock may be set meanwhile.
    gate?.set(
      until.map { Clock.boottime + min(max($0 - now, .seconds(1)), Self.longestHold) })
    guard why != nil else { return true }
    alarm?.set(nil)
    redial?.set(nil)
    guard transport != nil, !isClosing, elsewhere != nil || underWay.isEmpty else { return false }
    disconnect()
    save()
    isClosing = true
    later?.set()
    return false
  }

  private func count(_ bytes: Int) {
    guard budget?.count(bytes, at: Clock.utc) == true, let text = budget?.text else { return }
    store.save(usage: text, of: plan.name)
  }
}
