import LocationModel

extension LocationService {
  mutating func answer(
    _ call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    // What a request sets off is told after its answer.
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
          accuracy: access.accuracy, services: Self.services))
    case .status: return .status(status(for: client, caller, at: now))
    case .startUpdatingLocation(let request):
      try start(
        StandardSession(Recipient(client: client, manager: call.manager), request), of: caller,
        access, at: now, into: &outputs)
      return .done
    case .stopUpdatingLocation:
      noteEndOfUse(by: client, at: now)
      sessions.removeAll { $0.recipient == Recipient(client: client, manager: call.manager) }
      return .done
    case .startUpdatingHeading(let request):
      try start(
        HeadingSession(Recipient(client: client, manager: call.manager), request), of: caller,
        at: now, into: &outputs)
      return .done
    case .stopUpdatingHeading:
      headings.removeAll { $0.recipient == Recipient(client: client, manager: call.manager) }
      return .done
    case .requestLocation(let request):
      try authorize(.standard, access, caller)
      return try wait(
        OneShot(client: client, id: call.id, request, at: now), of: caller, at: now)
    case .location:
      try authorize(.standard, access, caller)
      noteUse(by: client, isNew: true, at: now)
      return .location(newest.flatMap { seen($0.location, by: client, at: now) })
    case .requestAuthorization(let level):
      return try requestAuthorization(level, for: client, call, at: now, into: &outputs)
    case .requestTemporaryFullAccuracy(let purpose):
      clients[client]?.purpose = purpose
      return try requestFullAccuracy(for: client, call, at: now, into: &outputs)
    case .agentRegister:
      try registerAgent(client, caller, at: now, into: &outputs)
      return .done
    case .agentStandBy:
      try standBy(client, caller, at: now, into: &outputs)
      return .done
    case .beginUse:
      try beginUse(client, caller, at: now)
      return .done
    case .endUse:
      endUse(client, at: now, into: &outputs)
      return .done
    case .setActivation(let activation):
      return try setActivation(
        activation, call.id, of: client, caller, access, at: now, into: &outputs)
    case .permissionsList, .permissionsSet, .permissionsReset, .permissionsUnrestrict,
      .servicesSet:
      return try administer(call, of: client, caller, at: now, into: &outputs)
    case .startMonitoringSignificantLocationChanges, .stopMonitoringSignificantLocationChanges,
      .startMonitoringVisits, .stopMonitoringVisits, .startMonitoring, .stopMonitoring,
      .monitoredRegions, .requestState, .acknowledge:
      return try monitoring(call, of: client, caller, access, at: now, into: &outputs)
    }
  }

  mutating func start(
    _ session: StandardSession, of caller: Caller, _ access: Access, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) {
    let verdict = access.verdict(for: .standard)
    guard verdict != .refuse else { throw refusal(verdict, access, caller) }
    // Starting twice is one service: the wishes change, and what was told still counts.
    if let i = sessions.firstIndex(where: { $0.recipient == session.recipient }) {
      sessions[i].wish(session.request)
      return
    }
    guard
      count(of: caller, in: sessions.lazy.map(\.recipient.client))
        < settings.limits.managersPerUser
    else {
      throw .limit(
        "Your programs already update \(Count(settings.limits.managersPerUser, "manager"))",
        "ManagersPerUser")
    }
    sessions.append(session)
    sessions[sessions.count - 1].allow(verdict)
    if verdict.isAllowed {
      begin(sessions.count - 1, at: now, into: &outputs)
    } else if verdict == .confirm {
      toConfirm.insert(caller.owner)
    } else if verdict == .ask {
      // It may go on once somebody has decided; whoever looks is told why nothing comes.
      var reason = refusal(verdict, access, caller)
      reason.code = .locationUnknown
      tell([session.recipient], .didFail(reason), into: &outputs)
    }
  }

  private mutating func wait(
    _ oneShot: OneShot, of caller: Caller, at now: Instant
  ) throws(Refusal) -> Reply? {
    noteUse(by: oneShot.client, isNew: true, at: now)
    guard count(of: caller, in: oneShots.lazy.map(\.client)) < settings.limits.waitingPerUser
    else {
      throw .limit(
        "\(Count(settings.limits.waitingPerUser, "request")) of your programs wait for a location",
        "WaitingPerUser")
    }
    var oneShot = oneShot
    if let fresh = fresh(within: Self.freshAtOnce, at: now), oneShot.isMet(by: fresh) {
      return .location(seen(fresh, by: oneShot.client, at: now))
    }
    oneShots.append(oneShot)
    return nil
  }

  mutating func answer(
    _ oneShot: OneShot, _ location: Location?, at now: Instant, into outputs: inout [Output]
  ) {
    defer { hangUpIfDone(oneShot.client, into: &outputs) }
    guard let id = oneShot.id else { return }
    if let location = location.flatMap({ seen($0, by: oneShot.client, at: now) }) {
      outputs.append(.answer(oneShot.client, id: id, .location(location)))
    } else {
      outputs.append(
        .refuse(
          oneShot.client, id: id,
          Refusal(
            .locationUnknown, "No location came in time. 'locationctl status' shows the sources.")))
    }
  }

  func fresh(within age: Int64, at now: Instant) -> Location? {
    newest.flatMap { now.boottime - $0.arrival <= age ? $0.location : nil }
  }

  /// How old a location may be to begin with, and to be the answer to someone who asks for one.
  static let freshToStart: Int64 = 10_000_000_000
  private static let freshAtOnce: Int64 = 2_000_000_000
}
