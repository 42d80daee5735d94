import LocationModel

// Apps that are gone: what starts them, and what lapses when they are gone for good.
extension LocationService {
  /// Nil where the answer comes later.
  mutating func setActivation(
    _ activation: Activation?, _ call: JSON?, of client: ClientID, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let activation else {
      guard launcher.schedule[caller.owner] != nil else { return .done }
      launcher.forgetLaunch(of: caller.owner)
      commit(
        [.remove(caller.owner, kind: StoredRecord.activation, key: "")], for: client, call,
        into: &outputs)
      return nil
    }
    try authorizeActivation(access, caller)
    try checkQueue(of: caller)
    try checkRoom(for: caller.owner, of: caller)
    let launch = try launcher.launch(
      by: activation, for: client, caller, call, clients, at: now, into: &outputs)
    guard let launch else { return nil }
    return propose(launch, for: client, caller, call, into: &outputs)
  }

  /// An app is started for what is told while it is gone.
  private func authorizeActivation(_ access: Access, _ caller: Caller) throws(Refusal) {
    let verdict = access.verdict(for: .significant)
    guard !verdict.isAllowed, verdict != .confirm else { return }
    throw permissions.refusal(verdict, access, caller)
  }

  private mutating func propose(
    _ launch: Launch, for client: ClientID, _ caller: Caller, _ call: JSON?,
    into outputs: inout [Output]
  ) -> Reply? {
    if launcher.isKept(launch, of: caller.owner) { return .done }
    commit(
      launcher.propose(launch, of: caller.owner, by: caller),
      then: .activated(caller.owner, launch), for: client, call, into: &outputs)
    return nil
  }

  /// `place`: where the name was found to be the caller's; nil for nowhere.
  mutating func endSearch(
    _ number: Int64, _ place: Launch.Place?, into outputs: inout [Output]
  ) {
    guard let search = launcher.searches.end(number), let client = clients[search.client] else {
      return
    }
    do throws(Refusal) {
      let launch = try search.launch(at: place, for: client.caller)
      try authorizeActivation(client.access, client.caller)
      let reply = propose(launch, for: search.client, client.caller, search.call, into: &outputs)
      if let reply, let id = search.call { outputs.append(.answer(search.client, id: id, reply)) }
    } catch {
      if let id = search.call { outputs.append(.refuse(search.client, id: id, error)) }
    }
  }

  mutating func relaunch(at now: Instant, into outputs: inout [Output]) {
    for number in launcher.searches.late(at: now) { endSearch(number, nil, into: &outputs) }
    var changes: [Change] = []
    let lapsed = launcher.lookForAbsent(
      in: monitoring, clients, at: now, into: &changes, &outputs)
    lapse(lapsed, changes, into: &outputs)
    launcher.start(awaitedBy: monitoring, permissions.questions.agents, at: now, into: &outputs)
  }

  mutating func reviewUnits(at now: Instant, into outputs: inout [Output]) {
    var changes: [Change] = []
    let lapsed = launcher.reviewUnits(in: monitoring, clients, at: now, into: &changes, &outputs)
    monitoring.rest(launcher.units.idle)
    lapse(lapsed, changes, into: &outputs)
  }

  private mutating func lapse(
    _ apps: [App], _ changes: [Change], into outputs: inout [Output]
  ) {
    write(changes, into: &outputs)
    for app in apps {
      forgetMonitoring(of: app)
      commit([.erase(app)], into: &outputs)
    }
  }
}
