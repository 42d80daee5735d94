import LocationModel

// Programs that come to have a name: their user's agent was not there, or could not tell them, when they connected.
//
// A program is renamed between two commits about it, all of its connections in one step: it is told once what it may
// do, by the name that is its own. What was decided about that name holds, whatever `user:NAME` had.
extension LocationService {
  /// A client has come: there may be an agent to ask about it, or it has left something under another name.
  mutating func recognize(_ id: ClientID, _ caller: Caller) {
    if caller.wantsClue {
      if let agent = permissions.agent(for: caller, clients), agent != caller.lookedAtBy {
        recognition.wait(caller.uid)
      }
    } else if caller.lookedAtBy != nil, let process = caller.process,
      monitoring.nameless(of: caller.uid, registeredBy: process) != nil
    {
      heirs.append(id)
    }
  }

  /// Has agents look at the programs that nobody has told yet.
  mutating func lookAgain(at now: Instant, into outputs: inout [Output]) {
    let changed = permissions.questions.changed.sorted()
    permissions.questions.changed = []
    for uid in changed {
      let identifier = permissions.questions.agents[uid]
      let all = [identifier].compactMap { $0 } + (permissions.questions.askers[uid] ?? [])
      var processes: [ProcessID] = []
      for process in all.compactMap({ clients[$0]?.caller.process })
      where !processes.contains(process) {
        processes.append(process)
      }
      agents.note(processes, of: uid, at: now)
      recognition.turn(uid, to: identifier, at: now)
      if identifier != nil { outputs.append(.agentCame(uid)) }
    }
    recognition.beginDue(at: now)
    for uid in recognition.drainWaiting() { look(uid, into: &outputs) }
  }

  /// Handles the calls of clients whose name is told, or will not be.
  mutating func release(at now: Instant, into outputs: inout [Output]) {
    if recognition.held.isEmpty { return }
    let free = Set(recognition.held.map(\.client)).filter {
      clients[$0].map { !isToBeLookedAt($0.caller) } ?? true
    }
    for (client, call) in recognition.release(free) {
      answer(call, of: client, at: now, into: &outputs)
    }
  }

  private mutating func look(_ uid: UInt32, into outputs: inout [Output]) {
    guard let agent = recognition.agent(of: uid), recognition.hasRoom(for: uid) else { return }
    for id in clients.inOrder {
      guard let caller = clients[id]?.caller, caller.uid == uid, caller.wantsClue,
        caller.lookedAtBy != agent, let process = caller.process,
        permissions.agent(for: caller, clients) == agent
      else { continue }
      let program = Recognition.Program(uid: uid, process: process, socket: caller.socket)
      if !recognition.isUnderWay(program) {
        // The others have their turn when some have been told.
        guard recognition.begin(program) else { return }
        outputs.append(.look(caller))
      }
      clients[id]?.caller.lookedAtBy = agent
    }
  }

  /// Nobody is asked about a program whose name is about to be told.
  func isToBeLookedAt(_ caller: Caller) -> Bool {
    guard caller.wantsClue, let process = caller.process else { return false }
    let program = Recognition.Program(uid: caller.uid, process: process, socket: caller.socket)
    if recognition.isUnderWay(program) || recognition.found[program] != nil { return true }
    return permissions.agent(for: caller, clients).map { $0 != caller.lookedAtBy } ?? false
  }

  /// Notes what a client without a name is told: it is not told again by its name.
  mutating func noteHeard(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    for recipient in recipients where clients[recipient.client]?.caller.wantsClue == true {
      clients[recipient.client]?.heard.note(event, number)
    }
  }
}

// MARK: - Names

extension LocationService {
  /// Renames the programs that were told, as soon as nothing about them is being written.
  mutating func rename(at now: Instant, into outputs: inout [Output]) {
    for (program, clue) in recognition.found.sorted(by: { $0.key < $1.key }) {
      let all = clients.nameless(program).compactMap { id -> (id: ClientID, caller: Caller)? in
        guard var caller = clients[id]?.caller else { return nil }
        let before = caller.app
        caller.apply(clue)
        return caller.app == before ? nil : (id, caller)
      }
      let isBusy = all.contains { isBeingWritten($0.id, $0.caller.owner) }
      if isBusy
        || all.contains(where: { moveDecision(of: $0.id, to: $0.caller, at: now, into: &outputs) })
      {
        continue
      }
      recognition.conclude(program)
      // All of its connections have heard what one has.
      var heard = HeardEvents()
      for (id, _) in all { heard.add(clients[id]?.heard ?? HeardEvents()) }
      for (id, caller) in all {
        rename(id, to: caller, heard, at: now, into: &outputs)
        heard = HeardEvents()
      }
      recognition.wait(program.uid)
    }
    let waiting = heirs
    heirs = []
    for id in waiting { inherit(id, at: now, into: &outputs) }
  }

  private func isBeingWritten(_ id: ClientID, _ new: App) -> Bool {
    guard let old = clients.owner(of: id) else { return false }
    return !monitoring.changes.isEmpty || commits.isWriting(old, for: id) || commits.isWriting(new)
  }

