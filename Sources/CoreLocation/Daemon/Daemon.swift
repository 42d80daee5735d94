import Dispatch
import LocationClient
import LocationModel

/// The process's one connection to the daemon, shared by its managers, streams and monitors. Its calls
/// never wait, but for the few that say so; it has one thread, which sleeps unless the daemon says
/// something.
final class Daemon: Sendable {
  static let shared = Daemon()
  /// Tests put another one in its place.
  @TaskLocal static var current = shared

  let path: String
  let state = Guarded(DaemonState())
  /// Nil for the program's own.
  private let description: AppDescription?
  /// Longest wait for the daemon where the app wants an answer at once.
  let patience: Duration

  /// The daemon may be gone so long, as when it is started anew, before that is an error.
  static let restart: Duration = .seconds(10)

  init(
    path: String = Connection.defaultPath, _ description: AppDescription? = nil,
    patience: Duration = .seconds(1)
  ) {
    self.path = path
    self.description = description
    self.patience = patience
  }

  deinit {
    state.withLock { $0.connection }?.close()
  }

  /// Connects, the first time that anything is wanted.
  func connect() {
    guard state.withLock({ $0.beginConnecting() }) else { return }
    do throws(ConnectionError) {
      let connection = try AsyncConnection(path: path) { [weak self] event in
        self?.handle(event)
      }
      state.withLock { $0.use(connection) }
    } catch {
      state.withLock { state in
        state.use(nil)
        lose(&state)
      }
    }
  }

  /// The first reads files.
  var info: AppDescription { description ?? .ofProgram }
}

// MARK: - Words of the daemon

extension Daemon {
  private func handle(_ event: PersistentConnection.Event) {
    // It is read here rather than under the lock.
    _ = info
    state.withLock { state in
      switch event {
      case .opened: greet(&state)
      case .received(.event(let number, let event)): receive(event, for: number, &state)
      case .received(.numbered(_, let event, let number)):
        if state.events.admits(number, event) {
          route(number, event, &state)
        } else {
          state.events.repeatAcknowledgement()
          acknowledge(&state)
        }
      case .received: break
      case .lost: lose(&state)
      }
    }
  }

  /// The rights of the app are known, or have changed.
  func use(_ standing: Standing, _ state: inout DaemonState) {
    state.standing = standing
    if standing.authorization != .notDetermined { state.asked = nil }
    state.wakeWaiters()
    tellSituation(&state)
    if standing.authorization == .authorizedWhenInUse { dropRegions(&state) }
    if CLAuthorizationStatus(standing.authorization).isAuthorized { resumeMonitors(&state) }
    reconcile(&state)
  }

  func tellSituation(_ state: inout DaemonState) {
    for number in state.subscriptions.keys.sorted() {
      tellSituation(to: number, &state)
      let deferred = state.subscriptions[number]?.deferred ?? []
      state.subscriptions[number]?.deferred = []
      for delivery in deferred { state.deliver(delivery, to: number) }
    }
  }

  func tellSituation(to number: Int, _ state: inout DaemonState) {
    guard let subscription = state.subscriptions[number], subscription.isListening,
      let situation = state.situation, subscription.lastSituation != situation
    else { return }
    state.subscriptions[number]?.lastSituation = situation
    // A manager's delegate is told of rights only.
    if case .manager = subscription.kind, subscription.lastSituation?.standing == situation.standing
    {
      return
    }
    state.deliver(.authorizationChanged(situation), to: number)
  }

  /// While in use, managers monitor no regions; monitors do.
  private func dropRegions(_ state: inout DaemonState) {
    for identifier in state.starters.keys.sorted() where MonitorName.split(identifier) == nil {
      let error = CLError(
        .regionMonitoringDenied,
        "Region monitoring by a CLLocationManager needs the permission Always.")
      stop([identifier], &state)
      let region = state.regions.removeValue(forKey: identifier)
      state.starting[identifier] = nil
      state.deliver(
        .monitoringFailed(region.map { CLRegion.region($0) }, error),
        to: state.starters.removeValue(forKey: identifier))
    }
  }

