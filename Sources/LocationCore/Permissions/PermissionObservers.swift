import LocationModel

/// Clients that have been told what apps may do, and are told when that changes, until they go.
struct PermissionObservers {
  /// The apps that a client sees.
  enum View {
    case all
    /// Those of its own user.
    case own
    /// Itself: it is in a sandbox.
    case itself

    func shows(_ app: String, _ uid: UInt32?, to caller: Caller) -> Bool {
      switch self {
      case .all: true
      case .own: uid == nil || uid == caller.uid
      case .itself: !caller.isAnonymous && app == caller.app && (uid == nil || uid == caller.uid)
      }
    }
  }

  private var views: [ClientID: View] = [:]

  var isEmpty: Bool { views.isEmpty }

  mutating func add(_ client: ClientID, _ view: View) { views[client] = view }

  mutating func forget(_ client: ClientID) { views[client] = nil }

  /// The observers of an app of one user, or of all users.
  func observers(of app: String, _ uid: UInt32?, _ clients: ClientRegistry) -> [ClientID] {
    views.filter { id, view in
      clients[id].map { view.shows(app, uid, to: $0.caller) } ?? false
    }.keys.sorted()
  }
}

extension PermissionBroker {
  func notifyObservers(
    of decision: PermissionBook.Decision, _ clients: ClientRegistry, into outputs: inout [Output]
  ) {
    switch decision {
    case .permission(let app, _): notifyObservers(of: [app], clients, into: &outputs)
    case .forgotten(let apps): notifyObservers(of: apps, clients, into: &outputs)
    case .restriction(let restriction, _):
      notifyObservers(of: restriction.name, restriction.uid, clients, into: &outputs)
    case .servicesEnabled: notifyObservers(of: knownApps, clients, into: &outputs)
    }
  }

  func notifyObservers(
    of apps: Set<App>, _ clients: ClientRegistry, into outputs: inout [Output]
  ) {
    guard !observers.isEmpty else { return }
    for app in apps.sorted() { notifyObservers(of: app.name, app.uid, clients, into: &outputs) }
  }

  private func notifyObservers(
    of name: String, _ uid: UInt32?, _ clients: ClientRegistry, into outputs: inout [Output]
  ) {
    let told = observers.observers(of: name, uid, clients)
    if !told.isEmpty { outputs.append(.changed(told, app: name, uid: uid)) }
  }
}
