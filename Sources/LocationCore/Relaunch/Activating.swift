import LocationModel

/// Those who said what to start, and wait for it to be looked into or written.
struct Activations {
  struct Waiting {
    var client: ClientID
    var call: JSON?
    var busName: String
    var deadline: Int64
  }

  var waiting: [Int64: Waiting] = [:]
  /// In the order in which they are written.
  var unwritten: [(app: App, launch: Launch)] = []
  private var last: Int64 = 0

  static let mostPerUser = 8
  private static let patience: Int64 = 10_000_000_000

  mutating func add(
    _ client: ClientID, _ call: JSON?, _ busName: String, at now: Instant
  ) -> Int64 {
    last += 1
    waiting[last] = Waiting(
      client: client, call: call, busName: busName, deadline: now.boottime + Self.patience)
    return last
  }

  mutating func forget(_ app: App) { unwritten.removeAll { $0.app == app } }

  /// It is written, or failed. False where the app has taken it back since.
  mutating func end(_ launch: Launch, of app: App) -> Bool {
    guard let i = unwritten.firstIndex(where: { $0 == (app, launch) }) else { return false }
    unwritten.remove(at: i)
    return true
  }

  func isWaiting(_ client: ClientID) -> Bool { waiting.values.contains { $0.client == client } }
  var nextDeadline: Int64? { waiting.isEmpty ? nil : waiting.values.lazy.map(\.deadline).min() }
}

/// What an app says is to be started when an event is for it and it is gone.
extension LocationService {
  /// Nil where the answer comes later.
  mutating func setActivation(
    _ activation: Activation?, _ call: JSON?, of client: ClientID, _ caller: Caller,
    _ access: Access, at now: Instant, into outputs: inout [Output]
  ) throws(Refusal) -> Reply? {
    guard let activation else {
      guard launches.launch(of: caller.owner) != nil else { return .done }
      forgetLaunch(of: caller.owner)
      commit(
        [.remove(caller.owner, kind: Kept.activation, key: "")], for: client, call, into: &outputs)
      return nil
    }
    try authorizeActivation(access, caller)
    try checkQueue(of: caller)
    try checkRoom(for: caller.owner, of: caller)
    switch activation {
    case .unit(let name):
      guard let place = caller.place(ofUnit: name) else {
        throw Refusal(
          .denied,
          "\(caller.app) may have the service started that it runs in itself, and \(name) is none"
            + " such; or a busName that it owns.")
      }
      let launch = Launch(activation, at: place)
      if isKept(launch, of: caller.owner) { return .done }
      keep(launch, for: client, call, caller, at: now, into: &outputs)
    case .busName(let name):
      let ofUser = activations.waiting.values.count { clients[$0.client]?.caller.uid == caller.uid }
      guard ofUser < Activations.mostPerUser else {
        throw Refusal(.limitExceeded, "Too many of your programs say at once what to start.")
      }
      outputs.append(.findOwner(activations.add(client, call, name, at: now), name, of: caller))
    }
    return nil
  }

  /// For what is told while the app is gone.
  private func authorizeActivation(_ access: Access, _ caller: Caller) throws(Refusal) {
    let verdict = access.verdict(for: .significant)
    guard !verdict.isAllowed, verdict != .confirm else { return }
    throw refusal(verdict, access, caller)
  }

  /// Where the name was found to be the caller's; nil for nowhere.
  mutating func take(
    _ place: Launch.Place?, for number: Int64, at now: Instant, into outputs: inout [Output]
  ) {
    guard let waiting = activations.waiting.removeValue(forKey: number),
      let client = clients[waiting.client]
    else { return }
    do throws(Refusal) {
      guard let place else {
        throw Refusal(
          .denied,
          "\(client.caller.app) does not own \(waiting.busName) now, or nobody could tell: that is"
            + " asked of the system's bus, and of the session's through locationd-agent.")
      }
      try authorizeActivation(client.access, client.caller)
      let launch = Launch(.busName(waiting.busName), at: place)
      if !isKept(launch, of: client.caller.owner) {
        keep(
          launch, for: waiting.client, waiting.call, client.caller, at: now, into: &outputs)
      } else if let id = waiting.call {
        outputs.append(.answer(waiting.client, id: id, .done))
      }
    } catch {
      if let id = waiting.call { outputs.append(.refuse(waiting.client, id: id, error)) }
    }
  }

  mutating func giveUpActivations(at now: Instant, into outputs: inout [Output]) {
    guard let next = activations.nextDeadline, next <= now.boottime else { return }
    for (number, waiting) in activations.waiting where waiting.deadline <= now.boottime {
      take(nil, for: number, at: now, into: &outputs)
    }
  }

  /// An app says it each time it starts: that need not be written again.
  private func isKept(_ launch: Launch, of app: App) -> Bool {
    launches.launch(of: app) == launch && !activations.unwritten.contains { $0.app == app }
  }

  /// It holds once it is written.
  private mutating func keep(
    _ launch: Launch, for client: ClientID, _ call: JSON?, _ caller: Caller, at now: Instant,
    into outputs: inout [Output]
  ) {
    let app = caller.owner
    commit(
      [.put(app, kind: Kept.activation, key: "", Kept.bytes(of: launch.json))],
      then: .activated(app, launch), for: client, call, into: &outputs)
    activations.unwritten.append((app, launch))
  }

  mutating func finishActivation(
    of app: App, _ launch: Launch, _ trouble: String?, at now: Instant,
    into outputs: inout [Output]
  ) {
    guard activations.end(launch, of: app), trouble == nil else { return }
    outputs.append(.note("\(app): \(launch.activation.name) is to be started for its events"))
    launches.set(
      launch, of: app, connections: clients.all.values.count { $0.caller.owner == app },
      at: now.boottime)
  }

  mutating func forgetLaunch(of app: App) {
    launches.forget(app)
    activations.forget(app)
  }
}
