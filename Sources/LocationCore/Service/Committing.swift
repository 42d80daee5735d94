import LocationModel

// Deciding and remembering: what is to be kept is written, and what follows comes after that.
extension LocationService {
  /// Has something written, and `call` of `client` answered then, if there is one to answer.
  @discardableResult
  mutating func commit(
    _ changes: [Change], then continuation: Continuation? = nil,
    for client: ClientID? = nil, _ call: JSON? = nil, into outputs: inout [Output]
  ) -> CommitID {
    let id = commits.next()
    begin(id, changes, then: continuation, for: client, call, into: &outputs)
    return id
  }

  /// Commits the changes, if there are any.
  mutating func write(_ changes: [Change], into outputs: inout [Output]) {
    if !changes.isEmpty { commit(changes, into: &outputs) }
  }

  /// The decision takes away from here on, and gives once it is written.
  mutating func commit(
    _ changes: [Change], _ decision: PermissionBook.Decision, for client: ClientID? = nil,
    _ call: JSON? = nil, asked askers: [Questions.Asker] = [], at now: Instant,
    into outputs: inout [Output]
  ) {
    let id = commits.next()
    permissions.book.propose(decision, as: id)
    admit(decision, at: now, into: &outputs)
    begin(id, changes, then: .decided(asked: askers), for: client, call, into: &outputs)
  }

  private mutating func begin(
    _ id: CommitID, _ changes: [Change], then continuation: Continuation?, for client: ClientID?,
    _ call: JSON?, into outputs: inout [Output]
  ) {
    let uid = client.flatMap { clients[$0]?.caller.uid }
    commits.begin(id, changes, then: continuation, for: client, of: uid, call)
    outputs.append(.commit(changes, id))
  }

  /// It is written, or has failed and why.
  mutating func finish(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    guard let entry = commits.end(id, trouble, at: now, into: &outputs) else { return }
    let decision = trouble == nil ? permissions.book.conclude(id) : permissions.book.fail(id)
    if let client = entry.client, let call = entry.call {
      // The client that made a decision is answered before others are told of it.
      outputs.append(
        trouble.map { .refuse(client, id: call, Self.unwritten($0)) }
          ?? .answer(client, id: call, .done))
    }
    switch entry.continuation {
    case .decided(let askers):
      if let decision { finish(decision, trouble, at: now, into: &outputs) }
      finish(askers, trouble, into: &outputs)
    case .startedMonitoring(let app, let identifiers, let written, let recipient):
      monitoring.finishStart(
        of: identifiers, written, of: app, for: recipient, trouble, into: &outputs)
      if trouble != nil { monitoring.decide(of: app, by: permissions, clients) }
    case .followed(let app, let service):
      guard trouble != nil else { break }
      _ = monitoring.unfollow(service, of: app)
      monitoring.decide(of: app, by: permissions, clients)
    case .report(let events):
      // An event grants nothing: where it could not be written it is told all the same.
      for (app, number) in events {
        monitoring.report(number, of: app, to: clients, into: &outputs)
      }
    case .activated(let app, let launch):
      launcher.conclude(
        launch, of: app, trouble, connections: clients.clients(of: app).count, at: now,
        into: &outputs)
    case .here(let place):
      if trouble == nil { stand(at: place, at: now, into: &outputs) }
    case .paused(let uid, let turn):
      finishPause(of: uid, turn, trouble, at: now, into: &outputs)
    case nil: break
    }
    for (client, call) in commits.callsToHandle(after: id) where clients[client] != nil {
      if trouble == nil {
        answer(call, of: client, at: now, into: &outputs)
      } else if let trouble, let number = call.id {
        outputs.append(.refuse(client, id: number, Self.unwritten(trouble)))
      }
    }
  }

  private mutating func finish(
    _ decision: PermissionBook.Decision, _ trouble: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    admit(decision, at: now, into: &outputs)
    if trouble == nil { note(decision, into: &outputs) }
    permissions.notifyObservers(of: decision, clients, into: &outputs)
    // After a reset a question is still to be answered.
    if case .forgotten = decision { return }
    permissions.dropQuestions(after: decision, clients, into: &outputs)
  }

