import DBus
import LocationCore
import LocationModel
import Platform

/// `org.freedesktop.GeoClue2` on the bus, so that the programs written for it are served as they are.
final class GeoClueDoor: Door {
  private let callers: BusCallers<BusCaller>
  private let log: Log
  private let post: (Input) -> Void
  private var name: BusName?
  private var manager: BusObject?
  private var clients: [ClientID: GeoClueClient] = [:]
  private var clientsByCaller: [String: [GeoClueClient]] = [:]
  private var agents: GeoClueAgents?
  private var properties: LocationProperties?
  private var clientCount: UInt64 = 0
  private var locationCount: UInt64 = 0
  private(set) var isInUse = false
  /// The best that anybody may be told.
  var availableLevel = AccuracyLevel.none {
    didSet { if availableLevel != oldValue { managerChanged("AvailableAccuracyLevel") } }
  }

  init(
    to callers: BusCallers<BusCaller>, _ log: Log,
    post: @escaping (Input) -> Void
  ) throws(BusError) {
    self.callers = callers
    self.log = log
    self.post = post
    let manager = BusObject(GeoClue.root + "/Manager", target: self, [GeoClue.managerInterface])
    self.manager = manager
    try bus.export(manager)
    try bus.export(
      BusFolder("\(ToldLocation.folder)", [GeoClue.locationInterface]) { [unowned self] in
        location(called: $0, for: $1)
      })
    agents = GeoClueAgents(on: bus) { [unowned self] uid in
      for client in clients.values where client.caller.caller.uid == uid { client.adjust() }
    }
    properties = LocationProperties(on: bus.loop, log)
    name = try bus.own(GeoClue.name) { log.note(GeoClue.name, $0) }
    callers.gone.append { [unowned self] caller in
      for client in clients(of: caller.name) { remove(client) }
    }
  }

  var bus: BusConnection { callers.bus }

  func changed(_ names: [String], of interface: String, on object: BusObject) {
    try? bus.propertiesChanged(names, of: interface, on: object)
  }

  private func managerChanged(_ name: String) {
    if let manager { changed([name], of: GeoClue.manager, on: manager) }
  }
}

// MARK: - Clients and agents

extension GeoClueDoor {
  /// Answers a call for one whose identity has to be known first.
  func welcome(
    _ call: BusInvocation, _ values: @escaping (BusCaller) throws(BusError) -> [BusValue]
  ) {
    callers.identify(call.sender) { answer in
      do throws(BusError) {
        call.answer(try values(answer.get()))
      } catch {
        call.refuse(error)
      }
    }
  }

  func clients(of sender: String) -> [GeoClueClient] { clientsByCaller[sender] ?? [] }

  func makeClient(of caller: BusCaller) throws(BusError) -> GeoClueClient {
    guard caller.admitClient() else {
      throw .limitsExceeded(
        "your programs already have as many clients as ConnectionsPerUser= allows")
    }
    clientCount += 1
    let session = ServiceSession(ClientID(clientCount, at: .geoclue), post: post)
    do throws(BusError) {
      let client = try GeoClueClient(
        of: caller, at: "\(GeoClue.root)/Client/\(clientCount)", session, door: self
      ) { [unowned self] in
        if let client = clients[session.id] { remove(client) }
      }
      if let object = client.object { try bus.export(object) }
      clients[session.id] = client
      clientsByCaller[caller.name, default: []].append(client)
      session.begin(as: caller.caller)
      return client
    } catch {
      caller.dismissClient()
      throw error
    }
  }

  func remove(_ client: GeoClueClient) {
    guard clients.removeValue(forKey: client.session.id) != nil else { return }
    let rest = clients(of: client.caller.name).filter { $0 !== client }
    clientsByCaller[client.caller.name] = rest.isEmpty ? nil : rest
    if let object = client.object { bus.remove(object) }
    client.caller.dismissClient()
    client.session.end()
    countActive()
  }

