import LocationModel

extension LocationService {
  mutating func answer(
    _ call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    // A request is answered before what follows from it is told.
    let place = outputs.count
    do throws(Refusal) {
      guard let reply = try reply(to: call, of: client, at: now, into: &outputs), let id = call.id
      else { return }
      outputs.insert(.answer(client, id: id, reply), at: place)
    } catch {
      guard let id = call.id else { return }
      outputs.append(.refuse(client, id: id, error))
    }
  }

  /// Nil where the answer comes later.
  mutating func reply(
    to call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let caller = clients[client]?.caller, let access = clients[client]?.access else {
      return nil
    }
    switch call.request {
    case .hello(let introduction):
      clients[client]?.name = introduction.name
      clients[client]?.purpose = introduction.purpose
      listen(client, to: nil, into: &outputs)
      return .hello(
        Greeting(
          version: settings.version, app: caller.app, authorization: access.authorization,
          accuracy: access.accuracy, services: Self.services, ledger: ledger))
    case .status: return .status(status(for: client, caller, at: now))
    case .startUpdatingLocation(let request):
      try start(
        StandardSession(Recipient(client: client, manager: call.manager), request), of: caller,
        access, at: now, into: &outputs)
      return .done
    case .stopUpdatingLocation:
      noteEndOfUse(by: client, at: now)
      delivery.stop(Recipient(client: client, manager: call.manager))
      return .done
    case .startUpdatingHeading(let request):
      try start(
        HeadingSession(Recipient(client: client, manager: call.manager), request), of: caller,
        at: now, into: &outputs)
      return .done
    case .stopUpdatingHeading:
      delivery.stopHeading(Recipient(client: client, manager: call.manager))
      return .done
    case .requestLocation(let request):
      let verdict = access.verdict(for: .standard)
      if verdict != .ask { try authorize(.standard, access, caller) }
      // Where nobody has decided yet it waits, as updates do, but no longer than it may take.
      let undecided = verdict == .ask ? permissions.refusal(verdict, access, caller) : nil
      return try wait(request, call.id, of: client, caller, undecided: undecided, at: now)
    case .location:
      try authorize(.standard, access, caller)
      noteUse(by: client, isNew: true, at: now)
      return .location(
        sources.place(at: now).flatMap { delivery.seen($0, by: client, clients, at: now) })
    case .requestAuthorization(let level):
      guard permissions.mayAsk(for: level, access, caller.owner) else {
        return .authorization(access.authorization)
      }
      if caller.entry == .shared { permissions.wishes.insert(client) }
      try ask(
        level == .authorizedAlways ? .always : .whenInUse, for: client, call, caller, access,
        at: now, into: &outputs)
      return nil
    case .requestTemporaryFullAccuracy(let purpose):
      clients[client]?.purpose = purpose
      guard access.authorization.isAuthorized else {
        throw permissions.refusal(access.verdict(for: .standard), access, caller)
      }
      guard access.accuracy == .reduced else { return .accuracy(.full) }
      try ask(.fullAccuracy, for: client, call, caller, access, at: now, into: &outputs)
      return nil
    case .agentRegister:
      try permissions.registerAgent(client, caller, clients, at: now, into: &outputs)
      uses.told[caller.uid] = nil
      return .done
    case .agentStandBy:
      try permissions.standBy(client, caller, clients, at: now, into: &outputs)
      uses.told[caller.uid] = nil
      return .done
    case .beginUse:
      try permissions.beginUse(client, caller, at: now)
      return .done
    case .endUse:
      endUse(client, at: now, into: &outputs)
      return .done
    case .setActivation(let activation):
      return try setActivation(
        activation, call.id, of: client, caller, access, at: now, into: &outputs)
    case .startRangingBeacons(let constraint):
      try startRanging(
        constraint, for: Recipient(client: client, manager: call.manager), caller, access, at: now,
        into: &outputs)
      return .done
    case .stopRangingBeacons(let constraint):
      noteEndOfUse(by: client, at: now)
      ranging.stop(
        constraint, for: Recipient(client: client, manager: call.manager), at: now)
      return .done
    case .startAdvertising(let frame):
      try startAdvertising(
        frame, for: Recipient(client: client, manager: call.manager), caller, access, at: now,
        into: &outputs)
      return .done
    case .stopAdvertising:
      noteEndOfUse(by: client, at: now)
      advertising.stop(for: Recipient(client: client, manager: call.manager))
      return .done
    case .wifiStatus: return .wifi(wifiStatus(for: client, caller, at: now))
    case .history(let query): return try history(query, for: caller, at: now)
    case .historyForget(let selection):
      try forgetHistory(selection, for: client, caller, call.id, into: &outputs)
      return nil
    case .pause(let request):
      return try pause(request, for: client, caller, call.id, at: now, into: &outputs)
    case .resume(let request): return try resume(request, for: client, caller, call.id)
    case .may(let query): return try may(query, for: client, caller)
    case .permissionsList, .permissionsSet, .permissionsReset, .permissionsUnrestrict,
      .servicesSet, .hereSet, .hereForget, .hereStatus, .forget:
      return try administer(call, of: client, caller, at: now, into: &outputs)
    case .startMonitoringSignificantLocationChanges, .stopMonitoringSignificantLocationChanges,
      .startMonitoringVisits, .stopMonitoringVisits, .startMonitoring, .stopMonitoring,
      .monitoredRegions, .requestState, .acknowledge:
      return try monitor(call, of: client, caller, access, at: now, into: &outputs)
    }
  }

