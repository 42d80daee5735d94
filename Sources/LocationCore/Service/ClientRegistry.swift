import LocationModel

/// One connection, and what it may do.
struct Client {
  var caller: Caller
  var name: String?
  var purpose: String?
  /// Decided when something changes.
  var access: Access
  var listening = Listening()
  /// The events that it was told while it had no name of its own.
  var heard = HeardEvents()
  /// A person was asked for it, by the name that it had.
  var wasAskedAbout = false
  /// What the person decided then is its own name's, too, or could not be written.
  var isDecisionMoved = false
}

/// The clients that are connected.
struct ClientRegistry {
  private(set) var all: [ClientID: Client] = [:]
  /// Clients that ask nothing more, but still listen.
  var finished: Set<ClientID> = []

  subscript(id: ClientID) -> Client? {
    get { all[id] }
    _modify { yield &all[id] }
  }

  /// In the order in which they came.
  var inOrder: [ClientID] { all.keys.sorted() }

  var owners: Set<App> { Set(all.values.lazy.map(\.caller.owner)) }

  mutating func remove(_ id: ClientID) {
    finished.remove(id)
    all[id] = nil
    if all.isEmpty { all = [:] }
  }

  func owner(of id: ClientID) -> App? { all[id]?.caller.owner }

  /// The clients of a process that have no name of their own.
  func nameless(_ program: Recognition.Program) -> [ClientID] {
    all.filter { _, client in
      client.caller.uid == program.uid && client.caller.process == program.process
        && client.caller.socket == program.socket
        && client.caller.wantsClue
    }.keys.sorted()
  }

  /// The clients of an app, in the order in which they came.
  func clients(of app: App) -> [ClientID] {
    all.filter { $0.value.caller.owner == app }.keys.sorted()
  }

  func callers(of app: App) -> [Caller] { clients(of: app).compactMap { all[$0]?.caller } }

  /// How many of them belong to the user.
  func count(of uid: UInt32, in holders: some Sequence<ClientID>) -> Int {
    holders.count { all[$0]?.caller.uid == uid }
  }

  /// Whether the agent is of the caller's own processes; also where it has gone.
  func isKin(_ agent: ClientID, of caller: Caller) -> Bool {
    all[agent].map { $0.caller.isKin(of: caller) } ?? true
  }
}

extension ClientRegistry {
  /// The manager of the client is told its app's events from now on; without one the client itself is.
  /// True where the client begins to listen, which it does not beside too many managers of its user's clients.
  mutating func listen(
    _ id: ClientID, to manager: Int?, wanting service: Service?, most: Int
  ) -> Bool {
    guard let client = all[id] else { return false }
    let begins = !client.listening.isOn
    guard let manager else {
      all[id]?.listening.hasGreeted = true
      return begins
    }
    guard hasRoom(for: id, manager, most: most) else { return false }
    all[id]?.listening.listen(manager, wanting: service)
    return begins
  }

  /// True where the manager listens already, or may beside those of its user's clients.
  func hasRoom(for id: ClientID, _ manager: Int?, most: Int) -> Bool {
    guard let client = all[id], let manager else { return true }
    return client.listening.managers[manager] != nil
      || listeningManagers(of: client.caller.uid) < most
  }

  private func listeningManagers(of uid: UInt32) -> Int {
    all.values.reduce(0) { $1.caller.uid == uid ? $0 + $1.listening.managers.count : $0 }
  }
}
