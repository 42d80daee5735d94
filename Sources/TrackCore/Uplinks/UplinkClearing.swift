import LocationModel

/// The place that a broker retains for those that come later: which that may be, and its end.
extension UplinkMachine {
  /// The disk knows of the place before the broker does.
  mutating func expectRetained(_ message: UplinkQueue.Message) {
    guard plan.retains(message.entries), !broker.retained.mayHold else { return }
    broker.retained.isExpected = true
    remember()
  }

  /// The message that was handed over has gone out.
  mutating func tell(_ receipt: Int?) {
    guard case .handed(let message) = outgoing else { return }
    outgoing = .none
    guard plan.address.words.areForBroker else { return }
    let isNews = !broker.retained.isTold
    broker.retained.tell(plan.retains(message.entries) ? message.entries : [], receipt: receipt)
    if isNews { remember() }
  }

  /// By MQTT 5 a heartbeat is not retained.
  mutating func tellAgain(_ entry: TrackEntry, _ receipt: Int?) {
    guard plan.address.words.areForBroker, plan.isRetained, broker.version == .v3 else { return }
    broker.retained.tell([entry], receipt: receipt)
    remember()
  }

  /// Removed entries are not sent from memory.
  mutating func forget(_ removal: Removal?) {
    if case .marked(let message) = outgoing {
      outgoing = .none
      queue.withdraw(message.number)
    }
    queue.readAgain()
    guard let removal else { return }
    // Each of several brokers may retain one: those that are not connected to are cleared when they are.
    for i in brokers.indices where brokers[i].retained.mayHold(removal) {
      brokers[i].clearing = .due
    }
    remember()
  }

  mutating func erase(leaving parked: Parked) {
    self.parked = parked
    forget(nil)
    look()
  }

  /// Numbers that no entry has any more are no backlog, also while nothing can be sent.
  mutating func load(_ entries: [TrackEntry], of range: ClosedRange<Int64>, at now: Boottime) {
    queue.load(entries, of: range)
    if !link.isOpen { checkpoint.savesAt = now }
    if entries.isEmpty { look() }
  }

  private mutating func look() {
    if let range = queue.look() { steps.append(.read(range)) }
  }

  mutating func takePlaceAway() {
    broker.clearing = .sent
    broker.retained.clear()
    steps.append(.clearPlace)
  }

  mutating func clear() {
    guard broker.clearing == .sent else { return }
    broker.clearing = .none
    broker.retained.confirmClearing()
    remember()
  }

  /// The broker is asked again on its next connection.
  mutating func keepClearing(because reason: String) {
    if broker.clearing == .sent { broker.clearing = .refused(reason: reason) }
  }
}

/// A person's view of it.
extension UplinkMachine {
  /// The broker has been told to retain no place any more, and has not confirmed it.
  package var isClearing: Bool { broker.clearing == .sent && link.isOpen }

  package func mayRetain(_ removal: Removal) -> Bool {
    brokers.contains { $0.retained.mayHold(removal) }
  }

  /// The brokers that may still retain a place that was removed, by their places among the addresses.
  package var toClear: Set<Int> { Set(brokers.indices.filter { brokers[$0].clearing != .none }) }

  /// The reason of the server's for which it does not clear the place.
  var keepsPlace: String? {
    if case .refused(let reason) = broker.clearing { reason } else { nil }
  }

  /// The words for a person about removed entries that servers keep; none where nothing was sent. `asked`: the brokers
  /// that were to be cleared once that was handled. They have had time to confirm since.
  package func remains(_ asked: Set<Int>) -> [String] {
    let others = plan.addresses.indices.filter { $0 != server }
    return ([server] + others).compactMap { i in
      guard plan.address.words.areForBroker ? brokers[i].retained.isTold : hasSent else {
        return nil
      }
      return "\(plan.name): \(rest(at: i, asked.contains(i)))"
    }
  }

  /// The server has some entry.
  private var hasSent: Bool { !queue.confirmed.ranges.isEmpty || lastSuccess != nil }

  private func rest(at i: Int, _ wasAsked: Bool) -> String {
    let host = plan.addresses[i].host
    guard wasAsked else { return "what was sent to \(host) stays there" }
    switch brokers[i].clearing {
    case .none:
      return
        "the place that \(host) retained is cleared\(doubt(i)); what it passed on stays there"
    case .due, .sent:
      return
        "the place that \(host) may retain is cleared when it is connected to; what it passed on stays there"
    case .refused(let reason):
      return
        "\(host) does not clear the place that it may retain, and is asked again on its next connection: \(reason)"
    }
  }

  private func doubt(_ i: Int) -> String {
    brokers[i].version == .v3
      ? ", unless its access list forbids that, which MQTT 3.1.1 has no words for" : ""
  }
}
