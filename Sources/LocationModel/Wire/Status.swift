/// The answer to `status`; what only administrators see is nil for everyone else.
package struct Status: Equatable, Sendable {
  package var version: String
  package var services: [Service]
  package var client: ClientStatus
  /// The master switch, and no pause of the client's user.
  package var isEnabled = true
  /// The pause of the client's user.
  package var pause: PauseStatus?
  /// Why this client is told no location now; nil where it is, or nobody needs one.
  package var obstacle: String?
  /// How the user of this client is asked.
  package var agent = AgentState.none
  /// The satellites and dilutions of the receiver that is believed, for who may know the place exactly.
  package var sky: SkyStatus?
  package var maySeeSky = false
  /// Not for others than administrators, whatever is in it.
  package var isForAdministrator = true
  /// The person's own page is told which sources there are and their state, and nothing of what they say.
  package var isForPage = false
  package var sources: [SourceStatus]?
  /// The places that are told where no source says one.
  package var places: [PlaceStatus]?
  package var clients: [ClientStatus]?
  package var monitors: [MonitorStatus]?
  package var counters: Counters?
  package var need: NeedStatus?
  /// Why what is to be kept cannot be written, where it cannot.
  package var trouble: String?

  package struct Counters: Equatable, Sendable {
    /// Fixes that sources gave, those refused as impossible, and events told to clients.
    package var fixes = 0
    package var refused = 0
    package var told = 0
    /// How often an app was started.
    package var launches = 0
    /// Programs at locationd-share's doors that were let go, as they did not read.
    package var slow = 0
    /// How often time alone woke the service up.
    package var wakeUps = 0

    package init() {}
  }

  package init(version: String, services: [Service], client: ClientStatus) {
    self.version = version
    self.services = services
    self.client = client
  }
}

/// A receiver's view of the sky.
package struct SkyStatus: Equatable, Sendable {
  package var satellites: [Satellite]
  package var dilution: Dilution

  package init(satellites: [Satellite], dilution: Dilution) {
    self.satellites = satellites
    self.dilution = dilution
  }
}

/// A user's agent.
package enum AgentState: String, Sendable {
  /// Nobody is asked, and programs are not told apart.
  case none
  /// It tells programs apart, and has no way to ask.
  case identifies
  case asks
}

/// One connection, as the daemon sees it.
package struct ClientStatus: Equatable, Sendable {
  package var app: String
  package var uid: UInt32
  package var pid: Int32
  /// The client's own name.
  package var name: String?
  package var authorization: Authorization
  package var accuracy: AccuracyAuthorization
  /// Whether it counts as in use, and whether it stays so by its own wish though nobody looks.
  package var isInUse = false
  package var holdsUse = false
  /// How many of its managers use the standard service, and how many wait for one location.
  package var updating = 0
  package var waiting = 0
  /// How many are told headings.
  package var turning = 0
  /// How many lists of beacons are told.
  package var ranging = 0
  /// The machine is a beacon for it.
  package var isAdvertising = false

  package init(
    app: String, uid: UInt32, pid: Int32, name: String?, authorization: Authorization,
    accuracy: AccuracyAuthorization
  ) {
    self.app = app
    self.uid = uid
    self.pid = pid
    self.name = name
    self.authorization = authorization
    self.accuracy = accuracy
  }
}

/// One source, and why there is a fix or none.
package struct SourceStatus: Equatable, Sendable {
  package var name: String
  package var state: SourceState
  /// Seconds it has been so.
  package var stateAge: Double
  package var fixes = 0
  /// Fixes said twice, out of order or impossible.
  package var doubted = 0
  package var headings = 0
  /// Whether it is the one believed now.
  package var isChosen = false
  /// Seconds since its last fix came.
  package var lastFixAge: Double?
  package var horizontalAccuracy: Double?
  /// Nil where it agrees with the one believed now.
  package var contradiction: Contradiction?
  /// How what it says fared: sentences, refused ones by reason, epochs, fixes.
  package var counters: JSON?
  /// The details that only the source itself knows.
  package var details = SourceDetails()

  package init(name: String, state: SourceState, stateAge: Double) {
    self.name = name
    self.state = state
    self.stateAge = stateAge
  }
}

/// Two sources of which one is wrong.
package struct Contradiction: Equatable, Sendable {
  /// The source that is believed.
  package var name: String
  /// How far apart the places are that they say.
  package var metres: Double

  package init(name: String, metres: Double) {
    self.name = name
    self.metres = metres
  }
}

package enum SourceState: Equatable, Sendable {
  /// No client needs it.
  case closed
  /// Closed until the next fix is needed.
  case resting
  /// Open, and no fix has come yet.
  case waiting
  case running
  /// It cannot be read, and why.
  case failed(String)

  package var word: String {
    switch self {
    case .closed: "closed"
    case .resting: "resting"
    case .waiting: "waiting"
    case .running: "running"
    case .failed: "failed"
    }
  }
}

/// The need that the sources are on for.
package struct NeedStatus: Equatable, Sendable {
  /// How many managers are told locations, wait for one, or are told headings.
  package var updating = 0
  package var waiting = 0
  package var headings = 0
  /// How many lists of beacons are told, and how many beacons the machine is.
  package var ranging = 0
  package var advertising = 0
  /// How many apps monitor something, whether they run or not.
  package var monitoring = 0
  /// Metres that will do for all of them; 0 for the best there is.
  package var accuracy = 0.0
  /// Seconds between fixes that will do; 0 where every one is wanted.
  package var every = 0.0
  /// Seconds until receivers are opened again.
  package var resting: Double?

  package init() {}
}
