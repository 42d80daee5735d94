import LocationModel

/// What waits for the disk, and what follows.
struct Commits {
  struct Waiting {
    /// Who is answered when it is done.
    var client: ClientID?
    var call: JSON?
    /// Who had a person asked, and is answered with what they may do then.
    var askers: [QuestionBoard.Asker] = []
    /// The user whose programs had it written, and how many bytes.
    var uid: UInt32?
    var size = 0
  }

  /// A commit that shows whether anything can be written.
  struct Look {
    var id: CommitID
    /// The calls that are handled again then.
    var calls: [(client: ClientID, call: Call)] = []
  }

  var last: UInt64 = 0
  var look: Look?
  private(set) var waiting: [CommitID: Waiting] = [:]
  private var queued: [UInt32: Int] = [:]

  func queuedBytes(of uid: UInt32) -> Int { queued[uid] ?? 0 }

  mutating func wait(for id: CommitID, _ one: Waiting) {
    waiting[id] = one
    if let uid = one.uid { queued[uid, default: 0] += one.size }
  }

  mutating func end(_ id: CommitID) -> Waiting? {
    guard let one = waiting.removeValue(forKey: id) else { return nil }
    if let uid = one.uid {
      let left = (queued[uid] ?? 0) - one.size
      queued[uid] = left > 0 ? left : nil
    }
    return one
  }

  func isWaiting(_ client: ClientID) -> Bool {
    look?.calls.contains { $0.client == client } == true
      || !waiting.isEmpty
        && waiting.values.contains { one in
          one.client == client || one.askers.contains { $0.client == client }
        }
  }
}

extension LocationService {
  /// Has something written. What `decision` takes away holds from here on, what it gives once it is
  /// written; so does the answer to `call` of `client`, if there is one to answer.
  mutating func commit(
    _ changes: [Change], _ decision: PermissionBook.Decision? = nil,
    for client: ClientID? = nil, _ call: JSON? = nil, asked askers: [QuestionBoard.Asker] = [],
    at now: Instant, into outputs: inout [Output]
  ) {
    commits.last += 1
    let id = CommitID(commits.last)
    if let decision {
      book.propose(decision, as: id)
      admit(decision, at: now, into: &outputs)
    }
    if client != nil || decision != nil {
      commits.wait(
        for: id,
        Commits.Waiting(
          client: client, call: call, askers: askers,
          uid: client.flatMap { clients[$0]?.caller.uid },
          size: changes.reduce(0) { $0 + $1.size }))
    }
    unwritten.begin(id, changes)
    outputs.append(.commit(changes, id))
  }

  mutating func finish(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    guard let waiting = commits.end(id) else { return }
    let decision = trouble == nil ? book.settle(id) : book.fail(id)
    if let client = waiting.client {
      // What a decision sets off is told after its answer to whoever made it.
      if let call = waiting.call {
        if let trouble {
          outputs.append(.refuse(client, id: call, Self.unwritten(trouble)))
        } else {
          outputs.append(.answer(client, id: call, .done))
        }
      }
      hangUpIfDone(client, into: &outputs)
    }
    if let decision {
      admit(decision, at: now, into: &outputs)
      if trouble == nil { note(decision, into: &outputs) }
      tellListers(of: decision, into: &outputs)
      if case .permission(let app, _) = decision { dropQuestions(about: app, into: &outputs) }
    }
    if let trouble {
      for asker in waiting.askers {
        outputs.append(.refuse(asker.client, id: asker.call, Self.unwritten(trouble)))
        hangUpIfDone(asker.client, into: &outputs)
      }
    } else {
      answer(waiting.askers, into: &outputs)
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
