import LocationModel

/// How it is told whether an app is in use.
package enum UseRule: String, CaseIterable, Sendable {
  /// While its user has a session in front of which somebody is: active and not locked.
  case logind
  /// While it is connected: for boards that nobody sits in front of.
  case connected
}

/// Which apps are in use now.
struct InUseTracker {
  var rule: UseRule
  /// Users with such a session.
  var present: Set<UInt32> = []
  /// Clients that stay in use though the session leaves the front, and how long at most.
  var holds: [ClientID: Boottime] = [:] {
    didSet { if holds.keys != oldValue.keys { hasNews = true } }
  }
  /// Agents are to hear who holds use.
  var hasNews = false
  /// The apps that each user's agents heard of last.
  var notified: [UInt32: [String]] = [:]

  func isInUse(_ id: ClientID, _ caller: Caller) -> Bool {
    switch rule {
    case .connected: true
    case .logind: holds[id] != nil || isPresent(caller)
    }
  }

  /// Whether somebody is in front of it.
  func isPresent(_ caller: Caller) -> Bool {
    rule == .connected || canBeInUse(caller) && present.contains(caller.uid)
  }

  /// A system's service has no session.
  func canBeInUse(_ caller: Caller) -> Bool {
    rule == .connected || !caller.isSystemService && caller.kind != .unit
  }

  /// Whether it is known of nobody that they are away.
  func isSomebodyThere(_ uid: UInt32) -> Bool { rule == .connected || present.contains(uid) }

  /// When the first hold ends.
  var endsAt: Boottime? { holds.isEmpty ? nil : holds.values.min() }

  /// Holds that last no longer.
  func expired(at now: Instant) -> [ClientID] {
    holds.isEmpty ? [] : holds.filter { $0.value <= now.boottime }.keys.sorted()
  }

  /// A new agent has heard nothing yet.
  mutating func renotify(_ uid: UInt32) {
    if notified.removeValue(forKey: uid) != nil { hasNews = true }
  }
}