  private mutating func rename(
    _ id: ClientID, to caller: Caller, _ heard: HeardEvents, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let client = clients[id] else { return }
    let (old, new) = (client.caller.owner, caller.owner)
    clients[id]?.caller = caller
    open.clients = nil
    outputs.append(.renamed(id, caller))
    move(of: id, heard: heard, from: old, to: new, at: now, into: &outputs)
    clients[id]?.heard = HeardEvents()
    permissions.use.hasNews = true
    let asked = permissions.takeBack(questionsOf: id, about: old, into: &outputs)
    let after = permissions.access(of: id, caller)
    clients[id]?.access = after
    if after != client.access {
      follow(id, from: client.access, to: after, at: now, into: &outputs)
    }
    // What was regained is told by that.
    if let renamed = clients[id], renamed.listening.isOn {
      let services = Service.allCases.filter { client.access.verdict(for: $0).isAllowed }
      monitoring.deliverMissed(to: id, renamed, services, after: client.heard.last, into: &outputs)
    }
    admit(new, at: now, into: &outputs)
    monitoring.decide(of: old, by: permissions, clients)
    write(launcher.didDisconnect(old, in: monitoring, at: now), into: &outputs)
    write(launcher.didConnect(new, in: monitoring, at: now), into: &outputs)
    for call in asked { answer(call, of: id, at: now, into: &outputs) }
    if client.wasAskedAbout { giveBackDecision(about: old, at: now, into: &outputs) }
  }

  /// A process that has a name by now left something under the one that it had before.
  private mutating func inherit(_ id: ClientID, at now: Instant, into outputs: inout [Output]) {
    guard let caller = clients[id]?.caller, let process = caller.process,
      let old = monitoring.nameless(of: caller.uid, registeredBy: process)
    else { return }
    guard monitoring.changes.isEmpty, !commits.isWriting(old), !commits.isWriting(caller.owner)
    else { return heirs.append(id) }
    move(of: id, heard: HeardEvents(), from: old, to: caller.owner, at: now, into: &outputs)
    admit(caller.owner, at: now, into: &outputs)
    monitoring.decide(of: old, by: permissions, clients)
  }

  private mutating func move(
    of id: ClientID, heard: HeardEvents, from old: App, to new: App, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let caller = clients[id]?.caller, let process = caller.process else { return }
    // An app for which there is no room could not have registered anything either.
    let isRefused = permissions.isRefused(new) || !hasRoom(for: new, of: caller)
    var move = Move(
      process, from: old, to: new, heard: heard, isRefused: isRefused,
      isLimited: isLimited(caller), at: now)
    monitoring.move(&move)
    var failed = move.failed
    failed += monitoring.moveUndecided(of: id, from: old, to: new, isLimited: isLimited(caller))
    if !move.changes.isEmpty {
      let events = move.numbered
      commit(move.changes, then: events.isEmpty ? nil : .report(events), into: &outputs)
      outputs.append(.note("\(new) has what it had registered as \(old.name)"))
    }
    for identifier in failed {
      let refusal = Refusal(
        .regionMonitoringFailure, "\(new) monitors as many regions as it may without this one.")
      outputs.tell(
        [Recipient(client: id, manager: 0)],
        .monitoringDidFail(identifier: identifier, refusal))
    }
    if let (launch, changes) = launcher.move(process, from: old, to: new) {
      if isRefused { launcher.forgetLaunch(of: new) }
      let kept = isRefused ? Array(changes.prefix(1)) : changes
      commit(kept, then: isRefused ? nil : .activated(new, launch), into: &outputs)
    }
  }
}

// MARK: - What was decided meanwhile

extension LocationService {
  /// A person was asked about this program by the name that it had: the answer is about its own name, unless
  /// something is decided about that. True while it is being written.
  private mutating func moveDecision(
    of id: ClientID, to caller: Caller, at now: Instant, into outputs: inout [Output]
  ) -> Bool {
    guard let client = clients[id], client.wasAskedAbout, !client.isDecisionMoved else {
      return false
    }
    clients[id]?.isDecisionMoved = true
    var permission = permissions.book.permission(of: client.caller.owner)
    let new = caller.owner
    guard permission.source == .person, permission.authorization != .notDetermined,
      permissions.book.permission(of: new).authorization == .notDetermined,
      !permission.authorization.isAuthorized || !permissions.isRefused(new),
      hasRoom(for: new, of: caller)
    else { return false }
    // An interpreter may run any program.
    if caller.isShared, permission.authorization.isAuthorized {
      permission.authorization = .authorizedWhenInUse
      permission.isOnce = true
      permission.isProvisional = false
    }
    commit(
      [.permission(new, permission)], .permission(new, permission), at: now, into: &outputs)
    return true
  }

  /// What a person allowed the program is nobody else's; a denial stays.
  private mutating func giveBackDecision(
    about old: App, at now: Instant, into outputs: inout [Output]
  ) {
    let permission = permissions.book.permission(of: old)
    let others = clients.clients(of: old).contains { clients[$0]?.wasAskedAbout == true }
    guard !others, permission.source == .person, permission.authorization.isAuthorized else {
      return
    }
    commit(
      [.permission(old, Permission())], .permission(old, Permission()), at: now, into: &outputs)
  }
}
