import LocationCore
import LocationModel
import Platform

/// `org.locationd` on the bus: client objects, each for its owner alone.
final class BusDoor: Door {
  let bus: BusConnection
  private let callers: BusCallers
  private let log: Log
  private let postInput: (Input) -> Void
  private var name: BusName?
  private var clients: [ClientID: ClientObject] = [:]
  private var clientCount: UInt64 = 0
  private var questionCount: Int64 = 0

  init(
    on bus: BusConnection, _ callers: BusCallers, _ log: Log, post: @escaping (Input) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.callers = callers
    self.log = log
    postInput = post
    try bus.export(BusObject(Manager1.path, target: self, [Manager1.interface]))
    name = try bus.own("org.locationd") { log.tell("org.locationd", $0) }
    callers.gone.append { [unowned self] caller in
      for client in clients.values where client.caller === caller { remove(client) }
    }
  }
}

// MARK: - Clients come and go

extension BusDoor {
  func welcome(_ sender: String, told: @escaping (BusCallers.Answer) -> Void) {
    callers.identify(sender, told: told)
  }

  /// Gives its path.
  func makeClient(
    of caller: BusCaller, _ introduction: Request.Introduction
  ) throws(BusError) -> String {
    guard callers.admit(caller) else {
      throw BusError(
        Refusal(.limitExceeded, "Your programs already have as many clients as may be."))
    }
    let id = nextClient()
    do throws(BusError) {
      let client = try ClientObject(
        id, of: caller, at: "\(Manager1.path)/client/\(clientCount)", introduction: introduction,
        door: self)
      if let object = client.object { try bus.export(object) }
      clients[id] = client
      postInput(.connected(id, caller.caller))
      client.ask(.hello(introduction))
      return client.path
    } catch {
      callers.dismiss(caller)
      throw error
    }
  }

  func client(at path: String, of sender: String) -> ClientObject? {
    clients.values.first { $0.path == path && $0.caller.name == sender }
  }

  func remove(_ client: ClientObject) {
    guard clients.removeValue(forKey: client.id) != nil else { return }
    if let object = client.object { bus.remove(object) }
    callers.dismiss(client.caller)
    postInput(.gone(client.id))
  }

  /// It does not read what may not be left out.
  func drop(_ client: ClientObject) {
    log.notice("removing a client of \(client.caller.caller.app), which does not read")
    remove(client)
  }

  /// As one who has just come would be told it.
  func status(for caller: BusCaller) throws(BusError) -> BusValue {
    let id = nextClient()
    let visitor = try ClientObject(
      id, of: caller, at: Manager1.path, introduction: .init(), door: self)
    clients[id] = visitor
    postInput(.connected(id, caller.caller))
    defer {
      clients[id] = nil
      postInput(.gone(id))
    }
    guard case .status(let status) = visitor.know(.status), let value = status.json.busValue else {
      throw .failed("no status")
    }
    return value
  }

  private func nextClient() -> ClientID {
    clientCount += 1
    return ClientID(clientCount, at: .bus)
  }
}

// MARK: - To the service and back

extension BusDoor {
  func nextQuestion() -> Int64 {
    questionCount += 1
    return questionCount
  }

  func post(_ client: ClientID, _ request: Request, _ id: JSON?) {
    postInput(.called(client, Call(id: id, request)))
  }

  func tell(_ recipients: [Recipient], _ event: Event) {
    guard !clients.isEmpty else { return }
    var signal: BusSignal?
    for recipient in recipients {
      guard let client = clients[recipient.client] else { continue }
      do throws(BusError) {
        let made = if let signal { signal } else { try Client1.signal(event) }
        signal = made
        try client.tell(made, kind: event.replaceableKind)
      } catch {
        log.warning("\(error)")
      }
    }
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    clients[client]?.take(reply, to: id)
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    clients[client]?.take(refusal, to: id)
  }

  /// Of those who finish asking and still listen, which nobody can on a bus.
  func hangUp(_: ClientID) {}

  /// Agents come by the socket.
  func ask(_: ClientID, _: AgentRequest, id: JSON?) {}

  func purge(_ client: ClientID) { clients[client]?.purge() }
}

extension ClientObject {
  /// Tells its owner of properties that have changed.
  func changed(_ names: [String]) {
    guard let object else { return }
    try? door.bus.propertiesChanged(names, of: Client1.name, on: object)
  }
}

extension Log {
  /// What has become of a name on the bus.
  func tell(_ name: String, _ state: BusName.State) {
    switch state {
    case .owned: info("serving \(name)")
    case .waiting: warning("another program has the name \(name); waiting for it")
    case .lost: break
    case .refused(let why):
      error("the bus does not let us have the name \(name), so nobody is served by it: \(why)")
    }
  }
}
