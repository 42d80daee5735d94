import LocationModel

// Beacons: who ranges them, and what radios say of them.
extension LocationService {
  /// A client that may is told of beacons, or an app monitors regions of some.
  var needsBeacons: Bool {
    ranging.isNeeded || monitoring.detectors.needed.contains(.beacons)
  }

  mutating func startRanging(
    _ constraint: BeaconConstraint, for recipient: Recipient, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let verdict = access.verdict(for: .beacons)
    guard verdict != .refuse else { throw permissions.refusal(verdict, access, caller) }
    guard !ranging.isStarted(constraint, for: recipient) else { return }
    try checkManagers(of: caller, ranging.sessions.lazy.map(\.recipient.client))
    let reason = whyNotRanging(verdict, access, caller)
    // Where nobody has decided yet it waits, and is told nothing until somebody has.
    ranging.start(
      constraint, for: recipient, of: caller.uid, isActive: verdict.isAllowed,
      isRefused: reason != nil, at: now)
    if verdict.isAllowed {
      beginRanging(recipient.client, [(recipient, constraint)], at: now, into: &outputs)
    } else if verdict == .confirm {
      permissions.toConfirm.insert(caller.owner)
    } else if let reason {
      outputs.tell([recipient], .rangingDidFail(constraint, reason))
    }
  }

  private mutating func beginRanging(
    _ client: ClientID, _ begun: [(Recipient, BeaconConstraint)], at now: Instant,
    into outputs: inout [Output]
  ) {
    noteUse(by: client, isNew: true, at: now)
    guard let trouble = sources.table.beaconTrouble else { return }
    for (recipient, constraint) in begun {
      outputs.tell(
        [recipient], .rangingDidFail(constraint, Refusal(.rangingUnavailable, trouble)))
    }
  }

  /// The client may do something else now.
  mutating func admitRanging(
    _ client: ClientID, _ access: Access, _ caller: Caller, at now: Instant,
    into outputs: inout [Output]
  ) {
    let verdict = access.verdict(for: .beacons)
    let begun = ranging.admit(
      client, verdict, whyNotRanging(verdict, access, caller), at: now, into: &outputs)
    guard !begun.isEmpty else { return }
    beginRanging(client, begun, at: now, into: &outputs)
  }

  /// Nil where beacons may be told, are yet to be decided about, or wait for use.
  private func whyNotRanging(
    _ verdict: Verdict, _ access: Access, _ caller: Caller
  ) -> Refusal? {
    guard verdict == .refuse || verdict == .wait && access.accuracy == .reduced else { return nil }
    return permissions.refusal(verdict, access, caller)
  }
}

// MARK: - Radios

extension LocationService {
  mutating func hear(
    _ scan: BeaconScan, by source: SourceID, at now: Instant, into outputs: inout [Output]
  ) {
    guard sources.table.isOpenBeaconRadio(source) else { return }
    sources.table.hear(scan, from: source, at: now)
    ranging.hear(scan, at: now)
    monitoring.observe(scan, clients, &delivery.coarsePlaces, at: now, into: &outputs)
  }

  mutating func listenForBeacons(by source: SourceID, at now: Instant) {
    guard sources.table.isOpenBeaconRadio(source) else { return }
    ranging.listen(at: now)
    monitoring.detectors.beacons.listen(at: now.boottime)
  }

  mutating func endListening(
    by source: SourceID, _ reason: String, into outputs: inout [Output]
  ) {
    guard sources.table.isBeaconRadio(source), sources.table.beaconTrouble != nil else { return }
    ranging.endListening(Refusal(.rangingUnavailable, reason), into: &outputs)
    monitoring.detectors.beacons.endListening()
  }

  /// Radios listen for nobody.
  mutating func restBeacons() {
    ranging.rest()
    monitoring.detectors.beacons.endListening()
  }
}
