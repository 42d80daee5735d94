package import LocationModel

/// One manager of one client.
package struct Recipient: Hashable, Comparable, Sendable {
  package var client: ClientID
  package var manager: Int

  package init(client: ClientID, manager: Int) {
    self.client = client
    self.manager = manager
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.client.number, a.manager) < (b.client.number, b.manager)
  }
}

extension [Output] {
  mutating func tell(_ recipients: [Recipient], _ event: Event) {
    if !recipients.isEmpty { append(.tell(recipients, event)) }
  }
}

/// The fields of a line of the journal.
package struct Note: Equatable, Sendable {
  package enum Kind: Sendable {
    case permissionGiven, permissionTaken, backgroundAccess
  }

  package var kind: Kind?
  package var app: App?

  package init(_ kind: Kind? = nil, of app: App? = nil) {
    self.kind = kind
    self.app = app
  }
}

/// Everything the service wants done. Doing it never calls the service: what follows comes back as
/// an input.
package enum Output {
  /// One per event, however many it is for.
  case tell([Recipient], Event)
  /// An event of one app, told again until this number or a later one is acknowledged.
  case report([Recipient], Event, number: UInt64)
  case answer(ClientID, id: JSON, Reply)
  case refuse(ClientID, id: JSON, Refusal)
  /// Nothing more is owed to a client that has finished asking.
  case hangUp(ClientID)
  /// Nothing with a place that it was told may reach this client any more.
  case purge(ClientID)
  /// The agent answers the call, which comes as `Input.answered`.
  case ask(ClientID, AgentRequest, AgentCall)
  /// The agent is told something, and answers nothing.
  case notify(ClientID, AgentRequest)
  /// The user has another agent to tell its programs apart: those that wait for one are asked about.
  case agentCame(UInt32)
  /// The agent of its user is to look at the caller's process once more; is answered by `Input.looked`.
  case look(Caller)
  /// The client is known by another name now.
  case renamed(ClientID, Caller)
  /// Whether this caller may change permissions; is answered by `Input.consented`.
  case authorizeAdmin(Int64, Caller)
  /// A question: may this caller change what holds for the whole machine? Answered by `Input.consented`.
  case authorizeMachine(Int64, Caller)
  /// Whether this caller is one of the group that administers where no polkit does. Nobody is asked for a
  /// password; is answered by `Input.consented` as well.
  case authorizeAdmins(Int64, Caller)
  /// An app's permission has changed: for the clients that have listed it; without a user, all users'.
  case changed([ClientID], app: String, uid: UInt32?)
  /// An app monitors other regions now, or others in the same place.
  case regionsChanged(App)
  /// For the journal.
  case note(String, Note = Note())
  /// Is answered by `Input.committed` or `.commitFailed`, in the order of the commits.
  case commit([Change], CommitID)
  /// Where that caller has that name on a bus; is answered by `Input.ownerFound`.
  case findOwner(Int64, String, of: Caller)
  /// Starts a system's service; is answered by `Input.launched`. What an agent is to start is an `ask`.
  case launch(Int64, Activation)
  /// Asks systemd about a service of the machine; is answered by `Input.unitFound`.
  case askUnit(String)
  /// Asks the service of places where these networks or cells are; is answered by `Input.located`.
  case locate(Int64, GeolocateRequest)
  case open(SourceID, SourceDemand)
  /// The demand on an open source is another one.
  case demand(SourceID, SourceDemand)
  case close(SourceID)
  /// An open radio is to have a scan made; is answered by `Input.scanAnswered`.
  case scan(SourceID)
  /// The machine is to be these beacons and no others; each is answered by `Input.advertised`.
  case advertise([BeaconFrame])
  /// The next `Input.timer`, in boottime; nil for none. It replaces the one asked for before.
  case wake(at: Boottime?)
}

/// The earlier of two moments, if there are any.
func earliest(_ a: Boottime?, _ b: Boottime?) -> Boottime? {
  guard let a, let b else { return a ?? b }
  return min(a, b)
}