  private mutating func start(
    _ session: StandardSession, of caller: Caller, _ access: Access, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) {
    let verdict = access.verdict(for: .standard)
    guard verdict != .refuse else { throw permissions.refusal(verdict, access, caller) }
    if delivery.change(session) { return }
    try checkManagers(of: caller, delivery.sessions.lazy.map(\.recipient.client))
    // Where nobody has decided yet it waits, and is told nothing until somebody has.
    delivery.start(session, verdict)
    if verdict.isAllowed {
      begin(session.recipient, at: now, into: &outputs)
    } else if verdict == .confirm {
      permissions.toConfirm.insert(caller.owner)
    }
  }

  mutating func begin(
    _ recipient: Recipient, at now: Instant, into outputs: inout [Output]
  ) {
    noteUse(by: recipient.client, isNew: true, at: now)
    delivery.begin(recipient, sources, clients, at: now, into: &outputs)
  }

  private mutating func start(
    _ session: HeadingSession, of caller: Caller, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    if delivery.change(session) { return }
    try checkManagers(of: caller, delivery.headings.lazy.map(\.recipient.client))
    delivery.start(session, by: &sources, clients, at: now, into: &outputs)
  }

  func checkManagers(
    of caller: Caller, _ holders: some Sequence<ClientID>
  ) throws(Refusal) {
    let most = settings.limits.managersPerUser
    guard clients.count(of: caller.uid, in: holders) < most else {
      throw .limit("Your programs already update \(Count(most, "manager"))", "ManagersPerUser")
    }
  }

  /// Nil where the location is still to come; a client that wants no answer waits for none.
  private mutating func wait(
    _ request: OneShotRequest, _ id: JSON?, of client: ClientID, _ caller: Caller,
    undecided: Refusal?, at now: Instant
  ) throws(Refusal) -> Reply? {
    let most = settings.limits.waitingPerUser
    guard clients.count(of: caller.uid, in: delivery.oneShots.lazy.map(\.client)) < most else {
      throw .limit(
        "\(Count(most, "request")) of your programs wait for a location", "WaitingPerUser")
    }
    if undecided == nil { noteUse(by: client, isNew: true, at: now) }
    guard let id else { return nil }
    return begin(
      OneShot(client: client, id: id, request, undecided: undecided, at: now), at: now)
  }

  /// The requests that waited for a decision begin.
  mutating func beginUndecided(
    of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    for var oneShot in delivery.takeUndecided(of: client) {
      oneShot.undecided = nil
      noteUse(by: client, isNew: true, at: now)
      guard let reply = begin(oneShot, at: now) else { continue }
      outputs.append(.answer(client, id: oneShot.id, reply))
    }
  }

  /// Nil where the location is still to come.
  private mutating func begin(_ oneShot: OneShot, at now: Instant) -> Reply? {
    var oneShot = oneShot
    let client = oneShot.client
    if let fresh = sources.location(within: Delivery.freshAtOnce, at: now),
      oneShot.isMet(by: fresh)
    {
      return .location(
        delivery.seen(fresh, isReduced: oneShot.isReduced, by: client, clients, at: now))
    }
    if let place = sources.known.present(at: now), oneShot.isSatisfied(by: place) {
      return .location(
        delivery.seen(place, isReduced: oneShot.isReduced, by: client, clients, at: now))
    }
    delivery.wait(oneShot)
    return nil
  }
}

// MARK: - Asking a person

extension LocationService {
  mutating func ask(
    _ level: AgentQuestion.Level, for client: ClientID, _ call: Call, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    guard access.isInUse else { throw permissions.refusal(unused: caller, access) }
    if isToBeLookedAt(caller) { return try recognition.hold(call, of: client, caller, clients) }
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
}
