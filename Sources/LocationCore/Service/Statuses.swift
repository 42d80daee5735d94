package import LocationModel

// The daemon's status, for clients and administrators.
extension LocationService {
  package static let services = Service.allCases

  func status(for id: ClientID, _ caller: Caller, at now: Instant) -> Status {
    var status = Status(
      version: settings.version, services: Self.services, client: clientStatus(id))
    // To programs a pause is the switch; a sandbox learns no more of it.
    status.isEnabled = isEnabled(for: caller)
    if caller.confinement == .none { status.pause = pauseStatus(of: caller.uid, at: now) }
    status.trouble = commits.trouble
    status.agent =
      permissions.questions.askers[caller.uid] != nil
      ? .asks : permissions.questions.agents[caller.uid] != nil ? .identifies : .none
    status.isForAdministrator = permissions.isAdministrator(caller)
    if let access = clients[id]?.access {
      let verdict = access.verdict(for: .standard)
      status.maySeeSky = verdict == .allow(.full)
      if !verdict.isAllowed {
        status.obstacle = permissions.refusal(verdict, access, caller).message
      }
    }
    // Why there is no fix is said from these, with what only the sources know.
    status.isForPage = caller.isSettingsUnit
    if status.obstacle == nil || status.isForAdministrator || status.isForPage {
      status.sources = sources.table.status(at: now)
      explain(&status.sources)
    }
    if status.isForAdministrator {
      status.places = sources.known.statuses(after: sources.newest, at: now)
      status.clients = clients.inOrder.map { clientStatus($0) }
      status.monitors = monitoring.status
      status.counters = counters
      status.need = needStatus(at: now)
    }
    return status
  }

  /// Metres of the best place that is known though no source says one; nil where there is none.
  package func knownAccuracy(at now: Instant) -> Double? {
    sources.known.best(for: StandardRequest.city, after: sources.newest, at: now)?
      .horizontalAccuracy
  }

  private func needStatus(at now: Instant) -> NeedStatus? {
    let updating = delivery.sessions.count(where: \.isActive)
    let monitoring = monitoring.registrations.values.count { !$0.needs.isEmpty }
    let isNeeded = updating + delivery.oneShots.count + monitoring > 0
    let ranging = ranging.sessions.count(where: \.isActive)
    let advertising = advertising.wanted.count
    guard isNeeded || !delivery.headings.isEmpty || ranging + advertising > 0 else { return nil }
    var status = NeedStatus()
    status.ranging = ranging
    status.advertising = advertising
    status.updating = updating
    status.waiting = delivery.oneShots.count
    status.headings = delivery.headings.count
    status.monitoring = monitoring
    if isNeeded {
      status.accuracy = sources.duty.accuracy
      status.every = sources.duty.pause
    }
    status.resting = sources.duty.restsUntil.map { $0.seconds(since: now.boottime) }
    return status
  }

  func clientStatus(_ id: ClientID) -> ClientStatus {
    let client = clients[id]
    var status = ClientStatus(
      app: client?.caller.app ?? "", uid: client?.caller.uid ?? 0, pid: client?.caller.pid ?? 0,
      name: client?.name, authorization: client?.access.authorization ?? .denied,
      accuracy: client?.access.accuracy ?? .full)
    status.isInUse = client?.access.isInUse ?? false
    status.holdsUse = permissions.use.holds[id] != nil
    status.updating = delivery.sessions.count { $0.recipient.client == id }
    status.waiting = delivery.oneShots.count { $0.client == id }
    status.ranging = ranging.sessions.count { $0.recipient.client == id && $0.isActive }
    status.isAdvertising = advertising.isActive(id)
    status.turning = delivery.headings.count { $0.recipient.client == id }
    return status
  }
}

// MARK: - What others look at

extension LocationService {
  /// The master switch is on, and the caller's user has not paused.
  package func isEnabled(for caller: Caller) -> Bool {
    permissions.isEnabled && !permissions.pauses.isPaused(caller.uid)
  }

  /// When something that is decided already is told, if nothing comes before that speaks against it.
  package var decidedAt: Boottime? { monitoring.detectors.decidedAt }

  /// Nil where it has had none.
  package func secondsSinceFix(of source: SourceID, at now: Instant) -> Double? {
    sources.table.secondsSinceFix(of: source, at: now)
  }

  /// The agent that tells programs of the caller's user apart; nil also where it is the caller's kin.
  package func agent(for caller: Caller) -> ClientID? { permissions.agent(for: caller, clients) }

  /// A program of the user's asks the person or tells programs apart.
  package func hasAgent(of uid: UInt32) -> Bool { permissions.questions.agents[uid] != nil }

  /// The moment until which a program that nobody tells waits for its user's agent to come back; nil where it is
  /// served at once.
  package func wait(of caller: Caller, at now: Instant) -> Boottime? {
    permissions.questions.agents[caller.uid] == nil ? agents.wait(of: caller, at: now) : nil
  }
}
