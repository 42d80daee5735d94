import LocationModel

/// The search for the cause of a fault that the library has no words for: a second connection, by another library.
/// Once an hour for each fault. Where the server had been connected to, the fault must come back first, so that
/// a fleet does not come back from an outage with two connections for each board.
struct CauseSearch: Equatable, Sendable {
  private var hasWorked = false
  private var fault: String?
  private var count = 0
  private var searchedAt: Boottime?
  /// The words for what was found.
  private(set) var found: String?

  private static let patience = 3
  private static let pause: Duration = .seconds(3600)

  mutating func succeed() {
    self = CauseSearch()
    hasWorked = true
  }

  /// True where the cause is to be looked for now.
  mutating func fail(_ fault: String, at now: Boottime) -> Bool {
    if fault != self.fault { (self.fault, count, searchedAt, found) = (fault, 0, nil, nil) }
    count += 1
    let isDue = searchedAt.map { now - $0 >= Self.pause } ?? true
    guard isDue, count >= (hasWorked ? Self.patience : 1) else { return false }
    searchedAt = now
    return true
  }

  /// True for the fault that there is.
  mutating func find(_ cause: String, of fault: String) -> Bool {
    guard fault == self.fault else { return false }
    found = cause
    return true
  }
}

extension UplinkMachine {
  mutating func close(
    _ reason: String, _ end: BrokerMemory.End, isVague: Bool, at now: Instant
  ) {
    guard link.isMade else { return }
    let address = plan.addresses[server]
    if isVague, address.isSecure, causes.fail(reason, at: now.boottime) {
      steps.append(.findCause(reason, address))
    }
    if !isRefused || end != .lost { complain(isVague ? causes.found ?? reason : reason) }
    disconnect(end, then: .waiting(until: now.boottime + pause()), at: now.boottime)
    turn()
    steps.append(.close)
  }

  mutating func explain(_ fault: String, by cause: String) {
    if causes.find(cause, of: fault), trouble?.reason == fault { complain(cause) }
  }
}
