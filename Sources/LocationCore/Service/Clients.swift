package import LocationModel

extension LocationService {
  package static let services = Service.allCases

  mutating func forget(_ client: ClientID, at now: Instant, into outputs: inout [Output]) {
    forgetQuestions(of: client, at: now, into: &outputs)
    consents.waiting = consents.waiting.filter { $0.value.client != client }
    noteEndOfUse(by: client, at: now)
    let app = clients[client]?.caller.owner
    forgetUndecided(of: client)
    clients.remove(client)
    use.holds[client] = nil
    listers.ofAll.remove(client)
    listers.ofOwn.remove(client)
    if let app { decideMonitoring(of: app) }
    delivery.forget(client)
  }

  func status(for id: ClientID, _ caller: Caller, at now: Instant) -> Status {
    var status = Status(
      version: settings.version, services: Self.services, client: clientStatus(id))
    if isAdministrator(caller) {
      status.sources = sources.status(at: now)
      status.clients = clients.inOrder.map { clientStatus($0) }
      status.monitors = monitorStatus
      status.counters = counters
      status.need = needStatus(at: now)
      status.trouble = commits.trouble
    }
    return status
  }

  private var monitorStatus: [MonitorStatus] {
    registrations.keys.sorted().compactMap { app in
      guard let one = registrations[app], one.isAny else { return nil }
      return MonitorStatus(
        app: app.name, uid: app.uid, regions: one.regions.count,
        significant: one.significant, visits: one.visits, waiting: one.pending.count)
    }
  }

  private func needStatus(at now: Instant) -> NeedStatus? {
    let updating = delivery.sessions.count(where: \.isActive)
    let monitoring = registrations.values.count { !$0.needs.isEmpty }
    let isNeeded = updating + delivery.oneShots.count + monitoring > 0
    guard isNeeded || !delivery.headings.isEmpty else { return nil }
    return NeedStatus(
      updating: updating, waiting: delivery.oneShots.count, headings: delivery.headings.count,
      monitoring: monitoring, accuracy: isNeeded ? sources.duty.accuracy : 0,
      every: isNeeded ? sources.duty.pause : 0,
      resting: sources.duty.restsUntil.map { Double($0 - now.boottime) / 1e9 })
  }

  func clientStatus(_ id: ClientID) -> ClientStatus {
    let client = clients[id]
    var status = ClientStatus(
      app: client?.caller.app ?? "", uid: client?.caller.uid ?? 0, pid: client?.caller.pid ?? 0,
      name: client?.name, authorization: client?.access.authorization ?? .denied,
      accuracy: client?.access.accuracy ?? .full)
    status.isInUse = client?.access.isInUse ?? false
    status.holdsUse = use.holds[id] != nil
    status.updating = delivery.sessions.count { $0.recipient.client == id }
    status.waiting = delivery.oneShots.count { $0.client == id }
    status.turning = delivery.headings.count { $0.recipient.client == id }
    return status
  }
}
