import LocationModel

/// The agents of each user, which ask the person and tell programs apart.
extension PermissionBroker {
  mutating func registerAgent(
    _ client: ClientID, _ caller: Caller, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) {
    try checkAgent(caller)
    let askers = questions.askers[caller.uid] ?? []
    if askers.contains(client) { return }
    if let first = askers.first { try checkRank(caller, before: first, clients) }
    questions.askers[caller.uid] = [client] + askers
    let identifier = questions.agents[caller.uid]
    if identifier == nil || identifier.map({ outranks(caller, $0, clients) }) == true {
      questions.agents[caller.uid] = client
    }
    use.renotify(caller.uid)
    for asker in askers { passOn(questionsOf: asker, clients, at: now, into: &outputs) }
  }

  /// It asks nobody from now on, and leaves that to another one, but tells programs apart.
  mutating func standBy(
    _ client: ClientID, _ caller: Caller, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) {
    try checkAgent(caller)
    if let first = questions.agents[caller.uid], first != client {
      let alsoAsks = questions.askers[caller.uid]?.contains(first) == true
      // A terminal that asks as well gives that up to one that does nothing else.
      if !alsoAsks || isUnit(first, clients) { try checkRank(caller, before: first, clients) }
    }
    questions.agents[caller.uid] = client
    use.renotify(caller.uid)
    stopAsking(client, of: caller.uid, clients, at: now, into: &outputs)
  }

  /// It is no agent any more.
  mutating func forgetAgent(
    _ client: ClientID, _ clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) {
    for uid in questions.askers.keys {
      stopAsking(client, of: uid, clients, at: now, into: &outputs)
    }
    for (uid, agent) in questions.agents where agent == client {
      questions.agents[uid] = questions.askers[uid]?.first
    }
  }

  private mutating func stopAsking(
    _ client: ClientID, of uid: UInt32, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard var askers = questions.askers[uid], askers.contains(client) else { return }
    askers.removeAll { $0 == client }
    questions.askers[uid] = askers.isEmpty ? nil : askers
    passOn(questionsOf: client, clients, at: now, into: &outputs)
  }

  private func checkAgent(_ caller: Caller) throws(Refusal) {
    guard caller.mayBeAgent else {
      throw Refusal(
        .denied,
        "\(caller.app) cannot answer for its user: in a session of that user's, that do"
          + " locationd-agent.service, and 'locationctl agent' on a terminal.")
    }
  }

  /// The agent's unit comes before any terminal; else the first stays until it goes.
  private func checkRank(
    _ caller: Caller, before first: ClientID, _ clients: ClientRegistry
  ) throws(Refusal) {
    guard outranks(caller, first, clients) else {
      throw Refusal(
        .denied, "Another agent answers for uid \(caller.uid) already, until it ends.")
    }
  }

  private func outranks(
    _ caller: Caller, _ other: ClientID, _ clients: ClientRegistry
  ) -> Bool {
    caller.isAgentUnit && !isUnit(other, clients)
  }

  private func isUnit(_ agent: ClientID, _ clients: ClientRegistry) -> Bool {
    clients[agent]?.caller.isAgentUnit == true
  }
}

// MARK: - Which one is asked

extension PermissionBroker {
  /// The one that tells programs of the caller's user apart; nil also where it is the caller's kin.
  func agent(for caller: Caller, _ clients: ClientRegistry) -> ClientID? {
    questions.agents[caller.uid].flatMap { clients.isKin($0, of: caller) ? nil : $0 }
  }

  /// The first agent of their user that is kin of none of them.
  func agentToAsk(about callers: [Caller], _ clients: ClientRegistry) -> ClientID? {
    guard let uid = callers.first?.uid else { return nil }
    return questions.askers[uid]?.first { agent in
      !callers.contains { isKept(from: agent, $0, clients) }
    }
  }

  /// Whether the agent may not answer for the caller: nobody allows itself anything. Our own command line
  /// asks the person at its terminal about itself, in the process that wants to know.
  func isKept(from agent: ClientID, _ caller: Caller, _ clients: ClientRegistry) -> Bool {
    guard clients.isKin(agent, of: caller) else { return false }
    guard let asking = clients[agent]?.caller, let process = caller.lineage?.first else {
      return true
    }
    return caller.app != controlApp || asking.app != controlApp || !asking.hasTerminal
      || asking.lineage?.first != process
  }

  /// Puts its questions to the agent that comes first now. Without one they are given up.
  private mutating func passOn(
    questionsOf agent: ClientID, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    for (number, question) in questions.open where question.agent == agent {
      let callers = question.askers.compactMap { clients[$0.client]?.caller }
      guard let next = agentToAsk(about: [question.caller] + callers, clients) else {
        giveUp(number, isLetBe: false, clients, at: now, into: &outputs)
        continue
      }
      questions.open[number]?.agent = next
      outputs.append(.notify(agent, .cancel(question: number)))
      outputs.append(.ask(next, .decide(question.asked), .question(number)))
    }
  }
}
