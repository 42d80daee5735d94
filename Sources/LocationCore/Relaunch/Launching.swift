import LocationModel

/// Apps that are gone are started when an event is for them, until they have acknowledged it.
extension LocationService {
  /// The way of a fix is short: what it has made happen is written first, and comes back as an input.
  mutating func relaunch(after input: Input, at now: Instant, into outputs: inout [Output]) {
    if case .fix = input { return }
    giveUpActivations(at: now, into: &outputs)
    lookForAbsent(at: now, into: &outputs)
    startApps(at: now, into: &outputs)
  }

  mutating func come(_ app: App, at now: Instant, into outputs: inout [Output]) {
    launches.come(app)
    see(app, at: now, into: &outputs)
  }

  /// Before it is forgotten.
  mutating func leave(_ client: ClientID, at now: Instant, into outputs: inout [Output]) {
    activations.waiting = activations.waiting.filter { $0.value.client != client }
    loseLaunches(by: client, at: now, into: &outputs)
    guard let app = clients[client]?.caller.owner else { return }
    launches.go(app, at: now.boottime)
    see(app, at: now, into: &outputs)
  }

  private mutating func startApps(at now: Instant, into outputs: inout [Output]) {
    launches.wakesAt = nil
    guard !launches.isEmpty else { return }
    for (app, agent) in launches.giveUp(at: now.boottime) {
      note(app, "nobody said in time whether it starts", agent, at: now, into: &outputs)
    }
    var wakesAt: Int64?
    for app in launches.idle where isAwaited(app) {
      guard let launch = launches.launch(of: app) else { continue }
      // Where there is no agent, the event waits for one.
      let agent = launch.place == .user ? questions.agents[app.uid] : nil
      guard launch.place == .system || agent != nil else { continue }
      let next = launches.next(app, by: agent, at: now.boottime)
      guard next <= now.boottime else {
        wakesAt = min(wakesAt ?? next, next)
        continue
      }
      let number = launches.begin(app, by: agent, at: now.boottime)
      if let agent {
        let request = AgentRequest.launch(app: app.name, launch.activation)
        outputs.append(.ask(agent, request, .launch(number)))
      } else {
        outputs.append(.launch(number, launch.activation))
      }
    }
    launches.wakesAt = [wakesAt, launches.nextDeadline].compactMap { $0 }.min()
  }

  /// When something is due of starting apps, or of looking for those that are gone.
  var launchesDue: Int64? {
    mutating get {
      var due = launches.wakesAt
      if let next = activations.nextDeadline { due = min(due ?? next, next) }
      guard !registrations.isEmpty || !launches.isEmpty else { return due }
      return min(due ?? attendances.looksAt, attendances.looksAt)
    }
  }

  /// Takes up what was remembered. Whoever was there when the daemon ended is on the way back.
  mutating func recallLaunches(_ remembered: Remembered, at now: Instant) {
    for (record, bytes) in remembered.records where !undecidedRecords.contains(record.app) {
      switch record.kind {
      case Kept.activation:
        guard let launch = Kept.json(bytes).flatMap(Launch.init) else { continue }
        launches.set(launch, of: record.app, connections: 0, at: now.boottime)
        launches.settle(record.app, at: now.boottime)
      case Kept.seen:
        attendances.entries[record.app] = Kept.json(bytes).flatMap(Attendance.init)
      default: continue
      }
    }
  }

  /// An event waits for it that it may be told though it is gone, which only Always allows.
  private func isAwaited(_ app: App) -> Bool {
    guard let registration = registrations[app] else { return false }
    return registration.pending.contains {
      $0.isWritten && registration.allowed.contains($0.event.service)
    }
  }

  /// `trouble`: why it could not be started; nil where it is being started.
  mutating func finishLaunch(
    _ number: Int64, by agent: ClientID?, _ trouble: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard
      let app = launches.end(number, by: agent, failed: trouble != nil, at: now.boottime)
    else { return }
    if let trouble { return note(app, trouble, agent, at: now, into: &outputs) }
    outputs.append(.note("\(app) is being started, since an event waits for it"))
  }

  private func note(
    _ app: App, _ trouble: String, _ agent: ClientID?, at now: Instant, into outputs: inout [Output]
  ) {
    let seconds = (launches.next(app, by: agent, at: now.boottime) - now.boottime) / 1_000_000_000
    outputs.append(
      .note("\(app) could not be started: \(trouble); it is tried again in \(seconds) s"))
  }

  /// Its agent is not there any more.
  private mutating func loseLaunches(
    by agent: ClientID, at now: Instant, into outputs: inout [Output]
  ) {
    for (app, _) in launches.giveUp(agent: agent, at: now.boottime) {
      note(app, "its user's agent has gone", agent, at: now, into: &outputs)
    }
  }
}
