import LocationModel

/// Asking people, through the agents of their users.
extension LocationService {
  /// Nil where a person is asked, who will answer in time or not.
  mutating func requestAuthorization(
    _ level: Authorization, for client: ClientID, _ call: Call, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let caller = clients[client]?.caller, let access = clients[client]?.access else {
      return nil
    }
    let permission = book.permission(of: caller.owner)
    switch access.authorization {
    case .notDetermined: break
    // One try for Always: of who has been allowed for good, by a person.
    case .authorizedWhenInUse
    where level == .authorizedAlways && permission.authorization == .authorizedWhenInUse
      && !permission.isOnce && !permission.hasAskedForAlways:
      break
    default: return .authorization(access.authorization)
    }
    try ask(
      level == .authorizedAlways ? .always : .whenInUse, for: client, call, caller, access, at: now,
      into: &outputs)
    return nil
  }

  mutating func requestFullAccuracy(
    for client: ClientID, _ call: Call, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let caller = clients[client]?.caller, let access = clients[client]?.access else {
      return nil
    }
    guard access.authorization.isAuthorized else {
      throw refusal(access.verdict(for: .standard), access, caller)
    }
    guard access.accuracy == .reduced else { return .accuracy(.full) }
    try ask(.fullAccuracy, for: client, call, caller, access, at: now, into: &outputs)
    return nil
  }

  private mutating func ask(
    _ level: AgentQuestion.Level, for client: ClientID, _ call: Call, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let app = caller.owner
    guard access.isInUse else { throw refusal(unused: caller, access) }
    if let trouble = commits.trouble {
      guard lookAgain(for: call, of: client, at: now, into: &outputs) else {
        throw Self.unwritten(trouble)
      }
      return
    }
    guard let agent = agentToAsk(about: [caller]),
      questions.rests[app].map({ $0.until <= now.boottime }) ?? true
    else { throw refusal(unanswered: level, access, caller) }
    let askers = call.id.map { [QuestionBoard.Asker(client: client, call: $0)] } ?? []
    if let (number, question) = questions.open.first(where: {
      $0.value.app == app && $0.value.asked.level == level
    }) {
      guard !clients.isKin(question.agent, of: caller) else {
        throw refusal(unanswered: level, access, caller)
      }
      guard questions.open[number]?.askers.count ?? 0 < QuestionBoard.mostAskers else {
        throw Refusal(.limitExceeded, "Too many wait for the same answer about \(caller.app).")
      }
      questions.open[number]?.askers += askers
      return
    }
    let ofUser = questions.open.values.count { $0.app.uid == caller.uid }
    guard ofUser < settings.limits.questionsPerUser else {
      throw .limit(
        "\(Count(ofUser, "question")) of your programs wait for an answer; ask later",
        "QuestionsPerUser")
    }
    try checkRoom(for: app, of: caller)
    put(
      level, about: caller, access, to: agent, askers, isOurs: false,
      purpose: clients[client]?.purpose, at: now, into: &outputs)
  }

  mutating func put(
    _ level: AgentQuestion.Level, about caller: Caller, _ access: Access, to agent: ClientID,
    _ askers: [QuestionBoard.Asker], isOurs: Bool, purpose: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    // A provisional Always is While Using to the person.
    let current = access.isProvisional ? .authorizedWhenInUse : access.authorization
    let asked = AgentQuestion(
      number: questions.nextNumber(), app: caller.app, uid: caller.uid, pid: caller.pid,
      level: level, current: current, purpose: purpose)
    questions.open[asked.number] = .init(
      asked: asked, caller: caller, agent: agent,
      deadline: now.boottime + QuestionBoard.patience, askers: askers, isOurs: isOurs)
    outputs.append(.ask(agent, .decide(asked), .question(asked.number)))
  }
}

// MARK: - Answers, and none

extension LocationService {
  /// Whoever answers a question that was not put to them is not heard.
  mutating func decide(
    _ number: Int64, by agent: ClientID, _ answer: JSON?, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let question = questions.open[number], question.agent == agent else { return }
    guard let decision = answer.flatMap(AgentDecision.init) else {
      return giveUp(number, at: now, into: &outputs)
    }
    questions.open[number] = nil
    questions.rests[question.app] = nil
    decide(question, decision, at: now, into: &outputs)
  }

