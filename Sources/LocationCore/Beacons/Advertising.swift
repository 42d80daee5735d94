import LocationModel

/// The beacons that clients have this machine be: one for each manager.
struct Advertising {
  private struct Session {
    let frame: BeaconFrame
    /// The client may now.
    var isActive: Bool
  }

  private enum Fate {
    /// The radio has been told, and has not answered.
    case asked
    case sent
    case failed(Refusal)
  }

  private var sessions: [Recipient: Session] = [:]
  /// The beacons that the radio is told to send, and how that fares.
  private var fates: [BeaconFrame: Fate] = [:]
  private var isChanged = false

  /// A radio sends few, and they are there for all users.
  static let mostPerUser = 4

  var clients: [ClientID] { sessions.keys.map(\.client) }

  /// The beacons that clients want and may have, sent or not.
  var wanted: Set<BeaconFrame> { Set(sessions.values.lazy.filter(\.isActive).map(\.frame)) }

  func isActive(_ client: ClientID) -> Bool {
    sessions.contains { $0.key.client == client && $0.value.isActive }
  }

  func isStarted(for recipient: Recipient) -> Bool { sessions[recipient] != nil }

  /// Another beacon takes the place of the one before.
  mutating func start(_ frame: BeaconFrame, for recipient: Recipient, into outputs: inout [Output])
  {
    sessions[recipient] = Session(frame: frame, isActive: true)
    isChanged = true
    tell([recipient], frame, into: &outputs)
  }

  mutating func stop(for recipient: Recipient) {
    sessions[recipient] = nil
    isChanged = true
  }

  mutating func forget(_ client: ClientID) {
    for recipient in recipients(of: client) { stop(for: recipient) }
  }

  /// The client may do something else now: what it may not ends, unless that only waits. Tells if any begins again.
  mutating func admit(
    _ client: ClientID, _ verdict: Verdict, _ refusal: Refusal, into outputs: inout [Output]
  ) -> Bool {
    var hasBegun = false
    for recipient in recipients(of: client) {
      guard let session = sessions[recipient] else { continue }
      sessions[recipient]?.isActive = verdict.isAllowed
      isChanged = true
      if verdict == .refuse || verdict == .ask {
        sessions[recipient] = nil
        outputs.tell([recipient], .advertisingDidFail(refusal))
      } else if verdict.isAllowed, !session.isActive {
        hasBegun = true
        tell([recipient], session.frame, into: &outputs)
      } else if !verdict.isAllowed, session.isActive {
        // `denied` tells that it has ended.
        var waiting = refusal
        waiting.code = .rangingUnavailable
        outputs.tell([recipient], .advertisingDidFail(waiting))
      }
    }
    return hasBegun
  }

  /// Tells the radio what to send, where that is something else.
  mutating func supply(into outputs: inout [Output]) {
    guard isChanged else { return }
    isChanged = false
    let wanted = wanted
    guard wanted != Set(fates.keys) else { return }
    fates = fates.filter { wanted.contains($0.key) }
    for frame in wanted where fates[frame] == nil { fates[frame] = .asked }
    outputs.append(.advertise(wanted.sorted()))
  }

  /// The radio sends it, or does not.
  mutating func note(_ frame: BeaconFrame, _ refusal: Refusal?, into outputs: inout [Output]) {
    guard fates[frame] != nil else { return }
    fates[frame] = refusal.map(Fate.failed) ?? .sent
    let recipients = sessions.filter { $0.value.isActive && $0.value.frame == frame }.keys.sorted()
    tell(recipients, frame, into: &outputs)
  }

  private func tell(
    _ recipients: [Recipient], _ frame: BeaconFrame, into outputs: inout [Output]
  ) {
    switch fates[frame] {
    case .sent: outputs.tell(recipients, .didStartAdvertising)
    case .failed(let refusal): outputs.tell(recipients, .advertisingDidFail(refusal))
    case .asked, nil: break
    }
  }

  private func recipients(of client: ClientID) -> [Recipient] {
    sessions.isEmpty ? [] : sessions.keys.filter { $0.client == client }.sorted()
  }
}

extension Access {
  /// A beacon tells the neighbours that a person is here, in use or not: it wants what runs while nobody looks.
  var advertising: Verdict { verdict(for: .significant) }
}

// Beacons that this machine is.
extension LocationService {
  mutating func startAdvertising(
    _ frame: BeaconFrame, for recipient: Recipient, _ caller: Caller, _ access: Access,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let verdict = access.advertising
    if verdict == .confirm { permissions.toConfirm.insert(caller.owner) }
    guard verdict.isAllowed else { throw permissions.refusal(verdict, access, caller) }
    let most = Advertising.mostPerUser
    guard
      advertising.isStarted(for: recipient)
        || clients.count(of: caller.uid, in: advertising.clients) < most
    else {
      throw Refusal(
        .limitExceeded, "Your programs already have this machine be \(Count(most, "beacon")).")
    }
    noteUse(by: recipient.client, isNew: true, at: now)
    advertising.start(frame, for: recipient, into: &outputs)
  }

  mutating func noteAdvertised(
    _ frame: BeaconFrame, _ trouble: String?, into outputs: inout [Output]
  ) {
    advertising.note(frame, trouble.map { Refusal(.rangingUnavailable, $0) }, into: &outputs)
  }
}
