import LocationModel

/// Who may what, now.
extension LocationService {
  /// All that decides about an app.
  private func standing(of app: App) -> Standing {
    var standing = Standing()
    standing.servicesEnabled = book.servicesEnabled
    standing.rule = settings.policy.rule(for: app)
    standing.isRestricted = book.isRestricted(app)
    standing.permission = book.permission(of: app)
    standing.hasTemporaryFull = temporaryFull.contains(app)
    return standing
  }

  /// What a client may do.
  func access(of client: ClientID, _ caller: Caller) -> Access {
    var standing = standing(of: caller.owner)
    standing.isTrusted = caller.isTrusted(by: settings.uid)
    standing.isAnonymous = caller.isAnonymous
    standing.isInUse = use.isInUse(client, caller)
    return Access(standing)
  }

  /// What an app may do, whether or not it is there.
  func access(of app: App, isInUse: Bool) -> Access {
    var standing = standing(of: app)
    standing.isInUse = isInUse
    standing.isTrusted = (app.uid == 0 || app.uid == settings.uid) && !app.isSandboxed
    return Access(standing)
  }

  /// May change what others' programs may do.
  func isAdministrator(_ caller: Caller) -> Bool { caller.isTrusted(by: settings.uid) }

  mutating func welcome(_ id: ClientID, _ caller: Caller) {
    clients[id] = Client(caller: caller, access: access(of: id, caller))
    decideMonitoring(of: caller.owner)
  }

  /// Decides again about the clients of an app, or of all, and follows: what is taken away stops at
  /// once, and each is told what it sees of it.
  mutating func admit(_ app: App? = nil, at now: Instant, into outputs: inout [Output]) {
    for id in clients.inOrder {
      guard let client = clients[id], app == nil || client.caller.owner == app else { continue }
      let after = access(of: id, client.caller)
      let before = client.access
      guard after != before else { continue }
      clients[id]?.access = after
      follow(id, from: before, to: after, at: now, into: &outputs)
    }
    retractUndecided(of: app, at: now, into: &outputs)
    startUndecided(of: app, at: now, into: &outputs)
    decideMonitoring(of: app)
  }

  private mutating func follow(
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
      delivery.isActive(id)
    {
      toConfirm.insert(app)
    }
    retell(id, from: before, into: &outputs)
    if use.holds[id] != nil { use.hasNews = true }
    guard let caller = clients[id]?.caller else { return }
    if !verdict.isAllowed, verdict != .ask {
      delivery.refuseOneShots(of: id, refusal(verdict, after, caller), into: &outputs)
    }
    let reason = verdict == .refuse ? refusal(verdict, after, caller) : nil
    for recipient in delivery.admit(id, verdict, reason, into: &outputs) {
      begin(recipient, at: now, into: &outputs)
    }
  }

  mutating func authorize(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    let verdict = access.verdict(for: service)
    guard !verdict.isAllowed else { return }
    if verdict == .confirm { toConfirm.insert(caller.owner) }
    throw refusal(verdict, access, caller)
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
