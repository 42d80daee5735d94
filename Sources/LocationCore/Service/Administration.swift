import LocationModel

/// The requests of administrators.
extension LocationService {
  /// Nil where the answer comes when it is written.
  mutating func administer(
    _ call: Call, of client: ClientID, _ caller: Caller, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    if permissions.isAdministrator(caller) {
      return try execute(call, of: client, caller, ofAll: true, at: now, into: &outputs)
    }
    if call.request == .permissionsList, caller.confinement != .none {
      return try execute(call, of: client, caller, ofAll: false, at: now, into: &outputs)
    }
    try askForConsent(call, of: client, caller, into: &outputs)
    return nil
  }

  /// It may be done. `ofAll`: the caller sees other users' apps too.
  mutating func execute(
    _ call: Call, of client: ClientID, _ caller: Caller, ofAll: Bool, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    switch call.request {
    case .permissionsList:
      let own: PermissionObservers.View = caller.confinement == .none ? .own : .itself
      let view = ofAll ? .all : own
      permissions.observers.add(client, view)
      return .permissions(
        appPermissions(at: now).filter { view.shows($0.app, $0.uid, to: caller) })
    case .permissionsSet(let change):
      if !ofAll { try checkRoom(for: change, by: caller) }
      try set(change, for: client, caller, call.id, at: now, into: &outputs)
    case .permissionsReset(let selection):
      try reset(selection, for: client, caller, call.id, at: now, into: &outputs)
    case .permissionsUnrestrict(let selection):
      guard let app = selection.app else {
        throw Refusal(.invalidParameters, "app is missing.")
      }
      let restriction = Restriction(uid: selection.uid, name: try appName(app))
      commit(
        [.unrestrict(restriction)], .restriction(restriction, false), for: client, call.id,
        at: now, into: &outputs)
    case .servicesSet(let enabled):
      commit(
        [.servicesEnabled(enabled)] + (enabled ? [] : sources.forget() + radio.forget()),
        .servicesEnabled(enabled),
        for: client, call.id, at: now,
        into: &outputs)
    case .hereSet(let place):
      commit([.here(place)], then: .here(place), for: client, call.id, into: &outputs)
    case .hereForget:
      // The place is gone at once, before the disk has answered.
      sources.known.set(nil)
      commit([.here(nil)], for: client, call.id, into: &outputs)
    case .hereStatus: return .here(sources.known.status)
    case .forget: commit(sources.forget() + radio.forget(), for: client, call.id, into: &outputs)
    default: break
    }
    return nil
  }

  /// Where the machine stands, by a person's word that is written.
  mutating func stand(at place: SetPlace?, at now: Instant, into outputs: inout [Output]) {
    sources.known.set(place)
    delivery.deliverMeanwhile(sources, clients, at: now, into: &outputs)
  }

  private func checkRoom(
    for change: PermissionChange, by caller: Caller
  ) throws(Refusal) {
    try checkQueue(of: caller)
    try checkRoom(for: App(uid: caller.uid, name: try appName(change.app)), of: caller)
  }

  private func appName(_ text: String) throws(Refusal) -> String {
    guard let name = AppName(text) else {
      let kinds = AppName.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal(
        .invalidParameters, "An app is called KIND:NAME, with one of \(kinds) for KIND.")
    }
    return name.description
  }

