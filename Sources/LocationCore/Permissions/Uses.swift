import LocationModel

/// Coming into use and leaving it, and what ends with it.
extension LocationService {
  /// These users have somebody in front of a session of theirs.
  mutating func meet(_ present: Set<UInt32>, at now: Instant, into outputs: inout [Output]) {
    guard present != use.present else { return }
    use.present = present
    admit(at: now, into: &outputs)
  }

  mutating func beginUse(_ client: ClientID, _ caller: Caller, at now: Instant) throws(Refusal) {
    guard !caller.isService else {
      throw Refusal(.denied, "\(caller.app) is a service, which is in use by nobody.")
    }
    guard use.isInUse(client, caller) else {
      throw Refusal(.denied, "\(caller.app) is not in use now: only while in use may it stay so.")
    }
    // Said again while nobody looks, it prolongs nothing.
    guard use.isPresent(caller) else { return }
    use.holds[client] = now.boottime + settings.longestHold
  }

  mutating func endUse(_ client: ClientID, at now: Instant, into outputs: inout [Output]) {
    guard use.holds.removeValue(forKey: client) != nil else { return }
    admit(clients[client]?.caller.owner, at: now, into: &outputs)
  }

  /// Who stays in use, and may know the place, is shown to their user.
  mutating func tellHolds(into outputs: inout [Output]) {
    guard use.hasNews else { return }
    use.hasNews = false
    var apps: [UInt32: Set<String>] = [:]
    for client in use.holds.keys {
      guard let caller = clients[client]?.caller,
        clients[client]?.access.authorization.isAuthorized == true
      else { continue }
      apps[caller.uid, default: []].insert(caller.app)
    }
    let holding = apps.mapValues { $0.sorted() }
    for uid in Set(holding.keys).union(use.told.keys) where holding[uid] != use.told[uid] {
      let asker = questions.askers[uid]?.first
      for agent in Set([questions.agents[uid], asker].compactMap { $0 }) {
        outputs.append(.notify(agent, .holding(apps: holding[uid] ?? [])))
      }
    }
    use.told = holding
  }

  /// A new agent has heard nothing yet.
  mutating func tellHolds(ofUser uid: UInt32) {
    guard use.told.removeValue(forKey: uid) != nil else { return }
    use.hasNews = true
  }

  mutating func endHolds(at now: Instant, into outputs: inout [Output]) {
    guard !use.holds.isEmpty else { return }
    for (client, end) in use.holds where end <= now.boottime {
      endUse(client, at: now, into: &outputs)
    }
  }

  /// Who decides anew about an app decides about what it was given for a while, too.
  mutating func forgetGifts(after decision: PermissionBook.Decision) {
    switch decision {
    case .permission(let app, let permission) where permission.source == .administrator:
      temporaryFull.remove(app)
    case .permission(let app, let permission) where !permission.authorization.isAuthorized:
      temporaryFull.remove(app)
    case .forgotten(let apps): temporaryFull.subtract(apps)
    default: break
    }
  }

  /// What was given for as long as an app is in use ends once it was and is no more: because nobody
  /// looks, or because its last connection is gone.
  mutating func endGifts(at now: Instant, into outputs: inout [Output]) {
    let given = book.once.union(temporaryFull)
    guard !given.isEmpty || !giftsInUse.isEmpty else { return }
    giftsInUse.formIntersection(given)
    let inUse = Set(clients.all.values.lazy.filter(\.access.isInUse).map(\.caller.owner))
    for app in given {
      if inUse.contains(app) {
        giftsInUse.insert(app)
      } else if giftsInUse.remove(app) != nil {
        temporaryFull.remove(app)
        if book.once.contains(app) { tellListers(of: [app], into: &outputs) }
        book.endOnce(app)
        admit(app, at: now, into: &outputs)
      }
    }
  }
}
