import LocationModel

/// What waits for the disk, and what follows.
struct Commits {
  struct Waiting {
    /// Who is answered when it is done.
    var client: ClientID?
    var call: JSON?
  }

  var last: UInt64 = 0
  var waiting: [CommitID: Waiting] = [:]

  func isWaiting(_ client: ClientID) -> Bool { waiting.values.contains { $0.client == client } }
}

extension LocationService {
  /// Has something written. What `decision` takes away holds from here on, what it gives once it is
  /// written; so does the answer to `call` of `client`, if there is one to answer.
  mutating func commit(
    _ changes: [Change], _ decision: PermissionBook.Decision? = nil,
    for client: ClientID? = nil, _ call: JSON? = nil, at now: Instant, into outputs: inout [Output]
  ) {
    commits.last += 1
    let id = CommitID(commits.last)
    if let decision {
      book.propose(decision, as: id)
      admit(decision, at: now, into: &outputs)
    }
    if client != nil || decision != nil {
      commits.waiting[id] = Commits.Waiting(client: client, call: call)
    }
    outputs.append(.commit(changes, id))
  }

  mutating func finish(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    guard let waiting = commits.waiting.removeValue(forKey: id) else { return }
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
    if let decision { admit(decision, at: now, into: &outputs) }
  }

  private mutating func admit(
    _ decision: PermissionBook.Decision, at now: Instant, into outputs: inout [Output]
  ) {
    forgetMonitoring(after: decision)
    if case .permission(let app, _) = decision {
      admit(app, at: now, into: &outputs)
    } else {
      admit(at: now, into: &outputs)
    }
  }

  private static func unwritten(_ trouble: String) -> Refusal {
    Refusal(
      .failed,
      "It could not be written: \(trouble). Nothing new is granted; what was taken away stays so"
        + " until locationd ends.")
  }
}
