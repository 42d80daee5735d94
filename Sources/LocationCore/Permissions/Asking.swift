import LocationModel

// Asking people, through the agents of their users.
extension PermissionBroker {
  /// Whether a person is to be asked: about an app that nobody has decided about, and one time for Always
  /// about an app that a person has allowed for good.
  func mayAsk(for level: Authorization, _ access: Access, _ app: App) -> Bool {
    let permission = book.permission(of: app)
    return switch access.authorization {
    case .notDetermined: true
    case .authorizedWhenInUse:
      level == .authorizedAlways && permission.authorization == .authorizedWhenInUse
        && !permission.isOnce && !permission.hasAskedForAlways
    default: false
    }
  }

  /// A person can be asked about the caller now, and is not yet.
  func isAskable(_ caller: Caller, _ clients: ClientRegistry, at now: Instant) -> Bool {
    agentToAsk(about: [caller], clients) != nil && !questions.isResting(caller.owner, at: now)
      && !questions.open.values.contains { $0.app == caller.owner }
  }

  /// The agent to ask; nil where the question is open already, and the asker waits for its answer, too.
  mutating func join(
    _ level: AgentQuestion.Level, for asker: Questions.Asker?, _ caller: Caller, _ access: Access,
    _ clients: ClientRegistry, at now: Instant
  ) throws(Refusal) -> ClientID? {
    let app = caller.owner
    guard let agent = agentToAsk(about: [caller], clients), !questions.isResting(app, at: now),
      caller.entry != .shared || !askedToday.contains(app, at: now)
    else { throw refusal(unanswered: level, access, caller) }
    if let (number, question) = questions.open.first(where: {
      $0.value.app == app && $0.value.asked.level == level
    }) {
      guard !isKept(from: question.agent, caller, clients) else {
        throw refusal(unanswered: level, access, caller)
      }
      guard question.askers.count < Questions.mostAskers else {
        throw Refusal(.limitExceeded, "Too many wait for the same answer about \(caller.app).")
      }
      if let asker { questions.open[number]?.askers.append(asker) }
      questions.open[number]?.entries.insert(caller.entry)
      return nil
    }
    let ofUser = questions.count(of: app.uid)
    guard ofUser < questionsPerUser else {
      throw .limit(
        "\(Count(ofUser, "question")) of your programs wait for an answer; ask later",
        "QuestionsPerUser")
    }
    return agent
  }

  mutating func ask(
    _ level: AgentQuestion.Level, about caller: Caller, _ access: Access, by agent: ClientID,
    for askers: [Questions.Asker], isOurs: Bool = false, name: String?, purpose: String?,
    at now: Instant,
    into outputs: inout [Output]
  ) {
    // A provisional Always is While Using to the person.
    let current = access.isProvisional ? .authorizedWhenInUse : access.authorization
    let asked = AgentQuestion(
      number: questions.nextNumber(), app: caller.app, uid: caller.uid, pid: caller.pid,
      level: level, current: current, name: name, purpose: purpose,
      isOnceOnly: caller.isShared && level != .fullAccuracy, isForAll: caller.app == controlApp)
    questions.open[asked.number] = .init(
      asked: asked, caller: caller, agent: agent,
      deadline: now.boottime + Questions.patience, askers: askers, isOurs: isOurs,
      entries: isOurs ? [] : [caller.entry])
    outputs.append(.ask(agent, .decide(asked), .question(asked.number)))
  }

  /// The second question of a provisional Always: the app sees Always, the person has said While Using.
  /// Asks about apps that need it now. Gives those that it is decided about, and whether they have Always.
  mutating func confirm(
    _ unconfirmed: Set<App>, _ clients: ClientRegistry, mayAsk: Bool, at now: Instant,
    into outputs: inout [Output]
  ) -> [(app: App, isAlways: Bool)] {
    toConfirm.formUnion(unconfirmed)
    var decided: [(app: App, isAlways: Bool)] = []
    for app in toConfirm.sorted() {
      let access = access(of: app, isInUse: true)
      if !access.isProvisional {
        toConfirm.remove(app)
        decided.append((app, access.authorization == .authorizedAlways))
      } else if mayAsk {
        askToConfirm(app, access, clients, at: now, into: &outputs)
      }
    }
    return decided
  }

  /// Once somebody is there.
  private mutating func askToConfirm(
    _ app: App, _ access: Access, _ clients: ClientRegistry, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard use.isSomebodyThere(app.uid), !questions.isResting(app, at: now),
      !questions.open.values.contains(where: { $0.app == app }),
      questions.count(of: app.uid) < questionsPerUser
    else { return }
    let ofApp = clients.clients(of: app).filter { !questions.isAgent($0, app) }
      .compactMap { clients[$0] }
    // It need not run any more.
    let first = ofApp.first?.caller ?? Caller(uid: app.uid, pid: 0, app: app.name)
    guard let agent = agentToAsk(about: [first] + ofApp.dropFirst().map(\.caller), clients) else {
      return
    }
    ask(
      .always, about: first, access, by: agent, for: [], isOurs: true,
      name: ofApp.first?.name, purpose: ofApp.first?.purpose, at: now, into: &outputs)
  }
}
