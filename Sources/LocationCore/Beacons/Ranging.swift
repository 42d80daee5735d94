import LocationModel

/// Beacons that clients range: which are heard, and who is told lists of them once a second.
struct Ranging {
  struct Session {
    let recipient: Recipient
    let constraint: BeaconConstraint
    /// The client may be told now.
    fileprivate(set) var isActive: Bool
    /// The client was told that it may not be.
    fileprivate var isRefused: Bool
  }

  private(set) var sessions: [Session] = []
  private var beacons: [BeaconIdentity: HeardBeacon] = [:]
  /// The constraints of those who may be told.
  private var wanted: Set<BeaconConstraint> = []
  /// When the next lists are due; nil while no radio listens or no client wants any.
  private(set) var wakesAt: Boottime?
  private var isListening = false

  private static let period: Duration = .seconds(1)
  /// Beacons in memory: more are not listed.
  static let most = 1000

  var isNeeded: Bool { !wanted.isEmpty }

  func isActive(_ client: ClientID) -> Bool {
    sessions.contains { $0.recipient.client == client && $0.isActive }
  }
}

// MARK: - Sessions

extension Ranging {
  func isStarted(_ constraint: BeaconConstraint, for recipient: Recipient) -> Bool {
    sessions.contains { $0.recipient == recipient && $0.constraint == constraint }
  }

  mutating func start(
    _ constraint: BeaconConstraint, for recipient: Recipient, isActive: Bool, isRefused: Bool,
    at now: Instant
  ) {
    sessions.append(
      Session(
        recipient: recipient, constraint: constraint, isActive: isActive, isRefused: isRefused))
    review(at: now.boottime)
  }

  mutating func stop(_ constraint: BeaconConstraint, for recipient: Recipient, at now: Instant) {
    sessions.removeAll { $0.recipient == recipient && $0.constraint == constraint }
    review(at: now.boottime)
  }

  mutating func forget(_ client: ClientID, at now: Instant) {
    sessions.removeAll { $0.recipient.client == client }
    review(at: now.boottime)
  }

  /// The client may do something else now: its sessions go on, wait or end. Gives those that begin.
  /// `reason`: why it is told nothing, where that is more than that it is not in use.
  mutating func admit(
    _ client: ClientID, _ verdict: Verdict, _ reason: Refusal?, at now: Instant,
    into outputs: inout [Output]
  ) -> [(Recipient, BeaconConstraint)] {
    var begun: [(Recipient, BeaconConstraint)] = []
    for i in sessions.indices where sessions[i].recipient.client == client {
      if verdict.isAllowed, !sessions[i].isActive {
        begun.append((sessions[i].recipient, sessions[i].constraint))
      }
      sessions[i].isActive = verdict.isAllowed
      if let reason, !sessions[i].isRefused {
        outputs.tell([sessions[i].recipient], .rangingDidFail(sessions[i].constraint, reason))
      }
      sessions[i].isRefused = reason != nil
    }
    if verdict == .refuse { sessions.removeAll { $0.recipient.client == client } }
    review(at: now.boottime)
    return begun
  }

  private mutating func review(at now: Boottime) {
    wanted = Set(sessions.lazy.filter(\.isActive).map(\.constraint))
    if wanted.isEmpty {
      beacons = [:]
      wakesAt = nil
    } else if isListening, wakesAt == nil {
      wakesAt = now + Self.period
    }
  }
}

// MARK: - Beacons

extension Ranging {
  mutating func listen(at now: Instant) {
    isListening = true
    review(at: now.boottime)
  }

  /// Radios listen for nobody.
  mutating func rest() {
    isListening = false
    wakesAt = nil
  }

  /// No radio hears any more, which is told.
  mutating func endListening(_ refusal: Refusal, into outputs: inout [Output]) {
    rest()
    beacons = [:]
    for constraint in wanted.sorted() {
      outputs.tell(recipients(of: constraint), .rangingDidFail(constraint, refusal))
    }
  }

  mutating func hear(_ scan: BeaconScan, at now: Instant) {
    for report in scan.reports {
      let identity = report.frame.identity
      if let i = beacons.index(forKey: identity) {
        beacons.values[i].take(report, at: now)
      } else if beacons.count < Self.most, identity.constraints.contains(where: wanted.contains) {
        beacons[identity] = HeardBeacon(report, at: now)
      }
    }
  }

  /// Tells the lists, if they are due.
  mutating func tell(at now: Instant, into outputs: inout [Output]) {
    guard let due = wakesAt, due <= now.boottime else { return }
    let next = due + Self.period
    wakesAt = next > now.boottime ? next : now.boottime + Self.period
    beacons = beacons.filter { !$0.value.isGone(at: now.boottime) }
    let all = beacons.values.map { $0.beacon(at: now.boottime) }
      .sorted(by: Beacon.isNearer)
    for constraint in wanted.sorted() {
      outputs.tell(
        recipients(of: constraint),
        .didRangeBeacons(constraint, all.filter { constraint.matches($0.identity) }))
    }
  }

  private func recipients(of constraint: BeaconConstraint) -> [Recipient] {
    sessions.lazy.filter { $0.isActive && $0.constraint == constraint }.map(\.recipient).sorted()
  }
}
