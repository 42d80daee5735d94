import LocationModel

/// Clients that have been told what apps may do, and are told when that changes, until they go.
struct Listers {
  var ofAll: Set<ClientID> = []
  /// Of their own user's apps only.
  var ofOwn: Set<ClientID> = []

  var isEmpty: Bool { ofAll.isEmpty && ofOwn.isEmpty }
}

extension LocationService {
  mutating func tellListers(of decision: PermissionBook.Decision, into outputs: inout [Output]) {
    switch decision {
    case .permission(let app, _): tellListers(of: [app], into: &outputs)
    case .forgotten(let apps): tellListers(of: apps, into: &outputs)
    case .restriction(let restriction, _):
      tellListers(of: restriction.name, restriction.uid, into: &outputs)
    case .servicesEnabled: tellListersOfAll(into: &outputs)
    }
  }

  mutating func tellListersOfAll(into outputs: inout [Output]) {
    tellListers(of: knownApps, into: &outputs)
  }

  mutating func tellListers(of apps: Set<App>, into outputs: inout [Output]) {
    guard !listers.isEmpty else { return }
    for app in apps.sorted() { tellListers(of: app.name, app.uid, into: &outputs) }
  }

  private mutating func tellListers(
    of name: String, _ uid: UInt32?, into outputs: inout [Output]
  ) {
    let own = listers.ofOwn.filter { uid == nil || clients[$0]?.caller.uid == uid }
    let told = listers.ofAll.union(own).sorted { $0.number < $1.number }
    if !told.isEmpty { outputs.append(.changed(told, app: name, uid: uid)) }
  }
}
