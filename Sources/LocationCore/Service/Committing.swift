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

  /// What the decision takes away holds from here on, what it gives once it is written.
  mutating func commit(
    _ changes: [Change], _ decision: PermissionBook.Decision, for client: ClientID? = nil,
    _ call: JSON? = nil, asked askers: [QuestionBoard.Asker] = [], at now: Instant,
    into outputs: inout [Output]
  ) {
    let id = commits.next()
    book.propose(decision, as: id)
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
    let decision = trouble == nil ? book.settle(id) : book.fail(id)
    if let client = entry.client {
      // What a decision sets off is told after its answer to the client that made it.
      if let call = entry.call {
        if let trouble {
          outputs.append(.refuse(client, id: call, Self.unwritten(trouble)))
        } else {
          outputs.append(.answer(client, id: call, .done))
        }
      }
    }
    switch entry.continuation {
    case .decided(let askers):
      if let decision { finish(decision, trouble, at: now, into: &outputs) }
      finish(askers, trouble, into: &outputs)
    case .startedMonitoring(let app, let identifiers, let written, let recipient):
      finishStart(of: identifiers, written, of: app, for: recipient, trouble, into: &outputs)
    case .followed(let app, let service):
      if trouble != nil { stopFollowing(service, of: app) }
    case .happened(let events):
      // An event grants nothing: where it could not be written it is told all the same.
      for (app, number) in events { report(number, of: app, into: &outputs) }
    case .activated(let app, let launch):
      finishActivation(of: app, launch, trouble, at: now, into: &outputs)
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
    tellListers(of: decision, into: &outputs)
    if case .permission(let app, _) = decision { dropQuestions(about: app, into: &outputs) }
  }

  private mutating func finish(
    _ askers: [QuestionBoard.Asker], _ trouble: String?, into outputs: inout [Output]
  ) {
    guard let trouble else { return answer(askers, into: &outputs) }
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
      outputs.append(
        .note(
          "\(app): \(permission.authorization.rawValue)\(accuracy)\(once), by"
            + " \(permission.source.rawValue)"))
    case .forgotten(let apps):
      outputs.append(
        .note(
          apps.count == 1
            ? "\(apps.first.map { "\($0)" } ?? ""): reset" : "\(apps.count) apps: reset"))
    case .restriction(let restriction, let isOn):
      let whose = restriction.uid.map { "uid \($0)" } ?? "all users"
      outputs.append(
        .note("\(restriction.name) (\(whose)): \(isOn ? "restricted" : "no longer restricted")"))
    case .servicesEnabled(let enabled):
      outputs.append(.note("location is switched \(enabled ? "on" : "off") for all"))
    }
  }

  private mutating func admit(
    _ decision: PermissionBook.Decision, at now: Instant, into outputs: inout [Output]
  ) {
    forgetMonitoring(after: decision)
    forgetGifts(after: decision)
    if case .permission(let app, _) = decision {
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
          book.restrictions.contains(restriction)
            ? .restrict(restriction) : .unrestrict(restriction)
        ]
      case .servicesEnabled: [.servicesEnabled(book.servicesEnabled)]
      }
    let id = commit(changes, into: &outputs)
    commits.beginRewriting(as: id)
  }

  /// Handles the call again once it is known that something can be written. False where too many wait.
  mutating func lookAgain(
    for call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) -> Bool {
    if !commits.isTrying {
      if commits.isIdle {
        // A full disk shows with what waits to be written; nothing at all would go.
        commits.hurry(at: now)
        writeAgain(at: now, into: &outputs)
      }
      if commits.isIdle { commit([], into: &outputs) }
    }
    return commits.handleAgain(call, of: client)
  }

  /// All of it, in place of whatever the disk has.
  private func remembered(of app: App, at now: Instant) -> [Change] {
    func put(_ kind: String, _ bytes: [UInt8], key: String = "") -> Change {
      .put(app, kind: kind, key: key, bytes)
    }
    var changes: [Change] = [.forget(app)]
    if let permission = book.permissions[app] { changes.append(.permission(app, permission)) }
    if let usage = book.usage[app] { changes.append(.usage(app, usage)) }
    if let launch = launches.launch(of: app) {
      changes.append(put(Kept.activation, Kept.bytes(of: launch.json)))
    }
    if let attendance = attendances.entries[app] {
      changes.append(put(Kept.seen, Kept.bytes(of: attendance.json)))
    }
    if app == Kept.house, let stay = monitors.visits.stay {
      changes.append(put(Kept.stay, Kept.bytes(of: stay.json)))
    }
    guard let registration = registrations[app] else {
      if let floor = eventTotals.floors[app.uid] {
        let user = App(uid: app.uid, name: "")
        changes += [.event(user, number: floor, []), .acknowledged(user, through: floor)]
      }
      return changes
    }
    if registration.visits { changes.append(put(Kept.visits, [])) }
    if let change = monitors.changeBoard[app] {
      // As if told now: rather too late than too soon.
      let told = change.last.map { Kept.bytes(of: $0, told: now) } ?? Kept.bytes(of: [:])
      changes.append(put(Kept.significant, told))
    }
    for (identifier, monitored) in registration.regions {
      let state = monitors.board.state(of: monitored.slot)
      changes.append(
        put(Kept.region, Kept.bytes(of: monitored.region, state), key: identifier))
    }
    for one in registration.pending {
      changes.append(.event(app, number: one.number, Kept.bytes(of: one.event)))
    }
    // No number is given twice, also where the last event has been acknowledged since.
    let last = registration.lastEvent
    if last > 0, registration.pending.last?.number != last {
      changes += [.event(app, number: last, []), .acknowledged(app, through: last)]
    }
    return changes
  }
}
