import LocationModel

// Apps that are gone: what starts them, and what lapses when they are gone for good.
extension LocationService {
  /// Nil where the answer comes later.
  mutating func setActivation(
    _ activation: Activation?, _ call: JSON?, of client: ClientID, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let activation else {
      guard launcher.launch(of: caller.owner) != nil else { return .done }
      launcher.forgetLaunch(of: caller.owner)
      commit(
        [.remove(caller.owner, kind: StoredRecord.activation, key: "")], for: client, call,
        into: &outputs)
      return nil
    }
    try authorizeActivation(access, caller)
    try checkQueue(of: caller)
    try checkRoom(for: caller.owner, of: caller)
    switch activation {
    case .unit(let name):
      guard let place = caller.place(ofUnit: name) else {
        throw Refusal(
          .denied,
          "\(caller.app) may have the service started that it runs in itself, and \(name) is none"
            + " such; or a busName that it owns.")
      }
      return keep(
        Launch(activation, at: place), of: caller.owner, for: client, call, into: &outputs)
    case .busName(let name):
      let searching = launcher.searches.all.values.lazy.map(\.client)
      guard clients.count(of: caller.uid, in: searching) < OwnerSearches.mostPerUser else {
        throw Refusal(.limitExceeded, "Too many of your programs say at once what to start.")
      }
      let number = launcher.searches.begin(client, call, name, at: now)
      outputs.append(.findOwner(number, name, of: caller))
      return nil
    }
  }

  /// An app is started for what is told while it is gone.
  private func authorizeActivation(_ access: Access, _ caller: Caller) throws(Refusal) {
    let verdict = access.verdict(for: .significant)
    guard !verdict.isAllowed, verdict != .confirm else { return }
    throw permissions.refusal(verdict, access, caller)
  }

  private mutating func keep(
    _ launch: Launch, of app: App, for client: ClientID, _ call: JSON?,
    into outputs: inout [Output]
  ) -> Reply? {
    if launcher.isKept(launch, of: app) { return .done }
    let changes = launcher.propose(launch, of: app, by: clients[client]?.caller)
    commit(changes, then: .activated(app, launch), for: client, call, into: &outputs)
    return nil
  }

  /// Where the name was found to be the caller's; nil for nowhere.
  mutating func endSearch(
    _ number: Int64, _ place: Launch.Place?, into outputs: inout [Output]
  ) {
    guard let search = launcher.searches.end(number), let client = clients[search.client] else {
      return
    }
    do throws(Refusal) {
      guard let place else {
        throw Refusal(
          .denied,
          "\(client.caller.app) does not own \(search.busName) now, or nobody could tell: that is"
            + " asked of the system's bus, and of the session's through locationd-agent.")
      }
      try authorizeActivation(client.access, client.caller)
      let launch = Launch(.busName(search.busName), at: place)
      let reply = keep(
        launch, of: client.caller.owner, for: search.client, search.call, into: &outputs)
      if let reply, let id = search.call { outputs.append(.answer(search.client, id: id, reply)) }
    } catch {
      if let id = search.call { outputs.append(.refuse(search.client, id: id, error)) }
    }
  }

  /// The app is there now, or was until now.
  mutating func recordSeen(_ app: App, at now: Instant, into outputs: inout [Output]) {
    let changes = launcher.recordSeen(app, isRegistered: monitoring.isRegistered(app), at: now)
    if !changes.isEmpty { commit(changes, into: &outputs) }
  }

  mutating func relaunch(at now: Instant, into outputs: inout [Output]) {
    for number in launcher.searches.late(at: now) { endSearch(number, nil, into: &outputs) }
    lookForAbsent(at: now, into: &outputs)
    launcher.start(awaitedBy: monitoring, permissions.questions.agents, at: now, into: &outputs)
  }

  private mutating func lookForAbsent(at now: Instant, into outputs: inout [Output]) {
    guard launcher.lastSeen.looksAt <= now.boottime else { return }
    let (changes, lapsed) = launcher.lookForAbsent(
      in: monitoring, present: clients.owners, at: now)
    if !changes.isEmpty { commit(changes, into: &outputs) }
    for app in lapsed {
      forgetMonitoring(of: app)
      commit([.erase(app)], into: &outputs)
      outputs.append(
        .note(
          "\(app) was not there for \(LastSeen.longestAbsence) days: what it had registered"
            + " lapses, what it may do stays"))
    }
  }
}
