import LocationModel

/// The apps that are being told the place, and the pauses, as the agents of their users have heard.
struct ShownUses {
  struct View: Equatable {
    var apps: [AppUse] = []
    var pauseEnd: Boottime?
    /// The services that go on in the pause.
    var services: [MachineService] = []
  }

  /// A single place is seen for so long.
  static let glimpse: Duration = .seconds(10)

  var told: [UInt32: View] = [:]
  /// When one may have ended.
  var wakesAt: Boottime?
}

extension LocationService {
  /// Shows people which of their apps are being told the place, where that has changed.
  mutating func showUses(at now: Instant, into outputs: inout [Output]) {
    history.hasNews = false
    uses.wakesAt = nil
    guard !permissions.questions.agents.isEmpty || !uses.told.isEmpty else { return }
    var shown: [UInt32: ShownUses.View] = [:]
    for app in history.live.sorted() {
      guard let (use, end) = use(of: app, at: now) else {
        history.endShowing(app)
        continue
      }
      guard permissions.questions.agents[app.uid] != nil else { continue }
      uses.wakesAt = earliest(uses.wakesAt, end)
      shown[app.uid, default: .init()].apps.append(use)
    }
    for uid in permissions.questions.agents.keys {
      guard let end = permissions.pauses.end(of: uid) else { continue }
      shown[uid, default: .init()].pauseEnd = end
      shown[uid, default: .init()].services = services(besides: uid)
    }
    for uid in Set(shown.keys).union(uses.told.keys).sorted() where shown[uid] != uses.told[uid] {
      let view = shown[uid] ?? .init()
      let request = AgentRequest.uses(
        view.apps, pausedUntil: view.pauseEnd.map { now.utc + ($0 - now.boottime) },
        services: view.services)
      for agent in permissions.agentsToTell(of: uid) { outputs.append(.notify(agent, request)) }
    }
    uses.told = shown
  }

  /// The use, and when it ends by itself; nil once it has ended.
  private func use(of app: App, at now: Instant) -> (use: AppUse, end: Boottime?)? {
    guard let record = history.records[app], let newest = record.newest else { return nil }
    let ids = clients.clients(of: app)
    let access = ids.first.flatMap { clients[$0]?.access } ?? permissions.access(of: app, clients)
    guard access.authorization.isAuthorized else { return nil }
    let isOpen = ids.contains { delivery.isActive($0) || ranging.isActive($0) }
    let end = isOpen ? nil : newest.told + ShownUses.glimpse
    if let end, end <= now.boottime { return nil }
    let use = AppUse(
      app: app.name, name: record.claim.name, since: newest.since,
      accuracy: newest.kind.accuracy, isBackground: newest.kind.isBackground)
    return (use, end)
  }
}
