import LocationModel

extension UplinkMachine {
  var broker: BrokerMemory {
    get { brokers[server] }
    set { brokers[server] = newValue }
  }

  var brokerMemory: String { BrokerMemory.text(brokers) }

  /// A transport is not let go of from within its own call: its inputs connect to nothing.
  mutating func connect(after input: Input, at now: Instant) {
    // A memory that the disk does not have is written with the next news, or once the disk has written something else.
    defer {
      if case .remembered(let text, let isWritten) = input, text == remembered {
        isForgetful = !isWritten
        if isForgetful { remembered = nil }
      }
    }
    switch (input, link) {
    case (.remembered(let text, let isWritten), .marking(var way)) where text == remembered:
      way.subscribes = way.subscribes && isWritten
      if gate.maySend { return dial(way) }
      disconnect(.lost, then: .waiting(until: nil), at: now.boottime)
    case (.begin, _), (.retryNow, _), (.timer, _):
      if gate.maySend, let due = link.due, due <= now.boottime { connect(at: now) }
    default: break
    }
  }

  private mutating func connect(at now: Instant) {
    if link.isMade { disconnect(.lost, then: .waiting(until: nil), at: now.boottime) }
    guard plan.address.words.areForBroker else { return dial(nil) }
    guard let way = broker.connect(at: now.boottime, now.utc) else {
      link = .waiting(until: broker.restrictedUntil)
      remember()
      return
    }
    if way.isMarked, remember() { link = .marking(way) } else { dial(way) }
  }

  private mutating func dial(_ way: BrokerMemory.Connection?) {
    link = .dialing(until: way == nil ? nil : broker.restrictedUntil)
    steps.append(.connect(way, plan.addresses[server]))
  }

  /// Leaves a server that takes nothing, where there is another.
  mutating func turnAway(after pause: Duration, at now: Boottime) {
    guard !plan.others.isEmpty else { return }
    disconnect(.lost, then: .waiting(until: now + pause), at: now)
    turn()
    steps.append(.close)
  }

  mutating func open(at now: Instant) {
    guard case .dialing(let until) = link else { return }
    link = .open(until: until)
    connections += 1
    causes[server].succeed()
    if !isRefused { recover("connected again") }
    broker.open(at: now.utc)
    remember()
    queue.connect()
    awaitHeartbeat(at: now.boottime)
  }

  mutating func disconnect(_ end: BrokerMemory.End, then next: UplinkLink, at now: Boottime) {
    link = next
    broker.end(end, at: now)
    // A message that was handed over may have gone out.
    tell(nil)
    broker.retained.disconnect()
    if broker.clearing != .none { broker.clearing = .due }
    remember()
    queue.disconnect()
    refusals.beginAnew()
    outgoing = .none
    heartbeatAt = nil
    announcements.forget()
  }

  /// Another takes its place: what is confirmed is written down.
  mutating func end(at now: Boottime) {
    mark()
    disconnect(.lost, then: .idle, at: now)
    steps.append(.close)
  }

  mutating func log(_ remark: Remark) { steps.append(.log(remark)) }

  /// True where the memory of the broker goes to the disk.
  @discardableResult mutating func remember() -> Bool {
    let text = brokerMemory
    guard text != remembered else { return false }
    (remembered, isForgetful) = (text, false)
    steps.append(.remember(text, outlastsPower: brokers.contains { $0.clearing != .none }))
    return true
  }
}
