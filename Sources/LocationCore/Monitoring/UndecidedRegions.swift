import LocationModel

/// Regions of apps about which nobody has decided. They wait with the connection that asked: nothing of
/// them is written or looked for, and they go when it goes.
struct UndecidedRegions {
  struct Waiting {
    var region: Region
    var recipient: Recipient
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

extension LocationService {
  mutating func keep(_ new: [Region], of app: App, for recipient: Recipient) {
    for region in new {
      forgetUndecided(region.identifier, of: app)
      count(region, of: app)
      undecided[app, region.identifier] = .init(region: region, recipient: recipient)
    }
    monitors.relisted.insert(app)
  }

  mutating func forgetUndecided(_ identifier: String, of app: App) {
    guard let waiting = undecided[app, identifier] else { return }
    uncount(waiting.region, of: app)
    undecided[app, identifier] = nil
    monitors.relisted.insert(app)
  }

  mutating func forgetUndecided(of app: App) {
    for identifier in undecided.regions[app]?.keys.sorted() ?? [] {
      forgetUndecided(identifier, of: app)
    }
  }

  mutating func forgetUndecided(of client: ClientID) {
    guard let app = clients[client]?.caller.owner else { return }
    for identifier in undecided.identifiers(of: client, app) {
      forgetUndecided(identifier, of: app)
    }
  }

  /// Somebody may have decided: what waited is monitored from now on, or refused.
  mutating func startUndecided(of app: App?, at now: Instant, into outputs: inout [Output]) {
    // The master switch decides about no app.
    guard !undecided.regions.isEmpty, book.servicesEnabled else { return }
    for app in app.map({ [$0] }) ?? undecided.apps {
      guard let waiting = undecided.regions[app]?.values,
        let client = waiting.first.flatMap({ clients[$0.recipient.client] }),
        client.access.authorization != .notDetermined
      else { continue }
      forgetUndecided(of: app)
      let byRecipient = Dictionary(grouping: waiting, by: \.recipient)
      for (recipient, all) in byRecipient.sorted(by: { $0.key < $1.key }) {
        let regions = all.map(\.region).sorted { $0.identifier < $1.identifier }
        let shapes = regions.compactMap { RegionShape($0.shape) }
        if client.access.verdict(for: .regions) == .refuse {
          refuse(regions, of: client, recipient, into: &outputs)
        } else {
          monitor(regions, shapes, of: app, for: recipient, at: now, into: &outputs)
        }
      }
    }
  }

  private mutating func refuse(
    _ regions: [Region], of client: Client, _ recipient: Recipient, into outputs: inout [Output]
  ) {
    var refusal = refusal(.refuse, client.access, client.caller)
    refusal.code = .regionMonitoringDenied
    for region in regions {
      outputs.tell([recipient], .monitoringDidFail(identifier: region.identifier, refusal))
    }
  }
}