  func countActive() {
    let isInUse = clients.values.contains { $0.isActive }
    guard isInUse != self.isInUse else { return }
    self.isInUse = isInUse
    managerChanged("InUse")
  }

  func ceiling(of caller: BusCaller) -> AccuracyLevel {
    agents?.ceiling(of: caller.caller.uid) ?? .exact
  }

  func addAgent(_ call: BusInvocation) {
    callers.identify(call.sender) { [unowned self] answer in
      do throws(BusError) {
        let caller = try answer.get().caller
        guard caller.confinement == .none else {
          throw .accessDenied("a sandboxed program is no agent")
        }
        try agents?.add(call.sender, of: caller.uid) { call.answer([]) }
      } catch {
        call.refuse(error)
      }
    }
  }

  private func location(called name: Substring, for sender: String) -> ToldLocation? {
    guard let number = UInt64(name) else { return nil }
    return clients(of: sender).lazy.compactMap { $0.told[number] }.first
  }
}

// MARK: - What the service says

extension GeoClueDoor {
  func deliver(_ recipients: [Recipient], _ event: Event, _ number: UInt64) {
    guard !clients.isEmpty else { return }
    switch event {
    case .didUpdateLocations(let location, .standard): deliver(recipients, location)
    case .didChangeAuthorization(let authorization, _):
      for recipient in recipients { clients[recipient.client]?.follow(authorization) }
    default: break
    }
  }

  /// One who was told better until now.
  func deliverNewest(to client: GeoClueClient) {
    let recipient = Recipient(client: client.session.id, manager: 0)
    client.session.ask(.location) { [unowned self] answer in
      if case .success(.location(let location?)) = answer { deliver([recipient], location) }
    }
  }

  private func deliver(_ recipients: [Recipient], _ location: Location) {
    let now = Clock.boottime
    bus.gather { update(recipients, location, at: now) }
    properties?.notify(at: now)
  }

  private func update(_ recipients: [Recipient], _ location: Location, at now: Boottime) {
    // Most are told the same, after the same.
    var exact: ToldLocation?
    var shared: SharedSignal?
    for recipient in recipients {
      guard let client = clients[recipient.client], client.isActive else { continue }
      if client.isCoarse {
        guard let place = client.coarsened(location, at: now) else { continue }
        deliver(client, called(place, at: now), &shared)
      } else if client.admits(location.coordinate, location.timestamp) {
        let told = exact ?? called(location, at: now)
        exact = told
        deliver(client, told, &shared)
      }
      properties?.note(client, at: now)
    }
  }

  /// Gives a location that will be told its number.
  private func called(_ location: Location, at now: Boottime) -> ToldLocation {
    locationCount += 1
    return ToldLocation(locationCount, location, since: now)
  }

  private func deliver(
    _ client: GeoClueClient, _ told: ToldLocation, _ shared: inout SharedSignal?
  ) {
    do throws(BusError) {
      let old = client.makeRoom()
      if shared?.old !== old || shared?.new !== told {
        shared = SharedSignal(old: old, new: told, signal: try GeoClue.updated(from: old, to: told))
      }
      if let signal = shared?.signal { client.send(told, by: signal) }
    } catch {
      log.warning("\(error)")
    }
  }

  func answer(_ client: ClientID, _ id: JSON, _ reply: Reply) {
    clients[client]?.session.complete(.success(reply), to: id)
  }

  func refuse(_ client: ClientID, _ id: JSON, _ refusal: Refusal) {
    clients[client]?.session.complete(.failure(refusal), to: id)
  }

  func rename(_ client: ClientID, to caller: Caller) { clients[client]?.caller.rename(to: caller) }

  /// Nobody can finish asking and still listen on a bus.
  func hangUp(_: ClientID) {}

  func purge(_ client: ClientID) { clients[client]?.purge() }
}

/// A signal `LocationUpdated` that several clients may be told.
private struct SharedSignal {
  var old: ToldLocation?
  var new: ToldLocation
  var signal: BusSignal
}