  /// A revocation takes regions away: monitors have theirs again once they may.
  private func resumeMonitors(_ state: inout DaemonState) {
    for identifier in state.starters.keys.sorted() where MonitorName.split(identifier) != nil {
      guard state.isOpen, let region = state.regions[identifier] else { continue }
      start(region, &state)
      askState(region, &state)
    }
  }
}

// MARK: - Events

extension Daemon {
  private func receive(_ event: Event, for number: Int, _ state: inout DaemonState) {
    switch event {
    case .didChangeAuthorization(let authorization, let accuracy):
      use(Standing(authorization: authorization, accuracy: accuracy), &state)
      askStatus(&state)
    case .didUpdateLocations(let location, .standard):
      state.deliver(.updated(location, .standard), to: number)
    case .didUpdateHeading(let heading): state.deliver(.heading(heading), to: number)
    case .didRangeBeacons(let constraint, let beacons):
      state.deliver(.ranged(constraint, beacons), to: number)
    case .rangingDidFail(let constraint, let refusal):
      failRanging(constraint, refusal, of: number, &state)
    case .didPauseLocationUpdates: state.deliver(.paused, to: number)
    case .didResumeLocationUpdates: state.deliver(.resumed, to: number)
    case .didFail(let refusal):
      if refusal.code == .denied { state.subscriptions[number]?.standard?.isSent = false }
      state.deliver(.failed(CLError(refusal, other: .locationUnknown)), to: number)
    case .didStartMonitoring(let identifier):
      guard let start = state.starting.removeValue(forKey: identifier),
        let region = state.regions[identifier]
      else { return }
      state.deliver(.started(region), to: state.starters[identifier])
      if let early = start.early {
        state.deliver(.determined(region, early.state), to: early.manager)
      }
    case .monitoringDidFail(let identifier, let refusal):
      let error = CLError(refusal, other: .regionMonitoringFailure)
      guard let identifier else {
        for manager in state.managers { state.deliver(.monitoringFailed(nil, error), to: manager) }
        return
      }
      failRegion(identifier, error, &state)
    default:
      guard let delivery = state.delivery(of: event) else { return }
      for recipient in state.recipients(of: event) { state.deliver(delivery, to: recipient) }
    }
  }

  func failRegion(_ identifier: String, _ error: CLError, _ state: inout DaemonState) {
    guard MonitorName.split(identifier) == nil else {
      // A monitor keeps its conditions: they are watched again when the app may.
      return state.deliver(
        .monitoringFailed(state.regions[identifier].map { CLRegion.region($0) }, error),
        to: state.starters[identifier])
    }
    let region = state.regions.removeValue(forKey: identifier)
    state.starting[identifier] = nil
    state.deliver(
      .monitoringFailed(region.map { CLRegion.region($0) }, error),
      to: state.starters.removeValue(forKey: identifier))
  }

  /// To those that are to see it; without any it waits.
  private func route(_ number: UInt64, _ event: Event, _ state: inout DaemonState) {
    guard let delivery = state.delivery(of: event) else {
      // Its region has been stopped meanwhile.
      state.events.drop(number)
      return acknowledge(&state)
    }
    let recipients = state.recipients(of: event)
    state.events.send(number, to: Set(recipients))
    for recipient in recipients {
      state.deliver(
        NumberedDelivery(delivery, Receipt(event: number, subscriber: recipient)), to: recipient)
    }
  }

  /// Somebody may be there now for what waits.
  func routeWaiting(_ state: inout DaemonState) {
    for (number, event) in state.events.waiting { route(number, event, &state) }
  }

  func acknowledge(_ state: inout DaemonState) {
    guard let number = state.events.acknowledgement() else { return }
    state.send(.acknowledge(event: number))
  }

  /// A subscriber has the event.
  func acknowledge(_ receipt: Receipt) {
    state.withLock { state in
      state.events.acknowledge(receipt)
      acknowledge(&state)
    }
  }

  /// The event has reached a manager that has nobody to tell.
  func giveBack(_ receipt: Receipt) {
    state.withLock { state in
      state.subscriptions[receipt.subscriber]?.kind = .manager(hasDelegate: false)
      state.events.giveBack(receipt)
      routeWaiting(&state)
      acknowledge(&state)
    }
  }
}
