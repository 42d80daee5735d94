import LocationModel

// People are asked, and what they decide is written and holds.
extension LocationService {
  mutating func ask(
    _ level: AgentQuestion.Level, for client: ClientID, _ call: Call, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    guard access.isInUse else { throw permissions.refusal(unused: caller, access) }
    if isToBeLookedAt(caller) {
      let registry = clients
      guard
        recognition.hold(call, of: client, ofUser: { registry.owner(of: $0)?.uid == caller.uid })
      else {
        throw Refusal(.limitExceeded, "Too many of your programs are asked about at once.")
      }
      return
    }
    if let trouble = commits.trouble {
      guard handleAgain(call, of: client, at: now, into: &outputs) else {
        throw Self.unwritten(trouble)
      }
      return
    }
    let asker = call.id.map { Questions.Asker(client: client, call: $0) }
    guard let agent = try permissions.join(level, for: asker, caller, access, clients, at: now)
    else { return }
    try checkRoom(for: caller.owner, of: caller)
    permissions.ask(
      level, about: caller, access, by: agent, for: asker.map { [$0] } ?? [],
      name: clients[client]?.name, purpose: clients[client]?.purpose, at: now, into: &outputs)
  }

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

  /// The second question of a provisional Always: the app sees Always, the person has said While Using.
  /// Apps that have come to need it are asked about; what was decided lets go of what was held for them.
  mutating func confirm(at now: Instant, into outputs: inout [Output]) {
    permissions.toConfirm.formUnion(monitoring.unconfirmed)
    monitoring.unconfirmed = []
    guard !permissions.toConfirm.isEmpty else { return }
    monitoring.held.hasNews = false
    monitoring.held.dropStale(at: now)
    for app in permissions.toConfirm.sorted() {
      let access = permissions.access(of: app, isInUse: true)
      if access.isProvisional {
        guard commits.trouble == nil else { continue }
        permissions.askToConfirm(app, access, clients, at: now, into: &outputs)
      } else {
        permissions.toConfirm.remove(app)
        let events = monitoring.held.release(of: app, at: now)
        guard access.authorization == .authorizedAlways else { continue }
        for event in events { monitoring.note(event, to: app, at: now) }
      }
    }
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
    if delivery.isActive(client) { noteUse(by: client, isNew: false, at: now) }
  }

  mutating func endUse(_ client: ClientID, at now: Instant, into outputs: inout [Output]) {
    guard permissions.use.holds.removeValue(forKey: client) != nil else { return }
    admit(clients.owner(of: client), at: now, into: &outputs)
  }

  /// Holds and gifts end when their time is up.
  mutating func endGifts(at now: Instant, into outputs: inout [Output]) {
    for client in permissions.use.expired(at: now) { endUse(client, at: now, into: &outputs) }
    for app in permissions.endGifts(clients, into: &outputs) {
      admit(app, at: now, into: &outputs)
    }
  }
}
