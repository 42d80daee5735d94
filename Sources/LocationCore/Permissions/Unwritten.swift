import LocationModel

/// What memory holds and the disk does not, since it could not be written: it is written as soon as
/// that goes again.
struct Unwritten {
  enum Thing: Hashable {
    /// All that is remembered of it.
    case app(App)
    case restriction(Restriction)
    case servicesEnabled
  }

  private var things: Set<Thing> = []
  /// The same, in the order in which they are tried.
  private var queue: [Thing] = []
  private var underWay: [CommitID: [Thing]] = [:]
  /// The commit that writes the first of the queue anew.
  private var rewriting: CommitID?
  private var retryAt: Int64?

  private static let pause: Int64 = 60_000_000_000

  /// While something is under way, memory and disk differ anyway.
  var isIdle: Bool { underWay.isEmpty }

  mutating func begin(_ id: CommitID, _ changes: [Change]) {
    underWay[id] = changes.map(\.thing)
  }

  mutating func beginRewriting(as id: CommitID) { rewriting = id }

  /// It is written, or failed.
  mutating func end(_ id: CommitID, failed: Bool, at now: Int64) {
    let concerned = underWay.removeValue(forKey: id) ?? []
    if rewriting == id, let first = queue.first {
      rewriting = nil
      queue.removeFirst()
      // One that never goes keeps no other waiting.
      if failed { queue.append(first) } else { things.remove(first) }
    }
    if failed { queue += concerned.filter { things.insert($0).inserted } }
    retryAt = things.isEmpty ? nil : failed ? now + Self.pause : now
  }

  /// When it is tried again, in boottime.
  var wakesAt: Int64? { isIdle ? retryAt : nil }

  mutating func hurry(at now: Int64) { if !queue.isEmpty { retryAt = now } }

  /// One at a time: the first that goes shows that the others may.
  func due(at now: Int64) -> Thing? {
    guard let wakesAt, wakesAt <= now else { return nil }
    return queue.first
  }
}

extension Change {
  fileprivate var thing: Unwritten.Thing {
    switch self {
    case .permission(let app, _), .usage(let app, _), .put(let app, _, _, _),
      .remove(let app, _, _), .event(let app, _, _), .acknowledged(let app, _), .retire(let app),
      .erase(let app), .forget(let app):
      .app(app)
    case .restrict(let restriction), .unrestrict(let restriction): .restriction(restriction)
    case .servicesEnabled: .servicesEnabled
    }
  }
}

extension LocationService {
  /// Whether anything can be written shows with each commit.
  mutating func learn(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    unwritten.end(id, failed: trouble != nil, at: now.boottime)
    if let trouble, self.trouble == nil {
      outputs.append(
        .note(
          "nothing can be written: \(trouble); what is to be kept waits, nothing new is granted"))
    } else if trouble == nil, self.trouble != nil {
      outputs.append(.note("what is to be kept can be written again"))
    }
    self.trouble = trouble
  }

  mutating func writeAgain(at now: Instant, into outputs: inout [Output]) {
    guard let thing = unwritten.due(at: now.boottime) else { return }
    switch thing {
    case .app(let app): commit(remembered(of: app, at: now), at: now, into: &outputs)
    case .restriction(let restriction):
      let isOn = book.restrictions.contains(restriction)
      commit(
        [isOn ? .restrict(restriction) : .unrestrict(restriction)], at: now, into: &outputs)
    case .servicesEnabled:
      commit([.servicesEnabled(book.servicesEnabled)], at: now, into: &outputs)
    }
    unwritten.beginRewriting(as: CommitID(commits.last))
  }

  /// Takes the call again once it is known that something can be written. False where too many wait.
  mutating func lookAgain(
    for call: Call, of client: ClientID, at now: Instant, into outputs: inout [Output]
  ) -> Bool {
    if commits.look == nil {
      if unwritten.isIdle {
        // A full disk shows with what waits to be written; nothing at all would go.
        unwritten.hurry(at: now.boottime)
        writeAgain(at: now, into: &outputs)
      }
      if unwritten.isIdle { commit([], at: now, into: &outputs) }
      commits.look = Commits.Look(id: CommitID(commits.last))
    }
    guard commits.look?.calls.count ?? 0 < QuestionBoard.mostAskers else { return false }
    commits.look?.calls.append((client, call))
    return true
  }

  mutating func finishLook(
    _ id: CommitID, _ trouble: String?, at now: Instant, into outputs: inout [Output]
  ) {
    guard let look = commits.look, look.id == id else { return }
    commits.look = nil
    for (client, call) in look.calls where clients[client] != nil {
      if trouble == nil {
        answer(call, of: client, at: now, into: &outputs)
      } else if let trouble, let number = call.id {
        outputs.append(.refuse(client, id: number, Self.unwritten(trouble)))
      }
      hangUpIfDone(client, into: &outputs)
    }
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
