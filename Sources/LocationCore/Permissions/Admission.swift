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
    for id in clients.keys.sorted(by: { $0.number < $1.number }) {
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
      tell([everyone], .didChangeAuthorization(after.authorization, after.accuracy), into: &outputs)
    }
    let verdict = after.verdict(for: .standard)
    if verdict == .confirm, let app = clients[id]?.caller.owner,
      sessions.contains(where: { $0.recipient.client == id && $0.isActive })
    {
      toConfirm.insert(app)
    }
    retell(id, from: before, into: &outputs)
    if use.holds[id] != nil { use.hasNews = true }
    for i in oneShots.indices.reversed() where oneShots[i].client == id {
      guard !verdict.isAllowed, verdict != .ask else { continue }
      let refused = oneShots.remove(at: i)
      guard let number = refused.id, let caller = clients[id]?.caller else { continue }
      outputs.append(.refuse(id, id: number, refusal(verdict, after, caller)))
    }
    for i in sessions.indices where sessions[i].recipient.client == id {
      resume(i, verdict, after, at: now, into: &outputs)
    }
    hangUpIfDone(id, into: &outputs)
  }

  mutating func authorize(
    _ service: Service, _ access: Access, _ caller: Caller
  ) throws(Refusal) {
    let verdict = access.verdict(for: service)
    guard !verdict.isAllowed else { return }
    if verdict == .confirm { toConfirm.insert(caller.owner) }
    throw refusal(verdict, access, caller)
  }

  /// A location as the client may see it now; nil where it may not.
  mutating func seen(_ location: Location, by client: ClientID, at now: Instant) -> Location? {
    switch clients[client]?.access.verdict(for: .standard) {
    case .allow(.full): location
    case .allow(.reduced): coarse(location, for: client, at: now)
    default: nil
    }
  }

  /// A session goes on, or stands still.
  private mutating func resume(
    _ i: Int, _ verdict: Verdict, _ access: Access, at now: Instant, into outputs: inout [Output]
  ) {
    let wasActive = sessions[i].isActive
    let wasCoarse = sessions[i].isCoarse
    sessions[i].allow(verdict)
    let recipient = sessions[i].recipient
    if sessions[i].isActive, !wasActive || wasCoarse != sessions[i].isCoarse {
      begin(i, at: now, into: &outputs)
    } else if wasActive, verdict == .refuse,
      let caller = clients[recipient.client]?.caller
    {
      tell([recipient], .didFail(refusal(verdict, access, caller)), into: &outputs)
    }
  }

  /// What is at hand, to begin with.
  mutating func begin(_ i: Int, at now: Instant, into outputs: inout [Output]) {
    let recipient = sessions[i].recipient
    noteUse(by: recipient.client, isNew: true, at: now)
    // Who needs little begins with what others would wait for.
    let pause = sessions[i].need.pause(at: newest?.location.speed ?? 0)
    let length = min(Int64(nanosecondsIn: pause), settings.duty.longestPause)
    let age = max(Self.freshToStart, length)
    if let fresh = fresh(within: age, at: now) {
      if sessions[i].isCoarse {
        tellCoarse(fresh, i, at: now, into: &outputs)
      } else if sessions[i].takes(fresh, Point(fresh.coordinate)) {
        tell([recipient], .didUpdateLocations(fresh, .standard), into: &outputs)
      }
    } else if sources.haveAllFailed {
      tell([recipient], Self.noSource, into: &outputs)
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
