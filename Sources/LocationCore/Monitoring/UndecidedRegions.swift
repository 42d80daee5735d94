import LocationModel

/// Regions of apps about which nobody has decided. They wait with the connection that asked: nothing of
/// them is written or looked for, and they go when it goes.
struct UndecidedRegions {
  struct Waiting {
    var region: Region
    var recipient: Recipient
  }

  /// Regions of one manager.
  struct Group {
    var app: App
    var client: Client
    var recipient: Recipient
    var regions: [Region]
  }

  private(set) var regions: [App: [String: Waiting]] = [:]

  var apps: [App] { regions.keys.sorted() }

  subscript(app: App, identifier: String) -> Waiting? {
    get { regions[app]?[identifier] }
    set {
      regions[app, default: [:]][identifier] = newValue
      if regions[app]?.isEmpty == true { regions[app] = nil }
      if regions.isEmpty { regions = [:] }
    }
  }

  /// Identifiers of the regions that came by one connection.
  func identifiers(of client: ClientID, _ app: App) -> [String] {
    regions[app]?.filter { $0.value.recipient.client == client }.map(\.key) ?? []
  }
}

extension Monitoring {
  mutating func keep(_ new: [Region], of app: App, for recipient: Recipient) {
    for region in new {
      forgetUndecided(region.identifier, of: app)
      count(region, of: app)
      undecided[app, region.identifier] = .init(region: region, recipient: recipient)
    }
    changedRegions.insert(app)
  }

  mutating func forgetUndecided(_ identifier: String, of app: App) {
    guard let waiting = undecided[app, identifier] else { return }
    uncount(waiting.region, of: app)
    undecided[app, identifier] = nil
    changedRegions.insert(app)
  }

  /// The connection has another name now. Gives the regions for which that has no room.
  mutating func moveUndecided(
    of client: ClientID, from old: App, to new: App, isLimited: Bool
  ) -> [String] {
    var failed: [String] = []
    for identifier in undecided.identifiers(of: client, old).sorted() {
      guard let waiting = undecided[old, identifier] else { continue }
      forgetUndecided(identifier, of: old)
      do throws(Refusal) {
        try checkRoom(for: [waiting.region], of: new, isLimited: isLimited)
        keep([waiting.region], of: new, for: waiting.recipient)
      } catch {
        failed.append(identifier)
      }
    }
    return failed
  }

  mutating func forgetUndecided(of app: App) {
    for identifier in undecided.regions[app]?.keys.sorted() ?? [] {
      forgetUndecided(identifier, of: app)
    }
  }

  mutating func forgetUndecided(of client: ClientID, _ app: App) {
    for identifier in undecided.identifiers(of: client, app) {
      forgetUndecided(identifier, of: app)
    }
  }

  /// An app about which nobody has decided any more keeps nothing on the disk: gives the apps whose
  /// records go, and what else goes with them. Its regions wait with its connection, if it has one.
  mutating func retractUndecided(
    of app: App?, by permissions: PermissionBroker, _ clients: ClientRegistry
  ) -> (erased: [Change], retracted: [App]) {
    var retracted: [App] = []
    for app in app.map({ [$0] }) ?? registrations.keys.sorted()
    where isRegistered(app) && !permissions.isDecided(app) {
      let regions = registrations[app]?.regions.values.map(\.region) ?? []
      forget(app)
      retracted.append(app)
      undecidedRecords.insert(app)
      if let client = clients.clients(of: app).first {
        keep(regions, of: app, for: Recipient(client: client, manager: 0))
      }
    }
    let erased = undecidedRecords.sorted().map { Change.erase($0) }
    undecidedRecords = []
    return (erased, retracted)
  }

  /// The regions of an app, or of all, that somebody has decided about since. A pause decides about none.
  mutating func drainDecided(
    of app: App?, _ clients: ClientRegistry, _ pauses: Pauses
  ) -> [UndecidedRegions.Group] {
    var groups: [UndecidedRegions.Group] = []
    for app in app.map({ [$0] }) ?? undecided.apps {
      guard let waiting = undecided.regions[app]?.values,
        let client = waiting.first.flatMap({ clients[$0.recipient.client] }),
        client.access.authorization != .notDetermined, !pauses.isPaused(app.uid)
      else { continue }
      forgetUndecided(of: app)
      for (recipient, all) in Dictionary(grouping: waiting, by: \.recipient)
        .sorted(by: { $0.key < $1.key })
      {
        groups.append(
          UndecidedRegions.Group(
            app: app, client: client, recipient: recipient,
            regions: all.map(\.region).sorted { $0.identifier < $1.identifier }))
      }
    }
    return groups
  }
}
