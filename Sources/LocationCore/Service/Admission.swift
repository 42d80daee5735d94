import LocationModel

// Access is decided when something changes, never per fix.
extension LocationService {
  mutating func welcome(_ id: ClientID, _ caller: Caller) {
    clients[id] = Client(caller: caller, access: permissions.access(of: id, caller))
    monitoring.decide(of: caller.owner, by: permissions, clients)
  }

  /// Decides again about the clients of an app, or of all, and follows: what is taken away stops at
  /// once, and each is told what it sees of it.
  mutating func admit(_ app: App? = nil, at now: Instant, into outputs: inout [Output]) {
    for id in clients.inOrder {
      guard let client = clients[id], app == nil || client.caller.owner == app else { continue }
      let after = permissions.access(of: id, client.caller)
      let before = client.access
      guard after != before else { continue }
      clients[id]?.access = after
      follow(id, from: before, to: after, at: now, into: &outputs)
    }
    let (erased, retracted) = monitoring.retractUndecided(of: app, by: permissions, clients)
    for app in retracted { launcher.forget(app) }
    write(erased, into: &outputs)
    startUndecided(of: app, at: now, into: &outputs)
    monitoring.decide(of: app, by: permissions, clients)
  }

  mutating func follow(
    _ id: ClientID, from before: Access, to after: Access, at now: Instant,
    into outputs: inout [Output]
  ) {
    if Service.allCases.contains(where: { after.isLess(than: before, for: $0) }) {
      outputs.append(.purge(id))
    }
    if after.authorization != before.authorization || after.accuracy != before.accuracy {
      let everyone = Recipient(client: id, manager: 0)
      outputs.tell([everyone], .didChangeAuthorization(after.authorization, after.accuracy))
    }
    let verdict = after.verdict(for: .standard)
    if verdict == .confirm, let app = clients[id]?.caller.owner,
      delivery.isActive(id) || ranging.isActive(id) || advertising.isActive(id)
    {
      permissions.toConfirm.insert(app)
    }
    if let client = clients[id] {
      monitoring.deliverRegained(to: id, client, before: before, into: &outputs)
    }
    if permissions.use.holds[id] != nil { permissions.use.hasNews = true }
    guard let caller = clients[id]?.caller else { return }
    if !verdict.isAllowed, verdict != .ask {
      delivery.refuseOneShots(of: id, permissions.refusal(verdict, after, caller), into: &outputs)
    }
    let reason = verdict == .refuse ? permissions.refusal(verdict, after, caller) : nil
    if verdict.isAllowed { beginUndecided(of: id, at: now, into: &outputs) }
    for recipient in delivery.admit(id, verdict, reason, into: &outputs) {
      begin(recipient, at: now, into: &outputs)
    }
    admitRanging(id, after, caller, at: now, into: &outputs)
    guard advertising.clients.contains(id) else { return }
    let refusal = permissions.refusal(after.advertising, after, caller)
    if advertising.admit(id, after.advertising, refusal, into: &outputs) {
      noteUse(by: id, isNew: true, at: now)
    }
  }

  mutating func authorize(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    let verdict = access.verdict(for: service)
    guard !verdict.isAllowed else { return }
    if verdict == .confirm { permissions.toConfirm.insert(caller.owner) }
    throw permissions.refusal(verdict, access, caller)
  }
}

// MARK: - What people decide

extension LocationService {
  /// An agent answers a question.
  mutating func conclude(
    _ number: Int64, by agent: ClientID, _ answer: JSON?, at now: Instant,
    into outputs: inout [Output]
  ) {
    let concluded = permissions.conclude(
      number, by: agent, answer, clients, at: now, into: &outputs)
    guard let (ruling, askers) = concluded else { return }
    switch ruling {
    case .fullAccuracy(let app):
      admit(app, at: now, into: &outputs)
      permissions.answer(askers, isAccuracy: true, clients, into: &outputs)
    case .permission(let app, let permission):
      for asker in askers where clients[asker.client]?.caller.kind == .user {
        clients[asker.client]?.wasAskedAbout = true
      }
      var changes = [Change.permission(app, permission)]
      if permission.authorization == .denied { changes.append(.erase(app)) }
      commit(changes, .permission(app, permission), asked: askers, at: now, into: &outputs)
    }
  }

  /// Asks about the apps that need their provisional Always; those that it is decided about have the events that
  /// were held for them, or lose them.
  mutating func confirm(at now: Instant, into outputs: inout [Output]) {
    let decided = permissions.confirm(
      monitoring.drainUnconfirmed(at: now), clients, mayAsk: commits.trouble == nil, at: now,
      into: &outputs)
    for (app, isAlways) in decided { monitoring.release(of: app, isAllowed: isAlways, at: now) }
  }
}

// MARK: - Use

extension LocationService {
  mutating func noteUse(by client: ClientID, isNew: Bool, at now: Instant) {
    guard let caller = clients[client]?.caller, hasRoom(for: caller.owner, of: caller) else {
      return
    }
    permissions.usage.note(caller.owner, isNew: isNew, at: now)
  }

  /// Before its sessions go.
  mutating func noteEndOfUse(by client: ClientID, at now: Instant) {
    guard delivery.isActive(client) || ranging.isActive(client) || advertising.isActive(client)
    else { return }
    noteUse(by: client, isNew: false, at: now)
  }

  mutating func endUse(_ client: ClientID, at now: Instant, into outputs: inout [Output]) {
    guard permissions.use.holds.removeValue(forKey: client) != nil else { return }
    admit(clients.owner(of: client), at: now, into: &outputs)
  }

  /// Holds and temporary grants end when their time is up.
  mutating func endTemporaryGrants(at now: Instant, into outputs: inout [Output]) {
    for client in permissions.use.expired(at: now) { endUse(client, at: now, into: &outputs) }
    for app in permissions.endTemporaryGrants(clients, into: &outputs) {
      admit(app, at: now, into: &outputs)
    }
  }
}

extension Access {
  /// Whether something that may be on its way to the client must not arrive any more.
  fileprivate func isLess(than before: Access, for service: Service) -> Bool {
    guard case .allow(let accuracy) = before.verdict(for: service) else { return false }
    switch verdict(for: service) {
    case .allow(let now): return accuracy == .full && now == .reduced
    default: return true
    }
  }
}
