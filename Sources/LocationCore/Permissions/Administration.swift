import LocationModel

/// What administrators ask.
extension LocationService {
  /// The master switch.
  package var isEnabled: Bool { book.servicesEnabled }

  /// Nil where the answer comes when it is written.
  mutating func administer(
    _ call: Call, of client: ClientID, _ caller: Caller, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard isAdministrator(caller) else {
      try askForConsent(call, of: client, caller, into: &outputs)
      return nil
    }
    return try execute(call, of: client, caller, ofAll: true, at: now, into: &outputs)
  }

  /// It may be done. `ofAll`: the caller sees other users' apps too.
  mutating func execute(
    _ call: Call, of client: ClientID, _ caller: Caller, ofAll: Bool, at now: Instant,
    into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    switch call.request {
    case .permissionsList:
      if ofAll { listers.ofAll.insert(client) } else { listers.ofOwn.insert(client) }
      let list = appPermissions(at: now)
      return .permissions(ofAll ? list : list.filter { $0.uid == nil || $0.uid == caller.uid })
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
        [.servicesEnabled(enabled)], .servicesEnabled(enabled), for: client, call.id, at: now,
        into: &outputs)
    default: break
    }
    return nil
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
    if gives, let ruling = ruling(against: app) {
      throw Refusal(.failed, "This would have no effect, so nothing is changed. \(ruling)")
    }
    var permission = book.permission(of: app)
    permission.source = .administrator
    // Of one that is changed in its accuracy only, the rest stays as it is.
    if change.authorization != nil || change.once {
      permission.isProvisional = false
      permission.isOnce = change.once
    }
    if change.once { permission.authorization = .authorizedWhenInUse }
    if let authorization = change.authorization { permission.authorization = authorization }
    if let accuracy = change.accuracy { permission.accuracy = accuracy }
    var changes = [Change.permission(app, permission)]
    if permission.authorization == .denied {
      changes.append(.erase(app))
      delivery.coarsePlaces.forget(app)
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
      apps = knownApps.union(registeredApps).filter {
        selection.uid == nil || $0.uid == selection.uid
      }
    }
    for app in apps {
      book.usage[app] = nil
      delivery.coarsePlaces.forget(app)
      forgetUndecided(of: app)
    }
    commit(
      apps.sorted().map { .forget($0) }, .forgotten(apps), for: client, call, at: now,
      into: &outputs)
  }

  var knownApps: Set<App> { Set(book.permissions.keys).union(book.usage.keys) }

  /// Every app that something was decided about, that has used a service or has registered something.
  private func appPermissions(at now: Instant) -> [AppPermission] {
    let everyones = book.restrictions.filter { $0.uid == nil }.map(\.name).sorted().map {
      AppPermission(
        app: $0, uid: nil, authorization: .restricted, accuracy: .full, source: .administrator)
    }
    let restricted = book.restrictions.compactMap { one in
      one.uid.map { App(uid: $0, name: one.name) }
    }
    return everyones
      + knownApps.union(registeredApps).union(restricted).sorted().map { app in
        let access = access(of: app, isInUse: false)
        var entry = AppPermission(
          app: app.name, uid: app.uid, authorization: access.authorization,
          accuracy: access.accuracy, source: access.source)
        // What the app sees as Always is While Using to people until they have said it again.
        if access.isProvisional { entry.authorization = .authorizedWhenInUse }
        entry.isOnce = access.authorization.isAuthorized && book.once.contains(app)
        entry.lastUsed = lastUse(of: app, at: now)
        entry.uses = book.usage[app]?.count ?? 0
        entry.activation = launches.launch(of: app)?.activation
        entry.waiting = registrations[app]?.pending.count ?? 0
        return entry
      }
  }
}

extension App: Comparable {
  package static func < (a: App, b: App) -> Bool { (a.name, a.uid) < (b.name, b.uid) }
}
