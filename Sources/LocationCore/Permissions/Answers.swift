import LocationModel

// Answers of people, and none.
extension PermissionBroker {
  /// A person's decision.
  enum Ruling {
    case fullAccuracy(App)
    case permission(App, Permission)
  }

  /// The agent answers. Nil where that is no answer to an open question of its own.
  mutating func conclude(
    _ number: Int64, by agent: ClientID, _ answer: JSON?, _ clients: ClientRegistry,
    at now: Instant, into outputs: inout [Output]
  ) -> (ruling: Ruling, askers: [Questions.Asker])? {
    guard let question = questions.open[number], question.agent == agent else { return nil }
    guard let decision = answer.flatMap(AgentDecision.init) else {
      giveUp(number, clients, at: now, into: &outputs)
      return nil
    }
    questions.open[number] = nil
    questions.rests[question.app] = nil
    let app = question.app
    if question.asked.level == .fullAccuracy {
      if decision.choice != .deny, decision.accuracy == .full { giveFullAccuracy(to: app) }
      outputs.append(.note("\(app): full accuracy while in use: \(decision.choice.rawValue)"))
      return (.fullAccuracy(app), question.askers)
    }
    return (.permission(app, permission(after: decision, question)), question.askers)
  }

  private func permission(
    after decision: AgentDecision, _ question: Questions.Question
  ) -> Permission {
    var permission = book.permission(of: question.app)
    let isSecond = permission.authorization.isAuthorized
    permission.source = .person
    if !isSecond { permission.accuracy = decision.accuracy }
    if question.asked.level == .always { permission.hasAskedForAlways = true }
    permission.isProvisional = false
    // Never more than was asked.
    let mayBeAlways = question.asked.level == .always && !question.asked.isOnceOnly
    var choice = decision.choice
    if question.asked.isOnceOnly, choice != .deny { choice = .allowOnce }
    switch choice {
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
    return permission
  }

  /// Tells the askers what they may do now.
  func answer(
    _ askers: [Questions.Asker], isAccuracy: Bool = false, _ clients: ClientRegistry,
    into outputs: inout [Output]
  ) {
    for asker in askers {
      guard let access = clients[asker.client]?.access else { continue }
      let reply: Reply =
        isAccuracy ? .accuracy(access.accuracy) : .authorization(access.authorization)
      outputs.append(.answer(asker.client, id: asker.call, reply))
    }
  }

  /// The question was closed or let be, or its agent has gone: no consent. `isLetBe`: a person could have answered.
  mutating func giveUp(
    _ number: Int64, isLetBe: Bool = true, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let question = questions.open.removeValue(forKey: number) else { return }
    if isLetBe, question.entries.contains(.shared) { askedToday.insert(question.app, at: now) }
    if question.entries != [.shared] { questions.rest(question.app, at: now) }
    for asker in question.askers {
      guard let client = clients[asker.client] else { continue }
      outputs.append(
        .refuse(
          asker.client, id: asker.call,
          refusal(unanswered: question.asked.level, client.access, client.caller)))
    }
  }

  mutating func giveUpLate(
    _ clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) {
    guard let next = questions.nextDeadline, next <= now.boottime else { return }
    for (number, question) in questions.open where question.deadline <= now.boottime {
      outputs.append(.notify(question.agent, .cancel(question: number)))
      giveUp(number, clients, at: now, into: &outputs)
    }
  }

  /// A client that goes asks no more; an agent that goes leaves its questions to the next one.
  mutating func forget(
    _ client: ClientID, _ clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) {
    for (number, question) in questions.open {
      if question.askers.contains(where: { $0.client == client }) {
        questions.open[number]?.askers.removeAll { $0.client == client }
        withdraw(number, at: now, into: &outputs)
      }
    }
    forgetAgent(client, clients, at: now, into: &outputs)
    consents.forget(client)
    wishes.remove(client)
    use.holds[client] = nil
    observers.forget(client)
  }

  /// A program that asks and goes, again and again, would show a person one question after the other. Programs at
  /// locationd-share's doors do: their question stays until it is answered or late.
  private mutating func withdraw(_ number: Int64, at now: Instant, into outputs: inout [Output]) {
    guard let question = questions.open[number], question.askers.isEmpty, !question.isOurs,
      !question.entries.contains(.shared)
    else { return }
    questions.open[number] = nil
    questions.rest(question.app, first: Questions.firstRestOfGone, at: now)
    outputs.append(.notify(question.agent, .cancel(question: number)))
  }

  /// The client has another name now: what a person is being asked about it is asked by that name. Gives its
  /// calls.
  mutating func takeBack(
    questionsOf client: ClientID, about app: App, into outputs: inout [Output]
  ) -> [Call] {
    var calls: [Call] = []
    for (number, question) in questions.open where question.app == app {
      for asker in question.askers where asker.client == client {
        calls.append(Call(id: asker.call, Request(asking: question.asked)))
      }
      questions.open[number]?.askers.removeAll { $0.client == client }
      guard questions.open[number]?.askers.isEmpty == true, !question.isOurs,
        !question.askers.isEmpty
      else { continue }
      questions.open[number] = nil
      outputs.append(.notify(question.agent, .cancel(question: number)))
    }
    return calls
  }

  /// A decision from elsewhere answers the askers.
  mutating func dropQuestions(
    after decision: PermissionBook.Decision, _ clients: ClientRegistry,
    into outputs: inout [Output]
  ) {
    for (number, question) in questions.open where isDecided(question.app, by: decision) {
      questions.open[number] = nil
      outputs.append(.notify(question.agent, .cancel(question: number)))
      let isAccuracy = question.asked.level == .fullAccuracy
      answer(question.askers, isAccuracy: isAccuracy, clients, into: &outputs)
    }
  }
}

extension Request {
  /// The request that led to the question.
  fileprivate init(asking question: AgentQuestion) {
    switch question.level {
    case .whenInUse: self = .requestAuthorization(.authorizedWhenInUse)
    case .always: self = .requestAuthorization(.authorizedAlways)
    case .fullAccuracy: self = .requestTemporaryFullAccuracy(purpose: question.purpose ?? "")
    }
  }
}
