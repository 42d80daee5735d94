import LocationModel

// Accesses to the place: counted for the person whose program has them, shown by the agent, and never with the
// place.
extension LocationService {
  /// Counts what is told, and to whom.
  mutating func note(_ output: Output, at now: Instant, into outputs: inout [Output]) {
    switch output {
    case .tell(let recipients, let event):
      counters.told += recipients.count
      noteAccess(by: recipients, event, at: now, into: &outputs)
    case .report(let recipients, let event, let number):
      counters.told += recipients.count
      noteHeard(recipients, event, number)
      noteAccess(by: recipients, event, at: now, into: &outputs)
    case .answer(let client, _, let reply): noteAccess(by: client, reply, at: now, into: &outputs)
    case .launch, .ask(_, .launch, _): counters.launches += 1
    default: break
    }
  }

  /// Notices the apps whose last session has stopped.
  mutating func noteEnds(at now: Instant) {
    let active =
      delivery.sessions.filter(\.isActive).map(\.recipient.client)
      + ranging.sessions.filter(\.isActive).map(\.recipient.client)
    guard active != open.clients else { return }
    let apps = Set(active.compactMap { clients.owner(of: $0) })
    history.end(open.apps.subtracting(apps), at: now)
    open = OpenSessions(clients: active, apps: apps)
  }

  private mutating func noteAccess(
    by recipients: [Recipient], _ event: Event, at now: Instant, into outputs: inout [Output]
  ) {
    let service: Service
    var isVague = false
    switch event {
    case .didUpdateLocations(let location, let its):
      service = its
      isVague = location.isVague
    case .didVisit: service = .visits
    case .didEnterRegion, .didExitRegion, .didDetermineState: service = .regions
    case .didRangeBeacons(_, let beacons): if beacons.isEmpty { return } else { service = .beacons }
    default: return
    }
    for recipient in recipients {
      noteAccess(by: recipient.client, service, isVague: isVague, at: now, into: &outputs)
    }
  }

  private mutating func noteAccess(
    by client: ClientID, _ reply: Reply, at now: Instant, into outputs: inout [Output]
  ) {
    switch reply {
    case .location(let location?):
      noteAccess(by: client, .standard, isVague: location.isVague, at: now, into: &outputs)
    case .state(let state) where state != .unknown:
      noteAccess(by: client, .regions, isVague: false, at: now, into: &outputs)
    default: break
    }
  }

  private mutating func noteAccess(
    by id: ClientID, _ service: Service, isVague: Bool, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard let client = clients[id] else { return }
    let app = client.caller.owner
    let kind = AppAccess.Kind(
      service, isVague ? .reduced : client.access.accuracy, isBackground: !client.access.isInUse)
    guard
      history.note(app, kind, AppClaim(name: client.name, purpose: client.purpose), at: now),
      kind.isBackground,
      history.isNews(of: app, at: now)
    else { return }
    outputs.append(
      .note(
        "\(app) begins to be told the place in the background (\(service.rawValue),"
          + " \(kind.accuracy.rawValue))", Note(.backgroundAccess, of: app)))
  }
}

/// The clients with a session that goes on, and their apps.
struct OpenSessions {
  /// Nil where one of them has another name now.
  var clients: [ClientID]?
  var apps: Set<App> = []
}

extension Location {
  /// No more exact than what an app of reduced accuracy is told.
  fileprivate var isVague: Bool { horizontalAccuracy >= AccuracyAuthorization.reducedRadius }
}

// MARK: - Who asks

extension LocationService {
  /// Administrators see everybody's; a person's terminal and agent all that person's; a program itself.
  func history(
    _ query: HistoryQuery, for caller: Caller, at now: Instant
  ) throws(Refusal) -> Reply {
    let isAdministrator = permissions.isAdministrator(caller)
    guard isAdministrator || query.uid ?? caller.uid == caller.uid else {
      throw Self.noAdministrator(caller)
    }
    let (entries, more) = history.entries(query, at: now) { app in
      guard !isAdministrator else { return query.uid ?? app.uid == app.uid }
      return app.uid == caller.uid
        && (caller.speaksForPerson || app == caller.owner && !caller.isAnonymous)
    }
    return .history(entries, more: more)
  }

  /// Without a name all of the user's.
  mutating func forgetHistory(
    _ selection: AppSelection, for client: ClientID, _ caller: Caller, _ call: JSON?,
    into outputs: inout [Output]
  ) throws(Refusal) {
    let uid = try person(selection.uid, of: caller)
    let apps = history.records.keys.filter {
      $0.uid == uid && selection.app ?? $0.name == $0.name
    }
    commit(history.forget(Set(apps)), for: client, call, into: &outputs)
  }

  /// The user whom the caller may speak for: an administrator for anybody, a terminal and an agent for their own.
  func person(_ uid: UInt32?, of caller: Caller) throws(Refusal) -> UInt32 {
    if permissions.isAdministrator(caller) { return uid ?? caller.uid }
    guard uid ?? caller.uid == caller.uid, caller.speaksForPerson else {
      throw Refusal(
        .denied,
        "Only a person does this: on a terminal of their own, by their desktop, or as administrator."
      )
    }
    return caller.uid
  }
}
