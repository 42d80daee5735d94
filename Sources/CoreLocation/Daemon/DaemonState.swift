import Dispatch
import LocationClient
import LocationModel

/// All that the process knows of the daemon, and wants of it.
struct DaemonState: HasOutbox {
  enum Link: Equatable, Sendable {
    case closed
    /// The daemon has not said yet what the app may do.
    case opening
    case open
    /// There is no daemon now.
    case lost
  }

  var outbox = Outbox()
  private(set) var connection: AsyncConnection?
  private var isConnecting = false
  /// What is asked while the connection is being made.
  private var unsent: [@Sendable (AsyncConnection) -> Void] = []
  var link = Link.closed
  /// Nil until the daemon, or its absence, has been found out.
  var standing: Standing?
  /// The program's name, as the daemon knows it.
  var app = ""
  var services: Set<Service> = []
  var isEnabled = true
  var isInUse = true
  /// When the daemon went; nil while it is there, or never was.
  var goneSince: ContinuousClock.Instant?
  /// The loss has been told as an error.
  var isLossTold = false

  var lastNumber = 0
  var subscriptions: [Int: Subscription] = [:]
  var lastSingle = 0
  /// The app's regions, as the daemon has them or will have them.
  var regions: [String: Region] = [:]
  /// The regions that this process has started, and by which subscription.
  var starters: [String: Int] = [:]
  /// Regions whose start has not been told yet.
  var starting: [String: RegionStart] = [:]
  /// Regions that the app has stopped, and that the daemon may have yet.
  var stopped: Set<String> = []
  /// The daemon of this connection has said which regions it has: it is told what is started and stopped from then on.
  var knowsRegions = false
  /// Whether the daemon has been told that the app follows these.
  var followsChanges = false
  var followsVisits = false
  /// Services of these two that the app has stopped, and that the daemon may follow for it yet.
  var unfollowed: Set<Service> = []
  var events = EventLedger()
  /// Levels that a person is being asked for.
  var asked: Authorization?
  /// Holders of the app's use.
  var users: Set<Int> = []
  var waiters: [DispatchSemaphore] = []

  var isOpen: Bool { link == .open }

  /// Nil while nothing is known.
  var situation: Situation? {
    standing.map {
      Situation(
        standing: $0, isEnabled: isEnabled, isInUse: isInUse, isAsking: asked != nil && isOpen)
    }
  }

  /// Whether the caller has to make the connection.
  mutating func beginConnecting() -> Bool {
    guard connection == nil, !isConnecting else { return false }
    isConnecting = true
    link = .opening
    return true
  }

  /// The connection that was made; nil where none could be.
  mutating func use(_ connection: AsyncConnection?) {
    self.connection = connection
    isConnecting = false
    if let connection {
      for ask in unsent { outbox.append { ask(connection) } }
    }
    unsent = []
  }

  mutating func send(
    _ request: Request, manager: Int = 0,
    then reply: @escaping @Sendable (AsyncConnection.Answer) -> Void = { _ in }
  ) {
    let ask = { @Sendable (connection: AsyncConnection) in
      connection.ask(request, manager: manager, then: reply)
    }
    if let connection {
      outbox.append { ask(connection) }
    } else if isConnecting {
      unsent.append(ask)
    }
  }

  /// Nothing is told before the app's rights.
  mutating func deliver(_ delivery: NumberedDelivery, to number: Int?) {
    guard let number else { return }
    if standing == nil {
      subscriptions[number]?.deferred.append(delivery)
    } else if let deliver = subscriptions[number]?.deliver {
      outbox.append { deliver(delivery) }
    }
  }

  mutating func deliver(_ delivery: Delivery, to number: Int?) {
    deliver(NumberedDelivery(delivery), to: number)
  }

  /// Listening managers, in the order in which they were made.
  var managers: [Int] {
    subscriptions.filter { if case .manager(true) = $0.value.kind { true } else { false } }
      .keys.sorted()
  }

  /// Subscriptions that an event is for.
  func recipients(of event: Event) -> [Int] {
    switch event {
    case .didUpdateLocations:
      return subscriptions.filter { $0.value.wantsChanges && $0.value.isListening }.keys.sorted()
    case .didVisit:
      return subscriptions.values.contains { $0.wantsVisits } ? managers : []
    case .didEnterRegion(let identifier, _), .didExitRegion(let identifier, _),
      .didDetermineState(let identifier, _):
      guard let name = MonitorName.split(identifier)?.monitor else { return managers }
      return subscriptions.filter { if case .monitor(name) = $0.value.kind { true } else { false } }
        .keys.sorted()
    default: return []
    }
  }

  /// Nil where it is about a region that is not the app's any more.
  func delivery(of event: Event) -> Delivery? {
    switch event {
    case .didUpdateLocations(let location, let service): return .updated(location, service)
    case .didVisit(let visit): return .visited(visit)
    case .didEnterRegion(let identifier, _): return regions[identifier].map { .entered($0) }
    case .didExitRegion(let identifier, _): return regions[identifier].map { .exited($0) }
    case .didDetermineState(let identifier, let state):
      return regions[identifier].map { .determined($0, state) }
    default: return nil
    }
  }

  mutating func wakeWaiters() {
    for waiter in waiters { outbox.append { waiter.signal() } }
    waiters = []
  }
}

/// A region whose monitoring the daemon has yet to confirm. Its state is told after that, as Apple's is.
struct RegionStart {
  var early: (manager: Int, state: RegionState)?
}