  private mutating func finish(
    _ askers: [Questions.Asker], _ trouble: String?, into outputs: inout [Output]
  ) {
    guard let trouble else { return permissions.answer(askers, clients, into: &outputs) }
    for asker in askers {
      outputs.append(.refuse(asker.client, id: asker.call, Self.unwritten(trouble)))
    }
  }

  /// One line of the journal for each decision.
  private func note(_ decision: PermissionBook.Decision, into outputs: inout [Output]) {
    switch decision {
    case .permission(let app, let permission):
      let accuracy = permission.accuracy == .reduced ? ", reduced" : ""
      let once = permission.isOnce ? ", once" : permission.isProvisional ? ", provisionally" : ""
      let isGiven = permission.authorization.isAuthorized
      outputs.append(
        .note(
          "\(app): \(permission.authorization.rawValue)\(accuracy)\(once), by"
            + " \(permission.source.rawValue)",
          Note(isGiven ? .permissionGiven : .permissionTaken, of: app)))
    case .forgotten(let apps):
      for app in apps.sorted() {
        outputs.append(.note("\(app): reset", Note(.permissionTaken, of: app)))
      }
    case .restriction(let restriction, let isOn):
      let whose = restriction.uid.map { "uid \($0)" } ?? "all users"
      let app = restriction.uid.map { App(uid: $0, name: restriction.name) }
      outputs.append(
        .note(
          "\(restriction.name) (\(whose)): \(isOn ? "restricted" : "no longer restricted")",
          Note(isOn ? .permissionTaken : .permissionGiven, of: app)))
    case .servicesEnabled(let enabled):
      outputs.append(
        .note(
          "location is switched \(enabled ? "on" : "off") for all",
          Note(enabled ? .permissionGiven : .permissionTaken)))
    }
  }

  private mutating func admit(
    _ decision: PermissionBook.Decision, at now: Instant, into outputs: inout [Output]
  ) {
    forgetMonitoring(after: decision)
    permissions.endTemporaryGrants(after: decision)
    permissions.askedToday.end(after: decision)
    if case .permission(let app, _) = decision, AppName(app.name)?.kind != .user {
      admit(app, at: now, into: &outputs)
    } else {
      admit(at: now, into: &outputs)
    }
  }

  static func unwritten(_ trouble: String) -> Refusal {
    Refusal(
      .failed,
      "It could not be written: \(trouble). Nothing new is granted; what was taken away stays so,"
        + " and is written as soon as that goes again.")
  }
}

// MARK: - Trying again

extension LocationService {
  mutating func writeAgain(at now: Instant, into outputs: inout [Output]) {
    guard let record = commits.due(at: now) else { return }
    let changes: [Change] =
      switch record {
      case .app(let app): remembered(of: app, at: now)
      case .restriction(let restriction):
        [
          permissions.book.restrictions.contains(restriction)
            ? .restrict(restriction) : .unrestrict(restriction)
        ]
      case .servicesEnabled: [.servicesEnabled(permissions.isEnabled)]
      case .here: [.here(sources.known.own)]
      case .networks: radio.rewrite(at: now)
      }
    let id = commit(changes, into: &outputs)
    commits.retry.begin(as: id)
  }

  /// Handles the call again once it is known that something can be written. False where too many wait.
  mutating func handleAgain(
    _ call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) -> Bool {
    if !commits.isTrying {
      if commits.isIdle {
        // A full disk shows with what waits to be written; nothing at all would go.
        commits.retry.hurry(at: now.boottime)
        writeAgain(at: now, into: &outputs)
      }
      if commits.isIdle { commit([], into: &outputs) }
    }
    return commits.handleAgain(call, of: client)
  }

  /// All of it, in place of whatever the disk has.
  private func remembered(of app: App, at now: Instant) -> [Change] {
    var changes: [Change] = [.forget(app)]
    if let permission = permissions.book.permissions[app] {
      changes.append(.permission(app, permission))
    }
    if let usage = permissions.usage[app] { changes.append(.usage(app, usage)) }
    changes += permissions.askedToday.records(of: app, at: now)
    if app.name.isEmpty {
      changes +=
        agents.records(of: app.uid, at: now) + history.records(of: app.uid)
        + permissions.pauses.records(of: app.uid, at: now)
    }
    if app == StoredRecord.global {
      changes += sources.known.records(after: sources.newest, at: now) + radio.records
    }
    return changes + launcher.records(of: app) + monitoring.records(of: app, at: now)
  }
}
