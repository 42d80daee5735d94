import LocationModel

/// The decisions about apps, between being said and being on the disk: a decision that takes away holds
/// as soon as it is said, one that gives once it is written.
struct PermissionBook {
  /// A change of what apps may do, waiting for the disk.
  enum Decision: Equatable {
    case permission(App, Permission)
    case forgotten(Set<App>)
    case restriction(Restriction, Bool)
    case servicesEnabled(Bool)
  }

  private(set) var permissions: [App: Permission]
  private(set) var restrictions: Set<Restriction>
  private var enabled: Bool
  /// The apps that are allowed once.
  private(set) var once: Set<App> = []
  private var pending: [(id: CommitID, decision: Decision)] = []

  init(_ remembered: StoreSnapshot) {
    permissions = remembered.permissions
    restrictions = remembered.restrictions
    enabled = remembered.servicesEnabled
  }

  func permission(of app: App) -> Permission {
    var permission = permissions[app] ?? Permission()
    for (_, decision) in pending {
      switch decision {
      case .permission(app, let coming): permission = permission.narrowed(by: coming)
      case .forgotten(let apps) where apps.contains(app):
        permission = permission.narrowed(by: Permission())
      default: break
      }
    }
    return permission
  }

  /// An administrator's decision about `user:NAME` of that uid, for longer than once.
  func permission(ofAllOf uid: UInt32) -> Permission? {
    let all = apps(of: uid).lazy.filter { AppName($0.name)?.kind == .user }.map(permission)
    return all.first {
      $0.source == .administrator && $0.authorization != .notDetermined && !$0.isOnce
    }
  }

  /// The restrictions on `user:NAME` of that uid.
  func restrictions(ofAllOf uid: UInt32) -> [Restriction] {
    let coming = pending.compactMap { one in
      if case .restriction(let restriction, true) = one.decision { restriction } else { nil }
    }
    return (restrictions.sorted { $0.name < $1.name } + coming).filter {
      $0.uid == uid && AppName($0.name)?.kind == .user
    }
  }

  func isRestricted(_ app: App) -> Bool {
    if restrictions.contains(Restriction(uid: app.uid, name: app.name))
      || restrictions.contains(Restriction(uid: nil, name: app.name))
    {
      return true
    }
    for case (_, .restriction(let restriction, true)) in pending where restriction.covers(app) {
      return true
    }
    return false
  }

  /// The apps of a user that something is decided about, whether or not it is written yet.
  func apps(of uid: UInt32) -> Set<App> {
    var apps = Set(permissions.keys.lazy.filter { $0.uid == uid })
    for case (_, .permission(let app, _)) in pending where app.uid == uid { apps.insert(app) }
    return apps
  }

  var servicesEnabled: Bool {
    enabled && !pending.contains { $0.decision == .servicesEnabled(false) }
  }

  mutating func propose(_ decision: Decision, as id: CommitID) {
    pending.append((id, decision))
  }

  /// It is written. Gives it back.
  mutating func conclude(_ id: CommitID) -> Decision? {
    guard let decision = remove(id) else { return nil }
    switch decision {
    case .permission(let app, let permission): set(permission, for: app)
    case .forgotten(let apps): for app in apps { set(Permission(), for: app) }
    case .restriction(let restriction, true): restrictions.insert(restriction)
    case .restriction(let restriction, false): restrictions.remove(restriction)
    case .servicesEnabled(let enabled): self.enabled = enabled
    }
    return decision
  }

  /// It could not be written: what it gave is not given, what it took stays taken until a restart.
  mutating func fail(_ id: CommitID) -> Decision? {
    guard let decision = remove(id) else { return nil }
    switch decision {
    case .permission(let app, let permission): lower(app, to: permission)
    case .forgotten(let apps): for app in apps { lower(app, to: Permission()) }
    case .restriction(let restriction, true): restrictions.insert(restriction)
    case .servicesEnabled(false): enabled = false
    case .restriction, .servicesEnabled: break
    }
    return decision
  }

  /// An app's once is over; the disk never knew of it.
  mutating func endOnce(_ app: App) {
    guard once.remove(app) != nil, var permission = permissions[app] else { return }
    permission.isOnce = false
    permission.authorization = .notDetermined
    set(permission, for: app)
  }

  private mutating func set(_ permission: Permission, for app: App) {
    permissions[app] = permission == Permission() ? nil : permission
    if permission.isOnce { once.insert(app) } else { once.remove(app) }
  }

  private mutating func lower(_ app: App, to permission: Permission) {
    set((permissions[app] ?? Permission()).narrowed(by: permission), for: app)
  }

  private mutating func remove(_ id: CommitID) -> Decision? {
    guard let i = pending.firstIndex(where: { $0.id == id }) else { return nil }
    return pending.remove(at: i).decision
  }
}