  private mutating func set(
    _ change: PermissionChange, for client: ClientID, _ caller: Caller, _ call: JSON?,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let name = try appName(change.app)
    if change.authorization == .restricted {
      let restriction = Restriction(uid: change.uid, name: name)
      return commit(
        [.restrict(restriction)], .restriction(restriction, true), for: client, call, at: now,
        into: &outputs)
    }
    let app = App(uid: change.uid ?? caller.uid, name: name)
    let gives = change.once || change.authorization?.isAuthorized ?? (change.accuracy != nil)
    if gives, let ruling = permissions.ruling(against: app) {
      throw Refusal(.failed, "This would have no effect, so nothing is changed. \(ruling)")
    }
    var permission = permissions.book.permission(of: app)
    permission.source = .administrator
    // A change of the accuracy alone leaves the rest as it is.
    if change.authorization != nil || change.once {
      permission.isProvisional = false
      permission.isOnce = change.once
    }
    if change.once { permission.authorization = .authorizedWhenInUse }
    if let authorization = change.authorization { permission.authorization = authorization }
    if let accuracy = change.accuracy { permission.accuracy = accuracy }
    var changes = [Change.permission(app, permission)]
    if permission.authorization == .denied {
      for app in governed(by: app) {
        changes.append(.erase(app))
        delivery.coarsePlaces.forget(app)
      }
    }
    commit(changes, .permission(app, permission), for: client, call, at: now, into: &outputs)
  }

  private mutating func reset(
    _ selection: AppSelection, for client: ClientID, _ caller: Caller, _ call: JSON?,
    at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) {
    let apps: Set<App>
    if let name = selection.app {
      apps = [App(uid: selection.uid ?? caller.uid, name: try appName(name))]
    } else {
      apps = registeredApps.union(history.records.keys).filter {
        selection.uid == nil || $0.uid == selection.uid
      }
    }
    for app in apps {
      permissions.usage.forget(app)
      delivery.coarsePlaces.forget(app)
      monitoring.forgetUndecided(of: app)
    }
    commit(
      apps.sorted().map { .forget($0) } + history.forget(apps), .forgotten(apps), for: client, call,
      at: now,
      into: &outputs)
  }

  /// Apps that something is decided about, that have used a service or have registered something.
  private var registeredApps: Set<App> {
    permissions.knownApps.union(monitoring.registeredApps).union(launcher.schedule.apps)
  }

  /// The app, and those that its permission decides about with it.
  func governed(by app: App) -> [App] {
    [app] + registeredApps.filter { permissions.governs(app, $0) }.sorted()
  }

  /// When it last used a service: just now, if it is at it.
  private func lastUse(of app: App, at now: Instant) -> Timestamp? {
    let isAtIt = clients.clients(of: app).contains {
      delivery.isActive($0) || ranging.isActive($0)
    }
    return isAtIt ? now.utc : permissions.usage[app]?.last
  }

  /// Administrators' lines, whether or not they want a place now: what each app of them may know, and their names.
  var lines: [App: (access: Access, names: Set<String>)] {
    clients.all.values.reduce(into: [:]) { lines, client in
      guard client.caller.entry == .line else { return }
      lines[client.caller.owner, default: (client.access, [])].names.formUnion(
        client.name.map { [$0] } ?? [])
    }
  }

  /// Every app that something was decided about, that has used a service or has registered something, and lines.
  private func appPermissions(at now: Instant) -> [AppPermission] {
    let lines = lines
    let restrictions = permissions.book.restrictions
    let everyones = restrictions.filter { $0.uid == nil }.map(\.name).sorted().map {
      AppPermission(
        app: $0, uid: nil, authorization: .restricted, accuracy: .full, source: .administrator)
    }
    let restricted = restrictions.compactMap { one in
      one.uid.map { App(uid: $0, name: one.name) }
    }
    return everyones
      + registeredApps.union(restricted).union(lines.keys).sorted().map { app in
        let access = lines[app]?.access ?? permissions.decidedAccess(of: app)
        var entry = AppPermission(
          app: app.name, uid: app.uid, authorization: access.authorization,
          accuracy: access.accuracy,
          source: access.authorization == .notDetermined ? nil : access.source)
        // A provisional Always is While Using to people until they have said it again.
        if access.isProvisional { entry.authorization = .authorizedWhenInUse }
        entry.isOnce = access.authorization.isAuthorized && permissions.book.once.contains(app)
        entry.lastUsed = lastUse(of: app, at: now)
        entry.uses = permissions.usage[app]?.count ?? 0
        entry.activation = launcher.schedule[app]?.activation
        entry.waiting = monitoring.registrations[app]?.pending.count ?? 0
        entry.claim = history.records[app]?.claim ?? AppClaim()
        entry.lines = lines[app]?.names.sorted() ?? []
        return entry
      }
  }
}

