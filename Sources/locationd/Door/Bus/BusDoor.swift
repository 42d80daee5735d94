import DBus
import LocationCore
import LocationModel
import Platform

/// `org.locationd` on the bus: client objects, each for its owner alone.
final class BusDoor: Door {
  private let callers: BusCallers<BusCaller>
  let log: Log
  private let post: (Input) -> Void
  /// The caller's user is served at all.
  let isEnabled: (Caller) -> Bool
  private var name: BusName?
  private var clients: [ClientID: ClientObject] = [:]
  /// The lines of callers that ask something and are no clients.
  private var visitors: [ClientID: ServiceSession] = [:]
  var watches: [ClientID: PermissionWatch] = [:]
  let agents: BusAgents
  private var clientCount: UInt64 = 0

  init(
    to callers: BusCallers<BusCaller>, _ agents: BusAgents, _ log: Log,
    isEnabled: @escaping (Caller) -> Bool, post: @escaping (Input) -> Void
  ) throws(BusError) {
    self.isEnabled = isEnabled
    self.callers = callers
    self.log = log
    self.post = post
    self.agents = agents
    let interfaces = [Manager1.interface, Permissions1.interface, Agents1.interface]
    try bus.export(BusObject(Manager1.path, target: self, interfaces))
    name = try bus.own("org.locationd") { log.note("org.locationd", $0) }
    callers.gone.append { [unowned self] caller in
      for client in clients.values where client.caller === caller { remove(client) }
      for watch in watches.values where watch.caller === caller { remove(watch) }
      agents.removeAll(of: caller)
    }
  }
}

// MARK: - Clients come and go

extension BusDoor {
  var bus: BusConnection { callers.bus }

  func welcome(_ sender: String, completion: @escaping (BusCallers<BusCaller>.Answer) -> Void) {
    callers.identify(sender, completion: completion)
  }

  /// Gives its path.
  func makeClient(
    of caller: BusCaller, _ introduction: Request.Introduction
  ) throws(BusError) -> String {
    guard caller.admitClient() else {
      throw BusError(
        .limit("Your programs already have as many clients as may be", "ConnectionsPerUser"))
    }
    let session = makeSession()
    do throws(BusError) {
      let client = try ClientObject(
        of: caller, at: "\(Manager1.path)/client/\(clientCount)", session, on: bus
      ) { [unowned self] in drop(session.id) }
      if let object = client.object { try bus.export(object) }
      clients[session.id] = client
      client.begin(introduction)
      return client.path
    } catch {
      caller.dismissClient()
      throw error
    }
  }

  func client(at path: String, of sender: String) -> ClientObject? {
    clients.values.first { $0.path == path && $0.caller.name == sender }
  }

  func remove(_ client: ClientObject) {
    guard clients.removeValue(forKey: client.session.id) != nil else { return }
    if let object = client.object { bus.remove(object) }
    client.caller.dismissClient()
    client.session.end()
  }

  /// It does not read what may not be left out.
  private func drop(_ id: ClientID) {
    guard let client = clients[id] else { return }
    log.notice("removing a client of \(client.caller.caller.app), which does not read")
    remove(client)
  }

  /// Asks for somebody who need not be a client. `values` are what the call is answered with; nil
  /// where the reply is none to that.
  func ask(
    _ request: Request, for call: BusInvocation, values: @escaping (Reply) -> [BusValue]?
  ) {
    callers.identify(call.sender) { [unowned self] caller in
      guard case .success(let caller) = caller else {
        if case .failure(let error) = caller { call.refuse(error) }
        return
      }
      let session = makeSession()
      visitors[session.id] = session
      session.begin(as: caller.caller)
      session.ask(request) { [unowned self] answer in
        switch answer {
        case .success(let reply):
          if let values = values(reply) { call.answer(values) } else { call.refuse(.failed("")) }
        case .failure(let refusal): call.refuse(BusError(refusal))
        }
        visitors[session.id] = nil
        session.end()
      }
    }
  }

  func register(_ call: BusInvocation) {
    let path = call.arguments[0].asString ?? ""
    // The call may have to wait for a while.
    guard path.utf8.count <= 1024 else {
      return call.refuse(BusError(Refusal(.invalidParameters, "The path of an agent is shorter.")))
    }
    welcome(call.sender) { [unowned self] answer in
      switch answer {
      case .success(let caller): agents.register(caller, at: path, makeSession(), for: call)
      case .failure(let error): call.refuse(error)
      }
    }
  }

  func makeSession() -> ServiceSession {
    clientCount += 1
    return ServiceSession(ClientID(clientCount, at: .bus), post: post)
  }
}

// MARK: - What the service says

extension BusDoor {
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    if clients.isEmpty { return }
    bus.gather {
      var signal: BusSignal?
      for recipient in recipients {
        guard let client = clients[recipient.client] else { continue }
        do throws(BusError) {
          let made = if let signal { signal } else { try Client1.signal(event, number) }
          signal = made
          client.send(made, kind: event.replaceableKind)
          client.note(event)
        } catch {
          log.warning("\(error)")
        }
      }
    }
  }

  /// Whichever door they were changed by.
  func notifyRegionsChanged(of app: App) {
    for client in clients.values where client.caller.caller.owner == app {
      client.changed([ClientObject.regionsProperty])
    }
  }

  func rename(_ client: ClientID, to caller: Caller) {
    watches[client]?.caller.rename(to: caller)
    agents.caller(of: client)?.rename(to: caller)
    guard let client = clients[client] else { return }
    client.caller.rename(to: caller)
    client.changed(["App"])
  }

  private func session(of client: ClientID) -> ServiceSession? {
    clients[client]?.session ?? visitors[client] ?? watches[client]?.session
      ?? agents.session(of: client)
  }

  func ask(_ agent: ClientID, _ request: AgentRequest, _ call: AgentCall?) {
    agents.ask(agent, request, call)
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    session(of: client)?.complete(.success(reply), to: id)
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    session(of: client)?.complete(.failure(refusal), to: id)
  }

  /// Nobody can finish asking and still listen on a bus.
  func hangUp(_: ClientID) {}

  func purge(_ client: ClientID) { clients[client]?.purge() }
}
