import LocationModel

/// Clients that have been told what apps may do, and are told when that changes, until they go.
struct PermissionObservers {
  private var ofAll: Set<ClientID> = []
  /// Clients that see their own user's apps only.
  private var ofOwn: Set<ClientID> = []

  var isEmpty: Bool { ofAll.isEmpty && ofOwn.isEmpty }

  mutating func add(_ client: ClientID, ofAll seesAll: Bool) {
    if seesAll { ofAll.insert(client) } else { ofOwn.insert(client) }
  }

  mutating func forget(_ client: ClientID) {
    ofAll.remove(client)
    ofOwn.remove(client)
  }

  /// The observers of an app of one user, or of all users.
  func observers(of uid: UInt32?, _ clients: ClientRegistry) -> [ClientID] {
    let own = ofOwn.filter { uid == nil || clients[$0]?.caller.uid == uid }
    return ofAll.union(own).sorted()
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
    let told = observers.observers(of: uid, clients)
    if !told.isEmpty { outputs.append(.changed(told, app: name, uid: uid)) }
  }
}