// MARK: - Consent

extension LocationService {
  /// Nobody in a sandbox, and no app that has a name of its own for itself.
  mutating func askForConsent(
    _ call: Call, of client: ClientID, _ caller: Caller, into outputs: inout [Output]
  ) throws(Refusal) {
    guard caller.confinement == .none else { throw Self.noAdministrator(caller) }
    if case .permissionsSet(let change) = call.request, caller.kind != .user,
      change.authorization != .denied, try isAbout(caller, change)
    {
      throw Refusal(.denied, "No app can grant itself anything; \(caller.app) can ask.")
    }
    let ofUser = clients.count(
      of: caller.uid, in: permissions.consents.waiting.values.lazy.map(\.client))
    guard ofUser < ConsentRequests.mostPerUser else {
      throw Refusal(.limitExceeded, "Too many of your requests wait to be consented to.")
    }
    let number = permissions.consents.add(client, call)
    let question: Output =
      switch call.request {
      case .permissionsList: .authorizeAdmins(number, caller)
      case .servicesSet, .hereSet, .hereForget, .hereStatus, .forget:
        .authorizeMachine(number, caller)
      default: .authorizeAdmin(number, caller)
      }
    outputs.append(question)
  }

  /// The change is about the caller: by its name, or by `user:NAME`, which governs it. locationctl is
  /// governed, too, but says what a person tells it.
  private func isAbout(_ caller: Caller, _ change: PermissionChange) throws(Refusal) -> Bool {
    let name = try appName(change.app)
    if name == caller.app { return true }
    let named = App(uid: change.uid ?? caller.uid, name: name)
    return caller.app != permissions.controlApp && permissions.governs(named, caller.owner)
  }

  mutating func handle(
    _ consent: Consent, for number: Int64, at now: Instant, into outputs: inout [Output]
  ) {
    guard let waiting = permissions.consents.end(number),
      let caller = clients[waiting.client]?.caller
    else { return }
    let place = outputs.count
    let id = waiting.call.id
    // What one's own programs may do is no secret to their user.
    let isForSight = waiting.call.request == .permissionsList
    let granted: Consent = isForSight && consent == .none ? .own : consent
    do throws(Refusal) {
      guard granted != .none else { throw Self.noAdministrator(caller) }
      let call = granted == .all ? waiting.call : try Self.limited(waiting.call, to: caller)
      let reply = try execute(
        call, of: waiting.client, caller, ofAll: granted == .all, at: now, into: &outputs)
      if let reply, let id { outputs.insert(.answer(waiting.client, id: id, reply), at: place) }
    } catch {
      if let id { outputs.append(.refuse(waiting.client, id: id, error)) }
    }
  }

  /// The same, if it is about the caller's own apps.
  private static func limited(_ call: Call, to caller: Caller) throws(Refusal) -> Call {
    var call = call
    switch call.request {
    case .permissionsList: return call
    case .permissionsSet(let change)
    where (change.uid ?? caller.uid) == caller.uid && change.authorization != .restricted:
      return call
    case .permissionsReset(var selection) where (selection.uid ?? caller.uid) == caller.uid:
      selection.uid = caller.uid
      call.request = .permissionsReset(selection)
      return call
    default:
      throw Refusal(
        .denied, "You may change your own programs' permissions only. Try it with sudo.")
    }
  }

  static func noAdministrator(_ caller: Caller) -> Refusal {
    Refusal(
      .denied,
      "Only an administrator may do this: \(caller.app) (uid \(caller.uid)) is none. Try it with sudo."
    )
  }
}
