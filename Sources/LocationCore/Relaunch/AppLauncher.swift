import LocationModel

/// Starts the apps that are gone when an event is for them, until they have acknowledged it.
struct AppLauncher {
  /// An app that is to be started now.
  struct Start {
    var app: App
    var activation: Activation
    var number: Int64
    /// Nil where the daemon itself starts it.
    var agent: ClientID?
  }

  var schedule = LaunchSchedule()
  var searches = OwnerSearches()
  var lastSeen: LastSeenTable
  var units = UnitWatch()
  /// Launches that are being written, in that order.
  private var unwritten: [(app: App, launch: Launch)] = []
  /// The processes without a name of their own that said what to start.
  private var registrants: [App: ProcessID] = [:]

  init(at now: Instant) { lastSeen = LastSeenTable(at: now) }

  /// When something is due, of starting apps or of looking for those that are gone.
  func wakesAt(isAnyRegistered: Bool) -> Boottime? {
    let due = earliest(earliest(schedule.wakesAt, searches.wakesAt), units.wakesAt)
    return isAnyRegistered || !schedule.isEmpty ? earliest(due, lastSeen.looksAt) : due
  }

  mutating func forget(_ app: App) {
    forgetLaunch(of: app)
    units.forget(app)
    lastSeen[app] = nil
  }

  mutating func forgetLaunch(of app: App) {
    schedule.forget(app)
    registrants[app] = nil
    unwritten.removeAll { $0.app == app }
  }
}

// MARK: - What is to be started

extension AppLauncher {
  /// How the app is started by what it says. Nil where its bus name is looked up first.
  mutating func launch(
    by activation: Activation, for client: ClientID, _ caller: Caller, _ call: JSON?,
    _ clients: ClientRegistry, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Launch? {
    switch activation {
    case .unit(let name):
      guard let place = caller.place(ofUnit: name) else {
        throw Refusal(
          .denied,
          "\(caller.app) may have the service started that it runs in itself, and \(name) is none"
            + " such; or a busName that it owns.")
      }
      return Launch(activation, at: place)
    case .busName(let name):
      let searching = searches.all.values.lazy.map(\.client)
      guard clients.count(of: caller.uid, in: searching) < OwnerSearches.mostPerUser else {
        throw Refusal(.limitExceeded, "Too many of your programs say at once what to start.")
      }
      let number = searches.begin(client, call, name, at: now)
      outputs.append(.findOwner(number, name, of: caller))
      return nil
    }
  }

  /// An app says it each time it starts: that need not be written again.
  func isKept(_ launch: Launch, of app: App) -> Bool {
    schedule[app] == launch && !unwritten.contains { $0.app == app }
  }

  /// It holds once the changes are written.
  mutating func propose(_ launch: Launch, of app: App, by caller: Caller? = nil) -> [Change] {
    unwritten.append((app, launch))
    registrants[app] = caller?.wantsClue == true ? caller?.process : nil
    return [.put(app, kind: StoredRecord.activation, key: "", StoredRecord.bytes(of: launch.json))]
  }

  /// A program has a name of its own now. What is to be started for it is its name's; nil for nothing.
  mutating func move(_ process: ProcessID, from old: App, to new: App) -> (Launch, [Change])? {
    guard registrants[old] == process, let launch = schedule[old] else { return nil }
    forgetLaunch(of: old)
    let gone = Change.remove(old, kind: StoredRecord.activation, key: "")
    return (launch, [gone] + propose(launch, of: new))
  }

  /// It is written, or failed; nothing changes where the app has taken it back since.
  mutating func conclude(
    _ launch: Launch, of app: App, _ trouble: String?, connections: Int, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let i = unwritten.firstIndex(where: { $0 == (app, launch) }) else { return }
    unwritten.remove(at: i)
    guard trouble == nil else { return }
    outputs.append(.note("\(app): \(launch.activation.name) is to be started for its events"))
    schedule.set(launch, of: app, connections: connections, at: now.boottime)
  }

  /// An app that was there when the daemon ended is on the way back.
  mutating func restore(_ record: StoreSnapshot.Record, _ json: JSON?, at now: Instant) {
    switch record.kind {
    case StoredRecord.activation:
      guard let launch = json.flatMap(Launch.init) else { return }
      schedule.set(launch, of: record.app, connections: 0, at: now.boottime)
      schedule.delay(record.app, at: now.boottime)
    case StoredRecord.seen: lastSeen[record.app] = json.flatMap(LastSeen.init)
    case StoredRecord.idle: units.restore(record.app, json, at: now.boottime)
    default: break
    }
  }
}

extension AppLauncher {
  /// All that the disk is to have of an app.
  func records(of app: App) -> [Change] {
    var changes: [Change] = []
    if let launch = schedule[app] {
      changes.append(
        .put(app, kind: StoredRecord.activation, key: "", StoredRecord.bytes(of: launch.json)))
    }
    if let seen = lastSeen[app] {
      changes.append(.put(app, kind: StoredRecord.seen, key: "", StoredRecord.bytes(of: seen.json)))
    }
    return changes + units.records(of: app)
  }
}

// MARK: - Starting

extension AppLauncher {
  /// Starts the idle apps that an event waits for, as far as it is time to.
  mutating func start(
    awaitedBy monitoring: Monitoring, _ agents: [UInt32: ClientID], at now: Instant,
    into outputs: inout [Output]
  ) {
    schedule.wakesAt = nil
    guard !schedule.isEmpty else { return }
    for (app, agent) in schedule.giveUp(at: now.boottime) {
      note(app, "nobody said in time whether it starts", agent, at: now, into: &outputs)
    }
    var wakesAt: Boottime?
    for app in schedule.idle where monitoring.isAwaiting(app) {
      guard let launch = schedule[app] else { continue }
      // Where there is no agent, the event waits for one.
      let agent = launch.place == .user ? agents[app.uid] : nil
      guard launch.place == .system || agent != nil else { continue }
      let next = schedule.next(app, by: agent, at: now.boottime)
      guard next <= now.boottime else {
        wakesAt = earliest(wakesAt, next)
        continue
      }
      let number = schedule.begin(app, by: agent, at: now.boottime)
      if let agent {
        let request = AgentRequest.launch(app: app.name, launch.activation)
        outputs.append(.ask(agent, request, .launch(number)))
      } else {
        outputs.append(.launch(number, launch.activation))
      }
    }
    schedule.wakesAt = earliest(wakesAt, schedule.nextDeadline)
  }

  /// `trouble`: why it could not be started; nil where it is being started.
  mutating func finish(
    _ number: Int64, by agent: ClientID?, _ trouble: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard
      let app = schedule.end(number, by: agent, failed: trouble != nil, at: now.boottime)
    else { return }
    if let trouble { return note(app, trouble, agent, at: now, into: &outputs) }
    outputs.append(.note("\(app) is being started, since an event waits for it"))
  }

  /// The agent is not there any more.
  mutating func forgetAgent(_ agent: ClientID, at now: Instant, into outputs: inout [Output]) {
    for (app, _) in schedule.giveUp(agent: agent, at: now.boottime) {
      note(app, "its user's agent has gone", agent, at: now, into: &outputs)
    }
  }

  private func note(
    _ app: App, _ trouble: String, _ agent: ClientID?, at now: Instant, into outputs: inout [Output]
  ) {
    let pause = schedule.next(app, by: agent, at: now.boottime) - now.boottime
    outputs.append(
      .note(
        "\(app) could not be started: \(trouble); it is tried again in \(pause.components.seconds) s"
      ))
  }
}