  private mutating func decide(
    _ question: QuestionBoard.Question, _ decision: AgentDecision, at now: Instant,
    into outputs: inout [Output]
  ) {
    let app = question.app
    if question.asked.level == .fullAccuracy {
      if decision.choice != .deny, decision.accuracy == .full { temporaryFull.insert(app) }
      outputs.append(.note("\(app): full accuracy while in use: \(decision.choice.rawValue)"))
      admit(app, at: now, into: &outputs)
      return answer(question.askers, isAccuracy: true, into: &outputs)
    }
    var permission = book.permission(of: app)
    let isSecond = permission.authorization.isAuthorized
    permission.source = .person
    if !isSecond { permission.accuracy = decision.accuracy }
    if question.asked.level == .always { permission.hasAskedForAlways = true }
    permission.isProvisional = false
    // Never more than was asked.
    let mayBeAlways = question.asked.level == .always
    switch decision.choice {
    case .allowAlways where mayBeAlways: permission.authorization = .authorizedAlways
    // The second question changes While Using to Always, or nothing.
    case _ where isSecond: permission.authorization = .authorizedWhenInUse
    case .allowAlways, .allowWhileUsing:
      permission.authorization = mayBeAlways ? .authorizedAlways : .authorizedWhenInUse
      permission.isProvisional = mayBeAlways
    case .allowOnce:
      permission.authorization = .authorizedWhenInUse
      permission.isOnce = true
      permission.hasAskedForAlways = false
    case .deny: permission.authorization = .denied
    }
    var changes = [Change.permission(app, permission)]
    if permission.authorization == .denied { changes.append(.erase(app)) }
    commit(
      changes, .permission(app, permission), asked: question.askers, at: now, into: &outputs)
  }

  /// What they may do now, as they see it.
  mutating func answer(
    _ askers: [QuestionBoard.Asker], isAccuracy: Bool = false, into outputs: inout [Output]
  ) {
    for asker in askers {
      guard let access = clients[asker.client]?.access else { continue }
      let reply: Reply =
        isAccuracy ? .accuracy(access.accuracy) : .authorization(access.authorization)
      outputs.append(.answer(asker.client, id: asker.call, reply))
    }
  }

  /// Closed, let be, or nobody there any more: no consent, and not remembered.
  mutating func giveUp(
    _ number: Int64, at now: Instant, into outputs: inout [Output]
  ) {
    guard let question = questions.open.removeValue(forKey: number) else { return }
    questions.rest(question.app, at: now)
    for asker in question.askers {
      guard let client = clients[asker.client] else { continue }
      outputs.append(
        .refuse(
          asker.client, id: asker.call,
          refusal(unanswered: question.asked.level, client.access, client.caller)))
    }
  }

  mutating func giveUpLate(at now: Instant, into outputs: inout [Output]) {
    guard let next = questions.nextDeadline, next <= now.boottime else { return }
    for (number, question) in questions.open where question.deadline <= now.boottime {
      outputs.append(.notify(question.agent, .cancel(question: number)))
      giveUp(number, at: now, into: &outputs)
    }
  }

  /// A client that goes asks no more; an agent that goes leaves its questions unanswered.
  mutating func forgetQuestions(
    of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    for (number, question) in questions.open {
      if question.askers.contains(where: { $0.client == client }) {
        questions.open[number]?.askers.removeAll { $0.client == client }
        withdraw(number, into: &outputs)
      }
    }
    forgetAgent(client, at: now, into: &outputs)
  }

  private mutating func withdraw(_ number: Int64, into outputs: inout [Output]) {
    guard let question = questions.open[number], question.askers.isEmpty, !question.isOurs else {
      return
    }
    questions.open[number] = nil
    outputs.append(.notify(question.agent, .cancel(question: number)))
  }

  /// Somebody else has decided, or nothing can be asked any more: who waits is answered with it.
  mutating func dropQuestions(about app: App, into outputs: inout [Output]) {
    for (number, question) in questions.open where question.app == app {
      questions.open[number] = nil
      outputs.append(.notify(question.agent, .cancel(question: number)))
      answer(question.askers, isAccuracy: question.asked.level == .fullAccuracy, into: &outputs)
    }
  }
}

extension App: CustomStringConvertible {
  package var description: String { "\(name) (uid \(uid))" }
}
