import LocationModel

/// Why nothing may be sent to a server: the network is another one, or the budget is spent.
struct UplinkGate: Sendable {
  private let plan: UplinkPlan
  var budget: DataBudget?
  var network: NetworkConnection?
  private(set) var blockedReason: String?
  private(set) var blockedSince: Timestamp?
  private(set) var isElsewhere = false
  private(set) var reviewsAt: Boottime?

  private static let longestBlock: Duration = .seconds(3600)

  init(_ plan: UplinkPlan, usage: String?) {
    self.plan = plan
    budget = plan.budget.map { DataBudget($0, text: usage) }
  }

  var maySend: Bool { blockedReason == nil }

  /// News for the log.
  mutating func review(at now: Instant) -> String? {
    let until = budget?.rest(at: now.utc)
    let obstacle = plan.obstacle(on: network)
    let reason = obstacle ?? until.map { "waits until \($0.iso8601): its budget is spent" }
    isElsewhere = obstacle != nil
    // The clock may be set meanwhile.
    reviewsAt = until.map {
      now.boottime + min(max($0 - now.utc, .seconds(1)), Self.longestBlock)
    }
    defer { blockedReason = reason }
    blockedSince = reason == nil ? nil : blockedSince ?? now.utc
    return reason == blockedReason ? nil : reason ?? "goes on"
  }
}

extension UplinkMachine {
  /// Messages under way are waited for, unless their network is gone.
  mutating func review(at now: Instant) {
    let mightSend = gate.maySend
    if let news = gate.review(at: now) {
      log(.info("uplink \(plan.name) \(news)"))
      if gate.maySend { link.retry(at: now.boottime) }
    }
    if gate.maySend != mightSend { steps.append(.reviewed) }
    guard !gate.maySend, link.isMade, gate.isElsewhere || queue.underWay == 0 else { return }
    disconnect(.lost, then: .waiting(until: nil), at: now.boottime)
    checkpoint.savesAt = now.boottime
    steps.append(.close)
  }
}
