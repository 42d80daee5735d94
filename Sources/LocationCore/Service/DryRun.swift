import LocationModel

// The answer that a program would have: the broker's table is run, and nothing follows.
extension LocationService {
  /// Administrators ask about everybody's programs, others about their own, a sandbox about itself.
  func may(_ query: MayQuery, for client: ClientID, _ caller: Caller) throws(Refusal) -> Reply {
    let isAdministrator = permissions.isAdministrator(caller)
    guard isAdministrator || query.uid ?? caller.uid == caller.uid else {
      throw Self.noAdministrator(caller)
    }
    if query.app == nil, query.pid == nil { return answer(caller, client) }
    if caller.confinement != .none {
      let isItself = query.app ?? caller.app == caller.app && query.pid ?? caller.pid == caller.pid
      guard isItself, !caller.isAnonymous else { throw Self.noAdministrator(caller) }
      return answer(caller, client)
    }
    let found = clients.inOrder.filter { id in
      guard let other = clients[id]?.caller else { return false }
      let isOfUser =
        isAdministrator && query.uid == nil && query.app == nil
        || other.uid == query.uid ?? caller.uid
      return isOfUser && query.app ?? other.app == other.app && query.pid ?? other.pid == other.pid
    }
    let first = found.first { clients[$0]?.access.isInUse == true } ?? found.first
    if let first, let other = clients[first]?.caller { return answer(other, first) }
    guard query.pid == nil, let name = query.app.flatMap(AppName.init) else {
      throw Refusal(
        .failed,
        "No such program is connected. An app that is not is called KIND:NAME;"
          + " 'locationctl apps' shows those known.")
    }
    return answer(Caller(uid: query.uid ?? caller.uid, pid: 0, app: name.description), nil)
  }

  /// `id`: nil for a program that is not connected.
  private func answer(_ caller: Caller, _ id: ClientID?) -> Reply {
    let access =
      id.map { permissions.access(of: $0, caller) }
      ?? permissions.access(of: caller.owner, isInUse: permissions.use.isPresent(caller))
    var services: [Service: MayReply.Answer] = [:]
    var reasons: [Service: String] = [:]
    for service in Service.allCases {
      let verdict = access.verdict(for: service)
      services[service] =
        switch verdict {
        case .allow: .allow
        case .ask, .confirm: .ask
        case .wait, .refuse: .refuse
        }
      reasons[service] = permissions.reason(for: verdict, access, caller)
    }
    return .may(
      MayReply(
        app: caller.app, uid: caller.uid, access.authorization, access.accuracy,
        services: services, reasons: reasons, because: reasons[.standard] ?? ""))
  }
}

extension PermissionBroker {
  /// Why a service is answered so.
  fileprivate func reason(for verdict: Verdict, _ access: Access, _ caller: Caller) -> String {
    switch verdict {
    case .allow: reason(for: access, caller)
    case .confirm:
      "It was allowed always for a while: before it is told anything beyond its use, the person is asked once more."
    case .wait, .ask, .refuse: refusal(verdict, access, caller).message
    }
  }

  /// Why it is allowed.
  private func reason(for access: Access, _ caller: Caller) -> String {
    let extent =
      (access.authorization == .authorizedAlways ? "always" : "while in use")
      + (access.accuracy == .reduced ? ", roughly" : ", exactly")
    switch access.source {
    case .person: return "A person has allowed it, \(extent)."
    case .administrator: return "An administrator has allowed it, \(extent)."
    case .policy:
      guard let entry = rule(about: caller.owner) else {
        return "The daemon trusts programs of this user: they could read the receivers themselves."
      }
      let place = entry.place.map { ", \($0)" } ?? ""
      return "A rule of this machine's administrator allows it, \(extent)\(place)."
    }
  }
}
