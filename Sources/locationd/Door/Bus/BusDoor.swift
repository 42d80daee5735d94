import LocationCore
import LocationModel
import Platform

/// `org.locationd` on the bus: client objects, each for its owner alone.
final class BusDoor: Door {
  private let bus: BusConnection
  private let callers: BusCallers
  private let log: Log
  private let post: (Input) -> Void
  private var name: BusName?
  private var clients: [ClientID: ClientObject] = [:]
  /// Of one who asks for the status and is no client.
  private var visitor: ServiceLine?
  private var clientCount: UInt64 = 0

  init(
    on bus: BusConnection, _ callers: BusCallers, _ log: Log, post: @escaping (Input) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.callers = callers
    self.log = log
    self.post = post
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
    let line = makeLine()
    do throws(BusError) {
      let client = try ClientObject(
        of: caller, at: "\(Manager1.path)/client/\(clientCount)", introduction, line, on: bus
      ) { [unowned self] in drop(line.id) }
      if let object = client.object { try bus.export(object) }
      clients[line.id] = client
      client.begin()
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
    guard clients.removeValue(forKey: client.line.id) != nil else { return }
    if let object = client.object { bus.remove(object) }
    callers.dismiss(client.caller)
    client.line.end()
  }

  /// It does not read what may not be left out.
  private func drop(_ id: ClientID) {
    guard let client = clients[id] else { return }
    log.notice("removing a client of \(client.caller.caller.app), which does not read")
    remove(client)
  }

  /// As one who has just come would be told it.
  func status(for caller: BusCaller) throws(BusError) -> BusValue {
    let line = makeLine()
    visitor = line
    line.begin(as: caller.caller)
    defer {
      visitor = nil
      line.end()
    }
    guard case .status(let status) = line.know(.status), let value = status.json.busValue else {
      throw .failed("no status")
    }
    return value
  }

  private func makeLine() -> ServiceLine {
    clientCount += 1
    return ServiceLine(ClientID(clientCount, at: .bus), post: post)
  }
}

// MARK: - What the service says

extension BusDoor {
  func tell(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    guard !clients.isEmpty else { return }
    var signal: BusSignal?
    for recipient in recipients {
      guard let client = clients[recipient.client] else { continue }
      do throws(BusError) {
        let made = if let signal { signal } else { try Client1.signal(event, number) }
        signal = made
        try client.tell(made, kind: event.replaceableKind)
        if case .didChangeAuthorization = event { client.changed(Client1.authorization) }
      } catch {
        log.warning("\(error)")
      }
    }
  }

  private func line(of client: ClientID) -> ServiceLine? {
    visitor?.id == client ? visitor : clients[client]?.line
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    line(of: client)?.take(.success(reply), to: id)
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    line(of: client)?.take(.failure(refusal), to: id)
  }

  /// Of those who finish asking and still listen, which nobody can on a bus.
  func hangUp(_: ClientID) {}

  func purge(_ client: ClientID) { clients[client]?.purge() }
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
