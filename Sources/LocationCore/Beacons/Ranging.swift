import LocationModel

/// Beacons that clients range: which are heard, and who is told lists of them once a second.
struct Ranging {
  struct Session {
    let recipient: Recipient
    let constraint: BeaconConstraint
    fileprivate let uid: UInt32
    /// The client may be told now.
    fileprivate(set) var isActive: Bool
    /// The client was told that it may not be.
    fileprivate var isRefused: Bool
  }

  private(set) var sessions: [Session] = []
  private var beacons: [BeaconIdentity: HeardBeacon] = [:]
  /// The constraints of those who may be told, with their users.
  private var wanted: [BeaconConstraint: Set<UInt32>] = [:]
  /// How many of the beacons each user wants.
  private var counts: [UInt32: Int] = [:]
  /// When the next lists are due; nil while no radio listens or no client wants any.
  private(set) var wakesAt: Boottime?
  private var isListening = false

  private static let period: Duration = .seconds(1)
  /// Beacons in memory for one user: more are not listed.
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
    _ constraint: BeaconConstraint, for recipient: Recipient, of uid: UInt32, isActive: Bool,
    isRefused: Bool, at now: Instant
  ) {
    sessions.append(
      Session(
        recipient: recipient, constraint: constraint, uid: uid, isActive: isActive,
        isRefused: isRefused))
    review(at: now.boottime)
  }

  mutating func stop(_ constraint: BeaconConstraint, for recipient: Recipient, at now: Instant) {
    sessions.removeAll { $0.recipient == recipient && $0.constraint == constraint }
    review(at: now.boottime)
  }

  mutating func forget(_ client: ClientID, at now: Instant) {
    guard has(client) else { return }
    sessions.removeAll { $0.recipient.client == client }
    review(at: now.boottime)
  }

  /// The client may do something else now: its sessions go on or wait. Gives those that begin.
  /// `reason`: why it is told nothing, where that is more than that it is not in use.
  mutating func admit(
    _ client: ClientID, _ verdict: Verdict, _ reason: Refusal?, at now: Instant,
    into outputs: inout [Output]
  ) -> [(Recipient, BeaconConstraint)] {
    guard has(client) else { return [] }
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
    review(at: now.boottime)
    return begun
  }

  private func has(_ client: ClientID) -> Bool {
    sessions.contains { $0.recipient.client == client }
  }

  private mutating func review(at now: Boottime) {
    wanted = [:]
    for session in sessions where session.isActive {
      wanted[session.constraint, default: []].insert(session.uid)
    }
    keep { _ in true }
    if wanted.isEmpty {
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
    keep { _ in false }
    for constraint in wanted.keys.sorted() {
      outputs.tell(recipients(of: constraint), .rangingDidFail(constraint, refusal))
    }
  }

  mutating func hear(_ scan: BeaconScan, at now: Instant) {
    for report in scan.reports {
      let identity = report.frame.identity
      if let i = beacons.index(forKey: identity) {
        beacons.values[i].take(report, at: now)
        continue
      }
      let users = users(of: identity)
      guard users.contains(where: { counts[$0, default: 0] < Self.most }) else { continue }
      beacons[identity] = HeardBeacon(report, at: now)
      for uid in users { counts[uid, default: 0] += 1 }
    }
  }

  /// The users who are told of it.
  private func users(of identity: BeaconIdentity) -> Set<UInt32> {
    identity.constraints.reduce(into: []) { $0.formUnion(wanted[$1] ?? []) }
  }

  /// Forgets the others, and those that no user wants.
  private mutating func keep(_ isKept: (HeardBeacon) -> Bool) {
    counts = [:]
    beacons = beacons.filter { identity, beacon in
      let users = isKept(beacon) ? users(of: identity) : []
      for uid in users { counts[uid, default: 0] += 1 }
      return !users.isEmpty
    }
  }

  /// Tells the lists, if they are due.
  mutating func tell(at now: Instant, into outputs: inout [Output]) {
    guard let due = wakesAt, due <= now.boottime else { return }
    let next = due + Self.period
    wakesAt = next > now.boottime ? next : now.boottime + Self.period
    keep { !$0.isGone(at: now.boottime) }
    let all = beacons.values.map { $0.beacon(at: now.boottime) }
      .sorted(by: Beacon.isNearer)
    for constraint in wanted.keys.sorted() {
      outputs.tell(
        recipients(of: constraint),
        .didRangeBeacons(constraint, all.filter { constraint.matches($0.identity) }))
    }
  }

  private func recipients(of constraint: BeaconConstraint) -> [Recipient] {
    sessions.lazy.filter { $0.isActive && $0.constraint == constraint }.map(\.recipient).sorted()
  }
}
