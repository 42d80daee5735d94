import LocationModel

/// The search for the cause of a server's fault that the library has no words for: a second connection, by another
/// library. Once an hour for each fault, and a finding is as old at most. Where the server had been connected to, the
/// fault must come back first, so that a fleet does not come back from an outage with two connections for each board.
struct CauseSearch: Sendable {
  private var hasWorked = false
  private var fault: String?
  private var count = 0
  private var searchedAt: Boottime?
  private var finding: (words: String, date: Boottime)?

  private static let patience = 3
  private static let pause: Duration = .seconds(3600)

  mutating func succeed() {
    self = CauseSearch()
    hasWorked = true
  }

  /// True where the cause is to be looked for now.
  mutating func fail(_ fault: String, at now: Boottime) -> Bool {
    if fault != self.fault { (self.fault, count, searchedAt, finding) = (fault, 0, nil, nil) }
    count += 1
    let isDue = searchedAt.map { now - $0 >= Self.pause } ?? true
    guard isDue, count >= (hasWorked ? Self.patience : 1) else { return false }
    searchedAt = now
    return true
  }

  /// `cause`: nil where the second connection went well.
  mutating func find(_ cause: String?, of fault: String, at now: Boottime) {
    if fault == self.fault { finding = cause.map { ($0, now) } }
  }

  /// The words for the fault, as far as its cause is known.
  func words(for fault: String, at now: Boottime) -> String {
    guard fault == self.fault, let finding, now - finding.date < Self.pause else { return fault }
    return finding.words
  }
}

extension UplinkMachine {
  mutating func close(
    _ reason: String, _ end: BrokerMemory.End, isVague: Bool, at now: Instant
  ) {
    guard link.isMade else { return }
    let address = plan.addresses[server]
    if isVague, address.isSecure, causes[server].fail(reason, at: now.boottime) {
      steps.append(.findCause(reason, address))
    }
    if !isRefused || end != .lost {
      complain(isVague ? causes[server].words(for: reason, at: now.boottime) : reason)
    }
    failed = server
    disconnect(end, then: .waiting(until: now.boottime + pause()), at: now.boottime)
    turn()
    steps.append(.close)
  }

  /// The trouble may be another server's by now, or another one.
  mutating func explain(
    _ fault: String, by cause: String?, at address: UplinkAddress, _ now: Boottime
  ) {
    guard let i = plan.addresses.firstIndex(of: address) else { return }
    let told = causes[i].words(for: fault, at: now)
    causes[i].find(cause, of: fault, at: now)
    if failed == i, trouble?.reason == told { complain(causes[i].words(for: fault, at: now)) }
  }
}
